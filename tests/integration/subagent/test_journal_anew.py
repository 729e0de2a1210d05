"""A journal whose queue was deleted and made again, and what is noted and not yet stored."""

from journal_entries import ASKS, FINISHED, TASK, started
from waiting import eventually
from workshop import Workshop, at_work, put

from muster_bus import Bus, Claim
from muster_bus.provisioning import provision
from muster_protocol.journal import (
    ModelReplied,
    Suspended,
)
from muster_protocol.tool_calls import Usage
from muster_subagent.task_journal import Journal, Standing


async def claimed(bus: Bus, workshop: Workshop) -> Claim:
    await put(bus, "a sub-task")
    await eventually(lambda: bool(workshop.claims), "it is claimed")
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
