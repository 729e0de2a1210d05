"""The validator: it takes a pass away, and never gives one."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, passes, statuses
from msgspec.structs import replace

from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Policy, SubTaskDispatched
from muster_protocol.examiner_work import ClauseOpinion, Screens, ValidateInput, ValidateOutput
from muster_protocol.facts import Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTask, SubTaskResult

SEEN = "The chart shows a rise"
CASE = a_case(SEEN, 'The text "Basket" is visible', checked_by=("validator",))
SCREENS = Screens(before="Sales", after="Sales, rising")


def by_look(task: SubTask, **more: Any) -> SubTaskResult:
    """Return a pass whose clauses rest on a look alone."""
    evidence = tuple(
        replace(it, check="look", by="model", relation="judged", wanted=(), seen="rising", grounded=True)
        for it in passes(task).step.evidence
    )
    output = StepOutput(evidence=evidence, screens=SCREENS, **more)
    return replace(passes(task), output=output, summary="I saw it rise, believe me")


def looked() -> Driven:
    driven = Driven.planned(CASE)
    return driven.ends(driven.open("step-1"), by_look(driven.open("step-1")))


def validation(driven: Driven) -> SubTask:
    [task] = [task for task in driven.tasks if task.kind == "validate"]
    return task


def says(driven: Driven, holds: Any, clause: str = SEEN) -> Driven:
    opinion = ClauseOpinion(clause=clause, holds=holds, reason="the line falls")
    return driven.ends(validation(driven), output=ValidateOutput(opinions=(opinion,)))


def finish(driven: Driven) -> Driven:
    return driven.ends(driven.open("step-2"))


def test_a_validator_gets_expectation_and_screens_and_no_word_of_who_acted():
    task = validation(looked())
    assert task.input == ValidateInput(clauses=(SEEN,), screens=SCREENS)
    assert task.agent == "validator"
    assert "believe me" not in repr(task)
    assert "Do thing" not in repr(task)


def test_steps_go_on_meanwhile_but_nothing_passes_before_the_validator_has_spoken():
    driven = finish(looked())
    assert driven.run.verdict is None
    assert says(driven, "yes").verdict.status == "pass"


@pytest.mark.parametrize(("holds", "verb"), [("no", "denies"), ("unsure", "doubts")])
def test_a_doubt_makes_the_step_unproven_and_blames_no_product(holds: str, verb: str):
    driven = says(finish(looked()), holds)
    verdict = driven.verdict
    assert (verdict.status, verdict.cause, verdict.failed_node) == ("fail", Cause.AGENT, "step-1")
    assert f"the validator {verb} 'The chart shows a rise', which rests on a look alone: the line falls" in (
        verdict.summary
    )
    result = next(it for it in verdict.results if it.node == "step-1")
    assert (result.status, result.failure) == ("fail", Failure.NO_EVIDENCE)
    assert [it.node for it in verdict.results].count("step-1") == 1


def test_a_doubt_ends_the_case_before_its_next_steps():
    driven = says(looked(), "no")
    assert driven.verdict.failed_node == "step-1"
    assert statuses(driven.run, ["step-1"]) == ["failed"]


def test_an_opinion_of_another_clause_is_none_of_this_one():
    assert says(finish(looked()), "yes", clause="The chart is there").verdict.status == "fail"


def test_a_validator_that_gives_no_answer_leaves_the_step_unproven():
    driven = finish(looked())
    task = validation(driven)
    driven.ends(task, fails(task, Failure.UNPARSABLE))
    assert driven.verdict.status == "fail"
    assert "nobody could look again" in driven.verdict.summary


def test_what_a_check_has_proven_nobody_looks_at_again():
    driven = Driven.planned(CASE)
    driven.ends(driven.open("step-1"))
    assert [task.kind for task in driven.tasks] == ["step"]

    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    check = passes(task).step.evidence
    both = replace(by_look(task), output=replace(by_look(task).step, evidence=(*by_look(task).step.evidence, *check)))
    driven.ends(task, both)
    assert [task.kind for task in driven.tasks] == ["step"]


def test_a_check_from_before_the_last_act_proves_nothing_and_the_look_is_looked_at_again():
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    stale = tuple(replace(it, call=1) for it in passes(task).step.evidence)
    look = by_look(task)
    driven.ends(task, replace(look, output=replace(look.step, evidence=(*stale, *look.step.evidence))))
    assert validation(driven).input == ValidateInput(clauses=(SEEN,), screens=SCREENS)


def test_a_step_that_failed_is_never_made_to_pass():
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    driven.ends(task, fails(task, Failure.EXPECTATION_FALSE))
    assert driven.verdict.status == "fail"
    assert not [it for it in driven.logged(SubTaskDispatched) if it.sub_task.kind == "validate"]


def test_without_being_asked_for_nobody_validates_and_no_screen_is_kept():
    driven = Driven.planned(replace(CASE, checked_by=()))
    task = driven.open("step-1")
    assert not task.step.screens
    driven.ends(task, by_look(task))
    assert finish(driven).verdict.status == "pass"


def test_the_setting_of_a_fleet_has_each_case_validated():
    driven = Driven.planned(replace(CASE, checked_by=()), policy=Policy(checkers=("validator",)))
    task = driven.open("step-1")
    assert task.step.screens
    assert validation(driven.ends(task, by_look(task))).about == "step-1"


def test_screens_are_in_no_verdict():
    verdict = says(finish(looked()), "yes").verdict
    assert all(it.step.screens is None for it in verdict.results)


def test_a_case_that_goes_on_after_a_fail_goes_on_after_a_doubt():
    driven = Driven.planned(replace(CASE, on_fail="continue"))
    driven.ends(driven.open("step-1"), by_look(driven.open("step-1")))
    finish(says(driven, "no"))
    assert (driven.verdict.status, driven.verdict.failed_node) == ("fail", "step-1")
    assert statuses(driven.run, ["step-1", "step-2"]) == ["skipped", "passed"]


def test_evidence_has_no_use_for_a_look_that_found_nothing():
    evidence = Evidence(clause="A", check="look", call=1, passed=False, relation="judged")
    driven = Driven.planned(CASE)
    task = driven.open("step-1")
    result = passes(task)
    driven.ends(task, replace(result, output=replace(result.step, evidence=(*result.step.evidence, evidence))))
    assert [it.kind for it in driven.tasks] == ["step"]
