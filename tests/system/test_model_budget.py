"""The budget of requests to models a minute, on a fleet of real processes; the model is a script behind real HTTP."""

from pathlib import Path

import pytest
from assigned import done, team
from counted import COUNTS, counted_by
from model_server import does

from muster_bus import replay
from muster_protocol import codec
from muster_protocol.assignments import Spending
from muster_protocol.logs import LogRecord

PER_MINUTE = 20


@pytest.mark.slow
async def test_a_question_that_waits_is_told_and_counted_and_takes_no_time_from_its_sub_task(tmp_path: Path):
    """With 20 a minute, six questions at once wait longer together than the sub-task may take."""
    async with team(tmp_path, MODEL_REQUESTS_PER_MINUTE=str(PER_MINUTE)) as crew:
        for service in ("orchestrator", "subagent", "subagent"):
            await crew.fleet.start(service, **COUNTS)
        crew.parts["Ask often"] = lambda asked: (
            does(("make_value", {"kind": "name", "name": f"v{asked.turn}"})) if asked.turn < 5 else done("asked")
        )
        run = await crew.submits("Ask often", "lead", budget=Spending(seconds=8))
        verdict = await crew.fleet.verdict(run)
        lines = [
            codec.decode(message.data, LogRecord).text
            async for message in replay(crew.fleet.bus, "LOGS", crew.fleet.bus.names.log(run, "*"))
        ]
        logs = [crew.fleet.folder / f"subagent-{number}.log" for number in (1, 2)]
        name, by_requests = "muster_model_budget_wait_seconds_count", {"limit": "requests"}
        waited = sum([await counted_by(log, name, **by_requests) for log in logs])

    assert verdict.status == "done", verdict.summary
    assert verdict.usage.seconds > 8
    assert [line for line in lines if "for the fleet's budget of requests to models" in line]
    assert waited > 0
