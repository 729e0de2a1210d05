"""The queue group: as many at once as there are slots, every message to one holder, through faults of all kinds."""

import asyncio
import signal
import time
from collections import Counter
from contextlib import AbstractAsyncContextManager

import pytest
from proxy import proxied
from structlog.testing import capture_logs
from waiting import eventually
from workshop import Workshop
from workshop import at_work as at_queues

from muster_bus import Bus, Claim, Intake, provision
from muster_bus.nats_server import NatsServer
from muster_bus.store_answers import MISSING
from muster_bus.testing import connected

ACK_WAIT = 1.0
NORMAL, HIGH = "muster.tasks.act.normal", "muster.tasks.act.high"
BOTH = ("act-high", "act-normal")


def at_work(
    bus: Bus, workshop: Workshop, slots: int = 2, consumers: tuple[str, ...] = BOTH
) -> AbstractAsyncContextManager[Intake]:
    return at_queues(bus, workshop, slots, consumers)


async def put(bus: Bus, subject: str, *messages: str) -> None:
    for message in messages:
        await bus.store(subject, message.encode())


async def left(bus: Bus) -> int:
    return (await bus.js.stream_info("TASKS")).state.messages


async def empty(bus: Bus) -> None:
    async def look() -> bool:
        return await left(bus) == 0

    await eventually(look, "the queue is empty")


async def test_no_more_handlers_run_than_there_are_slots_and_everything_is_done_once(bus: Bus, other: Bus):
    messages = [f"m{number}" for number in range(40)]
    workshop = Workshop(lambda claim: claim.ack())
    async with at_work(bus, workshop, slots=3):
        await asyncio.gather(put(other, NORMAL, *messages[:20]), put(other, HIGH, *messages[20:]))
        await eventually(lambda: len(workshop.done) == 40, "all is done")
        await empty(bus)
    assert workshop.most <= 3
    assert Counter(workshop.done) == Counter(messages)


async def test_with_all_slots_taken_the_rest_waits_in_the_queue(bus: Bus):
    workshop = Workshop()
    async with at_work(bus, workshop, slots=2) as intake:
        await put(bus, NORMAL, "a", "b", "c")
        await put(bus, HIGH, "d", "e")
        await eventually(lambda: workshop.busy == 2, "both slots are taken")
        assert intake.busy == 2
        workshop.gate.set()
        await eventually(lambda: len(workshop.done) == 5, "all is done")
    assert workshop.most == 2


async def test_what_is_delivered_beyond_the_slots_is_given_back_at_once_to_who_has_one(bus: Bus, other: Bus):
    busy, idle = Workshop(), Workshop(lambda claim: claim.ack())
    async with at_work(bus, busy, slots=1):  # it has asked both queues for one each
        await put(other, NORMAL, "a")
        await eventually(lambda: busy.busy == 1, "its slot is taken")
        async with at_work(other, idle, slots=1):
            started = time.monotonic()
            await put(other, HIGH, "b")
            await eventually(lambda: idle.done == ["b"], "the other has it")
            assert time.monotonic() - started < ACK_WAIT * 0.9
    assert (busy.seen, idle.seen) == ([("a", 1)], [("b", 2)])


async def test_several_intakes_share_the_work(bus: Bus, other: Bus):
    one, two = Workshop(), Workshop()
    async with at_work(bus, one, slots=2), at_work(other, two, slots=2):
        await put(bus, NORMAL, *(f"m{number}" for number in range(4)))
        await eventually(lambda: one.busy == two.busy == 2, "each has two")
        one.gate.set()
        two.gate.set()
        await eventually(lambda: len(one.done) + len(two.done) == 4, "all is done")
        await put(bus, NORMAL, *(f"n{number}" for number in range(50)))
        await eventually(lambda: len(one.done) + len(two.done) == 54, "all is done")
        await empty(bus)
    assert max(Counter(one.done + two.done).values()) == 1


async def test_a_claim_is_kept_for_much_longer_than_ack_wait(bus: Bus, other: Bus):
    keeper, rival = Workshop(), Workshop(lambda claim: claim.ack())
    async with at_work(bus, keeper, slots=1):
        await put(other, NORMAL, "a")
        await eventually(lambda: keeper.busy == 1, "it is being worked on")
        began = time.monotonic()
        async with at_work(other, rival):
            await eventually(lambda: time.monotonic() - began > 3 * ACK_WAIT, "three times ack_wait is over")
            keeper.gate.set()
            await eventually(lambda: keeper.done == ["a"], "it is done")
            await empty(bus)
    assert (keeper.seen, rival.seen) == ([("a", 1)], [])


async def test_after_a_fault_in_a_handler_the_message_comes_again(bus: Bus):
    async def fail_first(claim: Claim) -> None:
        if claim.delivery == 1:
            raise RuntimeError("on purpose")
        await claim.ack()

    workshop = Workshop(fail_first)
    async with at_work(bus, workshop, slots=1) as intake:
        with capture_logs() as logged:
            await put(bus, NORMAL, "a")
            await eventually(lambda: workshop.done == ["a"], "it is done at the second try")
        assert intake.busy == 0
    assert workshop.seen == [("a", 1), ("a", 2)]
    assert any(line["event"] == "message handler failed" for line in logged)


async def test_a_message_given_back_comes_again_and_one_terminated_does_not(bus: Bus):
    async def answer(claim: Claim) -> None:
        match claim.data, claim.delivery:
            case b"later", 1:
                await claim.nak(delay=0.3)
            case b"again", 1:
                await claim.nak()
            case b"poison", _:
                await claim.term("it is poison")
            case _:
                await claim.ack()

    workshop = Workshop(answer)
    async with at_work(bus, workshop, slots=4):
        await put(bus, NORMAL, "poison", "later", "again")
        await eventually(lambda: len(workshop.seen) == 5, "they came again")
        await empty(bus)
    deliveries = Counter(message for message, _ in workshop.seen)
    assert deliveries == {"poison": 1, "later": 2, "again": 2}
    advisory = await bus.js.get_msg("ADVISORIES", seq=1)
    assert b"it is poison" in (advisory.data or b"")


async def test_a_claim_that_is_released_sends_nothing_and_comes_again_after_ack_wait(bus: Bus):
    async def release_first(claim: Claim) -> None:
        if claim.delivery == 1:
            claim.release()
            await claim.ack()  # comes too late to count
        else:
            await claim.ack()

    workshop = Workshop(release_first)
    async with at_work(bus, workshop, slots=1):
        await put(bus, NORMAL, "a")
        await eventually(lambda: len(workshop.seen) == 2, "it comes again")
        await empty(bus)


async def test_a_server_killed_and_started_again_is_pulled_from_without_waiting_long(server: NatsServer, bus: Bus):
    workshop = Workshop(lambda claim: claim.ack())
    async with at_work(bus, workshop):
        await put(bus, NORMAL, "before")
        await eventually(lambda: workshop.done == ["before"], "it works")
        await server.stop(signal.SIGKILL)
        await server.start()
        async with connected(server) as writer:
            began = time.monotonic()
            await put(writer, NORMAL, "after")
            await eventually(lambda: "after" in workshop.done, "it works again")
        assert time.monotonic() - began < 5.0


async def test_a_handler_at_work_while_the_server_is_killed_and_comes_back_in_time_keeps_its_claim(
    server: NatsServer, bus: Bus
):
    workshop = Workshop()
    async with at_work(bus, workshop, slots=1):
        await put(bus, NORMAL, "a")
        await eventually(lambda: workshop.busy == 1, "it is being worked on")
        await server.stop(signal.SIGKILL)
        await server.start()
        await eventually(lambda: bus.nc.is_connected, "it is connected again")
        workshop.gate.set()
        await eventually(lambda: len(workshop.done) >= 1, "it is done")
        await empty(bus)


async def test_pull_requests_lost_with_the_connection_are_made_again(server: NatsServer, other: Bus):
    workshop = Workshop(lambda claim: claim.ack())
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (shaky, proxy), at_work(shaky, workshop):
        for turn in range(3):
            await put(other, NORMAL, f"m{turn}")
            await eventually(lambda: len(workshop.done) == turn + 1, "it is done")  # noqa: B023
            proxy.cut()


async def test_a_deleted_consumer_is_a_clear_error_and_works_again_once_provisioned(bus: Bus, other: Bus):
    workshop = Workshop(lambda claim: claim.ack())
    with capture_logs() as logged:
        async with at_work(bus, workshop, consumers=("act-normal",)):
            await put(other, NORMAL, "before")
            await eventually(lambda: workshop.done == ["before"], "it works")
            await empty(other)  # or its ack is overtaken by what comes next
            await other.js.delete_consumer("TASKS", "act-normal")
            complaint = f"cannot pull work: {MISSING}"
            await eventually(lambda: complaint in [line["event"] for line in logged], "it complains")
            assert await provision(other) == ("TASKS/act-normal",)
            await put(other, NORMAL, "after")
            await eventually(lambda: workshop.done == ["before", "after"], "it works again")
    assert {line["what"] for line in logged if line["event"] == complaint} == {"consumer TASKS/act-normal"}
    assert len([line for line in logged if line["event"] == complaint]) < 10


async def test_stopping_lets_handlers_finish_and_leaves_the_rest_to_others_at_once(bus: Bus, other: Bus):
    leaving, staying = Workshop(), Workshop(lambda claim: claim.ack())
    intake = Intake(bus, "TASKS", ("act-normal",), slots=1, handler=leaving.handle)
    await intake.start()
    await put(other, NORMAL, "a")
    await eventually(lambda: leaving.busy == 1, "it is being worked on")
    stopping = asyncio.ensure_future(intake.stop(grace=10.0))
    await put(other, NORMAL, "b")
    async with at_work(other, staying):
        await eventually(lambda: staying.done == ["b"], "the other has the rest", ACK_WAIT * 0.9)
        leaving.gate.set()
        await stopping
        await empty(other)
    assert (leaving.done, staying.done) == (["a"], ["b"])


async def test_stopping_breaks_off_what_does_not_finish_in_time(bus: Bus):
    workshop = Workshop()
    intake = Intake(bus, "TASKS", ("act-normal",), slots=1, handler=workshop.handle)
    await intake.start()
    await put(bus, NORMAL, "a")
    await eventually(lambda: workshop.busy == 1, "it is being worked on")

    began = time.monotonic()
    await intake.stop(grace=0.2)
    assert time.monotonic() - began < 2.0
    assert (workshop.busy, workshop.done, await left(bus)) == (0, [], 1)


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
async def test_an_idle_intake_stops_quickly_whether_or_not_the_server_is_there(
    server: NatsServer, bus: Bus, *, down: bool
):
    intake = Intake(bus, "TASKS", BOTH, slots=2, handler=Workshop().handle)
    await intake.start()
    if down:
        await server.stop(signal.SIGKILL)
        await eventually(lambda: not bus.nc.is_connected, "the connection is lost")

    await asyncio.wait_for(intake.stop(grace=5.0), 4.0)


async def test_messages_are_neither_lost_nor_done_twice_while_intakes_come_and_go(bus: Bus, other: Bus):
    workshop = Workshop(lambda claim: claim.ack())
    messages = [f"m{number}" for number in range(150)]
    putting = asyncio.ensure_future(put(other, NORMAL, *messages))
    for _ in range(8):
        async with at_work(bus, workshop, slots=4):
            before = len(workshop.done)
            await eventually(lambda: len(workshop.done) >= min(before + 10, 150), "some are done")  # noqa: B023
    await putting
    async with at_work(bus, workshop, slots=4):
        await eventually(lambda: len(set(workshop.done)) == 150, "all are done")
        await empty(bus)
    assert max(Counter(workshop.done).values()) == 1
