"""An orchestrator whose machine's clock is wrong, and jumps: runs keep the server's time."""

import platform
import time
from pathlib import Path

import pytest
from fleet import Fleet
from played import PlayedWorker
from waiting import eventually

from chaos import wrong_clock
from muster_bus import Bus, LogLine, RunLogLines, replay
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.logs import LogRecord
from muster_protocol.requests import Drill, Limits, RunRequest

LIBRARY = pytest.mark.skipif(wrong_clock.library() is None, reason="libfaketime is not there")


@LIBRARY
async def test_a_clock_that_jumps_ends_no_run_and_its_verdict_tells_the_right_time(
    team: Fleet, bus: Bus, worker: PlayedWorker, tmp_path: Path
):
    clock = tmp_path / "clock"
    variables = wrong_clock.variables(clock)
    wrong_clock.set_wrong(clock, -900)
    await team.start("orchestrator", **variables)
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1", limits=Limits(timeout_seconds=60)))
    await worker.does("run-1", 1, evidence=(), unverified=True)
    wrong_clock.set_wrong(clock, 900)
    await worker.does("run-1", 1, evidence=(), unverified=True)
    verdict = await team.verdict("run-1")
    assert verdict.status == "pass"
    assert 0 <= verdict.duration < 60
    assert abs(verdict.ended_at - time.time()) < 60


@LIBRARY
@pytest.mark.parametrize(("seconds", "words"), [(-86_400, "s behind the NATS server's"), (600, "s ahead of the NATS")])
async def test_a_wrong_clock_is_told_to_operators_with_the_host_and_what_to_do(
    team: Fleet, tmp_path: Path, seconds: int, words: str
):
    clock = tmp_path / "clock"
    variables = wrong_clock.variables(clock)
    wrong_clock.set_wrong(clock, seconds)
    await team.start("orchestrator", **variables)

    async def told() -> str:
        return next((text for row in await team.rows() for text in row.warnings if words in text), "")

    warning = await eventually(told, "the process says so", 20.0)
    assert warning.startswith(f"the clock of {platform.node()} is ")
    assert "NTP" in warning
    assert all(abs(row.seen_at - time.time()) < 60 for row in await team.rows())


async def test_lines_carry_the_time_of_the_server_whatever_this_machine_says(bus: Bus):
    bus.clock.learn(5_000.0, time.monotonic(), time.monotonic())
    RunLogLines(bus, "worker-1").of("run-1").publish(LogLine(text="now", kind="progress"))

    async def stored() -> list[LogRecord]:
        return [codec.decode(one.data, LogRecord) async for one in replay(bus, "LOGS", bus.names.log("run-1", "*"))]

    (record,) = await eventually(stored, "it is there", 10.0)
    assert 5_000.0 <= record.at < 5_100.0
