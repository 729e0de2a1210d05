"""Puts sub-tasks aside that cannot be worked on: a dead letter first, then the end of the sub-task, then the ack."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

import msgspec
import structlog
from msgspec.structs import replace
from nats.js.errors import NotFoundError

from muster_bus import Bus, Claim
from muster_bus.dead_letter_store import build_letter, bury
from muster_bus.rows import Rows
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.errors import ClaimLost, Fenced, NewerVersion, OutcomeUnknown
from muster_protocol.ids import is_token
from muster_protocol.journal import Finished, JournalBatch, JournalEntry, Taken
from muster_protocol.logs import WorkerRow
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_subagent.results import blank, failed
from muster_subagent.task_journal import Journal, Standing

log = structlog.get_logger("muster.subagent")


async def put_aside(bus: Bus, claim: Claim, worker: str, reason: str) -> None:
    """Bury a message that no worker of this version can work on, so that the queue and its run move on."""
    claim.check()
    await bury(bus, build_letter("TASKS", claim, reason))
    try:
        await _end(bus, claim, worker, reason)
    except (Fenced, ClaimLost, OutcomeUnknown) as error:
        log.warning("dead message left to another worker", message=claim.message, reason=str(error))
        return
    log.error(
        "message moved to the dead letters; see `muster dead list`",
        subject=claim.subject,
        message=claim.message,
        reason=reason,
    )
    await claim.term("cannot be worked on")


async def _end(bus: Bus, claim: Claim, worker: str, reason: str) -> None:
    """End the sub-task that a message was for, as its id in the queue names it, so that its run need not wait."""
    id = claim.headers.get("Nats-Msg-Id", "").partition("+")[0]
    run, _, rest = id.partition(".")
    node, _, attempt = rest.rpartition(".")
    if not (is_token(run) and is_token(node) and attempt.isdecimal()):
        return
    journal = Journal(bus, id, claim, worker)
    with suppress(
        msgspec.DecodeError, NewerVersion
    ):  # a journal that cannot be read is ended after what is in it, whatever that is
        if await journal.take() is not Standing.MINE:
            return
    number = codec.read_number(attempt)
    unread = SubTaskResult(
        task=id, node=node, attempt=number, status="fail", summary="", worker=worker, source="script"
    )
    outcome = failed(unread, Failure.POISON, f"the sub-task {reason}")
    await journal.append(Finished(outcome=replace(outcome, usage=journal.spent)))


async def put_poison_aside(
    bus: Bus, claim: Claim, task: SubTask, spent: Usage, lost: tuple["Holder", ...]
) -> SubTaskResult:
    """Bury a sub-task that costs one worker after another, and return the result it ends with."""
    claim.check()
    reason = f"{len(lost)} workers in a row were lost while they held it, before it got anywhere"
    await bury(bus, build_letter("TASKS", claim, reason, tuple(holder.line for holder in lost)))
    log.error(
        "sub-task given up: it ended several workers; see `muster dead list`",
        task=task.id,
        history=[holder.line for holder in lost],
    )
    summary = f"given up: {reason}; `muster dead list` has it with its history"
    return failed(replace(blank(task), usage=spent), Failure.POISON, summary)


class Holder(NamedTuple):
    """A worker that took a sub-task and did not get anywhere before another took it."""

    worker: str
    line: str
    """Says when it took the sub-task, for people."""
    lives: bool
    """Whether it gave a sign of life after it was replaced: it was too slow, and the sub-task does not kill."""


async def read_lost_holders(bus: Bus, task: str) -> tuple[Holder, ...]:
    """Return who held a sub-task since it last got anywhere, oldest first, without the present holder."""
    written, rows = await _read(bus, task), Rows(bus, "WORKERS", WorkerRow)
    takers = {entry.worker for entry, _ in written if isinstance(entry, Taken)}
    seen = {row.id: row.seen_at for taker in takers if (row := await rows.get(taker))}
    return lost_holders(written, seen)


class Written(NamedTuple):
    """A journal entry and when it was stored."""

    entry: JournalEntry
    at: datetime | None


async def _read(bus: Bus, task: str) -> list[Written]:
    found, sequence = list[Written](), 0
    name, subject = bus.names.stream("JOURNAL"), bus.names.journal(task)
    while True:
        try:
            stored = await bus.js.get_msg(name, seq=sequence + 1, subject=subject, next=True)
        except NotFoundError:
            return found
        sequence = stored.seq or 0
        entries = codec.decode(stored.data or b"", JournalBatch).entries
        found += [Written(entry, stored.time) for entry in entries]


def lost_holders(written: Iterable[Written], seen: Mapping[str, float]) -> tuple[Holder, ...]:
    """Return who held a sub-task since it last got anywhere, without the newest, who holds it now. Pure.

    `seen` has the last sign of life of each worker that is known, in Unix seconds of the server's clock.
    """
    takeovers: list[tuple[Taken, datetime | None]] = []
    for entry, at in written:
        if isinstance(entry, Taken):
            takeovers.append((entry, at))
        else:
            takeovers.clear()
    return tuple(
        Holder(taken.worker, _line(taken, at), _outlived(seen.get(taken.worker, 0.0), replaced))
        for (taken, at), (_, replaced) in pairwise(takeovers)
    )


def _outlived(seen: float, replaced: datetime | None) -> bool:
    return replaced is not None and seen > replaced.timestamp()


def _line(taken: Taken, at: datetime | None) -> str:
    when = f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC: " if at else ""
    return f"{when}{taken.worker} took it (delivery {taken.delivery})"
