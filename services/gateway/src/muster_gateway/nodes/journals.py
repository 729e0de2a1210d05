"""Reading the journals of a run's sub-tasks, so that entries of a newer Muster are passed on instead of failing."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any, NamedTuple, cast

import msgspec
import structlog
from msgspec import Raw, Struct
from nats.js.errors import NotFoundError

from muster_bus import Bus
from muster_gateway.safe_decode import decode
from muster_protocol.journal import JournalEntry, Released, Suspended, Taken

log = structlog.get_logger("muster.gateway")

REMEMBERED = 500
"""Runs whose takeovers are kept in memory."""


class RawBatch(Struct, frozen=True, kw_only=True):
    """One stored message of a journal; its entries as they were stored."""

    sequence: int = 0
    task: str = ""
    node: str = ""
    attempt: int = 0
    at: float = 0.0
    """Unix seconds at which it was stored."""
    entries: tuple[Raw, ...] = ()


class Noted(NamedTuple):
    """An entry of a journal that this version knows, and when it was stored (unix seconds)."""

    at: float
    entry: JournalEntry


async def read(bus: Bus, run: str, node: str = "*", attempt: str = "*", after: int = 0) -> AsyncGenerator[RawBatch]:
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
        batch = parse(after, found.subject or "", at, found.data or b"")
        if batch is not None:
            yield batch


def parse(sequence: int, subject: str, at: float, data: bytes) -> RawBatch | None:
    """Return a stored message as a batch; None if it is none. Pure."""
    run, node, attempt = subject.split(".")[-3:]
    try:
        batch = decode(data, RawBatch)
    except msgspec.DecodeError as error:
        log.warning("a message of a journal cannot be read", subject=subject, seq=sequence, error=str(error))
        return None
    number = int(attempt) if attempt.isdecimal() else 0
    where = {"task": f"{run}.{node}.{attempt}", "node": node, "attempt": number}
    return msgspec.structs.replace(batch, sequence=sequence, at=at, **where)


def known(batches: list[RawBatch]) -> list[Noted]:
    """Return the entries that this version knows, in order."""
    found: list[Noted] = []
    for batch in batches:
        for raw in batch.entries:
            try:
                found.append(Noted(batch.at, cast("JournalEntry", decode(bytes(raw), cast("Any", JournalEntry)))))
            except msgspec.DecodeError:
                continue
    return found


class Holding(NamedTuple):
    """Whether a sub-task is held by a worker, and how often it was taken from one that was lost."""

    held: bool = False
    takeovers: int = 0


class Holdings(NamedTuple):
    """Who holds a run's sub-tasks, by id, and how far its journals were read for that."""

    sequence: int = 0
    by_task: Mapping[str, Holding] = {}


class Takeovers:
    """How often sub-tasks changed hands; of journals read before, only what is new is read."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._runs: OrderedDict[str, Holdings] = OrderedDict()

    async def of(self, run: str) -> dict[str, int]:
        """Return by node how often its attempts were taken over from a worker that was lost."""
        before = self._runs.get(run, Holdings())
        sequence, by_task = before.sequence, dict(before.by_task)
        async for batch in read(self._bus, run, after=sequence):
            sequence = batch.sequence
            by_task[batch.task] = held_after(by_task.get(batch.task, Holding()), known([batch]))
        self._runs[run] = Holdings(sequence, by_task)
        self._runs.move_to_end(run)
        while len(self._runs) > REMEMBERED:
            self._runs.popitem(last=False)
        return _by_node(by_task)


def held_after(holding: Holding, noted: Iterable[Noted]) -> Holding:
    """Return who holds a sub-task after these entries of its journal. Pure."""
    for _, entry in noted:
        match entry:
            case Taken():
                holding = Holding(True, holding.takeovers + holding.held)
            case Released() | Suspended():  # it was given back, not lost
                holding = holding._replace(held=False)
            case _:
                continue
    return holding


def _by_node(by_task: Mapping[str, Holding]) -> dict[str, int]:
    found: dict[str, int] = {}
    for task, holding in by_task.items():
        node = task.split(".")[-2]
        found[node] = found.get(node, 0) + holding.takeovers
    return found
