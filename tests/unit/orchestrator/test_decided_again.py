"""An evaluator may have a step tried again with more patience, or in another way: once, and only if nothing was begun."""

import pytest
from driven import Driven, a_case, fails
from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult

CASE = a_case("One is seen")


def failing(failure: Failure, *, source: str = "model", acted: bool = False) -> Driven:
    driven = Driven.planned(CASE)
    return driven.ends(driven.open("step-1"), _failed(driven, failure, source, acted=acted))


def _failed(driven: Driven, failure: Failure, source: str, *, acted: bool) -> SubTaskResult:
    return replace(fails(driven.open("step-1"), failure), source=source, acted=acted)


def test_a_step_whose_target_is_missing_may_be_waited_for_and_expects_what_it_did():
    driven = failing(Failure.ELEMENT_MISSING, source="phrase")
    before = driven.open("step-1-e1").input
    assert before.may_wait  # type: ignore[union-attr]
    again = driven.decides("wait", reason="the list is still loading").open("step-1")
    assert (again.attempt, again.step.patience > 1) == (2, True)
    assert again.step.expected_result == CASE.steps[0].expected

    driven.ends(again, fails(again, Failure.ELEMENT_MISSING))
    assert not driven.open("step-1-e2").input.may_wait  # type: ignore[union-attr]
    assert driven.decides("wait").verdict.status == "fail"


def test_a_step_that_a_model_carried_out_may_be_tried_in_another_way():
    driven = failing(Failure.GAVE_UP)
    again = driven.decides("retry", hint="use the menu on the left").open("step-1")
    assert (again.attempt, again.step.hint, again.step.patience) == (2, "use the menu on the left", 1.0)
    driven.ends(again, replace(fails(again, Failure.GAVE_UP), source="model"))
    assert driven.decides("retry", hint="try once more").verdict.status == "fail"


@pytest.mark.parametrize("action", ["wait", "retry"])
def test_what_has_acted_is_not_tried_again(action: str):
    driven = failing(Failure.ELEMENT_MISSING, acted=True)
    task = driven.open("step-1-e1").input
    assert not (task.may_wait or task.may_retry)  # type: ignore[union-attr]
    assert driven.decides(action, hint="again").verdict.status == "fail"


def test_a_phrase_has_no_other_way_and_what_is_false_is_final():
    assert failing(Failure.GAVE_UP, source="phrase").decides("retry", hint="click harder").verdict.status == "fail"
    assert failing(Failure.EXPECTATION_FALSE, source="phrase").verdict.status == "fail"
