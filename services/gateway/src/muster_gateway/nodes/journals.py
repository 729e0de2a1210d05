"""Reads journals of a run as raw batches, so that entries of a newer Muster pass through unchanged."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from functools import reduce
from typing import Any, NamedTuple, cast

import msgspec
import structlog
from msgspec import Raw, Struct
from nats.js.errors import NotFoundError

from muster_bus import Bus
from muster_protocol.codec import decode_untrusted, read_number
from muster_protocol.journal import JournalEntry
from muster_views.journal_moments import Possession, TimedEntry, sum_takeovers

log = structlog.get_logger("muster.gateway")

MAX_RUNS = 500
"""Runs whose takeovers are cached."""


class RawBatch(Struct, frozen=True, kw_only=True):
    """One stored message of a journal with its raw entries."""

    sequence: int = 0
    task: str = ""
    node: str = ""
    attempt: int = 0
    at: float = 0.0
    """Time stored, in unix seconds."""
    entries: tuple[Raw, ...] = ()


async def read_batches(
    bus: Bus, run: str, node: str = "*", attempt: str = "*", after: int = 0
) -> AsyncGenerator[RawBatch]:
    """Yield the stored messages of a run's journals with a sequence above `after`, oldest first.

    Raises:
        BusError, NatsError, TimeoutError: the rest cannot be read now.
    """
    stream, subject = bus.names.stream("JOURNAL"), bus.names.journal(f"{run}.{node}.{attempt}")
    while True:
        try:
            found = await bus.js.get_msg(stream, seq=after + 1, subject=subject, next=True)
        except NotFoundError:
            return
        after = found.seq or 0
        at = found.time.timestamp() if found.time else 0.0
        batch = _decode_batch(after, found.subject or "", at, found.data or b"")
        if batch is not None:
            yield batch


def _decode_batch(sequence: int, subject: str, at: float, data: bytes) -> RawBatch | None:
    """Decode a stored message; None if it is not a valid batch. Pure."""
    run, node, attempt = subject.split(".")[-3:]
    try:
        batch = decode_untrusted(data, RawBatch)
    except msgspec.DecodeError as error:
        log.warning("unreadable message in a journal", subject=subject, seq=sequence, error=str(error))
        return None
    number = read_number(attempt)
    where = {"task": f"{run}.{node}.{attempt}", "node": node, "attempt": number}
    return msgspec.structs.replace(batch, sequence=sequence, at=at, **where)


def known_entries(batches: list[RawBatch]) -> list[TimedEntry]:
    """Return the entries this version knows, in order."""
    found: list[TimedEntry] = []
    for batch in batches:
        for raw in batch.entries:
            try:
                entry = cast("JournalEntry", decode_untrusted(bytes(raw), cast("Any", JournalEntry)))
            except msgspec.DecodeError:
                continue
            found.append(TimedEntry(batch.at, entry))
    return found


class Holdings(NamedTuple):
    """Possession of a run's sub-tasks by id, and the sequence up to which the journals were read."""

    sequence: int = 0
    by_task: Mapping[str, Possession] = {}


class TakeoverCounts:
    """Counts takeovers of sub-tasks; reads only journal entries added since the last count."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._runs: OrderedDict[str, Holdings] = OrderedDict()

    async def count(self, run: str) -> dict[str, int]:
        """Return the number of takeovers from lost workers by node."""
        sequence, read_before = self._runs.get(run, Holdings())
        by_task = dict(read_before)
        async for batch in read_batches(self._bus, run, after=sequence):
            sequence = batch.sequence
            by_task[batch.task] = reduce(
                Possession.apply, (entry for _, entry in known_entries([batch])), by_task.get(batch.task, Possession())
            )
        self._runs[run] = Holdings(sequence, by_task)
        self._runs.move_to_end(run)
        while len(self._runs) > MAX_RUNS:
            self._runs.popitem(last=False)
        return sum_takeovers(by_task)
