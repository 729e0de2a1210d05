"""Owners are killed, stopped and cut off in the middle of runs; the runs go on, and nothing is done twice."""

import asyncio
import os
import signal
import time
from typing import Any

import pytest
from counted import COUNTS, counted_by
from driven import a_case, plan_of
from fleet import ACK_WAIT, Fleet
from nats.aio.msg import Msg
from played import PlayedHost, PlayedWorker, events_of, kinds_of
from proxy import Proxy
from waiting import eventually

from muster_bus import Bus, Rows, provision, replay
from muster_bus.run_store import read_entries
from muster_bus.testing import connected
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.events import Entry, OwnerChanged, RunOpened, SubTaskDispatched, SubTaskEnded
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def opened(bus: Bus, run: str = "run-1") -> list[Entry]:
    async def look() -> list[Entry]:
        return await read_entries(bus, run)

    return await eventually(look, f"{run} has an owner")


async def taken_over(bus: Bus, epoch: int, run: str = "run-1", seconds: float = 30.0) -> None:
    async def look() -> bool:
        changes = events_of(await read_entries(bus, run), OwnerChanged)
        return bool(changes) and changes[-1].epoch >= epoch

    await eventually(look, f"{run} is in its {epoch}. ownership", seconds)


async def owners(bus: Bus, run: str = "run-1") -> list[str]:
    return [event.owner for event in events_of(await read_entries(bus, run), RunOpened, OwnerChanged)]


def each_once(ids: list[str]) -> bool:
    return len(ids) == len(set(ids))


async def test_the_owner_is_killed_and_another_goes_on_without_doing_anything_twice(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=4), id="run-1"))
    await worker.does("run-1", 2, **NOTHING)
    third = await worker.given("run-1")
    await worker.takes(third)
    first.kill()
    await team.start("orchestrator")
    await taken_over(bus, 2)

    assert (await worker.given("run-1")).id == third.id
    await worker.finishes(third, **NOTHING)
    await worker.does("run-1", **NOTHING)
    entries = await team.closed("run-1")
    assert [entry.epoch for entry in entries] == sorted(entry.epoch for entry in entries)
    assert entries[-1].epoch == 2
    assert len(set(await owners(bus))) == 2
    assert each_once([event.sub_task.id for event in events_of(entries, SubTaskDispatched)])
    assert each_once([event.outcome.task for event in events_of(entries, SubTaskEnded)])
    assert await worker.queued() == [f"run-1.drill-{number}.1" for number in (1, 2, 3, 4)]


@pytest.mark.slow
async def test_a_sub_task_that_was_logged_but_not_yet_queued_is_queued_by_the_next_owner(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    task = await worker.given("run-1")

    async def queued() -> bool:
        return await worker.queued() == [task.id]

    await eventually(queued, "it is queued")
    first.kill()
    await bus.js.delete_stream("TASKS")  # as if the first owner had not got that far
    async with connected(team.server, ack_wait_seconds=ACK_WAIT) as provisioner:
        await provision(provisioner)
    await team.start("orchestrator")

    await eventually(queued, "it is queued again")


async def test_a_result_stored_while_no_owner_was_alive_is_found(team: Fleet, bus: Bus, worker: PlayedWorker):
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    task = await worker.given("run-1")
    first.kill()
    await first.wait()
    await worker.takes(task)
    await worker.finishes(task, **NOTHING)
    await team.start("orchestrator")
    await worker.does("run-1", **NOTHING)

    entries = await team.closed("run-1")
    assert [event.outcome.task for event in events_of(entries, SubTaskEnded)] == ["run-1.drill-1.1", "run-1.drill-2.1"]
    assert (await team.verdict("run-1")).status == "pass"


@pytest.mark.slow
async def test_an_owner_that_was_stopped_until_another_took_over_can_do_nothing_any_more(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    first = await team.start("orchestrator", SWEEP_SECONDS="1000", **COUNTS)
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", **NOTHING)
    second_task = await worker.given("run-1")
    first.send_signal(signal.SIGSTOP)
    stopped_at = time.time()
    await team.start("orchestrator", **COUNTS)
    await taken_over(bus, 2)
    assert time.time() - stopped_at > ACK_WAIT * 0.5
    await worker.takes(second_task)
    await worker.finishes(second_task, **NOTHING)
    await worker.given("run-1", "drill-3")
    before = await everything(bus)
    first.send_signal(signal.SIGCONT)
    await alive_again(bus, first.pid)
    await let_go(bus, first.pid)

    assert await everything(bus) == before
    await worker.does("run-1", **NOTHING)
    entries = await team.closed("run-1")
    assert entries[-1].epoch == 2
    assert each_once([event.sub_task.id for event in events_of(entries, SubTaskDispatched)])
    await say_what_they_did(team)


async def say_what_they_did(team: Fleet) -> None:
    """Assert that the metrics of an owner that was shut out, and of the one after it, tell of all that."""
    first, second = (team.folder / f"orchestrator-{number}.log" for number in (0, 1))
    assert await counted_by(first, "muster_run_requests_total", result="accepted") == 1
    assert await counted_by(first, "muster_run_schedule_to_start_seconds_count") == 1
    assert await counted_by(first, "muster_subtasks_dispatched_total", kind="noop") == 2
    assert await counted_by(first, "muster_runs_fenced_total") == 1
    assert await counted_by(second, "muster_run_takeovers_total") == 1
    assert await counted_by(second, "muster_redeliveries_total", queue="REQUESTS/runs") >= 1
    assert await counted_by(second, "muster_runs_total", status="pass") == 1


async def everything(bus: Bus) -> dict[str, list[tuple[int, bytes]]]:
    """Return all that is stored of runs, but for what processes say of themselves."""
    subjects = {
        "RUNS": "muster.runs.*.events",
        "TASKS": "muster.tasks.*.*",
        "JOURNAL": "muster.journal.*.*.*",
        "LOGS": "muster.logs.*.*",
        "REQUESTS": "muster.requests.*",
        "CONTROL": "muster.control.*",
    }
    return {
        stream: [(message.seq, message.data) async for message in replay(bus, stream, subject)]
        for stream, subject in subjects.items()
    }


async def alive_again(bus: Bus, pid: int) -> None:
    """Wait until a process that was stopped has told of itself again."""
    since = time.time()

    async def look() -> bool:
        return any(row.pid == pid and row.seen_at > since for row in await Rows(bus, "WORKERS", WorkerRow).all())

    await eventually(look, f"process {pid} is at work again")


async def let_go(bus: Bus, pid: int) -> None:
    """Wait until a process has no run any more."""

    async def look() -> bool:
        rows = await Rows(bus, "WORKERS", WorkerRow).all()
        return any(row.pid == pid and row.busy == {"runs": 0} for row in rows)

    await eventually(look, f"process {pid} has let go of its run")


@pytest.mark.slow
async def test_two_owners_that_are_stopped_in_turn_leave_one_run_with_one_verdict(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    processes = [await team.start("orchestrator", SWEEP_SECONDS="1000") for _ in range(2)]
    await submit(bus, RunRequest(job=Drill(count=4), id="run-1"))
    first = await opened(bus)
    pids = {row.id: row.pid for row in await Rows(bus, "WORKERS", WorkerRow).all()}
    owner = pids[events_of(first, RunOpened)[0].owner]
    by_pid = {process.pid: process for process in processes}
    await worker.does("run-1", **NOTHING)
    for epoch in (2, 3):
        by_pid[owner].send_signal(signal.SIGSTOP)
        await taken_over(bus, epoch)
        by_pid[owner].send_signal(signal.SIGCONT)
        owner = pids[(await owners(bus))[-1]]
        await worker.does("run-1", **NOTHING)
    await worker.does("run-1", **NOTHING)

    entries = await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
    assert each_once([event.sub_task.id for event in events_of(entries, SubTaskDispatched)])


async def test_an_orchestrator_that_is_told_to_stop_hands_its_runs_over_at_once(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    first = await team.start("orchestrator")
    for number in range(3):
        await submit(bus, RunRequest(job=Drill(count=2), id=f"run-{number}"))
        await worker.given(f"run-{number}")
    await team.start("orchestrator")
    began = time.monotonic()
    first.terminate()
    for number in range(3):
        await taken_over(bus, 2, f"run-{number}", ACK_WAIT * 0.9)
    assert time.monotonic() - began < ACK_WAIT * 0.9
    assert await asyncio.wait_for(first.wait(), 10.0) == 0
    for number in range(3):
        await worker.does(f"run-{number}", 2, **NOTHING)
        await team.closed(f"run-{number}")


async def test_an_owner_killed_after_its_verdict_leaves_the_rest_to_the_next(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    first = await team.start("orchestrator")
    case = a_case('The page title is "Shop"')
    told: list[Verdict] = []

    async def note(message: Msg) -> None:
        told.append(codec.decode(message.data, Verdict))

    await bus.nc.subscribe("answers", cb=note)
    await submit(bus, RunRequest(job=case, id="run-1", reply_to="answers"))
    await worker.does("run-1", plan=plan_of(case))
    task = await worker.given("run-1", "step-1")
    os.kill(first.pid, signal.SIGSTOP)
    await worker.finishes(task)
    host.deaf = True
    os.kill(first.pid, signal.SIGCONT)
    await team.verdict("run-1")
    await eventually(lambda: host.closed, "it wants the session closed")
    first.kill()
    host.deaf = False
    await team.start("orchestrator")

    entries = await team.closed("run-1")
    assert kinds_of(entries)[-2:] == ["OwnerChanged", "RunClosed"]
    assert host.closed == ["main", "main"]
    assert {verdict.status for verdict in told} == {"pass"}
    row = await Rows(bus, "RUN_LIST", RunRow).get("run-1")
    assert row is not None
    assert row.status == "pass"


async def test_an_orchestrator_cut_off_from_nats_for_a_moment_finds_what_happened_meanwhile(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    proxy = Proxy(team.server.port)
    await proxy.start()
    try:
        await team.start("orchestrator", NATS_URL=proxy.url)
        await submit(bus, RunRequest(job=Drill(count=4), id="run-1"))
        for turn in range(4):
            task = await worker.given("run-1")
            await worker.takes(task)
            if turn % 2:  # results of the second and the fourth are told of while it is away
                proxy.cut(refuse=True)
            await worker.finishes(task, **NOTHING)
            await proxy.mend()
        entries = await team.closed("run-1")
    finally:
        await proxy.stop()
    assert [entry.epoch for entry in entries] == [1] * len(entries)
    assert (await team.verdict("run-1")).status == "pass"


@pytest.mark.slow
async def test_an_orchestrator_cut_off_for_long_gives_its_run_up_and_takes_it_again(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    proxy = Proxy(team.server.port)
    await proxy.start()
    try:
        await team.start("orchestrator", NATS_URL=proxy.url)
        await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
        task = await worker.given("run-1")
        proxy.cut(refuse=True)
        await worker.finishes(task, **NOTHING)
        cut_at = time.monotonic()
        await eventually(lambda: time.monotonic() - cut_at > ACK_WAIT * 1.2, "its claim has run out")
        await proxy.mend()
        await worker.does("run-1", **NOTHING)
        entries = await team.closed("run-1")
    finally:
        await proxy.stop()
    assert entries[-1].epoch == 2
    assert each_once([event.sub_task.id for event in events_of(entries, SubTaskDispatched)])


@pytest.mark.slow
async def test_a_server_killed_again_and_again_costs_no_run_its_one_verdict(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await team.start("orchestrator")
    for number in range(4):
        await submit(bus, RunRequest(job=Drill(count=3), id=f"run-{number}"))

    async def carry_out(run: str) -> str:
        await worker.does(run, 3, **NOTHING)
        await team.closed(run)
        return (await team.verdict(run)).status

    for _ in range(2):
        await team.server.stop(signal.SIGKILL)
        await team.server.start()
        await eventually(lambda: bus.nc.is_connected, "the test is connected")
        await worker.does("run-0", **NOTHING)
    assert await asyncio.gather(*(carry_out(f"run-{number}") for number in (1, 2, 3))) == ["pass"] * 3
    await worker.does("run-0", **NOTHING)
    await team.closed("run-0")
