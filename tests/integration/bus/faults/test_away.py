"""NATS is away for much longer than claims last: everybody waits, says so, and goes on without being restarted."""

import asyncio
import re
import signal
from pathlib import Path

import pytest
from fleet import ACK_WAIT, Fleet, fleet
from fork_server import Process
from waiting import eventually
from watched import Watched, memory

from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol.requests import Drill, RunRequest

pytestmark = pytest.mark.timeout(300)
SERVICES = ("orchestrator", "subagent", "sessions", "gateway")


async def start(group: Fleet) -> tuple[list[Watched], list[Process]]:
    """Start one of each service, and return their health ports and processes."""
    ports, processes = [Watched() for _ in SERVICES], list[Process]()
    for service, port in zip(SERVICES, ports, strict=True):
        more = {"HTTP_PORT": "0"} if service == "gateway" else {}
        processes.append(await group.start(service, METRICS_HOST="127.0.0.1", METRICS_PORT=str(port.port), **more))
    return ports, processes


async def in_progress(group: Fleet, runs: list[str]) -> None:
    """Wait until each run has got somewhere."""

    async def look() -> bool:
        return all([len(await read_entries(group.bus, run)) > 2 for run in runs])

    await eventually(look, "all runs are in progress")


async def outage(folder: Path, seconds: float) -> None:
    """Take NATS away for a time in the middle of runs, and expect all to end as if nothing had been."""
    async with fleet(folder) as group:
        ports, processes = await start(group)
        runs = [(await submit(group.bus, RunRequest(job=Drill(count=10, wait_seconds=0.2)))).run for _ in range(5)]
        await in_progress(group, runs)
        before = [memory(process) for process in processes]
        await group.server.stop(signal.SIGKILL)
        for port in ports:
            await port.says(503, "no connection to NATS")
        await asyncio.sleep(seconds)  # the outage itself
        assert [process.returncode for process in processes] == [None] * len(SERVICES)
        grown = [memory(process) - at_first for process, at_first in zip(processes, before, strict=True)]
        assert max(grown) < 60.0, grown
        await group.server.start()
        for port in ports:
            await port.says(200, seconds=20.0)
        verdicts = [await group.verdict(run, seconds=90.0) for run in runs]
        assert [verdict.status for verdict in verdicts] == ["pass"] * len(runs)
        for run in runs:
            await group.closed(run)
        assert [process.returncode for process in processes] == [None] * len(SERVICES)


@pytest.mark.slow
async def test_twenty_seconds_ten_times_as_long_as_a_claim_lasts(tmp_path: Path):
    await outage(tmp_path, 10 * ACK_WAIT)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_five_minutes(tmp_path: Path):
    await outage(tmp_path, 300.0)


async def test_services_started_while_nats_is_away_live_say_what_they_wait_for_and_work_once_it_is_there(
    tmp_path: Path,
):
    services = ("orchestrator", "subagent")
    async with fleet(tmp_path, METRICS_HOST="127.0.0.1") as group:
        await group.server.stop()
        ports = [Watched() for _ in services]
        starting = [
            asyncio.ensure_future(group.start(service, METRICS_PORT=str(port.port)))
            for service, port in zip(services, ports, strict=True)
        ]
        for port in ports:
            await port.says(503, "no connection to NATS")
            assert (await port.get("/healthz")).status_code == 200
            assert "\nmuster_nats_connected 0.0\n" in (await port.get("/metrics")).text
        await group.server.start()
        await asyncio.gather(*starting)
        for port in ports:
            await port.says(200)
        run = (await submit(group.bus, RunRequest(job=Drill(count=2)))).run
        assert (await group.verdict(run)).status == "pass"


@pytest.mark.slow
async def test_a_service_that_is_stopping_lives_and_is_not_ready_until_it_has_let_go(tmp_path: Path):
    port = Watched()
    async with fleet(tmp_path, METRICS_HOST="127.0.0.1", SHUTDOWN_SECONDS="20") as group:
        await group.start("orchestrator")
        worker = await group.start("subagent", METRICS_PORT=str(port.port))
        run = (await submit(group.bus, RunRequest(job=Drill(count=1, wait_seconds=3.0)))).run

        async def at_work() -> bool:
            return bool(
                re.search(r'^muster_slots_busy{queue="TASKS/\w+"} 1', (await port.get("/metrics")).text, re.MULTILINE)
            )

        await eventually(at_work, "the worker is at it")
        worker.terminate()
        await port.says(503, "the service is stopping")
        assert (await port.get("/healthz")).status_code == 200
        assert await asyncio.wait_for(worker.wait(), 30.0) == 0
        assert (await group.verdict(run)).status == "pass"
