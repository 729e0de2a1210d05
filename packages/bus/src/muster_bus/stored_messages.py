"""The messages stored in streams: read, replayed and followed without gap or duplicate."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, cast

import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError

from muster_bus.bus import Bus
from muster_bus.store_answers import BUS_ERRORS, MISSING, NotAvailable, describe_error
from muster_bus.stream_states import CHECK_SECONDS, StreamAnchor
from muster_bus.streams import DIRECT_READ
from muster_protocol import codec
from muster_protocol.errors import BusError

logger = structlog.get_logger("muster.bus")

MOST_ARRIVALS = 10_000
"""Most live messages buffered for a slow reader; beyond that, all are dropped and read from the stream instead."""
RETRY_SECONDS = 0.2


class Stored(NamedTuple):
    """One stored message."""

    seq: int
    subject: str
    data: bytes
    version: int = 1
    """Wire version it was written with."""


async def newest(bus: Bus, stream: str, subject: str) -> Stored | None:
    """Return the newest message of a subject, read from the stream's leader, or None."""
    try:
        found = await bus.js.get_last_msg(bus.names.stream(stream), subject)
    except NotFoundError:
        return None
    return _to_stored(found)


async def replay(bus: Bus, stream: str, subject: str, after: int = 0) -> AsyncGenerator[Stored]:
    """Yield the stored messages of a subject (wildcards allowed) with a sequence above `after`, in order.

    Removals of a bucket's keys are left out; `replay_bucket` yields them.

    Raises:
        BusError, NatsError, TimeoutError: the rest cannot be read now.
    """
    pages = _replay_direct if stream in DIRECT_READ or stream.startswith("KV_") else _replay_leader
    async for message in pages(bus, stream, subject, after):
        yield message


async def _replay_leader(bus: Bus, stream: str, subject: str, after: int) -> AsyncGenerator[Stored]:
    name, seq = bus.names.stream(stream), after
    while True:
        try:
            found = await bus.js.get_msg(name, seq=seq + 1, subject=subject, next=True)
        except NotFoundError:
            return
        yield (message := _to_stored(found))
        seq = message.seq


def _to_stored(found: RawStreamMsg) -> Stored:
    headers = cast("dict[str, str] | None", found.headers)
    return Stored(found.seq or 0, found.subject or "", found.data or b"", codec.version_of(headers))


async def replay_bucket(bus: Bus, bucket: str, after: int) -> AsyncGenerator[Stored]:
    """Yield what was written to a key-value bucket above a sequence; a removal has no data.

    Raises:
        BusError, NatsError, TimeoutError: the rest cannot be read now.
    """
    async for message in _replay_direct(bus, f"KV_{bucket}", f"$KV.{bucket}.>", after, removals=True):
        yield message


async def _replay_direct(
    bus: Bus, stream: str, subject: str, after: int, *, removals: bool = False
) -> AsyncGenerator[Stored]:
    """Read in pages of one request each (batch direct get, NATS ADR-31)."""
    name = stream if stream.startswith("KV_") else bus.names.stream(stream)
    inbox = bus.nc.new_inbox()
    sub = await bus.nc.subscribe(inbox)
    try:
        left = 1
        while left:
            body = {"seq": after + 1, "next_by_subj": subject, "batch": 500}
            await bus.nc.publish(f"$JS.API.DIRECT.GET.{name}", codec.encode(body), reply=inbox)
            while not (headers := (page := await sub.next_msg(timeout=5)).headers or {}).get("Status"):
                heed_cancellation()
                after = int(headers["Nats-Sequence"])
                if removals or headers.get("KV-Operation") not in ("DEL", "PURGE"):
                    yield Stored(after, headers["Nats-Subject"], page.data, codec.version_of(headers))
            if headers["Status"] == "503":
                raise NotAvailable(f"stream {name} does not answer: {MISSING}")
            if headers["Status"] not in ("204", "404"):
                raise BusError(f"stream {name} cannot be read: {headers['Status']} {headers.get('Description', '')}")
            left = int(headers.get("Nats-Num-Pending", 0))
    finally:
        await sub.unsubscribe()


Look = Callable[[], Awaitable[None]]
"""Raises if there is nothing left to wait for."""


async def tail(bus: Bus, stream: str, subject: str, after: int = 0, look: Look | None = None) -> AsyncGenerator[Stored]:
    """Yield the messages stored above `after`, then new ones as they are stored, without gap or duplicate.

    Never ends by itself; close it with `contextlib.aclosing`. Live messages are the server's republished ones; a gap
    (by Nats-Last-Sequence) or a reconnection is filled from the stream. They only make it faster: every
    `CHECK_SECONDS` the stream itself decides what there is. If it was made again or restored, it is read from its
    beginning. `look` is called as often, and ends the wait with the error it raises.
    """
    follower, anchor = Follower(after), StreamAnchor(bus.streams, bus.names.stream(stream))
    async with _arriving(bus, subject) as arrivals:
        while True:
            heed_cancellation()  # what was awaited before may have swallowed one
            connection, live = await arrivals.get()
            if live is not None:
                missing = follower.gap_before(*_republished(live))
            elif await _holds(anchor, follower.newest):
                missing = follower.resume(connection)
            else:
                logger.warning("stream recreated or restored; reading it from the beginning", stream=stream)
                follower = Follower(0)
                missing = follower.resume(connection)
            if missing is not None:
                async for message in follower.skip_seen(_replay_patiently(bus, stream, subject, missing)):
                    yield message
                follower.mark_complete()
            elif live is not None and follower.accept(_republished(live)[0], connection):
                yield _republished(live)[0]
            if live is None and look is not None:
                await _try_look(look)


@asynccontextmanager
async def _arriving(bus: Bus, subject: str) -> AsyncGenerator["asyncio.Queue[_Arrival]"]:
    """Queue the live messages of a subject, and when it is time to ask the stream: now, later, and after a loss."""
    arrivals: asyncio.Queue[_Arrival] = asyncio.Queue()

    def ask() -> None:
        arrivals.put_nowait(_Arrival(bus.nc.stats["reconnects"], None))

    async def arrived(message: Msg) -> None:
        if arrivals.qsize() >= MOST_ARRIVALS:
            while not arrivals.empty():
                arrivals.get_nowait()
            ask()  # dropped messages are read back
            return
        arrivals.put_nowait(_Arrival(bus.nc.stats["reconnects"], message))

    sub = await bus.nc.subscribe(bus.names.live(subject), cb=_only_republished(arrived))
    bus.on_reconnect(ask)
    asking = asyncio.create_task(_ask_regularly(arrivals, ask))
    try:
        await bus.flush_subscriptions()
        ask()
        yield arrivals
    finally:
        asking.cancel()
        bus.off_reconnect(ask)
        if not bus.nc.is_closed:
            await sub.unsubscribe()


class _Arrival(NamedTuple):
    """A live message, or None if it is time to ask the stream, with the number of the connection it came over."""

    connection: int
    live: Msg | None


async def _ask_regularly(arrivals: "asyncio.Queue[_Arrival]", ask: Callable[[], None]) -> None:
    """Have the stream asked every `CHECK_SECONDS`, unless the reader has not even come to what has arrived."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        if arrivals.qsize() < MOST_ARRIVALS:
            ask()


async def _holds(anchor: StreamAnchor, position: int) -> bool:
    """Return whether a position still belongs to the stream; wait while NATS or the stream is unavailable."""
    while True:
        try:
            return await anchor.holds(position)
        except BUS_ERRORS as error:
            heed_cancellation()
            logger.warning("cannot read the state of a stream; trying again", error=describe_error(error))
            await asyncio.sleep(RETRY_SECONDS)


async def _try_look(look: Look) -> None:
    """Take a look; if NATS or a stream is unavailable, the next one tells."""
    try:
        await look()
    except (NotAvailable, NatsError, TimeoutError) as error:
        logger.debug("cannot check whether there is anything to wait for", error=describe_error(error))


async def _replay_patiently(bus: Bus, stream: str, subject: str, after: int) -> AsyncGenerator[Stored]:
    """Yield the messages stored above `after`; start over while NATS is unavailable."""
    while True:
        try:
            async for message in replay(bus, stream, subject, after):
                yield message
        except BUS_ERRORS as error:
            heed_cancellation()
            logger.warning("cannot read missing messages; trying again", stream=stream, error=describe_error(error))
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


def heed_cancellation() -> None:
    """Raise CancelledError if this task is being cancelled.

    Call it before retrying after an error: if an error and a cancellation coincide, `asyncio.wait_for` of Python 3.11
    raises the error and swallows the cancellation.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


class Follower:
    """What a reader has seen: the newest message per subject, and the sequence up to which none is missing. Pure."""

    def __init__(self, after: int) -> None:
        self._start = self._complete = after
        self._connection = -1
        self._seen: dict[str, int] = {}

    @property
    def newest(self) -> int:
        """The sequence of the newest message seen, or of the place to begin after."""
        return max(self._complete, *self._seen.values(), self._start)

    def accept(self, message: Stored, connection: int) -> bool:
        """Record a message; False if it was seen before."""
        if message.seq <= self._seen.get(message.subject, self._start):
            return False
        self._seen[message.subject] = message.seq
        if connection == self._connection:
            self._complete = max(self._complete, message.seq)
        return True

    def gap_before(self, message: Stored, previous: int) -> int | None:
        """Return the sequence after which to read messages missing before a live one; None if none is missing."""
        known = self._seen.get(message.subject, self._start)
        return min(known, self._complete) if previous > known else None

    def resume(self, connection: int) -> int:
        """Start a new connection; return the sequence after which messages may be missing."""
        self._connection = connection
        return self._complete

    def mark_complete(self) -> None:
        """Record that all stored messages have been read."""
        self._complete = self.newest

    async def skip_seen(self, messages: AsyncGenerator[Stored]) -> AsyncGenerator[Stored]:
        """Yield the messages that were not seen before."""
        async for message in messages:
            if self.accept(message, -1):
                yield message


def _only_republished(handle: Callable[[Msg], Awaitable[None]]) -> Callable[[Msg], Awaitable[None]]:
    async def arrived(message: Msg) -> None:
        if is_republished(message):
            await handle(message)

    return arrived


def is_republished(message: Msg) -> bool:
    """Return whether a live message is the server's copy of a stored one; others may publish there, too. Pure."""
    return {"Nats-Stream", "Nats-Sequence", "Nats-Subject"} <= (message.headers or {}).keys()


def _republished(message: Msg) -> tuple[Stored, int]:
    """Return the stored message in a live one, and the sequence of the previous message on its subject."""
    headers = message.headers or {}
    number, version = codec.read_number(headers["Nats-Sequence"]), codec.version_of(headers)
    stored = Stored(number, headers["Nats-Subject"], message.data, version)
    return stored, codec.read_number(headers.get("Nats-Last-Sequence", ""))
