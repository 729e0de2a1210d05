"""Runs that nobody holds are found and put back into the queue, once, by whichever orchestrator looks."""

import asyncio
from typing import Any

from fleet import Fleet, eventually
from played import PlayedWorker, events_of

from muster_orchestrator.sweeping import Sweeper
from muster_protocol import codec
from muster_protocol.bus import Bus, Rows, newest
from muster_protocol.events import OwnerChanged, SubTaskDispatched
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.runs import read_entries, submit

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
    woken = await asyncio.gather(*(Sweeper(bus).sweep() for _ in range(5)))

    assert sum(woken) == 1
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 1
    assert await Sweeper(bus).sweep() == 0


async def test_a_run_that_somebody_holds_is_left_alone(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator", SWEEP_SECONDS="1000")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.given("run-1")
    await row_is_there(bus, "run-1")

    assert await Sweeper(bus).sweep() == 0
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

    assert await Sweeper(bus).sweep() == 0
    assert await newest(bus, "REQUESTS", "muster.requests.run-1") is None


async def test_a_listed_run_that_has_neither_message_nor_log_is_left_alone(team: Fleet, bus: Bus):
    await Rows(bus, "RUN_LIST", RunRow).put("ghost", RunRow(run="ghost", name="drill", status="queued"))

    assert await Sweeper(bus).sweep() == 0
    assert await read_entries(bus, "ghost") == []


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

    assert await Sweeper(bus).sweep() == 1
    stored = await newest(bus, "REQUESTS", "muster.requests.run-1")
    assert stored is not None
    assert codec.decode(stored.data, RunRequest).id == "run-1"
