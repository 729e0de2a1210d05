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
from msgspec.structs import fields

from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_cli import processes
from muster_cli.child_process import Child, Spec, exit_words
from muster_cli.embedded import Fleet, FleetFailed, Plan, fleet_environment, specs
from muster_cli.orphan_guard import Guard
from muster_cli.service_logs import showing_logs
from muster_model import ModelSettings

SERVICE = """
import asyncio, os, subprocess, sys
from contextlib import asynccontextmanager
from muster_bus.service import Running, main
from muster_service.settings import BusSettings

@asynccontextmanager
async def service(bus, settings):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
    print("child", child.pid, flush=True)
    yield Running(f"{sys.argv[1]}-{os.getpid()}")

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
    return processes.running(pids) + processes.descendants(pids)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.02)


async def test_a_fleet_is_ready_when_all_are_present_and_leaves_nothing_behind(made: Made):
    fleet = made.fleet(one=SERVICE, two=SERVICE)
    async with started(fleet):
        assert fleet.gateway_url == "http://127.0.0.1:4711"
        all_of_it = family(fleet)
        assert len(all_of_it) == 4
    assert processes.still_running(all_of_it) == []
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
        await until(lambda: fleet.children[0].pid not in (0, before))
        assert "one was ended by SIGKILL; its last log lines:" in made.told[0]
        assert "starting it again (1 of 3)" in made.told[0]
        assert fleet.failure == ""
        await until(lambda: processes.still_running(orphans) == [])


async def test_a_service_that_dies_again_and_again_fails_the_fleet_and_cancels_the_work(made: Made):
    fleet = made.fleet(one=SERVICE)

    async def kill_it() -> None:
        for starts in (1, 2, 3, 4):
            await until(lambda starts=starts: fleet.children[0].starts == starts and fleet.children[0].alive)
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
    async with started(made.fleet(one=SERVICE)) as fleet, showing_logs(fleet.children, told.append):
        await until(lambda: any(line.startswith("one | child ") for line in told))


def test_a_private_fleet_takes_over_nothing_of_the_users_own():
    environ = {"PATH": "/bin", "NATS_URL": "nats://prod", "NATS_USER": "u", "MUSTER_PREFIX": "team", "MAX_RUNS": "9"}
    environ |= {"NATS_TLS_CA": "/ca", "NATS_TLS_CERT": "/cert", "NATS_TLS_KEY": "/key"}
    env = fleet_environment(environ, Plan(max_runs=4, port=80), "nats://127.0.0.1:1", Path("/w"))
    assert {name: env[name] for name in ("PATH", "NATS_URL", "MAX_RUNS", "HTTP_PORT", "PORT_FILE")} == {
        "PATH": "/bin",
        "NATS_URL": "nats://127.0.0.1:1",
        "MAX_RUNS": "9",
        "HTTP_PORT": "80",
        "PORT_FILE": "/w/gateway.port",
    }
    assert "NATS_USER" not in env and "MUSTER_PREFIX" not in env
    assert not [name for name in env if name.startswith("NATS_TLS_")]


def test_a_fleet_on_the_users_server_uses_the_users_access():
    env = fleet_environment({"NATS_USER": "u"}, Plan(nats_url="nats://prod"), "nats://prod", Path("/w"))
    assert (env["NATS_USER"], env["NATS_URL"]) == ("u", "nats://prod")


def test_only_workers_see_secrets_and_model_keys():
    plan = Plan(workers=3, secret_names=frozenset({"PIN"}), worker_env={"SECRETS_FILE": "/s"})
    keys = {it.encode_name for it in fields(ModelSettings) if "api_key" in it.name}
    assert len(keys) == 4
    made = specs(plan, {"PIN": "1234", "PATH": "/bin", **dict.fromkeys(keys, "k")})
    assert [spec.name for spec in made] == [
        "orchestrator",
        "subagent-1",
        "subagent-2",
        "subagent-3",
        "sessions",
        "gateway",
    ]
    for spec in made:
        secret = {"PIN", "SECRETS_FILE", *keys} & set(spec.env)
        assert len(secret) == (6 if spec.name.startswith("subagent") else 0)


def test_only_the_gateway_sees_its_key_and_a_case_may_call_a_secret_so():
    plan = Plan(workers=1, secret_names=frozenset({"API_KEY"}))
    made = {spec.name: spec for spec in specs(plan, {"API_KEY": "of the case"}, "of the gateway")}
    assert {name: spec.env.get("API_KEY") for name, spec in made.items()} == {
        "orchestrator": None,
        "subagent-1": "of the case",
        "sessions": None,
        "gateway": "of the gateway",
    }
    assert not any("of the gateway" in argument for spec in made.values() for argument in spec.command)


def test_the_gateway_of_a_private_fleet_listens_on_loopback_whatever_the_user_has_set():
    env = fleet_environment({"HTTP_HOST": "0.0.0.0"}, Plan(), "nats://127.0.0.1:1", Path("/w"))
    assert env["HTTP_HOST"] == "127.0.0.1"


@pytest.mark.parametrize(("code", "words"), [(0, "ended with exit code 0"), (-15, "was ended by SIGTERM")])
def test_exit_codes_are_told_in_words(code: int, words: str):
    assert exit_words(code) == words
