"""What was recorded needs no model any more: no key is set, or nobody answers at its address."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from model_server import Answer, Asked, does, passes
from remembering import OPEN, Rerunner, rerunner
from thinking import SIGN_UP

from muster_authoring.exporting.case_script import script_of
from muster_authoring.exporting.script_files import file_of
from muster_cases.case_fields import LoadedCase
from muster_protocol.requests import RunRequest, Step, TestCase

STEPS = [
    OPEN,
    ("Fill in the form as ${name} and send it", 'The text "Welcome" is visible'),
    ("Look whether they will write", 'The text "we have written to you" is visible'),
]
NOBODY = "http://127.0.0.1:9/v1"
"""A port of this machine that nothing listens on."""


def _plays(asked: Asked) -> Answer:
    if "Look whether" in asked.question.partition("# Step\n")[2].partition("\n")[0]:
        return does(("scroll", {"direction": "down"}), passes())
    return does(("type", {"element": "Name", "text": "Ann Field"}), ("click", {"element": "Send"}), passes())


async def worker_with(again: Rerunner, **environment: str) -> None:
    """Put a worker with other settings in the place of the ones there are."""
    fleet = again.stage.fleet
    for process in fleet.of("subagent"):
        if process.returncode is None:
            process.terminate()
            await process.wait()
    await fleet.start("subagent", **environment)


@pytest.fixture
async def recorded(tmp_path: Path) -> AsyncGenerator[Rerunner]:
    """A fleet that has recorded a case with a model."""
    async with rerunner(tmp_path) as made:
        cold = await made.run(SIGN_UP, STEPS, _plays, variables={"name": "Ann Field"}, kept=3)
        assert (cold.verdict.status, cold.sources) == ("pass", ["phrase", "model", "model"]), cold.verdict.summary
        yield made


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_recorded_case_runs_with_no_model_at_all_and_asks_one_only_if_recordings_are_off(recorded: Rerunner):
    nobody = {"OPENAI_BASE_URL": NOBODY}
    no_model = {**nobody, "OPENAI_API_KEY": "", "SUB_AGENT_MODEL": "", "ORCHESTRATOR_MODEL": ""}
    for settings in (nobody, no_model):
        await worker_with(recorded, **settings)
        warm = await recorded.run(SIGN_UP, STEPS, None, variables={"name": "Bob Moor"})
        usage = warm.verdict.usage
        assert (warm.verdict.status, warm.sources) == ("pass", ["phrase", "recording", "recording"]), (
            warm.verdict.summary
        )
        assert (usage.model_calls, usage.input_tokens, usage.output_tokens, warm.asked) == (0, 0, 0, 0)
        assert all(it.passed for result in warm.verdict.results for it in result.step.evidence)

    await worker_with(recorded, RECORDINGS="off", **no_model)
    off = await recorded.run(SIGN_UP, STEPS, None, variables={"name": "Bob Moor"})
    assert off.verdict.status == "fail"
    assert "no phrase fits" in off.verdict.summary, "without recordings, nobody knows what the step means"

    await worker_with(recorded, RECORDINGS="off")
    before = await recorded.steps()
    asked = await recorded.run(SIGN_UP, STEPS, _plays, variables={"name": "Ann Field"})
    assert (asked.verdict.status, asked.sources) == ("pass", ["phrase", "model", "model"]), asked.verdict.summary
    assert asked.asked >= 3, "the plan and both steps"
    assert await recorded.steps() == before


@pytest.mark.slow
async def test_what_was_recorded_is_exported(recorded: Rerunner):
    steps = tuple(Step(action=action, expected=expected) for action, expected in STEPS)
    case = TestCase(name="A case", steps=steps, variables={"base_url": recorded.stage.site.url, "name": "Ann Field"})
    known = [row.step for row in await recorded.steps() if row.step]
    script = script_of(LoadedCase(RunRequest(job=case), "case.yaml", 1, (2, 3, 4)), known)

    assert not script.unsaid
    text = file_of([script], "case.yaml", "pytest")
    assert 'page.get_by_role("textbox", name="Name", exact=True).fill(name)' in text
    assert 'page.get_by_role("button", name="Send", exact=True).click()' in text
