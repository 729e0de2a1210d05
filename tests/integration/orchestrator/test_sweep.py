"""Runs that nobody holds are found and put back into the queue, once, by whichever orchestrator looks."""

import asyncio
from typing import Any

import pytest
from fleet import ACK_WAIT, Fleet
from played import PlayedWorker, events_of
from waiting import eventually

from muster_bus import Bus, Rows, newest, provision
from muster_bus.run_store import read_entries
from muster_bus.testing import connected
from muster_client.runs import send_control, submit
from muster_orchestrator.presence import Presence
from muster_orchestrator.sweeper import Sweeper
from muster_protocol import codec
from muster_protocol.control import Pause, Resume
from muster_protocol.events import OwnerChanged, Parked, SubTaskDispatched
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def row_is_there(bus: Bus, run: str, status: str = "running") -> None:
    async def look() -> bool:
        row = await Rows(bus, "RUN_LIST", RunRow).get(run)
        return row is not None and row.status == status

    await eventually(look, f"{run} is on the list as {status}")


async def begun(team: Fleet, bus: Bus, worker: PlayedWorker, run: str = "run-1") -> None:
    """Have a run begun by an orchestrator that is then killed, and its queue message vanish."""
    process = await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=2), id=run))
    await worker.given(run)
    await row_is_there(bus, run)
    process.kill()
    await process.wait()
    await bus.js.purge_stream("REQUESTS")


async def test_a_run_whose_queue_message_vanished_is_woken_and_goes_on(team: Fleet, bus: Bus, worker: PlayedWorker):
    await begun(team, bus, worker)
    await team.start("orchestrator")
    await worker.does("run-1", 2, **NOTHING)

    entries = await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
    assert len(events_of(entries, OwnerChanged)) == 1
    ids = [event.sub_task.id for event in events_of(entries, SubTaskDispatched)]
    assert ids == ["run-1.drill-1.1", "run-1.drill-2.1"]


async def test_sweeping_by_many_at_once_puts_a_run_back_once(team: Fleet, bus: Bus, worker: PlayedWorker):
    await begun(team, bus, worker)
    woken = await asyncio.gather(*(Sweeper(bus, Presence(bus)).sweep() for _ in range(5)))

    assert sum(woken) == 1
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 1
    assert await Sweeper(bus, Presence(bus)).sweep() == 0


async def test_a_run_that_somebody_holds_is_left_alone(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.given("run-1")
    await row_is_there(bus, "run-1")

    assert await Sweeper(bus, Presence(bus)).sweep() == 0
    await worker.does("run-1", **NOTHING)
    assert events_of(await team.closed("run-1"), OwnerChanged) == []


async def test_a_run_that_is_over_is_not_woken_even_if_the_list_does_not_know_it(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.does("run-1", **NOTHING)
    await team.closed("run-1")
    await row_is_there(bus, "run-1", "pass")

    async def acked() -> bool:
        return await newest(bus, "REQUESTS", "muster.requests.run-1") is None

    await eventually(acked, "its owner is through with it")
    await Rows(bus, "RUN_LIST", RunRow).put("run-1", RunRow(run="run-1", name="drill", status="running"))

    assert await Sweeper(bus, Presence(bus)).sweep() == 0
    assert await newest(bus, "REQUESTS", "muster.requests.run-1") is None


async def test_a_listed_run_that_has_neither_message_nor_log_is_left_alone(team: Fleet, bus: Bus):
    await Rows(bus, "RUN_LIST", RunRow).put("ghost", RunRow(run="ghost", name="drill", status="queued"))

    assert await Sweeper(bus, Presence(bus)).sweep() == 0
    assert await read_entries(bus, "ghost") == []


@pytest.mark.slow
async def test_a_run_woken_while_its_owner_is_alive_after_all_is_taken_over_cleanly(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator", SWEEP_SECONDS="1000", ORCHESTRATOR_RUNS="1")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", **NOTHING)
    await row_is_there(bus, "run-1")
    await bus.js.purge_stream("REQUESTS")
    await team.start("orchestrator")  # it sweeps, and holds the run from then on

    async def taken_over() -> bool:
        return bool(events_of(await read_entries(bus, "run-1"), OwnerChanged))

    await eventually(taken_over, "the run is taken over")
    await worker.does("run-1", 2, **NOTHING)
    entries = await team.closed("run-1")
    ids = [event.sub_task.id for event in events_of(entries, SubTaskDispatched)]
    assert len(ids) == len(set(ids)) == 3


async def test_an_unreadable_row_does_not_stop_the_sweep(team: Fleet, bus: Bus, worker: PlayedWorker):
    await begun(team, bus, worker)
    await bus.store("$KV.RUN_LIST.aaa", b"nonsense")

    assert await Sweeper(bus, Presence(bus)).sweep() == 1
    stored = await newest(bus, "REQUESTS", "muster.requests.run-1")
    assert stored is not None
    assert codec.decode(stored.data, RunRequest).id == "run-1"


async def test_a_sweeper_keeps_in_mind_what_it_read_before(team: Fleet, bus: Bus, worker: PlayedWorker):
    process = await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    await worker.given("run-1")
    await row_is_there(bus, "run-1")
    process.kill()
    await process.wait()
    sweeper = Sweeper(bus, Presence(bus))
    assert await sweeper.sweep() == 0  # its queue message stands for it
    await bus.js.purge_stream("KV_RUN_LIST")
    await bus.js.purge_stream("REQUESTS")

    assert await sweeper.sweep() == 1


async def test_a_list_that_was_deleted_and_made_again_is_read_from_its_start(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    for number in range(20):
        await Rows(bus, "RUN_LIST", RunRow).put(f"ghost-{number}", RunRow(run="ghost", name="drill", status="running"))
    sweeper = Sweeper(bus, Presence(bus))
    assert await sweeper.sweep() == 0
    await bus.js.delete_stream("KV_RUN_LIST")
    async with connected(team.server, ack_wait_seconds=ACK_WAIT) as provisioner:
        await provision(provisioner)
    await begun(team, bus, worker)

    assert await sweeper.sweep() == 1


@pytest.mark.parametrize("before", [0, 1])
async def test_a_queue_that_was_deleted_and_made_again_costs_no_run_and_repeats_nothing(
    team: Fleet, bus: Bus, worker: PlayedWorker, before: int
):
    await team.start("orchestrator")
    for number in range(before):  # then the runs have other numbers in the new queue than they had in the old one
        await submit(bus, RunRequest(job=Drill(count=1), id=f"old-{number}"))
        await worker.does(f"old-{number}", **NOTHING)
        await team.closed(f"old-{number}")
    runs = ("run-0", "run-1", "run-2")
    for run in runs:
        await submit(bus, RunRequest(job=Drill(count=3), id=run))
        await worker.does(run, **NOTHING)
        await row_is_there(bus, run)
    await bus.js.delete_stream("REQUESTS")
    async with connected(team.server, ack_wait_seconds=ACK_WAIT) as provisioner:
        await provision(provisioner)

    async def put_back() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == len(runs)

    await eventually(put_back, "the runs are in the queue again")
    for run in runs:
        await worker.does(run, 2, **NOTHING)
        entries = await team.closed(run)
        ids = [event.sub_task.id for event in events_of(entries, SubTaskDispatched)]
        assert len(ids) == len(set(ids)) == 3
        assert (await team.verdict(run)).status == "pass"

    async def empty() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(empty, "nothing is left in the queue")


async def test_a_parked_run_is_left_alone_until_something_is_asked_of_it(team: Fleet, bus: Bus, worker: PlayedWorker):
    process = await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    await worker.given("run-1")
    await send_control(bus, "run-1", Pause(id="p1"))
    await worker.does("run-1", **NOTHING)

    async def parked() -> bool:
        events = events_of(await read_entries(bus, "run-1"))
        return isinstance(events[-1], Parked) and await newest(bus, "REQUESTS", "muster.requests.run-1") is None

    await eventually(parked, "the run is parked")
    process.kill()
    await process.wait()
    sweeper = Sweeper(bus, Presence(bus))
    assert await sweeper.sweep() == 0
    await send_control(bus, "run-1", Resume(id="r1"))

    assert await sweeper.sweep() == 1
    assert await newest(bus, "REQUESTS", "muster.requests.run-1") is not None
