"""The element detector in the machine: asked once, only where nothing was sent, and never believed."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, passes
from msgspec.structs import replace

from muster_protocol.causes import Cause, Failure
from muster_protocol.detector_work import Located, LocateInput, LocateOutput, PicturedElement
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Box

FOUND = Located(seen=PicturedElement(box=Box(x=1, y=1, width=9, height=9), confidence=0.9, text="Start"))
CASE = a_case('The text "One" is visible', secrets=("PIN",), domains=("shop.test",))


def missed(**more: Any) -> Driven:
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    failed = replace(fails(task, Failure.ELEMENT_MISSING), output=StepOutput(sought='button "Start"'))
    return driven.ends(task, replace(failed, **more))


def detection(driven: Driven) -> SubTask:
    return driven.open("step-1-d")


def test_what_was_not_found_is_looked_for_in_the_steps_own_session_with_its_secrets_hidden():
    task = detection(missed())
    assert (task.kind, task.agent, task.session, task.pool) == ("locate", "element-detector", "main", "act")
    assert isinstance(task.input, LocateInput)
    assert (task.input.sought, task.secrets, task.domains) == ('button "Start"', ("PIN",), ("shop.test",))


def test_what_is_found_goes_to_the_next_attempt_and_to_no_verdict():
    driven = missed()
    driven.ends(detection(driven), output=LocateOutput(located=FOUND))
    again = driven.open("step-1")
    assert (again.attempt, again.step.located) == (2, FOUND)
    assert driven.run.verdict is None


@pytest.mark.parametrize("more", [{"acted": True}, {"status": "error"}])
def test_a_worker_that_says_nothing_of_a_search_has_none_made(more: dict[str, Any]):
    driven = missed(output=StepOutput(), **more)
    assert "locate" not in {task.kind for task in driven.tasks}


def test_what_is_not_found_leaves_the_fail_to_the_evaluator_and_says_why():
    driven = missed()
    driven.ends(detection(driven), output=LocateOutput(why="the model is only 10% sure"))
    assert [task.kind for task in driven.tasks] == ["evaluate"]
    driven.decides("stop", cause=Cause.PRODUCT)
    assert "(by picture: the model is only 10% sure)" in driven.verdict.summary


def test_a_model_that_is_down_leaves_the_fail_as_it_is():
    driven = missed()
    task = detection(driven)
    driven.ends(task, fails(task, Failure.MODEL_UNAVAILABLE))
    assert [task.kind for task in driven.tasks] == ["evaluate"]


def test_a_second_miss_is_not_looked_for_again():
    driven = missed()
    driven.ends(detection(driven), output=LocateOutput(located=FOUND))
    task = driven.open("step-1")
    driven.ends(task, replace(fails(task, Failure.ELEMENT_MISSING), output=StepOutput(sought="it")))
    assert [task.kind for task in driven.tasks] == ["evaluate"]


def pictured(task: SubTask, **more: Any) -> SubTaskResult:
    act = Act(call=0, tool="click", does="point", status="ok", target=("thing",), confirmed=True, pictured=True)
    evidence = tuple(replace(it, **more) for it in passes(task).step.evidence)
    return replace(passes(task), source="model", last_act=0, output=StepOutput(acts=(act,), evidence=evidence))


def judged(**more: Any) -> Driven:
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    return driven.ends(task, pictured(task, **more))


def test_a_click_that_only_a_picture_names_needs_a_check_that_is_no_look():
    firm: dict[str, Any] = {"call": 3}
    assert judged(**firm).verdict.status == "pass"
    looked = judged(**firm, by="model", relation="judged", about="page", wanted=(), grounded=True)
    assert (looked.verdict.status, looked.verdict.cause) == ("fail", Cause.AGENT)
    assert "rests on a look alone" in looked.verdict.summary


def test_an_expectation_that_is_false_after_it_blames_no_product():
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    evidence: tuple[Evidence, ...] = tuple(
        replace(it, call=3, passed=False, seen="Two") for it in passes(task).step.evidence
    )
    output = replace(pictured(task).step, evidence=evidence)
    failed = replace(fails(task, Failure.EXPECTATION_FALSE), source="model", last_act=0, output=output)
    driven.ends(task, failed)
    if driven.run.verdict is None:
        driven.decides("stop")
    assert driven.verdict.cause == Cause.AGENT
