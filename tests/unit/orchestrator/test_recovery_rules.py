"""What is done about a failed step by rule: only what has begun nothing is tried again, once, with more patience."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, passes, statuses

from muster_orchestrator.machine.jobs.test_case.recovery_rules import REMEDIES
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Policy, RetryPlanned

RULES = Policy(recover_by_rule=True)


def failed(failure: Failure, policy: Policy = RULES, **more: Any) -> Driven:
    driven = Driven.planned(a_case("One is seen", 'The text "Two" is visible'), policy=policy)
    task = driven.open("step-1")
    return driven.ends(task, fails(task, failure, **more))


def kinds(driven: Driven) -> list[str]:
    return [task.kind for task in driven.tasks]


@pytest.mark.parametrize("failure", list(REMEDIES))
def test_a_step_that_began_nothing_is_tried_again_with_more_patience_and_told(failure: Failure):
    driven = failed(failure)
    [retry] = driven.logged(RetryPlanned)
    assert (retry.node, retry.patience, REMEDIES[failure].reason in retry.reason) == (
        "step-1",
        REMEDIES[failure].patience,
        True,
    )
    driven.waits(REMEDIES[failure].pause_seconds)
    again = driven.open("step-1")
    assert (again.attempt, again.step.patience) == (2, REMEDIES[failure].patience)
    driven.ends(again)
    assert driven.open("step-2").step.patience == 1.0
    assert driven.ends(driven.open("step-2")).verdict.status == "pass"


@pytest.mark.parametrize("failure", [it for it in Failure if it not in REMEDIES])
def test_no_other_failure_is_tried_again_by_rule(failure: Failure):
    assert failed(failure).logged(RetryPlanned) == []


@pytest.mark.parametrize("failure", list(REMEDIES))
def test_a_step_that_has_begun_something_is_left_to_the_evaluator(failure: Failure):
    driven = failed(failure, acted=True)
    assert (driven.logged(RetryPlanned), kinds(driven)) == ([], ["evaluate"])


def test_a_step_is_tried_again_once_and_then_evaluated_with_its_cause():
    driven = failed(Failure.ELEMENT_MISSING)
    task = driven.open("step-1")
    driven.ends(task, fails(task, Failure.ELEMENT_MISSING))
    assert (len(driven.logged(RetryPlanned)), kinds(driven)) == (1, ["evaluate"])
    driven.decides("stop", cause=Cause.PRODUCT)
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.PRODUCT)


def test_a_second_attempt_is_judged_like_any_other():
    driven = failed(Failure.ELEMENT_MISSING)
    task = driven.open("step-1")
    driven.ends(task, passes(task, evidence=()))
    assert driven.verdict.status == "fail"
    assert statuses(driven.run, ["step-1"]) == ["failing"]


def test_by_default_no_rule_has_anything_tried_again():
    driven = failed(Failure.ELEMENT_MISSING, policy=Policy())
    assert (driven.logged(RetryPlanned), kinds(driven)) == ([], ["evaluate"])
