"""Shares one subscription to all log lines among all clients of a gateway process.

Order follows the sequence in the stream: a live message only signals new lines, and any gap, including that of a
lost connection, is read from the stream before newer lines are sent.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import datetime

import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_bus import Bus, Stored, replay
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_bus.stored_messages import is_republished
from muster_bus.stream_states import CHECK_SECONDS, StreamAnchor
from muster_gateway import metrics
from muster_gateway.relay.channels import Channels, Follower, RelayBroken, RelaySetBack
from muster_gateway.relay.lines import Line, read_line, split_batches
from muster_gateway.relay.order import Order, Recent
from muster_protocol import codec
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.gateway")

ARRIVALS, ARRIVALS_BYTES = 20_000, 32 * 2**20
"""Maximum queue of live messages; beyond it, all are dropped and read from the stream instead."""
PAUSE_SECONDS, PAUSE_EACH = 0.005, 0.00002
"""How long lines are collected before they are sent together, plus a part per client, since each frame costs a client
the same whatever its size; the first line after a silence is sent at once."""
RETRY_SECONDS = 0.2
GONE_TRIES = 5
"""Reads of the stream for a line seen live before it counts as removed."""
PACE_GLANCES, GLANCE_SECONDS = 50, 0.01
"""While reading the stream: maximum number and interval of checks whether reading clients have caught up."""
PAGE_LINES = 500


class Relay:
    """The shared subscription, as long as it has users."""

    def __init__(self, bus: Bus) -> None:
        self._bus, self.users = bus, 0
        self._stream = bus.names.stream("LOGS")
        self._anchor, self._look_at = StreamAnchor(bus.streams, self._stream), 0.0
        self.subject = bus.names.log("*", "*")
        self._order, self._recent, self._channels = Order(0), Recent(0), Channels()
        self._known = asyncio.Event()
        self._broken: RelayBroken | None = None
        self._arrivals: deque[Msg] = deque()
        self._bytes = 0
        self._unsure = False
        """Whether lines may be missing without a live message that reveals it."""
        self._moved = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Subscribe and start relaying."""
        self._work = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop relaying and unsubscribe."""
        if self._work is not None:
            await stop([self._work])

    async def position(self) -> int:
        """Return the cursor up to which all lines were sent; wait until it is known.

        Raises:
            RelayBroken: the relay stopped.
        """
        await self._known.wait()
        self._check()
        return self._order.complete

    def join(self, follower: Follower, cursor: int, most: int) -> bool:
        """Add a client that has all lines up to a cursor; send it the newer ones.

        False if these are no longer in memory or more than `most` lines: read them from the stream first.
        """
        self._check()
        newer = self._recent.behind(cursor, follower.wanted)
        if newer is None or len(newer) > most:
            return False
        for batch in split_batches(newer):
            follower.put(batch)
        self._channels.add(follower)
        return True

    def leave(self, follower: Follower) -> None:
        """Remove a client."""
        self._channels.remove(follower)

    @property
    def broken(self) -> bool:
        """Whether it has stopped by itself."""
        return self._broken is not None

    @property
    def waiting(self) -> int:
        """Lines queued for clients, summed over clients."""
        return sum(follower.waiting for follower in self._channels)

    def _check(self) -> None:
        if self._broken is not None:
            raise self._broken

    def _break(self, why: RelayBroken) -> None:
        self._broken = why
        self._known.set()
        for follower in self._channels:
            follower.end(why)

    async def _run(self) -> None:
        sub = await self._bus.nc.subscribe(
            self._bus.names.live(self.subject), cb=self._on_message, pending_bytes_limit=ARRIVALS_BYTES
        )
        self._bus.on_reconnect(self._on_reconnect)
        try:
            await self._begin()
            while True:
                await self._until_moved()
                await self._require_same_stream()
                await self._process_arrivals()
                await asyncio.sleep(PAUSE_SECONDS + PAUSE_EACH * len(self._channels))
        except RelaySetBack as error:
            log.warning("stream of log lines recreated or restored; reading it from the beginning")
            self._break(error)
        except Exception:
            log.exception("log relay failed")
            self._break(RelayBroken())
        finally:
            self._bus.off_reconnect(self._on_reconnect)
            await self._unsubscribe(sub)

    async def _require_same_stream(self) -> None:
        """Look every `CHECK_SECONDS` whether the stream is the one whose lines were sent.

        Raises:
            RelaySetBack: it is not, so lines with sequences that were sent are new ones.
        """
        now = asyncio.get_running_loop().time()
        if now < self._look_at:
            return
        self._look_at = now + CHECK_SECONDS
        try:
            held = await self._anchor.holds(self._order.complete)
        except BUS_ERRORS as error:
            log.warning("cannot read the state of the stream of log lines; trying again", error=describe_error(error))
            self._unsure, self._look_at = True, 0.0
            return
        if not held:
            raise RelaySetBack

    async def _begin(self) -> None:
        """Start at the newest line now; no line stored later can be missed."""
        await self._bus.flush_subscriptions()
        self._order.complete = await read_last_sequence(self._bus)
        self._recent = Recent(self._order.complete)
        self._known.set()

    async def _unsubscribe(self, sub: Subscription) -> None:
        if not self._bus.nc.is_closed:
            with suppress(NatsError):
                await sub.unsubscribe()

    async def _on_message(self, message: Msg) -> None:
        self._arrivals.append(message)
        self._bytes += len(message.data)
        if len(self._arrivals) > ARRIVALS or self._bytes > ARRIVALS_BYTES:
            self._arrivals.clear()
            self._bytes = 0
            self._unsure = True
        self._moved.set()

    def _on_reconnect(self) -> None:
        self._unsure = True
        self._moved.set()

    async def _until_moved(self) -> None:
        if not self._moved.is_set():
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._moved.wait()
            except TimeoutError:
                self._unsure = True
        self._moved.clear()

    async def _process_arrivals(self) -> None:
        """Send the received lines in order, filling gaps from the stream first."""
        if self._unsure:
            self._unsure = False
            await self._fill(0)
        came, self._arrivals, self._bytes = self._arrivals, deque(), 0
        lines: list[Line] = []
        for message in came:
            stored = _decode_republished(message, self._stream)
            match self._order.place(stored.seq) if stored else "seen":
                case _ if stored is None:
                    continue
                case "next":
                    lines.append(read_line(stored))
                case "ahead":
                    self._hand_on(lines)
                    lines = []
                    await self._fill(stored.seq)
                case "seen":
                    pass
        self._hand_on(lines)
        if came and (stored_at := _read_stored_time(came[0])):
            metrics.RELAY_LAG.observe(max(0.0, self._bus.clock.now() - stored_at))

    def _hand_on(self, lines: list[Line]) -> None:
        if lines:
            self._recent.add(lines)
            self._channels.hand_on(lines)

    async def _fill(self, seen: int) -> None:
        """Send missing lines from the stream, at least up to a sequence seen live (0: none)."""
        metrics.RELAY_GAPS.inc(bool(seen))
        for _ in range(GONE_TRIES if seen else 1):
            await self._read_on()
            if self._order.complete >= seen:
                return
            await asyncio.sleep(RETRY_SECONDS)
        log.warning("log line seen live is missing from the stream", sequence=seen)

    async def _read_on(self) -> None:
        """Send all stored lines after the last one sent; retry while the bus is unreachable."""
        while True:
            try:
                return await self._read_pages()
            except BUS_ERRORS as error:
                log.warning("cannot read log lines; trying again", error=describe_error(error))
                await asyncio.sleep(RETRY_SECONDS)

    async def _read_pages(self) -> None:
        page: list[Line] = []
        try:
            async for stored in replay(self._bus, "LOGS", self.subject, self._order.complete):
                if self._order.read(stored.seq):
                    page.append(read_line(stored))
                if len(page) == PAGE_LINES:
                    self._hand_on(page)
                    page = []
                    await self._pace()
        finally:  # lines that count as read must be sent
            self._hand_on(page)

    async def _pace(self) -> None:
        """Wait for clients that are reading, since the stream is faster than any of them."""
        for _ in range(PACE_GLANCES):
            if not any(follower.behind for follower in self._channels):
                return
            await asyncio.sleep(GLANCE_SECONDS)


class RelayHub:
    """Gives all clients of a gateway process the same subscription, for as long as there is one."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._live: Relay | None = None

    @property
    def waiting(self) -> int:
        """Lines queued for clients, summed over clients."""
        return self._live.waiting if self._live else 0

    @asynccontextmanager
    async def live(self) -> AsyncGenerator[Relay]:
        """Use the shared subscription in the block."""
        if self._live is None or self._live.broken:
            self._live = Relay(self.bus)
            self._live.start()
        live = self._live
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            if not live.users:
                self._live = None if self._live is live else self._live
                await live.stop()


async def read_last_sequence(bus: Bus) -> int:
    """Return the last sequence that the stream's leader has given to a line; retry until it answers."""
    while True:
        try:
            return (await bus.streams.read(bus.names.stream("LOGS"))).last
        except BUS_ERRORS as error:
            log.warning("cannot read the newest log line; trying again", error=describe_error(error))
            await asyncio.sleep(RETRY_SECONDS)


def _decode_republished(message: Msg, stream: str) -> Stored | None:
    """Return the stored message from its republished copy; None if the message is not one."""
    headers = message.headers or {}
    if not is_republished(message) or headers["Nats-Stream"] != stream:
        return None
    return Stored(
        codec.read_number(headers["Nats-Sequence"]), headers["Nats-Subject"], message.data, codec.version_of(headers)
    )


def _read_stored_time(message: Msg) -> float:
    """Return when a republished message was stored, in Unix seconds; 0 if unknown. Pure."""
    stamp = (message.headers or {}).get("Nats-Time-Stamp", "")
    try:
        return datetime.fromisoformat(stamp).timestamp() if stamp else 0.0
    except ValueError:
        return 0.0
