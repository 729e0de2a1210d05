"""Critic and validator on a fleet of real processes; the model is a script behind real HTTP."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from model_server import Answer, Asked, Script, does, gives, passes
from thinking import SIGN_UP, Play, Stage, plan_as_written, stage

from muster_bus.run_store import read_entries
from muster_protocol.events import SubTaskDispatched

pytestmark = pytest.mark.asyncio(loop_scope="module")
THANKS = "The page thanks the user for signing up"
STEPS = (('Open "@/"', 'The title is "Page"'), ("Send the form", THANKS))
STRICT = "kind: validate\ninstructions: You look at the screen of a tested product, and are strict.\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fleet")) as made:
        yield made


def looked_at(holds: str, seen: list[Asked]) -> Script:
    """Return a script that signs up and sees thanks, and whose validator says whether these hold."""

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "looker":
            return gives({"holds": True, "quote": "Thank you, we have written to you.", "answer": "It does."})
        if asked.role == "critic":
            return gives({"verdict": "approve", "issues": [], "suggestions": [], "confidence": 0.5})
        if asked.role == "validator":
            seen.append(asked)
            strict = "are strict" in str(asked.messages[0]["content"])
            said = "no" if strict else holds
            return gives({"opinions": [{"number": 1, "holds": said, "reason": "the page speaks of a mail"}]})
        return does(("click", {"element": "Send"}), passes("I have sent it and all is well"))

    return script


async def kinds_in(made: Stage, run: str) -> list[tuple[str, str]]:
    events = [event for entry in await read_entries(made.fleet.bus, run) for event in entry.events]
    return [(it.sub_task.kind, it.sub_task.agent) for it in events if isinstance(it, SubTaskDispatched)]


@pytest.mark.slow
async def test_a_validator_that_agrees_leaves_a_pass_a_pass(on_stage: Stage):
    seen: list[Asked] = []
    play = Play(SIGN_UP, STEPS, looked_at("yes", seen), more={"checked_by": ("validator",)})
    verdict, run = await on_stage.run(play)

    assert verdict.status == "pass", verdict.summary
    assert ("validate", "validator") in await kinds_in(on_stage, run)
    [asked] = seen
    assert f"# Expected\n1. {THANKS}" in asked.question
    assert "Sign up" in asked.question.partition("# Screen after")[0]
    assert "Thank you, we have written to you." in asked.question.partition("# Screen after")[2]
    assert "all is well" not in asked.text  # what the actor says
    assert "Send the form" not in asked.text  # what it was told to do
    assert any("Validation of step-2: yes" in line for line in await on_stage.lines(run))


@pytest.mark.parametrize(("holds", "verb"), [("no", "denies"), ("unsure", "doubts")])
async def test_a_validator_that_does_not_makes_the_step_unproven(on_stage: Stage, holds: str, verb: str):
    play = Play(SIGN_UP, STEPS, looked_at(holds, []), more={"checked_by": ("validator",)})
    verdict, _ = await on_stage.run(play)

    assert (verdict.status, verdict.cause, verdict.failed_node) == ("fail", "agent", "step-2")
    assert f"the validator {verb} '{THANKS}'" in verdict.summary


@pytest.mark.slow
async def test_nobody_is_asked_about_what_checks_have_proven(on_stage: Stage):
    seen: list[Asked] = []
    steps = (STEPS[0], ("Send the form", 'The text "Welcome" is visible'))
    play = Play(SIGN_UP, steps, looked_at("no", seen), more={"checked_by": ("validator",)})
    verdict, _ = await on_stage.run(play)
    assert (verdict.status, seen) == ("pass", [])


@pytest.mark.slow
async def test_validator_and_critic_are_their_files(tmp_path: Path):
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "validator.yaml").write_text(STRICT)
    (folder / "critic.yaml").write_text("kind: critique\ninstructions: You examine the plan and let it be.\n")
    plans: list[Asked] = []
    async with stage(tmp_path, AGENTS_DIR=str(folder), ORCHESTRATOR_VALIDATOR="1", ORCHESTRATOR_CRITIC="1") as made:
        denied, _ = await made.run(Play(SIGN_UP, STEPS, looked_at("yes", [])))
        kept, run = await made.run(Play(SIGN_UP, STEPS, criticised(plans)))
        kinds = [kind for kind, _ in await kinds_in(made, run)]
    assert (denied.status, "the validator denies" in denied.summary) == ("fail", True)
    assert (kept.total_iterations > 0, kinds[:3]) == (True, ["plan", "critique", "step"])  # not sent back


def criticised(plans: list[Asked]) -> Script:
    """Return a script whose plan lacks a step until a critic has asked for it."""

    def script(asked: Asked) -> Answer:
        if asked.role == "critic":
            lenient = "let it be" in str(asked.messages[0]["content"])
            wants = not lenient and "added: " not in asked.question
            issue = {"kind": "incomplete", "step": 2, "text": "the name is asked for and nobody enters it"}
            said = {"verdict": "revise" if wants else "approve", "issues": [issue] if wants else []}
            return gives({**said, "suggestions": ["Enter a name first"] if wants else [], "confidence": 0.8})
        if asked.role == "planner":
            plans.append(asked)
            enters: dict[str, Any] = {
                "covers": [],
                "description": 'Type "Ada" into the "Name" field',
                "why": "it is asked for",
            }
            steps: list[dict[str, Any]] = [
                {"covers": [n], "description": text, "why": ""} for n, (text, _) in enumerate(STEPS, 1)
            ]
            added: list[dict[str, Any]] = [enters] if "# A critic says" in asked.question else []
            return gives({"sub_tasks": [steps[0], *added, steps[1]]})
        if asked.role == "validator":
            return gives({"opinions": [{"number": 1, "holds": "yes", "reason": "it thanks"}]})
        if asked.role == "looker":
            return gives({"holds": True, "quote": "Thank you, we have written to you.", "answer": "It does."})
        return does(("click", {"element": "Send"}), passes())

    return script


async def test_a_critic_sends_a_plan_back_and_the_new_one_has_what_was_missing(on_stage: Stage):
    plans: list[Asked] = []
    verdict, run = await on_stage.run(Play(SIGN_UP, STEPS, criticised(plans), more={"checked_by": ("critic",)}))

    assert verdict.status == "pass", verdict.summary
    kinds = [kind for kind, _ in await kinds_in(on_stage, run)]
    assert kinds == ["plan", "critique", "plan", "critique", "step", "step", "step"]
    assert "Enter a name first" in plans[1].question
    assert "added-1" in {result.node for result in verdict.results}
    assert any("Critique: revise (80% sure): incomplete:" in line for line in await on_stage.lines(run))


@pytest.mark.slow
async def test_a_critic_that_is_never_content_holds_a_run_up_twice_at_most(on_stage: Stage):
    plans: list[Asked] = []

    def never(asked: Asked) -> Answer:
        if asked.role == "critic":
            return gives({"verdict": "revise", "issues": [], "suggestions": ["Better"], "confidence": 1.0})
        return criticised(plans)(asked)

    verdict, _ = await on_stage.run(Play(SIGN_UP, STEPS, never, more={"checked_by": ("critic",)}))
    assert (verdict.status, len(plans)) == ("pass", 3)
