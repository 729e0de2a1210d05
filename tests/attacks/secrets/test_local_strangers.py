"""Whoever else is on the machine, and whatever a case runs there, gets no hold of a private fleet's NATS."""

import asyncio
import os
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from pathlib import Path
from typing import Any, cast

import pytest
from needed import needs

from muster_bus import connect
from muster_bus.nats_server import Login, nats_server
from muster_cli.embedded import Plan, embedded
from muster_cli.local_login import offer, with_login
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings, load, take
from muster_sessionhost.sandbox import Folders, find_sandbox
from muster_sessionhost.settings import SessionHostSettings

NOBODY = 65534
LIVING = """
import ctypes, os, sys, time
from muster_service.process_privacy import forbid_inspection
if os.geteuid() == 0:
    os.setgroups([]), os.setresgid(65534, 65534, 65534), os.setresuid(65534, 65534, 65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as a program that this user started is
if sys.argv[1] == "guarded":
    forbid_inspection()
print("ready", flush=True)
time.sleep(60)
"""


async def test_a_private_server_lets_nobody_in_without_its_seed_and_has_no_monitoring_port(tmp_path: Path):
    login = Login.make()
    async with nats_server(tmp_path / "nats", login) as server:
        with pytest.raises(BusError, match="authorization violation"):
            await connect(BusSettings(nats_url=server.url), "stranger", patience=5.0)
        other = tmp_path / "other.seed"
        Login.make().write(other)
        with pytest.raises(BusError, match="authorization violation"):
            await connect(BusSettings(nats_url=server.url, nats_credentials=str(other)), "stranger", patience=5.0)
        own = tmp_path / "own.seed"
        login.write(own)
        assert own.stat().st_mode & 0o777 == 0o600
        bus = await connect(BusSettings(nats_url=server.url, nats_credentials=str(own)), "owner", patience=5.0)
        await bus.close()
        assert server.monitor_port == -1
        kept = [file for file in (tmp_path / "nats").rglob("*") if file.is_file()]
        assert kept and not [file for file in kept if login.seed.encode() in file.read_bytes()]
        assert (tmp_path / "nats").stat().st_mode & 0o077 == 0


@pytest.mark.slow
async def test_a_fleet_runs_behind_a_login_that_stands_in_no_command_line_environment_or_log(tmp_path: Path):
    plan = Plan(workers=1, logs=tmp_path / "logs")
    async with embedded(plan, os.environ, print) as fleet:
        with pytest.raises(BusError, match="authorization violation"):
            await connect(BusSettings(nats_url=fleet.bus.settings.nats_url), "stranger", patience=5.0)
        seed = Path(fleet.bus.settings.nats_credentials)
        secret = seed.read_text()
        assert (seed.stat().st_mode & 0o777, seed.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        for child in fleet.children:
            assert secret not in " ".join(child.spec.command) + " ".join(child.spec.env.values())
            assert secret not in child.log.read_text()


def test_other_commands_of_the_same_user_find_the_login_and_only_on_this_machine(tmp_path: Path):
    seed, url, state = tmp_path / "nats.seed", "nats://127.0.0.1:4711", {"XDG_STATE_HOME": str(tmp_path / "state")}
    Login.make().write(seed)
    with offer(url, seed, state):
        found = load(BusSettings, with_login(state, url))
        assert Path(found.nats_credentials).read_text() == seed.read_text()
        assert (tmp_path / "state/muster").stat().st_mode & 0o777 == 0o700
        for other in ("nats://127.0.0.1:4712", "nats://nats.example:4711", "nats://u:p@127.0.0.1:4711"):
            assert "NATS_CREDENTIALS" not in with_login(state, other)
        assert "NATS_CREDENTIALS" not in with_login({**state, "NATS_USER": "me"}, url)
    assert "NATS_CREDENTIALS" not in with_login(state, url)


def test_a_login_that_a_dead_fleet_left_is_not_used(tmp_path: Path):
    seed, url, state = tmp_path / "nats.seed", "nats://127.0.0.1:4711", {"XDG_STATE_HOME": str(tmp_path)}
    Login.make().write(seed)
    with offer(url, seed, state):
        seed.unlink()
        assert "NATS_CREDENTIALS" not in with_login(state, url)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has /proc")
@pytest.mark.parametrize("guarded", [True, False])
async def test_the_environment_and_memory_of_a_service_cannot_be_read_by_the_same_user(*, guarded: bool):
    how = "guarded" if guarded else "open"
    living = await create_subprocess_exec(sys.executable, "-c", LIVING, how, stdout=PIPE)
    try:
        assert living.stdout is not None and await living.stdout.readline() == b"ready\n"
        for reading in (("head", "-c1"), ("ls",)):
            part = "environ" if reading[0] == "head" else "fd"
            read = await asyncio.to_thread(_as_nobody, *reading, f"/proc/{living.pid}/{part}")
            assert bool(read.stdout) is not guarded, part
    finally:
        living.kill()
        await living.wait()


def _as_nobody(*command: str) -> "subprocess.CompletedProcess[bytes]":
    who: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    return cast("subprocess.CompletedProcess[bytes]", subprocess.run(command, capture_output=True, check=False, **who))


def test_what_a_service_starts_inherits_none_of_its_settings():
    environ = {"NATS_PASSWORD": "p", "OTEL_EXPORTER_OTLP_HEADERS": "k=v", "PATH": "/bin", "NATS_USER": ""}
    assert take(BusSettings, environ).nats_password == "p"
    assert environ == {"PATH": "/bin"}


@needs("bwrap")
@pytest.mark.parametrize("made_visible", [False, True])
@pytest.mark.parametrize("where", ["/var/tmp", "/tmp", "home"])
async def test_a_sandboxed_command_cannot_read_the_hosts_credentials_wherever_they_lie(
    tmp_path: Path, where: str, made_visible: bool
):
    sessions, home = tmp_path / "sessions", tmp_path / "home"
    sessions.mkdir()
    home.mkdir()
    folder = Path(home if where == "home" else where) / f"muster-test-{os.getpid()}"
    folder.mkdir()
    place, tool = folder / "nats.seed", folder / "tool"
    Login.make().write(place)
    tool.write_text("a tool")
    settings = SessionHostSettings(nats_credentials=str(place), exec_visible=str(folder) if made_visible else "")
    try:
        sandbox = await find_sandbox(settings, sessions, {"HOME": str(home)})
        folders = Folders(sessions / "one")
        folders.make()
        reading = f"cat {place} | head -c 4; cat {tool}; cat /proc/*/environ | tr '\\0' '\\n'"
        command = (*sandbox.prefix(folders), "/bin/sh", "-c", reading)
        told = await create_subprocess_exec(*command, stdout=PIPE, env=sandbox.environment(folders, ""))
        out, _ = await told.communicate()
        assert b"SU" not in out and b"NATS" not in out
        assert (b"a tool" in out) is made_visible
    finally:
        shutil.rmtree(folder)
