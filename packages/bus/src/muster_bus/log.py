"""Logs appended by compare-and-set; reads, replays and follows streams without gap or duplicate."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import NamedTuple, TypeVar, cast

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError
from prometheus_client import Counter, Histogram

from muster_bus.connection import Bus
from muster_bus.store_answers import MISSING, NO_SUCH_STREAM, NotAvailable, NotStored, StoreRefused
from muster_bus.streams import DIRECT_READ
from muster_protocol import codec
from muster_protocol.errors import BusError, Fenced, OutcomeUnknown, Refused

T = TypeVar("T")

logger = structlog.get_logger("muster.bus")

APPENDS = Counter("muster_log_appends", "Appends to run logs and journals", ["stream", "result"])
APPEND_SECONDS = Histogram(
    "muster_log_append_seconds",
    "Time until an append was acknowledged",
    ["stream"],
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)

_seconds = cache(APPEND_SECONDS.labels)
_appended = cache(partial(APPENDS.labels, result="ok"))
"""Cached, because every append counts and looking a label up costs as much as counting."""
RESULTS: dict[type[Exception], str] = {Fenced: "fenced", OutcomeUnknown: "unknown", Refused: "refused"}
"""The metric label of a failed append; any other error is `error`."""

WRONG_LAST_SEQUENCE = (10071, 10164)
"""The second comes from replicated streams while another append is in progress: read back and try again."""

_PROCESS, _NUMBERS = secrets.token_hex(8), itertools.count()
"""Make the ids of appends, unique across processes and restarts."""
_PAUSES = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0)
MOST_ARRIVALS = 10_000
"""Most live messages buffered for a slow reader; beyond that, all are dropped and read from the stream instead."""


def count_appends(*streams: str) -> None:
    """Create the counters of appends to these streams at 0, so that the first failure shows as an increase."""
    for stream in streams:
        for result in ("ok", "error", *RESULTS.values()):
            APPENDS.labels(stream, result)


class Stored(NamedTuple):
    """One stored message."""

    seq: int
    subject: str
    data: bytes
    version: int = 1
    """Wire version it was written with."""


class Log:
    """One subject of a stream with one writer at a time: a run's events, or a sub-task's journal.

    `last` is the sequence of the newest known message; an append succeeds only if it is still the newest.
    """

    def __init__(self, bus: Bus, stream: str, subject: str) -> None:
        self.bus, self.subject, self.last = bus, subject, 0
        self.size = 0
        """Bytes of the messages read and appended here."""
        self._stream = stream
        self._name = bus.names.stream(stream)

    async def append(self, message: msgspec.Struct, headers: Mapping[str, str] | None = None) -> int:
        """Append a message with extra headers, if any, and return its sequence.

        Raises:
            Fenced: another writer has appended since `last`; stop, or read the log and decide again.
            Refused: the message is larger than the server takes.
            OutcomeUnknown: the server gave no answer; the message may or may not be stored.
        """
        data, id = codec.encode(message), f"{_PROCESS}{next(_NUMBERS):x}"
        with _seconds(self._stream).time():
            try:
                self.last = await self._append(data, {"Nats-Msg-Id": id, **(headers or {})})
            except Exception as error:
                APPENDS.labels(self._stream, RESULTS.get(type(error), "error")).inc()
                raise
        _appended(stream=self._stream).inc()
        self.size += len(data)
        return self.last

    async def _append(self, data: bytes, headers: Mapping[str, str]) -> int:
        checked = {**headers, "Nats-Expected-Last-Subject-Sequence": str(self.last)}
        why: Exception | None = None
        for pause in _PAUSES:
            if pause:
                await asyncio.sleep(pause)
            try:
                ack = await self.bus.store(self.subject, data, checked, timeout=2.0)
                if not ack.duplicate:
                    return ack.seq
            except StoreRefused as error:
                if error.err_code not in WRONG_LAST_SEQUENCE and error.code != 503:
                    raise
                why = error
            except (TimeoutError, NotStored, NatsError) as error:
                why = error
                logger.debug("append without an answer; reading back", subject=self.subject)
            found = await self._find_own(headers["Nats-Msg-Id"])
            if found:
                return found
        reason = f" (last: {why})" if why and str(why) else ""
        raise OutcomeUnknown(
            f"{self.subject!r}: the server does not say whether the append was stored{reason}"
        ) from why

    async def _find_own(self, id: str) -> int:
        """Return the sequence of the newest message if it carries this id; 0 if the append may be tried again."""
        try:
            newest = await self.bus.js.get_last_msg(self._name, self.subject)
        except NotFoundError as error:
            if self.last and error.err_code != NO_SUCH_STREAM:
                raise Fenced(self.subject, self.last, 0) from None
            return 0
        except (TimeoutError, NatsError):
            return 0
        if (newest.headers or {}).get("Nats-Msg-Id") == id:
            return newest.seq or 0
        if newest.seq != self.last:
            raise Fenced(self.subject, self.last, newest.seq or 0)
        return 0

    async def retry_fenced(self, attempt: Callable[[], Awaitable[T]], tries: int) -> T:
        """Return the result of an attempt that reads this log and appends to it; repeat it while it is fenced.

        Raises:
            Fenced: every try was fenced.
        """
        for _ in range(tries):
            with suppress(Fenced):
                return await attempt()
        raise Fenced(self.subject, self.last, 0)

    async def read(self, after: int = 0) -> list[Stored]:
        """Return the messages above sequence `after` (0, or one of this log); appends then go after the newest."""
        messages = [message async for message in replay(self.bus, self._stream, self.subject, after)]
        self.last = messages[-1].seq if messages else after
        self.size = sum(len(message.data) for message in messages)
        return messages


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


async def replay_bucket(bus: Bus, bucket: str, after: int = 0) -> AsyncGenerator[Stored]:
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


async def tail(bus: Bus, stream: str, subject: str, after: int = 0) -> AsyncGenerator[Stored]:
    """Yield the messages stored above `after`, then new ones as they are stored, without gap or duplicate.

    Never ends; close it with `contextlib.aclosing`. Live messages are the server's republished ones; a gap (by
    Nats-Last-Sequence) or a reconnection is filled from the stream.
    """
    follower = Follower(after)
    arrivals: asyncio.Queue[_Arrival] = asyncio.Queue()

    async def arrived(message: Msg) -> None:
        if arrivals.qsize() >= MOST_ARRIVALS:
            while not arrivals.empty():
                arrivals.get_nowait()
            reconnected()  # dropped messages are read back, as after a reconnection
            return
        arrivals.put_nowait(_Arrival(bus.nc.stats["reconnects"], message))

    def reconnected() -> None:
        arrivals.put_nowait(_Arrival(bus.nc.stats["reconnects"], None))

    sub = await bus.nc.subscribe(bus.names.live(subject), cb=arrived)
    bus.on_reconnect(reconnected)
    try:
        await bus.flush_subscriptions()
        reconnected()
        while True:
            heed_cancellation()  # what was awaited before may have swallowed one
            connection, live = await arrivals.get()
            missing = follower.resume(connection) if live is None else follower.gap_before(*_republished(live))
            if missing is not None:
                async for message in follower.skip_seen(_replay_patiently(bus, stream, subject, missing)):
                    yield message
                follower.mark_complete()
            elif live is not None and follower.accept(_republished(live)[0], connection):
                yield _republished(live)[0]
    finally:
        bus.off_reconnect(reconnected)
        if not bus.nc.is_closed:
            await sub.unsubscribe()


class _Arrival(NamedTuple):
    """A live message, or None after a reconnection, with the number of the connection it came over."""

    connection: int
    live: Msg | None


async def _replay_patiently(bus: Bus, stream: str, subject: str, after: int) -> AsyncGenerator[Stored]:
    """Yield the messages stored above `after`; start over while NATS is unavailable."""
    while True:
        try:
            async for message in replay(bus, stream, subject, after):
                yield message
        except (BusError, NatsError, TimeoutError) as error:
            heed_cancellation()
            logger.warning("cannot read missing messages; trying again", stream=stream, error=repr(error))
            await asyncio.sleep(0.2)
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
        self._complete = max(self._complete, *self._seen.values(), self._start)

    async def skip_seen(self, messages: AsyncGenerator[Stored]) -> AsyncGenerator[Stored]:
        """Yield the messages that were not seen before."""
        async for message in messages:
            if self.accept(message, -1):
                yield message


def _republished(message: Msg) -> tuple[Stored, int]:
    """Return the stored message in a live one, and the sequence of the previous message on its subject."""
    headers = message.headers or {}
    number, version = int(headers["Nats-Sequence"]), codec.version_of(headers)
    stored = Stored(number, headers["Nats-Subject"], message.data, version)
    return stored, int(headers.get("Nats-Last-Sequence", 0))
