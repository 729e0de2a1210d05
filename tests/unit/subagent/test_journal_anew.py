"""A sub-task's journal outlasts its queue, which may be made anew; and it says what the sub-task has spent."""

from collections.abc import AsyncGenerator

import pytest
from envelopes import result_of
from workshop import Workshop, at_work, put, until

from muster_bus import Bus, Claim
from muster_bus.streams import provision
from muster_bus.testing import connected, provisioned_server
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalEntry,
    ModelReplied,
    Question,
    Suspended,
    Taken,
)
from muster_protocol.tool_calls import ToolCall, ToolOutcome, Usage
from muster_subagent.task_journal import Journal, Progress, Standing, progressed, spent, standing

TASK = "r.n.1"
FINISHED = Finished(outcome=result_of(task=TASK, node="n", attempt=1, status="pass", summary="done"))
ASKS = Question(id=f"{TASK}:1", text="Which code?")
SUSPENDED = Suspended(waits=ASKS, message=7)


def taken(message: int, delivery: int, at: float = 0.0) -> Taken:
    return Taken(worker="w", message=message, delivery=delivery, at=at)


def started(index: int) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool="browser_click"), effect="act")


def after(*entries: JournalEntry) -> Progress:
    progress = Progress()
    for entry in entries:
        progress = progressed(progress, entry)
    return progress


HELD = after(taken(7, 3, at=100.0))
ASKED = after(taken(7, 3, at=100.0), SUSPENDED)
TAKEN_OVER = after(taken(7, 3, at=100.0), taken(1, 1, at=200.0))
"""Held with message 7; then with one of a queue that was made anew."""
WENT_ON = after(taken(7, 3, at=100.0), SUSPENDED, taken(2, 1, at=200.0))


@pytest.mark.parametrize(
    ("progress", "message", "delivery", "at", "expected"),
    [
        (ASKED, 8, 1, 110.0, Standing.MINE),
        (ASKED, 1, 1, 200.0, Standing.MINE),
        (ASKED, 7, 1, 200.0, Standing.MINE),
        (ASKED, 7, 4, 100.0, Standing.COPY),
        (ASKED, 6, 1, 90.0, Standing.COPY),
        (WENT_ON, 2, 1, 200.0, Standing.OUTDATED),
        (WENT_ON, 2, 2, 200.0, Standing.MINE),
        (WENT_ON, 3, 1, 201.0, Standing.COPY),
        (WENT_ON, 7, 9, 100.0, Standing.COPY),
        (HELD, 7, 4, 100.0, Standing.MINE),
        (HELD, 7, 2, 100.0, Standing.OUTDATED),
        (HELD, 8, 1, 110.0, Standing.COPY),
        (HELD, 6, 9, 90.0, Standing.COPY),
        (HELD, 7, 1, 200.0, Standing.MINE),
        (HELD, 1, 1, 200.0, Standing.MINE),
        (TAKEN_OVER, 1, 2, 200.0, Standing.MINE),
        (TAKEN_OVER, 1, 1, 200.0, Standing.OUTDATED),
        (TAKEN_OVER, 2, 1, 201.0, Standing.COPY),
        (TAKEN_OVER, 7, 4, 100.0, Standing.COPY),
    ],
)
def test_a_message_of_a_queue_made_anew_is_no_copy_of_one_that_went_with_the_old_queue(
    progress: Progress, message: int, delivery: int, at: float, expected: Standing
):
    assert standing(progress, message, delivery, at) is expected


def test_in_a_journal_without_times_the_numbers_decide():
    assert standing(after(taken(7, 1)), 1, 1, 200.0) is Standing.COPY
    assert standing(after(taken(7, 1), SUSPENDED), 7, 2, 200.0) is Standing.COPY


def test_what_an_attempt_spent_is_what_it_began_and_was_replied_whoever_held_it():
    looked = ToolOutcome(status="ok", usage=Usage(model_calls=2, input_tokens=10, output_tokens=1, cost=0.25))
    first = ModelReplied(index=0, reply="{}", input_tokens=100, output_tokens=20, cost=0.5)
    second = ModelReplied(index=1, reply="{}", input_tokens=200, output_tokens=30, cost=1.0)
    before = (taken(7, 1), first, started(0), CallFinished(index=0, outcome=looked), started(1))
    progress = after(*before, taken(7, 2), started(1), second, started(2))

    assert spent(progress) == Usage(calls=3, model_calls=4, input_tokens=310, output_tokens=51, cost=1.75)
    assert spent(after(taken(7, 1))) == Usage()


@pytest.fixture
async def bus() -> AsyncGenerator[Bus]:
    async with provisioned_server() as server, connected(server) as bus:
        yield bus


async def claimed(bus: Bus, workshop: Workshop) -> Claim:
    await put(bus, "a sub-task")
    await until(lambda: bool(workshop.claims), "it is claimed")
    return workshop.claims[-1]


async def test_an_answered_sub_task_is_taken_from_a_queue_that_was_deleted_and_made_again(bus: Bus):
    before = Workshop()
    async with at_work(bus, before):
        claim = await claimed(bus, before)
        journal = Journal(bus, TASK, claim, "worker-1")
        await journal.take()
        await journal.append(Suspended(waits=ASKS, message=claim.message))
    await bus.js.delete_stream("TASKS")
    await provision(bus)
    now = Workshop()
    async with at_work(bus, now):
        again = await claimed(bus, now)
        journal = Journal(bus, TASK, again, "worker-2")

        assert (claim.message, again.message) == (1, 1)
        assert await journal.take() is Standing.MINE
        await journal.append(FINISHED)


async def test_what_is_noted_and_not_yet_stored_is_spent_too(bus: Bus):
    workshop = Workshop()
    async with at_work(bus, workshop):
        journal = Journal(bus, TASK, await claimed(bus, workshop), "worker-1")
        await journal.take()
        journal.note(started(0), ModelReplied(index=0, reply="{}", input_tokens=7))

        assert journal.progress.replies == ()
        assert journal.spent == Usage(calls=1, model_calls=1, input_tokens=7)
        await journal.append(FINISHED)
        assert journal.spent == Usage(calls=1, model_calls=1, input_tokens=7)
