"""Work that nobody can serve is told of within ten seconds, in the run and in metrics, and ends the run after a while."""

import asyncio
import time
from typing import Any

import httpx
import pytest
from driven import a_case
from fleet import Fleet
from msgspec.structs import replace
from played import PlayedWorker, events_of
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol.causes import Cause
from muster_protocol.events import Served, Unserved
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import Drill, RunRequest

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}
PORT = 19_377


async def told(bus: Bus, run: str, *kinds: type) -> list[Any]:
    """Return the events of these kinds in a run's log, once there is one."""

    async def look() -> list[Any]:
        return events_of(await read_entries(bus, run), *kinds)

    return await eventually(look, f"{run} is told of {kinds}", 20.0)


async def gauge(what: str) -> float:
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"http://127.0.0.1:{PORT}/metrics")).text
    wanted = f'muster_runs_unserved{{what="{what}"}} '
    return next((float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(wanted)), 0.0)


class Beating:
    """A worker's row that is written again and again, as a live process does."""

    def __init__(self, bus: Bus, pool: str) -> None:
        self.row = WorkerRow(id="worker-x", service="subagent", host="h", pid=1, version="1", slots={pool: 1})
        self.rows = Rows(bus, "WORKERS", WorkerRow)

    async def beat(self) -> None:
        while True:
            await self.rows.put(self.row.id, replace(self.row, seen_at=time.time()))
            await asyncio.sleep(1.0)


@pytest.mark.slow
async def test_a_run_without_a_worker_says_so_within_ten_seconds_and_goes_on_when_one_is_there(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator", METRICS_PORT=str(PORT))
    began = time.monotonic()
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    [unserved] = await told(bus, "run-1", Unserved)
    assert (unserved.what, time.monotonic() - began < 10.0) == ("pool think", True)

    async def counted() -> bool:
        return await gauge("pool think") == 1.0

    async def listed() -> bool:
        row = await Rows(bus, "RUN_LIST", RunRow).get("run-1")
        return row is not None and row.summary == "waiting: pool think is not running"

    await eventually(counted, "the metric says so")
    await eventually(listed, "the list says so")
    beating = asyncio.create_task(Beating(bus, "think").beat())
    try:
        await told(bus, "run-1", Served)
        await worker.does("run-1", **NOTHING)
        assert (await team.verdict("run-1")).status == "pass"
    finally:
        beating.cancel()

    async def counted_down() -> bool:
        return await gauge("pool think") == 0.0

    await eventually(counted_down, "nobody waits any more")


@pytest.mark.slow
async def test_a_run_that_nobody_serves_ends_after_the_set_wait(team: Fleet, bus: Bus):
    await team.start("orchestrator", ORCHESTRATOR_UNSERVED_SECONDS="2")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))

    verdict = await team.verdict("run-1")
    assert (verdict.status, verdict.cause) == ("fail", Cause.ENVIRONMENT)
    assert verdict.summary.startswith("no worker of pool think was running for 2 s: start one with `muster up`")
    await team.closed("run-1")


@pytest.mark.slow
async def test_a_killed_worker_is_missed_within_ten_seconds_though_its_row_stays(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    real = await team.start("subagent", POOLS="think", THINK_SLOTS="1")
    await submit(bus, RunRequest(job=Drill(count=1, wait_seconds=60), id="run-1"))

    async def at_work() -> bool:
        return bool(await team.journal("run-1.drill-1.1"))

    await eventually(at_work, "the worker has it")
    real.kill()
    killed = time.monotonic()
    [unserved] = await told(bus, "run-1", Unserved)
    assert unserved.what == "pool think"
    assert time.monotonic() - killed < 10.0


@pytest.mark.slow
async def test_a_missing_session_host_is_told_of_before_the_wait_for_it_is_over(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator", SESSION_WAIT_SECONDS="12")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))
    await worker.given("run-1", "plan")

    async def missing() -> bool:
        found = events_of(await read_entries(bus, "run-1"), Unserved)
        return "session host" in {event.what for event in found}

    await eventually(missing, "the missing host is in the log", 10.0)
    verdict = await team.verdict("run-1")
    assert (verdict.status, verdict.cause) == ("fail", Cause.ENVIRONMENT)
