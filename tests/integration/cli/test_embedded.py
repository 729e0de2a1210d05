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

from muster_bus import Bus, connect, provision
from muster_bus.nats_server import NatsServer, nats_server
from muster_cli import processes, runner
from muster_cli.child_process import Child, Spec, show_logs
from muster_cli.embedded import Fleet, FleetFailed
from muster_cli.orphan_guard import Guard
from muster_service.settings import BusSettings, SettingsError

SERVICE = """
import asyncio, os, subprocess, sys
from contextlib import asynccontextmanager
from muster_bus.process_row import Running
from muster_bus.service import main
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


@pytest.mark.parametrize(("code", "error"), [(2, SettingsError), (1, FleetFailed)])
async def test_a_service_that_does_not_start_is_reported_with_its_last_lines(
    made: Made, code: int, error: type[Exception]
):
    fleet = made.fleet(one=SERVICE, broken=BROKEN.replace("exit(2)", f"exit({code})"))
    with pytest.raises(error, match=rf"broken ended with exit code {code}:\n    the key is missing"):
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


@asynccontextmanager
async def on_a_server_of_its_own(folder: Path, told: list[str]) -> AsyncGenerator[tuple[Fleet, NatsServer, Bus]]:
    guard = Guard()
    (folder / "gateway.port").write_text("4711\n")
    async with nats_server(folder / "nats") as server:
        bus = await connect(BusSettings(nats_url=server.url), "test", patience=10.0)
        env = {**os.environ, "NATS_URL": server.url, "METRICS_PORT": "-1"}
        children = [Child(Spec("one", (sys.executable, "-c", SERVICE, "one"), env), folder)]
        try:
            await provision(bus)
            async with started(Fleet(bus, children, folder, guard, told.append, server=server)) as fleet:
                yield fleet, server, bus
        finally:
            await bus.close()
            guard.dismiss()


async def test_a_private_server_that_dies_is_started_again_with_its_data(tmp_path: Path):
    told: list[str] = []
    async with on_a_server_of_its_own(tmp_path, told) as (fleet, server, bus):
        before, port = server.pid, server.port
        os.kill(before, signal.SIGKILL)
        await eventually(lambda: server.pid != before and bus.nc.is_connected)
        assert (server.port, fleet.failure) == (port, "")
        assert await bus.js.stream_info(bus.names.stream("RUNS"))
        assert "nats-server was ended by SIGKILL" in told[0]
        assert "starting it again (1 of 3)" in told[0]


async def test_a_private_server_that_dies_again_and_again_fails_the_fleet(tmp_path: Path):
    async with on_a_server_of_its_own(tmp_path, []) as (fleet, server, bus):
        for _ in range(3):
            back = asyncio.Event()
            bus.on_reconnect(back.set)
            os.kill(server.pid, signal.SIGKILL)
            await asyncio.wait_for(back.wait(), 20.0)
        os.kill(server.pid, signal.SIGKILL)
        await eventually(lambda: fleet.failure)
        assert "it was started 4 times; giving up" in fleet.failure


async def test_it_is_told_when_the_server_is_away_and_when_it_is_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "OUTAGE_SECONDS", 0.05)
    said: list[str] = []

    def heard(text: str) -> bool:
        said.append(capsys.readouterr().err)
        return text in "".join(said)

    async with nats_server(tmp_path / "nats") as server:
        bus = await connect(BusSettings(nats_url=server.url), "test", patience=10.0)
        telling = asyncio.create_task(runner.tell_outages(bus))
        await server.stop(signal.SIGKILL)
        await eventually(lambda: heard(f"muster: NATS at {server.url} does not answer; waiting for it"))
        await server.start()
        await eventually(lambda: heard(f"muster: NATS at {server.url} is back"))
        telling.cancel()
        await bus.close()


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
