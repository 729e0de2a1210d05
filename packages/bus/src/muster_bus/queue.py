"""The queue group: pull as many messages as there are free slots, and keep each one's claim alive.

Possession is a local clock rule, since a reply to a keep-alive proves nothing: past `ack_wait` less a margin since the
last answered keep-alive, a holder stops and sends nothing more.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from prometheus_client import Counter, Gauge, Histogram

from muster_bus.connection import Bus
from muster_bus.store_answers import MISSING
from muster_protocol import codec
from muster_protocol.errors import BusError, ClaimLost, NewerVersion

log = structlog.get_logger("muster.bus")

SLOTS = Gauge("muster_slots", "Slots of this process", ["queue"])
BUSY = Gauge("muster_slots_busy", "Slots in use", ["queue"])
CLAIMS_LOST = Counter(
    "muster_claims_lost", "Claims given up because the server could not be reached in time", ["queue"]
)
RENEWAL_SECONDS = Histogram(
    "muster_claim_renewal_seconds",
    "Time until the server had confirmed that a message is still worked on",
    ["queue"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
RENEWALS_FAILED = Counter(
    "muster_claim_renewals_failed", "Tries to keep a message that the server did not confirm", ["queue"]
)
REDELIVERIES = Counter(
    "muster_redeliveries", "Messages handed out again, whether or not somebody had begun with them", ["queue"]
)

DRAIN_SECONDS = 4.0
"""How long stopping waits for what the server had sent already; what is left then comes again after ack_wait."""
SETTLE_SECONDS = 0.1
"""How old a request must be before its inbox is given up; a message that vanishes with it waits out ack_wait."""
MARGIN = 0.8
"""Share of ack_wait after which a claim that could not be renewed counts as lost."""


NEWER_SECONDS, NEWER_DELIVERIES = 30.0, 120
"""A message of a newer version is offered this often, so far apart, to whoever can read it: for an hour."""
MOST_LAG = 1.0
"""Seconds the event loop may be late where more work is asked for."""


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
        waited = bus.lag.seconds  # as long as this process was not looking, the message may have waited in its socket
        self._proved = time.monotonic() - waited
        self._settled = False
        self._on_lost: list[Callable[[], object]] = []
        self._renewing: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(max(0.0, self._ack_wait / 3 - waited), self._start_renewing)

    @property
    def is_held(self) -> bool:
        """Whether the claim may still be relied on, by this process's clock."""
        if not self._settled and time.monotonic() - self._proved > self._ack_wait * MARGIN:
            self._lose()
        return not self.lost.is_set()

    def on_lost(self, callback: Callable[[], object]) -> None:
        """Have a quick function called when the claim is lost."""
        self._on_lost.append(callback)

    def check(self) -> None:
        """Raise ClaimLost unless the claim is held."""
        if not self.is_held:
            raise ClaimLost(f"the claim on {self.subject} message {self.message} was not renewed in time")

    def check_version(self) -> None:
        """Raise NewerVersion if a newer version says that it wrote the message.

        Only for messages that no stranger can write: the header proves nothing.
        """
        version = codec.version_of(self.headers)
        if version > codec.VERSION:
            raise NewerVersion(f"it is of version {version}; this process reads up to version {codec.VERSION}")

    async def leave_to_newer(self, error: NewerVersion) -> bool:
        """Give the message back for a newer process to take; False if none has come for an hour."""
        if self.delivery >= NEWER_DELIVERIES:
            return False
        log.warning("left to a newer version", subject=self.subject, message=self.message, reason=str(error))
        await self.nak(NEWER_SECONDS)
        return True

    async def ack(self, *, confirmed: bool = False) -> None:
        """Take the message out of the queue; only after one's own entry in the log.

        `confirmed` waits for the server's answer, so that the queue takes a message of the same subject afterwards.
        """
        await self._settle(b"+ACK", confirmed=confirmed)

    async def nak(self, delay: float = 0.0) -> None:
        """Give the message back, to be handed out again after `delay` seconds."""
        await self._settle(b'-NAK {"delay": %d}' % int(delay * 1e9) if delay else b"-NAK")

    async def term(self, reason: str) -> None:
        """Take the message out as one that cannot be worked on."""
        await self._settle(b"+TERM " + reason.encode())

    def release(self) -> None:
        """Stop renewing and send nothing; the queue hands the message out again after ack_wait."""
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
        with suppress(TimeoutError, NatsError):  # then it is handed out again, and found to be done with
            await self._bus.nc.request(self._reply, answer, timeout=self._ack_wait / 2)

    def _start_renewing(self) -> None:
        self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        while self.is_held:
            renewed = await self._ask_for_more_time()
            await asyncio.sleep(self._ack_wait / 3 if renewed else self._ack_wait / 20)

    async def _ask_for_more_time(self) -> bool:
        """Send nothing without a connection: it would be sent once there is one, when another may hold the message."""
        now = time.monotonic()
        if not self._bus.nc.is_connected:
            return False
        try:
            await self._bus.nc.request(self._reply, b"+WPI", timeout=self._ack_wait / 4)
        except (TimeoutError, NatsError):
            RENEWALS_FAILED.labels(self._queue).inc()
            log.warning("claim not renewed", subject=self.subject, message=self.message)
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
    """Pulls from one or more durable consumers into a fixed number of slots, and runs a handler for each message."""

    def __init__(self, bus: Bus, stream: str, consumers: Sequence[str], *, slots: int, handler: Handler) -> None:
        self.slots, self.busy = slots, 0
        self.queue = stream
        self._bus, self._handler = bus, handler
        self._pulls = [Pull(bus, bus.names.stream(stream), consumer, self._on_message) for consumer in consumers]
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._watch: asyncio.Task[None] | None = None
        self._kick = asyncio.Event()
        self.label = f"{stream}/{consumers[0].split('-')[0]}"
        SLOTS.labels(self.label).set(slots)
        self._redelivered = REDELIVERIES.labels(self.label)
        for counter in (CLAIMS_LOST, RENEWALS_FAILED):  # counted from 0 on, so that the first one shows as an increase
            counter.labels(self.label)
        BUSY.labels(self.label).set_function(lambda: self.busy)

    async def start(self) -> None:
        """Begin to pull."""
        for pull in self._pulls:
            await pull.start()
        self._bus.on_reconnect(self._on_reconnect)
        self._watch = asyncio.create_task(self._keep_asking())

    async def stop(self, grace: float) -> None:
        """Stop pulling, give back what was not begun, and let handlers finish for up to `grace` seconds."""
        self._stopping = True
        self._bus.off_reconnect(self._on_reconnect)
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.gather(*(pull.stop() for pull in self._pulls))
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=5.0)

    async def _on_message(self, message: Msg) -> None:
        if self._stopping or self.busy >= self.slots:
            await self._bus.nc.publish(message.reply, b"-NAK")  # asked for when a slot was free; another worker has one
            return
        self.busy += 1
        task = asyncio.get_running_loop().create_task(self._work(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, message: Msg) -> None:
        claim = Claim(self._bus, message, self.label)
        if claim.delivery > 1:
            self._redelivered.inc()
        try:
            claim.check()
            await self._handler(claim)
        except (BusError, NatsError, TimeoutError) as error:
            log.warning(
                "bus unavailable while a message was handled; it will be redelivered",
                subject=claim.subject,
                error=repr(error),
            )
        except Exception:  # a fault in one message must not end the process; it is handed out again
            log.exception("message handler failed", subject=claim.subject, message=claim.message)
        finally:
            claim.release()
            self.busy -= 1
            if not self._stopping:
                await self._top_up()

    async def _top_up(self) -> None:
        """Ask for as much as there are free slots, unless the event loop is too late with what it has."""
        if self._bus.lag.seconds > MOST_LAG:
            return
        for pull in self._pulls:
            await pull.ask(self.slots - self.busy)

    async def _keep_asking(self) -> None:
        """Ask at the start, after each reconnection, and every second for requests that ran out or got lost."""
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


class Pull:
    """Pull requests to one durable consumer, on one inbox, counted so that no more is asked for than is wanted."""

    EXPIRES = 5.0
    """Seconds a request stands."""
    BEAT = 1.0
    """Seconds after which the server tells anew that requests wait: one that got lost is known by its silence."""
    LATE = 1.0
    """Seconds the notice of its end may take."""

    def __init__(self, bus: Bus, stream: str, consumer: str, arrived: Callable[[Msg], Awaitable[None]]) -> None:
        self._bus, self._arrived = bus, arrived
        self._what = f"consumer {stream}/{consumer}"
        self._api = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = bus.nc.new_inbox()
        self._sub: Subscription | None = None
        self._asked: deque[tuple[float, int]] = deque()
        """(when, how many are still owed) of each request, oldest first; the server serves them in that order."""
        self._heard = self._wait_until = 0.0

    async def start(self) -> None:
        """Listen on the inbox; nothing is requested yet."""
        self._sub = await self._bus.nc.subscribe(self._inbox, cb=self._on_message)

    async def stop(self) -> None:
        """Take no more; what the server had already sent still goes to `arrived`."""
        if self._sub is not None and self._bus.nc.is_connected:
            with suppress(TimeoutError, NatsError):
                await self._wait_settled()
                await asyncio.wait_for(self._sub.drain(), DRAIN_SECONDS)

    async def _wait_settled(self) -> None:
        """Give the server time to answer a request just made: what it is about to send would vanish with the inbox."""
        if self._asked:
            await asyncio.sleep(self._asked[-1][0] + SETTLE_SECONDS - time.monotonic())

    async def ask(self, wanted: int) -> None:
        """Ask for messages until `wanted` are owed."""
        now = time.monotonic()
        while self._asked and now - self._asked[0][0] > self.EXPIRES + self.LATE:
            self._asked.popleft()
        if self._asked and now - max(self._heard, self._asked[-1][0]) > 1.5 * self.BEAT:
            self.forget()
        missing = wanted - sum(owed for _, owed in self._asked)
        if missing > 0 and now >= self._wait_until and self._bus.nc.is_connected:
            self._asked.append((now, missing))
            expires = min(1.0, self.EXPIRES) if self._bus.problems.has(self._what) else self.EXPIRES
            beat = min(self.BEAT, expires / 2)
            body = codec.encode({"batch": missing, "expires": int(expires * 1e9), "idle_heartbeat": int(beat * 1e9)})
            try:
                await self._bus.nc.publish(self._api, body, reply=self._inbox)
            except NatsError as error:
                self.forget()
                log.warning("cannot request work", consumer=self._what, error=repr(error))

    def forget(self) -> None:
        """Count nothing as owed; requests do not outlive a connection."""
        self._asked.clear()

    async def _on_message(self, message: Msg) -> None:
        self._heard = time.monotonic()
        if (message.reply or "").startswith("$JS.ACK."):
            self._bus.problems.resolve(self._what)
            self._mark_served(1)
            await self._arrived(message)
            return
        headers = message.headers or {}
        status = headers.get("Status", "")
        if status == "100":
            return
        self._mark_served(int(headers.get("Nats-Pending-Messages", 1)))
        if status in ("404", "408"):
            self._bus.problems.resolve(self._what)
            return
        self.forget()
        self._wait_until = time.monotonic() + 1.0
        reason = (headers.get("Description") or "").strip().partition("\n")[0]
        if status == "503" or reason == "Consumer Deleted":
            reason = MISSING
        self._bus.problems.report(self._what, f"cannot pull work: {reason}")

    def _mark_served(self, count: int) -> None:
        while count > 0 and self._asked:
            when, owed = self._asked.popleft()
            if owed > count:
                self._asked.appendleft((when, owed - count))
            count -= owed
