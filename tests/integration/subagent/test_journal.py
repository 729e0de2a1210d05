"""A journal on a real server: who takes a sub-task, who is shut out, what is written in which order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from journal_entries import ASKS, FINISHED, TASK, after, came_back, started
from proxy import proxied
from waiting import eventually

from muster_bus import Bus, Claim, Intake, Log, replay
from muster_bus.nats_server import NatsServer
from muster_protocol import codec
from muster_protocol.errors import ClaimLost, Fenced
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalBatch,
    JournalEntry,
    Revoked,
    Suspended,
    Taken,
)
from muster_subagent.task_journal import Journal, Standing

QUEUE = "muster.tasks.act.normal"


class Hands:
    """Gives out claims as a queue does, and lets them go when told."""

    def __init__(self) -> None:
        self._claims: asyncio.Queue[Claim] = asyncio.Queue()
        self.go_on = asyncio.Event()

    async def handle(self, claim: Claim) -> None:
        self._claims.put_nowait(claim)
        await self.go_on.wait()

    async def next(self) -> Claim:
        return await asyncio.wait_for(self._claims.get(), 20.0)


@asynccontextmanager
async def holding(bus: Bus) -> AsyncGenerator[Hands]:
    hands = Hands()
    intake = Intake(bus, "TASKS", ["act-normal"], slots=8, handler=hands.handle)
    await intake.start()
    try:
        yield hands
    finally:
        hands.go_on.set()
        await intake.stop(grace=5.0)


@pytest.fixture
async def hands(bus: Bus) -> AsyncGenerator[Hands]:
    async with holding(bus) as hands:
        yield hands


async def claim_of(bus: Bus, hands: Hands) -> Claim:
    await bus.store(QUEUE, b"{}")
    return await hands.next()


async def next_delivery(claim: Claim, hands: Hands) -> Claim:
    await claim._bus.nc.publish(claim._reply, b"-NAK")  # the claim itself still believes that it is held
    return await hands.next()


async def batches(bus: Bus) -> list[list[JournalEntry]]:
    subject = bus.names.journal(TASK)
    return [list(codec.decode(message.data, JournalBatch).entries) async for message in replay(bus, "JOURNAL", subject)]


async def entries(bus: Bus) -> list[JournalEntry]:
    return [entry for batch in await batches(bus) for entry in batch]


async def test_the_first_to_take_a_sub_task_holds_it(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    journal = Journal(bus, TASK, claim, "worker-1")

    assert await journal.take() is Standing.MINE
    [entry] = await entries(bus)
    assert isinstance(entry, Taken)
    assert (entry.worker, entry.message, entry.delivery) == ("worker-1", claim.message, 1)


async def test_a_later_delivery_takes_over_with_all_that_was_done_and_fences_the_holder_before(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    first = Journal(bus, TASK, claim, "worker-1")
    await first.take()
    await first.append(started(0), came_back(0))
    second = Journal(bus, TASK, await next_delivery(claim, hands), "worker-2")

    assert await second.take() is Standing.MINE
    assert second.progress.outcomes == {0: came_back(0).outcome}
    with pytest.raises(Fenced):
        await first.append(started(1))
    with pytest.raises(Fenced):
        await first.append(FINISHED)
    await second.append(FINISHED)
    assert [type(entry) for entry in await entries(bus)] == [Taken, CallStarted, CallFinished, Taken, Finished]


async def test_a_delivery_that_comes_late_finds_itself_outdated_and_writes_nothing(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    newer = await next_delivery(claim, hands)
    await Journal(bus, TASK, newer, "worker-2").take()

    assert await Journal(bus, TASK, claim, "worker-1").take() is Standing.OUTDATED
    assert len(await entries(bus)) == 1


async def test_a_copy_of_a_sub_task_that_is_held_is_told_as_one(bus: Bus, hands: Hands):
    await Journal(bus, TASK, await claim_of(bus, hands), "worker-1").take()

    assert await Journal(bus, TASK, await claim_of(bus, hands), "worker-2").take() is Standing.COPY
    assert len(await entries(bus)) == 1


async def test_a_finished_sub_task_is_told_as_such_to_whoever_gets_it_again(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    journal = Journal(bus, TASK, claim, "worker-1")
    await journal.take()
    await journal.append(FINISHED)

    assert await Journal(bus, TASK, await next_delivery(claim, hands), "worker-2").take() is Standing.FINISHED


async def test_of_two_workers_that_take_at_the_same_moment_the_newer_delivery_holds_it_in_the_end(
    bus: Bus, hands: Hands
):
    claim = await claim_of(bus, hands)
    newer = await next_delivery(claim, hands)
    one, two = Journal(bus, TASK, claim, "worker-1"), Journal(bus, TASK, newer, "worker-2")
    await asyncio.gather(one.take(), two.take())

    await two.append(started(0))
    with pytest.raises(Fenced):
        await one.append(started(0))
    assert [entry.delivery for entry in await entries(bus) if isinstance(entry, Taken)][-1] == 2


async def test_what_is_noted_goes_out_in_order_before_what_is_appended(bus: Bus, hands: Hands):
    journal = Journal(bus, TASK, await claim_of(bus, hands), "worker-1")
    await journal.take()
    for index in range(20):
        journal.note(started(index))
        journal.note(came_back(index))
    await journal.append(FINISHED)

    written = await entries(bus)
    assert [getattr(entry, "index", None) for entry in written[1:-1]] == [i for i in range(20) for _ in range(2)]
    assert isinstance(written[-1], Finished)
    assert len(await batches(bus)) < 10
    assert journal.progress == after(*written)


async def test_the_message_that_finishes_says_so_in_its_header(bus: Bus, hands: Hands):
    journal = Journal(bus, TASK, await claim_of(bus, hands), "worker-1")
    await journal.take()
    journal_of = bus.names.journal(TASK)
    before = await bus.js.get_last_msg("JOURNAL", journal_of)
    await journal.append(came_back(), FINISHED)
    last = await bus.js.get_last_msg("JOURNAL", journal_of)

    assert before.headers is not None
    assert last.headers is not None
    assert "Muster-Finished" not in before.headers
    assert last.headers["Muster-Finished"] == "1"


async def test_a_question_ends_the_holding_and_whoever_has_the_answer_goes_on(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    first = Journal(bus, TASK, claim, "worker-1")
    await first.take()
    first.note(started(0), came_back(0), started(1))
    await first.append(Suspended(waits=ASKS, message=claim.message))
    last = await bus.js.get_last_msg("JOURNAL", bus.names.journal(TASK))
    assert last.headers is not None
    assert last.headers["Muster-Finished"] == "1"

    assert await Journal(bus, TASK, await next_delivery(claim, hands), "worker-2").take() is Standing.COPY
    second = Journal(bus, TASK, await claim_of(bus, hands), "worker-3")
    assert await second.take() is Standing.MINE
    assert (set(second.progress.outcomes), set(second.progress.started)) == ({0}, {0, 1})
    with pytest.raises(Fenced):
        await first.append(started(2))


async def test_a_holder_whose_sub_task_is_revoked_is_fenced_and_a_delivery_of_it_is_done_with(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    journal = Journal(bus, TASK, claim, "worker-1")
    await journal.take()
    owner = Log(bus, "JOURNAL", bus.names.journal(TASK))
    await owner.read()
    await owner.append(JournalBatch(entries=(Revoked(reason="the run is over"),)))

    with pytest.raises(Fenced):
        await journal.append(started(0))
    assert await Journal(bus, TASK, await next_delivery(claim, hands), "worker-2").take() is Standing.FINISHED
    assert len(await entries(bus)) == 2


async def test_a_note_that_could_not_be_written_shows_at_the_next_append(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    first = Journal(bus, TASK, claim, "worker-1")
    await first.take()
    await Journal(bus, TASK, await next_delivery(claim, hands), "worker-2").take()

    first.note(came_back(0))
    with pytest.raises(Fenced):
        await first.append(started(1))
    assert [type(entry) for entry in await entries(bus)] == [Taken, Taken]


async def test_without_the_claim_nothing_is_written(bus: Bus, hands: Hands):
    claim = await claim_of(bus, hands)
    journal = Journal(bus, TASK, claim, "worker-1")
    await journal.take()
    claim._lose()

    journal.note(came_back(0))
    with pytest.raises(ClaimLost):
        await journal.append(FINISHED)
    assert len(await entries(bus)) == 1


async def test_an_append_that_is_broken_off_is_still_stored_once_and_the_next_one_after_it(
    server: NatsServer, bus: Bus
):
    """As when a run is cancelled or a sub-task's time is up while an entry is on its way."""
    async with proxied(server) as (slow, proxy), holding(slow) as hands:
        journal = Journal(slow, TASK, await claim_of(bus, hands), "worker-1")
        await journal.take()
        proxy.to_client.hold()
        appending = asyncio.ensure_future(journal.append(started(0)))

        async def stored() -> bool:
            return len(await entries(bus)) == 2

        await eventually(stored, "the entry is stored")
        appending.cancel()
        await asyncio.wait({appending})
        proxy.to_client.release()
        await journal.append(FINISHED)

    assert [type(entry) for entry in await entries(bus)] == [Taken, CallStarted, Finished]
