"""The list of runs: rows of the bucket, and queued runs without a row."""

import asyncio
import base64
import binascii
from collections.abc import Collection, Iterable
from typing import NamedTuple

import msgspec
import structlog
from nats.js.errors import NotFoundError

from muster_bus import Bus, Rows, newest
from muster_gateway.lists.bucket_mirror import Mirror
from muster_gateway.views import RunList
from muster_protocol import codec
from muster_protocol.codec import decode_untrusted
from muster_protocol.logs import CONVERSATION, RunRow, queued_row
from muster_protocol.requests import RunRequest

log = structlog.get_logger("muster.gateway")

CONCURRENT_READS = 64
"""Concurrent requests to the server while reading the queue."""


class RunFilter(NamedTuple):
    """Filters of the run list; empty and None match all."""

    status: Collection[str] = ()
    suite: str = ""
    tag: str = ""
    cause: Collection[str] = ()
    name: str = ""
    """The exact name of a run: the history of a case."""
    text: str = ""
    """Part of the name, id or summary, in lower case."""
    since: float | None = None
    until: float | None = None
    """Time of the request in unix seconds, inclusive."""


Key = tuple[float, str]
"""Sort key of the list: time of the request, and run id."""


def sort_key(row: RunRow) -> Key:
    """Return a row's sort key."""
    return (row.requested_at or row.started_at, row.run)


def build_page(rows: Iterable[RunRow], wanted: RunFilter, limit: int, after: Key | None = None) -> RunList:
    """Return the newest `limit` matching rows that are older than `after`. Pure."""
    older = [row for row in rows if _matches(row, wanted) and (after is None or sort_key(row) < after)]
    older.sort(key=sort_key, reverse=True)
    shown = older[:limit]
    return RunList(runs=tuple(shown), cursor=encode_cursor(sort_key(shown[-1])) if len(older) > limit else "")


def encode_cursor(place: Key) -> str:
    """Return a sort key as URL-safe text."""
    return base64.urlsafe_b64encode(codec.encode(place)).decode().rstrip("=")


def decode_cursor(text: str) -> Key | None:
    """Return the sort key in a cursor; None if the cursor is invalid."""
    try:
        return decode_untrusted(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), tuple[float, str])
    except (binascii.Error, ValueError, msgspec.DecodeError):
        return None


def _matches(row: RunRow, wanted: RunFilter) -> bool:
    return (
        row.job != CONVERSATION
        and (not wanted.status or row.status in wanted.status)
        and (not wanted.cause or row.cause in wanted.cause)
        and (not wanted.suite or row.suite == wanted.suite)
        and (not wanted.tag or wanted.tag in row.tags)
        and (not wanted.name or row.name == wanted.name)
        and (wanted.since is None or sort_key(row)[0] >= wanted.since)
        and (wanted.until is None or sort_key(row)[0] <= wanted.until)
        and (not wanted.text or any(wanted.text in text.casefold() for text in (row.name, row.run, row.summary)))
    )


class Listing:
    """The current list: a mirror of the rows, and a cache of queued requests, which never change."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._mirror = Mirror(bus, "RUN_LIST", RunRow)
        self._queued: dict[str, RunRow] = {}
        self._queue = (0, 0)
        self._in_queue: frozenset[str] = frozenset()
        self._reading = asyncio.Lock()

    @property
    def sequence(self) -> int:
        """Sequence up to which the bucket was read."""
        return self._mirror.sequence

    async def row(self, run: str) -> RunRow | None:
        """Return a run's row, or None."""
        return await self._rows.get(run)

    async def queued(self, run: str) -> RunRequest | None:
        """Return the queued request of a run; None if there is none or it is unreadable."""
        found = await newest(self._bus, "REQUESTS", self._bus.names.request(run))
        return _decode_queued(run, found.data) if found else None

    async def all(self) -> list[RunRow]:
        """Return all runs, including queued ones without a row; an unchanged row is the same object as before.

        Raises:
            BusError, NatsError, TimeoutError: the list cannot be read now.
        """
        async with self._reading:
            waiting = await self._waiting()
            written = await self._mirror.read()
            rows = {run: found.row for run, found in written.items() if found.row is not None}
            unlisted = waiting - rows.keys()
            self._queued = {run: row for run, row in self._queued.items() if run in unlisted}
            unread = sorted(unlisted - self._queued.keys())
            for start in range(0, len(unread), CONCURRENT_READS):
                await asyncio.gather(*(self._read(run) for run in unread[start : start + CONCURRENT_READS]))
            return [*rows.values(), *self._queued.values()]

    async def written_after(self, sequence: int) -> list[RunRow]:
        """Return all queued runs without a row, then the rows written after a sequence of the bucket, oldest first."""
        written = await self._mirror.read()
        later = sorted(found for found in written.values() if found.sequence > sequence)
        return [*self._queued.values(), *(found.row for found in later if found.row is not None)]

    async def _waiting(self) -> frozenset[str]:
        """Return the ids of all runs with a message in the queue, started or not."""
        name, filter = self._bus.names.stream("REQUESTS"), self._bus.names.request("*")
        state = (await self._bus.js.stream_info(name)).state
        if (state.last_seq, state.messages) != self._queue:  # every change of the queue changes one of them
            state = (await self._bus.js.stream_info(name, subjects_filter=filter)).state
            self._in_queue = frozenset(subject.rsplit(".", 1)[-1] for subject in state.subjects or {})
            self._queue = (state.last_seq, state.messages)
        return self._in_queue

    async def _read(self, run: str) -> None:
        try:
            found = await self._bus.js.get_last_msg(self._bus.names.stream("REQUESTS"), self._bus.names.request(run))
        except NotFoundError:
            return  # it ended in the meantime
        stored = found.time.timestamp() if found.time is not None else 0.0
        self._queued[run] = queued_row(run, _decode_queued(run, found.data or b""), stored)


def _decode_queued(run: str, data: bytes) -> RunRequest | None:
    try:
        return decode_untrusted(data, RunRequest)
    except msgspec.DecodeError as error:
        log.warning("unreadable request in the queue; an orchestrator will reject it", run=run, error=str(error))
        return None
