"""An orchestrator whose machine's clock is wrong, and jumps: runs keep the server's time."""

import time
from pathlib import Path

import pytest
from fleet import Fleet
from played import PlayedWorker

from chaos import wrong_clock
from muster_bus import Bus
from muster_client.runs import submit
from muster_protocol.requests import Drill, Limits, RunRequest


@pytest.mark.skipif(wrong_clock.library() is None, reason="libfaketime is not there")
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
