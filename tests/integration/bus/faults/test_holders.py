"""Two processes that both believe to hold one message: what is stored decides, and the one who is late does nothing."""

import signal
import time
from pathlib import Path

import msgspec
import pytest
from fleet import Fleet, fleet
from waiting import eventually
from workshop import QUEUE, Workshop, at_work, put

from muster_bus import Bus, Claim, Log, Rows
from muster_client.runs import submit
from muster_protocol.journal import Finished, Taken
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import Drill, RunRequest

pytestmark = pytest.mark.timeout(300)


class Note(msgspec.Struct):
    text: str


async def takers(group: Fleet, task: str) -> list[str]:
    return [entry.worker for entry in await group.journal(task) if isinstance(entry, Taken)]


async def row_of(group: Fleet, pid: int, since: float = 0.0) -> WorkerRow | None:
    rows = await Rows(group.bus, "WORKERS", WorkerRow).all()
    return next((row for row in rows if row.pid == pid and row.seen_at > since), None)


@pytest.mark.slow
async def test_a_worker_whose_message_waited_in_its_socket_while_it_was_stopped_leaves_it_to_who_has_it(
    tmp_path: Path,
):
    async with fleet(tmp_path) as group:
        await group.start("orchestrator")
        first = await group.start("subagent")
        first.send_signal(signal.SIGSTOP)  # its requests for work stand
        run = (await submit(group.bus, RunRequest(job=Drill(count=2, wait_seconds=5.0)))).run
        task = f"{run}.drill-1.1"
        second = await group.start("subagent")
        heir = await row_of(group, second.pid)
        assert heir is not None
        await eventually(lambda: takers(group, task), "another has it")
        continued = time.time()
        first.send_signal(signal.SIGCONT)  # it reads the message now, marked as delivered for the first time
        await eventually(lambda: row_of(group, first.pid, continued), "it is at work again")
        verdict = await group.verdict(run)

        assert verdict.status == "pass"
        assert await takers(group, task) == [heir.id]
        finished = [entry for entry in await group.journal(task) if isinstance(entry, Finished)]
        assert len(finished) == 1
        assert first.returncode is None


@pytest.mark.slow
async def test_a_worker_told_to_stop_hands_everything_back_at_once(tmp_path: Path):
    count, ack_wait = 8, 30.0
    slots = {"ACT_SLOTS": str(count), "THINK_SLOTS": str(count)}
    async with fleet(tmp_path, SHUTDOWN_SECONDS="0", ACK_WAIT_SECONDS=str(ack_wait)) as group:
        for stream in [info.config.name or "" for info in await group.bus.js.streams_info()]:
            for consumer in await group.bus.js.consumers_info(stream):
                await group.bus.js.add_consumer(stream, consumer.config.evolve(ack_wait=ack_wait))
        await group.start("orchestrator")
        first = await group.start("subagent", **slots)
        job = Drill(count=1, wait_seconds=100.0)
        runs = [(await submit(group.bus, RunRequest(job=job))).run for _ in range(count)]

        async def taken(times: int) -> bool:
            return all([len(await takers(group, f"{run}.drill-1.1")) == times for run in runs])

        await eventually(lambda: taken(1), "it has all of them")
        await group.start("subagent", **slots)
        first.terminate()
        await eventually(lambda: taken(2), "the other has all of them", ack_wait / 3)
        for run in runs:
            kinds = [type(entry).__name__ for entry in await group.journal(f"{run}.drill-1.1")]
            assert kinds == ["Taken", "Released", "Taken"]


async def test_a_late_ack_does_not_keep_the_next_holder_from_finishing(bus: Bus, other: Bus):
    async def forgets(claim: Claim) -> None:
        claim.release()

    late, holder = Workshop(forgets), Workshop()
    async with at_work(bus, late):
        await put(other, "a")
        await eventually(lambda: late.done == ["a"], "the first has let it slip")
    async with at_work(other, holder):
        await eventually(lambda: len(holder.claims) == 1, "the next has it")
        (claim,) = holder.claims
        assert claim.delivery == 2
        await bus.nc.publish(late.claims[0]._reply, b"+ACK")
        await bus.nc.flush()
        renewed = claim._proved
        await eventually(lambda: claim._proved > renewed, "it is renewed all the same")
        assert await Log(other, "JOURNAL", "muster.journal.r.n.1").append(Note("done")) == 1
        holder.gate.set()
        await eventually(lambda: holder.done == ["a"], "it is done")
    assert (await bus.js.consumer_info("TASKS", QUEUE)).num_ack_pending == 0


async def test_a_message_stored_twice_is_given_out_twice_and_its_log_tells_the_second_that_it_is_done(
    bus: Bus, other: Bus
):
    """As a publisher's retry after the server forgot its message id, say, across a restart."""
    wrote: list[int] = []

    async def work(claim: Claim) -> None:
        log = Log(bus, "JOURNAL", "muster.journal.r.n.1")
        if not await log.read():
            wrote.append(await log.append(Note(claim.data.decode())))
        await claim.ack()

    async with at_work(bus, workshop := Workshop(work)):
        await put(other, "a", "a")
        await eventually(lambda: workshop.done == ["a", "a"], "both are handled")
    assert wrote == [1]
    await acks_are_in(bus)


async def acks_are_in(bus: Bus) -> None:
    """Expect an empty queue."""

    async def look() -> bool:
        return (await bus.js.stream_info("TASKS")).state.messages == 0

    await eventually(look, "the queue is empty")
