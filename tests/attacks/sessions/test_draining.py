"""A session host that is asked to stop lets runs end their sessions first."""

import asyncio
import signal
from pathlib import Path

import pytest
from fleet import fleet
from waiting import eventually

from muster_bus import Rows
from muster_client.runs import submit
from muster_protocol.requests import DeviceSpec, RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow

NONE = DeviceSpec(kind="none")


def case(*commands: str) -> TestCase:
    steps = (Step(action=f'Run the command "{it}"', expected='The output contains "done"') for it in commands)
    return TestCase(name="Commands", steps=tuple(steps), device=NONE)


@pytest.mark.slow
async def test_a_run_ends_on_the_host_that_drains_and_new_ones_go_elsewhere(tmp_path: Path) -> None:
    async with fleet(tmp_path, SESSION_DRAIN_SECONDS="60") as group:
        old = await group.start("sessions", HOST_ID="old")
        await group.start("orchestrator")
        await group.start("subagent")
        run = (await submit(group.bus, RunRequest(job=case("sleep 6; echo done", "echo done")))).run
        sessions = Rows(group.bus, "SESSIONS", SessionRow)

        async def opened() -> bool:
            return await sessions.get(f"{run}.main") is not None

        await eventually(opened, "the session is open")
        await asyncio.gather(eventually(lambda: group.journal(f"{run}.step-1.1"), "the first command is at work"))
        old.send_signal(signal.SIGTERM)
        other = (await submit(group.bus, RunRequest(job=case("echo done")))).run
        await group.start("sessions", HOST_ID="new")
        assert (await group.verdict(run)).status == "pass"
        assert (await group.verdict(other)).status == "pass"
        assert await asyncio.wait_for(old.wait(), 20) == 0
        log = (tmp_path / "sessions-0.log").read_text()
        assert "waiting for runs to end their sessions" in log
        assert "its host is stopping" not in log


@pytest.mark.slow
async def test_a_host_that_drains_for_too_long_hands_its_sessions_over(tmp_path: Path) -> None:
    async with fleet(tmp_path, SESSION_DRAIN_SECONDS="1") as group:
        old = await group.start("sessions")
        await group.start("orchestrator")
        await group.start("subagent")
        run = (await submit(group.bus, RunRequest(job=case("sleep 20; echo done")))).run
        await eventually(lambda: group.journal(f"{run}.step-1.1"), "the command is at work")
        old.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(old.wait(), 20) == 0
        assert "its host is stopping" in (tmp_path / "sessions-0.log").read_text()
