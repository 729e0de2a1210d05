"""Logs with one writer at a time, appended by compare-and-set."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import TypeVar

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError
from prometheus_client import Counter, Histogram

from muster_bus.bus import Bus
from muster_bus.store_answers import NotStored, StoreRefused
from muster_bus.stored_messages import Stored, replay
from muster_protocol import codec
from muster_protocol.errors import Fenced, OutcomeUnknown, Refused

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

_ID_BYTES = 12
"""Size of the random id of an append: no other of any process has the same, forks included."""
_PAUSES = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0)


def count_appends(*streams: str) -> None:
    """Create the counters of appends to these streams at 0, so that the first failure shows as an increase."""
    for stream in streams:
        for result in ("ok", "error", *RESULTS.values()):
            APPENDS.labels(stream, result)


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
        data, id = codec.encode(message), secrets.token_hex(_ID_BYTES)
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
        except NotFoundError:
            if self.last:
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
