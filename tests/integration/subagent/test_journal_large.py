"""A journal takes what is larger than a message: in several, or shortened; what can be neither does not stand in the way."""

from collections.abc import AsyncGenerator

import pytest
from envelopes import result_of
from taken_journal import taken_journal

from muster_bus import Bus, replay
from muster_protocol import codec
from muster_protocol.errors import Refused
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalBatch,
    JournalEntry,
    ModelReplied,
    Taken,
)
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_subagent.task_journal import Journal

TASK = "r.n.1"
FINISHED = Finished(outcome=result_of(task=TASK, node="n", attempt=1, status="pass", summary="done"))


def started(index: int) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool="click"), effect="act")


def came_back(index: int) -> CallFinished:
    return CallFinished(index=index, outcome=ToolOutcome(status="ok", text=f"call {index}"))


@pytest.fixture
async def journal(bus: Bus) -> AsyncGenerator[Journal]:
    """The journal of a sub-task that was just taken."""
    async with taken_journal(bus, TASK) as journal:
        yield journal


async def batches(bus: Bus) -> list[list[JournalEntry]]:
    subject = bus.names.journal(TASK)
    return [list(codec.decode(message.data, JournalBatch).entries) async for message in replay(bus, "JOURNAL", subject)]


async def entries(bus: Bus) -> list[JournalEntry]:
    return [entry for batch in await batches(bus) for entry in batch]


def said(index: int, reply: str) -> ModelReplied:
    return ModelReplied(index=index, reply=reply)


async def test_entries_that_are_too_large_for_one_message_together_are_written_in_several(bus: Bus, journal: Journal):
    written = [said(index, "x" * 300_000) for index in range(7)]
    await journal.append(*written)

    assert (await entries(bus))[1:] == written
    assert 2 <= len(await batches(bus)) - 1 < len(written)
    assert len(journal.progress.replies) == 7
    assert bus.nc.stats["reconnects"] == 0


async def test_an_outcome_that_is_too_large_for_a_message_is_shortened_and_those_around_it_are_not(
    bus: Bus, journal: Journal
):
    huge = CallFinished(index=0, outcome=ToolOutcome(status="ok", text="x" * 2_000_000))
    await journal.append(started(0), huge, started(1), came_back(1), FINISHED)

    [_, first, short, *rest] = await entries(bus)
    assert isinstance(short, CallFinished)
    assert (first, short.index, short.outcome.status) == (started(0), 0, "ok")
    assert 0 < len(short.outcome.text) < 5000
    assert rest == [started(1), came_back(1), FINISHED]
    assert journal.progress.finished == FINISHED


async def test_what_can_be_neither_stored_nor_shortened_is_refused_and_does_not_stand_in_the_way(
    bus: Bus, journal: Journal
):
    with pytest.raises(Refused, match=r"ModelReplied has \d+ bytes, more than one message takes"):
        await journal.append(said(0, "x" * 2_000_000))
    await journal.append(FINISHED)

    assert [type(entry) for entry in await entries(bus)] == [Taken, Finished]


async def test_what_was_noted_and_cannot_be_stored_shows_at_the_next_append_and_nothing_but_the_end_follows_it(
    bus: Bus, journal: Journal
):
    journal.note(started(0), came_back(0), said(0, "x" * 2_000_000), started(1))
    for _ in range(2):
        with pytest.raises(Refused, match="ModelReplied"):
            await journal.append(started(2))
    journal.note(came_back(2))
    await journal.append(FINISHED)

    assert (await entries(bus))[1:] == [started(0), came_back(0), FINISHED]
    assert set(journal.progress.started) == {0}
