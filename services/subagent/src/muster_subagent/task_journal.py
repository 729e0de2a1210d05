"""A sub-task's journal: its holder, its calls and their outcomes. Nothing is done that is not announced here first."""

import asyncio
from contextlib import suppress
from enum import Enum
from functools import reduce

import structlog
from msgspec import Struct
from msgspec.structs import replace

from muster_bus import Bus, Claim, Log
from muster_protocol import codec
from muster_protocol.errors import Fenced, NewerVersion, Refused
from muster_protocol.journal import (
    FINISHED_HEADER,
    CallFinished,
    CallStarted,
    Finished,
    JournalBatch,
    JournalEntry,
    ModelReplied,
    RecordingFound,
    Released,
    Revoked,
    StepRecorded,
    Suspended,
    Taken,
)
from muster_protocol.tool_calls import ToolOutcome, Usage
from muster_service.task_cleanup import finish
from muster_subagent.journal_limits import lean

log = structlog.get_logger("muster.subagent")


class Progress(Struct, frozen=True, kw_only=True):
    """How far a sub-task is: a fold of its journal."""

    message: int = 0
    """Queue message it was first taken with."""
    at: float = 0.0
    """When the queue had stored that message, in Unix seconds; 0 if nobody wrote it down."""
    delivery: int = 0
    holders: int = 0
    """Number of the newest holder: it grows with each that takes the sub-task, with whatever message, so that the
    session host can tell a newer one from an older one."""
    barren: int = 0
    """Takeovers in a row after which nothing more was written."""
    started: dict[int, CallStarted] = {}
    outcomes: dict[int, ToolOutcome] = {}
    replies: tuple[ModelReplied, ...] = ()
    recalled: RecordingFound | None = None
    finished: Finished | None = None
    revoked: bool = False
    """The run's owner took it back."""
    seconds: float = 0.0
    """Time of work before it waited last."""
    done_with: int = 0
    """Newest queue message after which it waited for a person; whoever goes on comes with a later one."""
    done_at: float = 0.0
    """When the queue had stored that message."""


def progressed(progress: Progress, entry: JournalEntry) -> Progress:
    """Return the progress after one entry. Pure and total."""
    match entry:
        case Taken():
            return _taken(progress, entry)
        case CallStarted(index=index):
            return replace(progress, barren=0, started={**progress.started, index: entry})
        case CallFinished(index=index, outcome=outcome):
            return replace(progress, barren=0, outcomes={**progress.outcomes, index: outcome})
        case ModelReplied():
            return replace(progress, barren=0, replies=(*progress.replies, entry))
        case RecordingFound():
            return replace(progress, recalled=entry)
        case Released() | StepRecorded():
            return replace(progress, barren=0)
        case Finished():
            return replace(progress, barren=0, finished=entry)
        case Suspended(message=message, spent=used):
            done_at, idle = progress.at, replace(progress, barren=0, message=0, at=0.0, delivery=0)
            idle = replace(idle, seconds=used.seconds)
            return replace(idle, done_with=message, done_at=done_at)
        case Revoked():
            return replace(progress, revoked=True)


def _taken(progress: Progress, taken: Taken) -> Progress:
    first, at = progress.message, progress.at
    if not first or _of_a_new_queue(taken.message, taken.at, first, at):
        first, at = taken.message, taken.at
    holders, barren = max(progress.holders + 1, taken.delivery), progress.barren + 1
    return replace(progress, message=first, at=at, delivery=taken.delivery, holders=holders, barren=barren)


def _of_a_new_queue(message: int, at: float, before: int, before_at: float) -> bool:
    """Whether a message lies in a queue that was made anew after the message `before`, which is gone with the old one:
    its numbers begin again while its times go on. False where only the times could tell. Pure."""
    return message <= before and 0.0 < before_at < at


def spent(progress: Progress) -> Usage:
    """Return what an attempt has spent so far, by whomever, on calls it began and replies it got. Pure."""
    usage = Usage(calls=len(progress.started))
    for reply in progress.replies:
        tokens = Usage(model_calls=1, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        usage = usage.plus(replace(tokens, cached_tokens=reply.cached_tokens, cost=reply.cost))
    for outcome in progress.outcomes.values():
        usage = usage.plus(outcome.usage) if outcome.usage else usage
    return usage


TAKE_TRIES = 5
_ENDS = Finished | Released
"""Entries after which this holder writes nothing more, and needs nothing that was written before."""


class Standing(Enum):
    """What a delivery of a sub-task amounts to, given its journal."""

    MINE = "take it"
    FINISHED = "it is finished: take the message out of the queue"
    COPY = "another message of the same sub-task stands for it: take this one out"
    OUTDATED = "somebody was given it after this delivery: leave it alone, send nothing"


def standing(progress: Progress, message: int, delivery: int, at: float = 0.0) -> Standing:
    """Return what a delivery amounts to; `at` is when the queue had stored the message. Pure."""
    if progress.finished is not None or progress.revoked:
        return Standing.FINISHED
    if message <= progress.done_with and not _of_a_new_queue(message, at, progress.done_with, progress.done_at):
        return Standing.COPY
    if _of_a_new_queue(message, at, progress.message, progress.at):
        return Standing.MINE
    if progress.message and message != progress.message:
        return Standing.COPY
    return Standing.MINE if delivery > progress.delivery else Standing.OUTDATED


class Journal:
    """The journal of the sub-task this worker holds.

    Entries go out in order, one write at a time; what is noted while a write is on its way goes with the next.
    """

    def __init__(self, bus: Bus, task: str, claim: Claim, worker: str) -> None:
        self.progress = Progress()
        self.first = False
        """Whether nobody had taken the sub-task before."""
        self._log = Log(bus, "JOURNAL", bus.names.journal(task))
        self._claim, self._worker = claim, worker
        self._pending: list[JournalEntry] = []
        self._gap: Refused | None = None
        """Why an entry could not be stored; what would come after it is not stored either, but for the end."""
        self._lock = asyncio.Lock()
        self._writing: asyncio.Task[None] | None = None

    @property
    def spent(self) -> Usage:
        """What was spent so far, with what is noted and not yet stored."""
        return spent(reduce(progressed, self._pending, self.progress))

    async def take(self) -> Standing:
        """Become the holder, or say why not. A last entry of the holder before may still come in between.

        Raises:
            Fenced: others kept writing; leave it to them.
        """
        if self._claim.delivery == 1:  # most likely nobody was here before: no need to read first
            with suppress(Fenced):
                return await self._enter()
        return await self._log.retry_fenced(self._read_and_enter, TAKE_TRIES)

    async def _read_and_enter(self) -> Standing:
        await self._read()
        found = standing(self.progress, self._claim.message, self._claim.delivery, self._claim.stored_at)
        return await self._enter() if found is Standing.MINE else found

    async def _enter(self) -> Standing:
        claim = self._claim
        self._pending.clear()
        self.first = not self._log.last
        taken = Taken(worker=self._worker, message=claim.message, delivery=claim.delivery, at=claim.stored_at)
        await self.append(taken)
        return Standing.MINE

    async def _read(self) -> None:
        self.progress = Progress()
        for stored in await self._log.read():
            if stored.version > codec.VERSION:
                raise NewerVersion(f"message {stored.seq} of {stored.subject} is of version {stored.version}")
            for entry in codec.decode(stored.data, JournalBatch).entries:
                self.progress = progressed(self.progress, entry)

    async def append(self, *entries: JournalEntry) -> None:
        """Write entries, after those noted before, and return when they are stored.

        A write goes on when its caller is cancelled: broken off, it would leave open what the next one comes after.

        Raises:
            Fenced, ClaimLost: somebody else holds the sub-task or may hold it; stop, send nothing more.
            Refused: an entry, perhaps one noted before, can be neither stored nor shortened; only an end can follow.
        """
        self._pending += entries
        await finish(self._write_all())
        if self._gap is not None and not any(isinstance(entry, _ENDS) for entry in entries):
            raise self._gap

    def note(self, *entries: JournalEntry) -> None:
        """Have entries written soon, without waiting; a fault shows at the next `append`."""
        self._pending += entries
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write_soon())

    async def _write_soon(self) -> None:
        try:
            await self._write_all()
        except Exception as error:  # it comes up again at the next append, which must not succeed either
            log.warning("journal entries not written", subject=self._log.subject, error=str(error))

    async def _write_all(self) -> None:
        async with self._lock:
            await self._write()

    async def _write(self) -> None:
        """Write what is noted by now, in one message or, if that is too large, in as many as it takes."""
        self._leave_out_what_follows_a_gap()
        due = most = len(self._pending)
        while due:
            batch = tuple(self._pending[: min(due, most)])
            try:
                await self._store(batch)
            except Refused:
                most = max(1, len(batch) // 2)
                if len(batch) == 1 and not self._shorten():
                    due = len(self._pending)
                continue
            del self._pending[: len(batch)]
            due -= len(batch)
            for entry in batch:
                self.progress = progressed(self.progress, entry)

    async def _store(self, batch: tuple[JournalEntry, ...]) -> None:
        self._claim.check()
        ended = any(isinstance(entry, Finished | Suspended) for entry in batch)
        await self._log.append(JournalBatch(entries=batch), {FINISHED_HEADER: "1"} if ended else None)

    def _shorten(self) -> bool:
        """Make the next entry smaller, which is more than one message takes; leave a gap if there is no way to."""
        entry, shorter = self._pending[0], lean(self._pending[0])
        if shorter != entry:
            self._pending[0] = shorter
            log.warning("journal entry too large; shortened", subject=self._log.subject)
            return True
        del self._pending[0]
        error = Refused(f"{type(entry).__name__} has {len(codec.encode(entry))} bytes, more than one message takes")
        if isinstance(entry, _ENDS):
            raise error
        log.warning("journal entry not stored", subject=self._log.subject, error=str(error))
        self._gap = error
        self._leave_out_what_follows_a_gap()
        return False

    def _leave_out_what_follows_a_gap(self) -> None:
        if self._gap is not None:
            self._pending = [entry for entry in self._pending if isinstance(entry, _ENDS)]
