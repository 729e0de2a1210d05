"""Ends the journals of sub-tasks from outside, which fences their holders."""

import asyncio
from collections.abc import Callable

from muster_bus import Bus, Log, newest
from muster_orchestrator.run_watch import read_outcome, retry_until_done
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.errors import Fenced
from muster_protocol.events import Event, SubTaskEnded
from muster_protocol.journal import Finished, JournalBatch, Released, Revoked, Suspended
from muster_protocol.tasks import SubTask, SubTaskResult

REVOKE_TRIES = 5
PAUSE_SECONDS = 0.1
HOLDER_LOOKS, HOLDER_PAUSE_SECONDS = 20, 0.05
"""How often, and how far apart, it is looked whether the holder has ended the sub-task by itself."""


async def withdraw_task(bus: Bus, task: SubTask, report: Callable[[Event], None]) -> None:
    """End a sub-task that somebody stopped, and report its end; one that has just finished counts as it is.

    Its holder hears of the stop as well and ends it with what it has spent; one that does not in time is fenced.
    """
    for _ in range(HOLDER_LOOKS):
        if not await _is_held(bus, task.id):
            break
        await asyncio.sleep(HOLDER_PAUSE_SECONDS)
    while True:
        try:
            await retry_until_done(lambda: revoke_task(bus, task.id, "a person has stopped it"))
            break
        except Fenced:
            await asyncio.sleep(PAUSE_SECONDS)
    ended = await retry_until_done(lambda: read_outcome(bus, task.id))
    report(ended if isinstance(ended, SubTaskEnded) else SubTaskEnded(outcome=_stopped(task)))


async def _is_held(bus: Bus, task: str) -> bool:
    """Return whether somebody works on a sub-task: it was taken, and has neither ended nor been suspended."""
    last = await retry_until_done(lambda: newest(bus, "JOURNAL", bus.names.journal(task)))
    entries = codec.decode(last.data, JournalBatch).entries if last else ()
    return bool(entries) and not isinstance(entries[-1], Finished | Revoked | Suspended | Released)


def _stopped(task: SubTask) -> SubTaskResult:
    return SubTaskResult(
        task=task.id,
        node=task.node,
        attempt=task.attempt,
        status="cancelled",
        summary="a person has stopped it",
        failure=Failure.CANCELLED,
        cause=Failure.CANCELLED.cause,
    )


async def revoke_task(bus: Bus, task: str, reason: str) -> None:
    """End a sub-task's journal unless it has ended; try again while its holder appends.

    Raises:
        Fenced: its holder kept appending.
        OutcomeUnknown: the bus does not answer.
    """
    journal = Log(bus, "JOURNAL", bus.names.journal(task))

    async def end() -> None:
        last = await newest(bus, "JOURNAL", journal.subject)
        entries = codec.decode(last.data, JournalBatch).entries if last else ()
        if not any(isinstance(entry, Finished | Revoked) for entry in entries):
            journal.last = last.seq if last else 0
            await journal.append(JournalBatch(entries=(Revoked(reason=reason),)))

    await journal.retry_fenced(end, REVOKE_TRIES)
