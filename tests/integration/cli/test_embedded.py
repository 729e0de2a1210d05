"""Embedded mode with small services of the test's own: started, watched, restarted, stopped."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from waiting import eventually

from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_cli import processes
from muster_cli.child_process import Child, Spec, show_logs
from muster_cli.embedded import Fleet, FleetFailed
from muster_cli.orphan_guard import Guard

SERVICE = """
import asyncio, os, subprocess, sys
from contextlib import asynccontextmanager
from muster_bus.service import Running, main
from muster_service.settings import BusSettings

@asynccontextmanager
async def service(bus, settings):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
    print("child", child.pid, flush=True)
    yield Running(f"{name}-{os.getpid()}")

name = sys.argv.pop()
main("orchestrator", BusSettings, service)
"""
BROKEN = "import sys; print('the key is \\x1b[31mmissing', file=sys.stderr); sys.exit(2)"
SILENT = "import time; print('hello', flush=True); time.sleep(120)"


class Made:
    """A fleet of the test's services, not started."""

    def __init__(self, bus: Bus, folder: Path, guard: Guard) -> None:
        self.told: list[str] = []
        self._make: Callable[[list[Child]], Fleet] = lambda children: Fleet(
            bus, children, folder, guard, self.told.append
        )
        self._folder, self._url = folder, bus.settings.nats_url

    def fleet(self, **scripts: str) -> Fleet:
        (self._folder / "gateway.port").write_text("4711\n")
        env = {**os.environ, "NATS_URL": self._url, "METRICS_PORT": "-1"}
        commands = {name: (sys.executable, "-c", script, name) for name, script in scripts.items()}
        return self._make([Child(Spec(name, command, env), self._folder) for name, command in commands.items()])


@pytest.fixture
async def made(server: NatsServer, bus: Bus, tmp_path: Path) -> AsyncGenerator[Made]:
    guard = Guard()
    try:
        yield Made(bus, tmp_path, guard)
    finally:
        guard.dismiss()


@asynccontextmanager
async def started(fleet: Fleet, timeout: float = 30.0) -> AsyncGenerator[Fleet]:
    try:
        await fleet.start(timeout)
        yield fleet
    finally:
        await fleet.stop(5.0)


def family(fleet: Fleet) -> list[psutil.Process]:
    """Return the fleet's processes with all they have started."""
    pids = [child.pid for child in fleet.children]
    return processes.find_running(pids) + processes.descendants(pids)


async def test_a_fleet_is_ready_when_all_are_present_and_leaves_nothing_behind(made: Made):
    fleet = made.fleet(one=SERVICE, two=SERVICE)
    async with started(fleet):
        assert fleet.gateway_url == "http://127.0.0.1:4711"
        all_of_it = family(fleet)
        assert len(all_of_it) == 4
    assert processes.drop_ended(all_of_it) == []
    assert [child.log.read_text().count("stopped") for child in fleet.children] == [1, 1]


async def test_a_service_that_does_not_start_is_reported_with_its_last_lines(made: Made):
    fleet = made.fleet(one=SERVICE, broken=BROKEN)
    with pytest.raises(FleetFailed, match=r"broken ended with exit code 2:\n    the key is missing"):
        async with started(fleet):
            pass
    assert family(fleet) == []


async def test_a_service_that_is_not_ready_in_time_is_named(made: Made):
    with pytest.raises(FleetFailed, match=r"not ready after 1 s:\n  silent:\n    hello"):
        async with started(made.fleet(silent=SILENT), timeout=1.0):
            pass


async def test_a_service_that_dies_is_reported_and_started_again(made: Made):
    async with started(made.fleet(one=SERVICE)) as fleet:
        before = fleet.children[0].pid
        orphans = family(fleet)
        os.kill(before, signal.SIGKILL)
        await eventually(lambda: fleet.children[0].pid not in (0, before))
        assert "one was ended by SIGKILL; its last log lines:" in made.told[0]
        assert "starting it again (1 of 3)" in made.told[0]
        assert fleet.failure == ""
        await eventually(lambda: processes.drop_ended(orphans) == [])


async def test_a_service_that_dies_again_and_again_fails_the_fleet_and_cancels_the_work(made: Made):
    fleet = made.fleet(one=SERVICE)

    async def kill_it() -> None:
        for starts in (1, 2, 3, 4):
            await eventually(lambda starts=starts: fleet.children[0].starts == starts and fleet.children[0].alive)
            os.kill(fleet.children[0].pid, signal.SIGKILL)

    async with started(fleet):
        killing = asyncio.create_task(kill_it())
        with pytest.raises(FleetFailed, match=r"one was ended by SIGKILL(.|\n)*started 4 times; giving up"):
            async with asyncio.timeout(60):
                await fleet.while_whole(asyncio.Event().wait())
        await killing


async def test_work_that_ends_its_cancellation_well_has_its_result_returned(made: Made):
    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "a report"
        return ""

    async with started(made.fleet(one=SERVICE)) as fleet:
        task = asyncio.create_task(fleet.while_whole(work()))
        await asyncio.sleep(0)
        task.cancel()
        assert await task == "a report"


async def test_the_logs_of_services_can_be_shown_live(made: Made):
    told: list[str] = []
    async with started(made.fleet(one=SERVICE)) as fleet, show_logs(fleet.children, told.append):
        await eventually(lambda: any(line.startswith("one | child ") for line in told))
