"""Work queues: pull as many messages as there are free slots, and renew the claim on each.

A process decides by its own clock whether it still holds a message, since the server also confirms renewals of messages
it has given to others: once `MARGIN` of `ack_wait` has passed since the last confirmed renewal was sent, the holder
stops and sends nothing more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress

import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from prometheus_client import Counter, Gauge, Histogram

from muster_bus.bus import Bus
from muster_bus.faults import FAULTS
from muster_bus.pull_requests import Pull
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_protocol import codec
from muster_protocol.errors import ClaimLost, NewerVersion

log = structlog.get_logger("muster.bus")

SLOTS = Gauge("muster_slots", "Slots of this process", ["queue"])
BUSY = Gauge("muster_slots_busy", "Slots in use", ["queue"])
CLAIMS_LOST = Counter(
    "muster_claims_lost", "Claims lost because the server did not confirm a renewal in time", ["queue"]
)
RENEWAL_SECONDS = Histogram(
    "muster_claim_renewal_seconds",
    "Time until the server confirmed the renewal of a claim",
    ["queue"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
RENEWALS_FAILED = Counter(
    "muster_claim_renewals_failed", "Renewals of claims that the server did not confirm", ["queue"]
)
REDELIVERIES = Counter(
    "muster_redeliveries", "Messages delivered again, whether or not anyone had started on them", ["queue"]
)

MARGIN = 0.8
"""Share of ack_wait after which a claim that could not be renewed counts as lost."""


NEWER_SECONDS, NEWER_DELIVERIES = 30.0, 120
"""Delay between redeliveries of a message of a newer version, and how many there are: for an hour."""
MOST_LAG = 1.0
"""Seconds of event-loop lag above which no more work is pulled."""


class Claim:
    """A pulled message: this process may work on it until `lost` is set."""

    def __init__(self, bus: Bus, message: Msg, queue: str) -> None:
        tokens = (message.reply or "").split(".")  # $JS.ACK.<stream>.<consumer>.<delivered>.<seq>.<cseq>.<ns>.<pending>
        self.subject, self.data, self.headers = message.subject, message.data, message.headers or {}
        self.delivery, self.message = int(tokens[4]), int(tokens[5])
        self.stored_at, self.pending = int(tokens[7]) / 1e9, int(tokens[8])
        self.lost = asyncio.Event()
        self._bus, self._reply, self._queue = bus, message.reply, queue
        self._ack_wait = bus.settings.ack_wait_seconds
        waited = bus.lag.seconds  # the message may have waited in the socket for as long as the event loop lags
        self._proved = time.monotonic() - waited
        """When the last confirmed renewal was sent."""
        self._settled = False
        self._on_lost: list[Callable[[], object]] = []
        self._renewing: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(max(0.0, self._ack_wait / 3 - waited), self._start_renewing)

    @property
    def is_held(self) -> bool:
        """Whether the claim is still held, by this process's clock."""
        if not self._settled and time.monotonic() - self._proved > self._ack_wait * MARGIN:
            self._lose()
        return not self.lost.is_set()

    def on_lost(self, callback: Callable[[], object]) -> None:
        """Register a function to call when the claim is lost; it must not block."""
        self._on_lost.append(callback)

    def check(self) -> None:
        """Raise ClaimLost unless the claim is held."""
        if not self.is_held:
            raise ClaimLost(f"the claim on {self.subject} message {self.message} was not renewed in time")

    def check_version(self) -> None:
        """Raise NewerVersion if the header says that a newer version wrote the message.

        Anyone can forge the header: use this only for messages that outsiders cannot write.
        """
        version = codec.version_of(self.headers)
        if version > codec.VERSION:
            raise NewerVersion(f"it is of version {version}; this process reads up to version {codec.VERSION}")

    async def leave_to_newer(self, error: NewerVersion) -> bool:
        """Give the message back for a newer process; False once none has taken it for an hour."""
        if self.delivery >= NEWER_DELIVERIES:
            return False
        log.warning(
            "message left to a newer version of Muster; offered again later",
            subject=self.subject,
            message=self.message,
            reason=str(error),
        )
        await self.nak(NEWER_SECONDS)
        return True

    async def drop(self, reason: str) -> None:
        """Take a message that nobody can read out of the queue, and count and log that."""
        FAULTS.labels(self._queue).inc()
        log.error("unreadable message dropped", subject=self.subject, message=self.message, reason=reason)
        await self.term("unreadable")

    async def ack(self, *, confirmed: bool = False) -> None:
        """Take the message out of the queue; call this only after the log has its outcome.

        `confirmed` waits for the server, so that the queue then accepts another message on the same subject.
        """
        await self._settle(b"+ACK", confirmed=confirmed)

    async def nak(self, delay: float = 0.0) -> None:
        """Give the message back, to be redelivered after `delay` seconds."""
        await self._settle(b'-NAK {"delay": %d}' % int(delay * 1e9) if delay else b"-NAK")

    async def term(self, reason: str) -> None:
        """Take the message out of the queue as invalid."""
        await self._settle(b"+TERM " + reason.encode())

    def release(self) -> None:
        """Stop renewing and send nothing; the message is redelivered after ack_wait, unless it was acked."""
        self._settled = True
        self._timer.cancel()
        if self._renewing is not None:
            self._renewing.cancel()

    async def _settle(self, answer: bytes, *, confirmed: bool = False) -> None:
        held = self.is_held and not self._settled
        self.release()
        if not held or not self._bus.nc.is_connected:
            return
        if not confirmed:
            await self._bus.nc.publish(self._reply, answer)
            return
        with suppress(TimeoutError, NatsError):  # it is then redelivered, and its log shows that it is done
            await self._bus.nc.request(self._reply, answer, timeout=self._ack_wait / 2)

    def _start_renewing(self) -> None:
        self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        while self.is_held:
            renewed = await self._try_renewal()
            await asyncio.sleep(self._ack_wait / 3 if renewed else self._ack_wait / 20)

    async def _try_renewal(self) -> bool:
        """Renew the claim; not while disconnected, as the client would send it later, when another may hold it."""
        now = time.monotonic()
        if not self._bus.nc.is_connected:
            return False
        try:
            await self._bus.nc.request(self._reply, b"+WPI", timeout=self._ack_wait / 4)
        except (TimeoutError, NatsError):
            RENEWALS_FAILED.labels(self._queue).inc()
            log.warning(
                "claim not renewed: NATS did not confirm it in time", subject=self.subject, message=self.message
            )
            return False
        RENEWAL_SECONDS.labels(self._queue).observe(time.monotonic() - now)
        self._proved = now
        return True

    def _lose(self) -> None:
        if not self.lost.is_set():
            CLAIMS_LOST.labels(self._queue).inc()
            self.lost.set()
            for callback in self._on_lost:
                callback()


Handler = Callable[[Claim], Awaitable[None]]


class Intake:
    """Pulls messages from durable consumers into a fixed number of slots, and runs a handler for each."""

    def __init__(self, bus: Bus, stream: str, consumers: Sequence[str], *, slots: int, handler: Handler) -> None:
        self.slots, self.busy = slots, 0
        self.queue = stream
        self._bus, self._handler = bus, handler
        self._pulls = [Pull(bus, bus.names.stream(stream), consumer, self._on_message) for consumer in consumers]
        self._tasks: set[asyncio.Task[None]] = set()
        self._refusals: set[asyncio.Task[None]] = set()
        """Messages on their way back."""
        self._stopping = False
        self._watch: asyncio.Task[None] | None = None
        self._kick = asyncio.Event()
        self.label = f"{stream}/{consumers[0].split('-')[0]}"
        SLOTS.labels(self.label).set(slots)
        self._redelivered = REDELIVERIES.labels(self.label)
        for counter in (CLAIMS_LOST, RENEWALS_FAILED, FAULTS):  # create them at 0: the first count is an increase
            counter.labels(self.label)
        BUSY.labels(self.label).set_function(lambda: self.busy)

    async def start(self) -> None:
        """Start pulling."""
        for pull in self._pulls:
            await pull.start()
        self._bus.on_reconnect(self._on_reconnect)
        self._watch = asyncio.create_task(self._keep_asking())

    async def stop(self, grace: float) -> None:
        """Stop pulling, give back messages not started, and let handlers finish for up to `grace` seconds."""
        self._stopping = True
        self._bus.off_reconnect(self._on_reconnect)
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.gather(*(pull.stop() for pull in self._pulls))
        await asyncio.gather(*self._refusals, return_exceptions=True)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=5.0)

    def _on_message(self, message: Msg) -> None:
        if self._stopping or self.busy >= self.slots:  # no slot is free any more; another worker may have one
            self._spawn(self._bus.nc.publish(message.reply, b"-NAK"), self._refusals)
            return
        self.busy += 1
        self._spawn(self._work(message), self._tasks)

    def _spawn(self, work: Coroutine[None, None, None], tasks: set[asyncio.Task[None]]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _work(self, message: Msg) -> None:
        try:
            claim = Claim(self._bus, message, self.label)
        except (ValueError, IndexError):  # nothing can be acknowledged by such a subject
            FAULTS.labels(self.label).inc()
            log.exception("message ignored: it is of no queue", subject=message.subject, reply=message.reply)
        else:
            await self._handle(claim)
        finally:
            self.busy -= 1
            if not self._stopping:
                await self._top_up()

    async def _handle(self, claim: Claim) -> None:
        if claim.delivery > 1:
            self._redelivered.inc()
        try:
            claim.check()
            await self._handler(claim)
        except BUS_ERRORS as error:
            log.warning(
                "NATS unavailable while a message was handled; it will be redelivered",
                subject=claim.subject,
                error=describe_error(error),
            )
        except Exception:  # a fault in one message must not end the process; the message is redelivered
            FAULTS.labels(self.label).inc()
            log.exception("message handler failed", subject=claim.subject, message=claim.message)
        finally:
            claim.release()

    async def _top_up(self) -> None:
        """Request messages for all free slots, unless the event loop lags too much."""
        if self._bus.lag.seconds > MOST_LAG:
            return
        for pull in self._pulls:
            await pull.ask(self.slots - self.busy)

    async def _keep_asking(self) -> None:
        """Request at start, after each reconnection, and every second in place of expired or lost requests."""
        while True:
            self._kick.clear()
            await self._top_up()
            try:
                await asyncio.wait_for(self._kick.wait(), 1.0)
            except TimeoutError:
                continue

    def _on_reconnect(self) -> None:
        for pull in self._pulls:
            pull.forget()
        self._kick.set()
