"""What an evaluator may decide beside a recovery, in a fleet: to wait, to try another way, to plan the rest again; and
checkpoints, which stop early and pass nothing."""

from pathlib import Path
from typing import Any

import pytest
from model_server import Answer, Asked, Script, does, fails, gives, passes
from thinking import SIGN_UP, Play, stage

OPEN = ('Open "@/"', 'The title is "Page"')
SEND = ("Fill in the form as Ann and send it", 'The text "Welcome" is visible')
LATE = """<h1>Order</h1><script>setTimeout(() => {
document.body.insertAdjacentHTML('beforeend', '<dl><dt>Number</dt><dd>A-4711</dd></dl>') }, 9000)</script>"""


def tasks(*told: tuple[list[int], str, str]) -> Answer:
    """Return a plan: steps covered, what to do, and a checkpoint."""
    made = [{"covers": it[0], "description": it[1], "why": "", "checkpoint": it[2]} for it in told]
    return gives({"sub_tasks": made})


def decides(action: str, **more: str) -> Answer:
    said: dict[str, Any] = {"action": action, "reason": "it is so", "cause": "agent"}
    return gives({**said, "recovery": "", "recovery_expected": "", "hint": "", **more})


AS_WRITTEN = tasks(([1], "as written", ""), ([2], "as written", ""))


def first_part(asked: Asked) -> str:
    """Return what a sub-task is told to do, without the written step that it is a part of."""
    return asked.question.partition("# It is a part")[0]


def replanner(plans: list[str]) -> Script:
    """Return a model that gives up on a whole step and carries out its parts; `plans` gets what its planner is asked."""

    def script(asked: Asked) -> Answer:
        match asked.role:
            case "planner":
                plans.append(asked.question)
                again = tasks(([1], "Type Ann into Name", ""), ([1], "Send the form", ""))
                return AS_WRITTEN if len(plans) == 1 else again
            case "evaluator":
                assert "planned again\nyes" in asked.question
                return decides("replan", reason="first the name, then the button")
            case _ if "Type Ann" in first_part(asked):
                return does(("type", {"element": "Name", "text": "Ann"}), passes())
            case _ if "Send the form" in first_part(asked):
                return does(("click", {"element": "Send"}), passes())
            case _:
                return does(fails("too much at once", blocked=True))

    return script


def other_way(asked: Asked) -> Answer:
    if asked.role == "planner":
        return AS_WRITTEN
    if asked.role == "evaluator":
        return decides("retry", hint="the button is called Send")
    if "the button is called Send" in asked.question:
        return does(("type", {"element": "Name", "text": "Ann"}), ("click", {"element": "Send"}), passes())
    return does(fails("there is no button Submit", blocked=True))


def checked(asked: Asked) -> Answer:
    if asked.role == "planner":
        return tasks(([1], "as written", ""), ([2], "Type Ann", 'The text "Hello Ann" is visible'), ([2], "Send", ""))
    return (
        decides("stop") if asked.role == "evaluator" else does(("type", {"element": "Name", "text": "Ann"}), passes())
    )


@pytest.mark.slow
async def test_the_rest_is_planned_again_or_tried_otherwise_and_a_checkpoint_stops_early(tmp_path: Path):
    plans: list[str] = []
    settings = {"ORCHESTRATOR_REPLAN": "1", "ORCHESTRATOR_CHECKPOINTS": "1"}
    async with stage(tmp_path, 1, **settings) as made:
        again, run = await made.run(Play(SIGN_UP, [OPEN, SEND], replanner(plans)))
        assert again.status == "pass", again.summary
        assert [result.node for result in again.results if result.node.startswith("again-")] == [
            "again-step-1-1",
            "again-step-1-2",
        ]
        assert "first the name" in plans[1]
        assert any("replan" in line for line in await made.lines(run))

        otherwise, _ = await made.run(Play(SIGN_UP, [OPEN, SEND], other_way))
        assert otherwise.status == "pass", otherwise.summary

        stopped, _ = await made.run(Play(SIGN_UP, [OPEN, SEND], checked))
        assert (stopped.status, stopped.cause) == ("fail", "agent"), stopped.summary
        assert "stopped early at a checkpoint" in stopped.summary


@pytest.mark.slow
async def test_a_slow_page_is_waited_for_longer_and_the_log_tells_so(tmp_path: Path):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return tasks(([1], "as written", ""), ([2], "as written", ""))
        return (
            decides("wait", reason="the list is still coming")
            if asked.role == "evaluator"
            else does(fails(blocked=True))
        )

    steps = [OPEN, ('Remember the "Number" as ${order}', 'The text "${order}" is visible')]
    async with stage(tmp_path, 1, ACTION_TIMEOUT_SECONDS="4") as made:
        verdict, run = await made.run(Play({"": LATE}, steps, script))
        assert verdict.status == "pass", verdict.summary
        assert any("wait" in line and "still coming" in line for line in await made.lines(run))
