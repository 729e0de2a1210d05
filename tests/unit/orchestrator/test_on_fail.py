"""Cases that go on after a failed step: every fail is in the verdict, and none of them passes."""

from typing import Any

from driven import Driven, fails, faults, passes, statuses
from msgspec import structs

from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Policy
from muster_protocol.requests import Step, TestCase
from muster_protocol.verdicts import Verdict


def continuing(**more: Any) -> TestCase:
    steps = tuple(Step(action=f"Do {name}", expected=f"{name} is seen") for name in ("One", "Two", "Three"))
    return TestCase(name="Continues", steps=steps, on_fail="continue", **more)


def ended(driven: Driven, **failures: Failure) -> Verdict:
    """Return the verdict after each open step has ended: failed as given by node (`step_2`), else passed."""
    while driven.run.verdict is None:
        task = driven.open()
        failure = failures.get(task.node.replace("-", "_"))
        driven.ends(task, fails(task, failure) if failure else passes(task))
    return driven.verdict


def test_a_case_that_goes_on_after_a_fail_carries_out_all_steps_and_fails_with_the_first_cause():
    driven = Driven.planned(continuing())
    verdict = ended(driven, step_1=Failure.EXPECTATION_FALSE, step_3=Failure.NO_EVIDENCE)

    assert statuses(driven.run, ["step-1", "step-2", "step-3"]) == ["skipped", "passed", "skipped"]
    assert (verdict.status, verdict.failed_node, verdict.cause) == ("fail", "step-1", Cause.PRODUCT)
    assert verdict.summary.endswith("; 2 failed, 1 passed")
    assert [result.status for result in verdict.results] == ["fail", "pass", "fail"]


def test_a_single_fail_of_a_case_that_goes_on_is_its_verdict():
    verdict = ended(Driven.planned(continuing()), step_3=Failure.EXPECTATION_FALSE)

    assert (verdict.status, verdict.failed_node) == ("fail", "step-3")
    assert verdict.summary.endswith("; 1 failed, 2 passed"), "what was carried out after the fail is told"


def test_a_step_may_end_a_case_that_goes_on_otherwise():
    case = continuing()
    first = structs.replace(case.steps[0], on_fail="stop")
    verdict = ended(
        Driven.planned(structs.replace(case, steps=(first, *case.steps[1:]))), step_1=Failure.EXPECTATION_FALSE
    )

    assert verdict.failed_node == "step-1"
    assert len(verdict.results) == 1


def test_only_the_step_that_says_so_is_passed_over():
    case = continuing()
    first = structs.replace(case.steps[0], on_fail="continue")
    case = structs.replace(case, steps=(first, *case.steps[1:]), on_fail="stop")
    verdict = ended(Driven.planned(case), step_1=Failure.NO_EVIDENCE, step_2=Failure.EXPECTATION_FALSE)

    assert (verdict.failed_node, len(verdict.results)) == ("step-1", 2), "the first fail gives the cause"


def test_a_case_that_goes_on_ends_when_infrastructure_breaks_a_step_off():
    driven = Driven.planned(continuing(), policy=Policy(max_attempts=1))
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))
    driven.ends(driven.open(), faults(driven.open()))

    assert (driven.verdict.failed_node, driven.verdict.cause) == ("step-1", Cause.PRODUCT)
    assert [result.node for result in driven.verdict.results] == ["step-1", "step-2"]


def test_a_case_goes_on_after_its_evaluator_says_stop():
    driven = Driven.planned(continuing())
    driven.ends(driven.open(), fails(driven.open())).decides("stop")

    assert driven.open().node == "step-2"
    assert ended(driven).failed_node == "step-1"


def test_a_case_goes_on_without_an_evaluation_that_fails():
    driven = Driven.planned(continuing())
    driven.ends(driven.open(), fails(driven.open()))
    evaluation = driven.open("step-1-e1")
    driven.ends(evaluation, fails(evaluation, Failure.MODEL_UNAVAILABLE))

    assert driven.open().node == "step-2"


def test_a_case_goes_on_after_a_recovery_that_failed():
    driven = Driven.planned(continuing())
    driven.ends(driven.open(), fails(driven.open())).decides("recover", recovery="Mend it")
    driven.ends(driven.open("step-1-r1"), fails(driven.open("step-1-r1")))

    assert driven.open().node == "step-2"
    assert (ended(driven).status, driven.verdict.failed_node) == ("fail", "step-1")


def test_a_precondition_that_fails_ends_every_case():
    driven = Driven.planned(continuing(preconditions=("All is well",)))
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))

    assert len(driven.verdict.results) == 1
