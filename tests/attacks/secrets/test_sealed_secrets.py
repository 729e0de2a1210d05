"""The secrets store: what a fleet keeps and what its gateway holds in memory tell nothing; a worker needs the key."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest
from fleet import Fleet, fleet
from fork_server import Process
from nats.js.errors import NotFoundError

from muster_bus import Bus
from muster_bus.streams import stream_names
from muster_client.runs import submit
from muster_protocol.causes import Cause
from muster_protocol.requests import RunRequest, Step, TestCase

VALUE = "h4rd-to-guess-and-sealed"
CASE = TestCase(
    name="It uses a sealed secret",
    secrets=("PIN",),
    steps=(
        Step(
            action=f'Run the command "test ${{secret:PIN}} = {VALUE[::-1]} || echo ${{secret:PIN}} | rev"',
            expected=f'The output contains "{VALUE[::-1]}"',
        ),
    ),
)
"""Only the value written backwards stands in the case, so that whoever finds the value has found a leak."""


async def muster(group: Fleet, *arguments: object, typed: str = "") -> str:
    """Run `muster secrets …` as a process of its own, and return what it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", "secrets", *map(str, arguments)),
        env={**os.environ, "NATS_URL": group.server.url},
        stdin=PIPE,
        stdout=PIPE,
        stderr=STDOUT,
    )
    out, _ = await process.communicate(typed.encode())
    return f"{process.returncode} {out.decode()}"


async def stored(bus: Bus) -> bytes:
    """Return everything that the fleet's streams and buckets hold."""
    found: list[bytes] = []
    for name in stream_names(bus.names):
        state = (await bus.js.stream_info(name)).state
        for sequence in range(max(1, state.first_seq), state.last_seq + 1):
            try:
                found.append((await bus.js.get_msg(name, seq=sequence)).data or b"")
            except NotFoundError:
                continue
    return b"\n".join(found)


def memory_of(process: Process) -> bytes:
    """Return what a process has in its writable memory."""
    found: list[bytes] = []
    with Path(f"/proc/{process.pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{process.pid}/maps").read_text().splitlines():
            area, rights = line.split()[:2]
            if not rights.startswith("rw"):
                continue
            start, end = (int(part, 16) for part in area.split("-"))
            try:
                memory.seek(start)
                found.append(memory.read(end - start))
            except (OSError, ValueError):
                continue
    return b"".join(found)


@pytest.mark.slow
async def test_only_workers_with_the_key_can_read_a_secret_that_the_fleet_keeps(tmp_path: Path):
    async with fleet(tmp_path) as group:
        gateway = await group.start("gateway", HTTP_PORT="0")
        assert (await muster(group, "set", "PIN", typed=VALUE)).startswith("2 muster: the workers have no key yet")
        key = tmp_path / "workers.key"
        assert (await muster(group, "init", "--key-file", key)).startswith("0 key ")
        assert key.stat().st_mode & 0o777 == 0o600
        assert (await muster(group, "init", "--key-file", tmp_path / "two")).startswith(
            "2 muster: the workers have a key"
        )
        assert (await muster(group, "set", "PIN", typed=f"{VALUE}\n")).startswith("0 PIN: sealed to the key ")
        assert "PIN" in await muster(group, "list")

        for service in ("orchestrator", "sessions"):
            await group.start(service)
        worker = await group.start("subagent")
        without = await group.verdict((await submit(group.bus, RunRequest(job=CASE))).run)
        assert (without.status, without.cause) == ("fail", Cause.ENVIRONMENT)
        assert "this worker has no key to open it: give it the file of `muster secrets init`" in without.summary
        worker.terminate()
        await worker.wait()
        await group.start("subagent", SECRETS_KEY_FILE=str(key))
        verdict = await group.verdict((await submit(group.bus, RunRequest(job=CASE))).run)
        assert verdict.status == "pass", verdict.summary

        assert VALUE.encode() not in await stored(group.bus)
        if os.geteuid() == 0:  # nobody else may look into a service
            memory = memory_of(gateway)
            assert b"muster_gateway" in memory
            assert VALUE.encode() not in memory
        assert (await muster(group, "delete", "PIM")).startswith(
            "2 muster: there is no secret 'PIM'; did you mean 'PIN'?"
        )
        assert (await muster(group, "delete", "PIN")).startswith("0 ")
        gone = await group.verdict((await submit(group.bus, RunRequest(job=CASE))).run)
        assert "no secret PIN: set SECRET_PIN" in gone.summary
