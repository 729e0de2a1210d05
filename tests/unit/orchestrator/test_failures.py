"""What becomes of a run when a sub-task fails: evaluation, recovery, retries."""

from typing import Any

import pytest
from driven import EXPECTED, Driven, fails, faults, side_by_side, statuses

from muster_orchestrator.machine import SetTimer
from muster_orchestrator.snapshots import shorten_row
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Policy, RetryPlanned, TimerFired, VerdictReached
from muster_protocol.kinds import Decision, EvaluateInput
from muster_protocol.logs import RunRow
from muster_protocol.requests import Limits, Step, TestCase


def failed_at_first(failure: Failure = Failure.ELEMENT_MISSING, **more: Any) -> Driven:
    driven = Driven.planned(**more)
    return driven.ends(driven.open(), fails(driven.open(), failure))


def test_a_fail_that_could_be_mended_is_evaluated():
    driven = failed_at_first()

    asked = driven.open()
    assert (asked.node, asked.kind, asked.pool, asked.session) == ("step-1-e1", "evaluate", "think", "")
    assert asked.about == "step-1"
    assert isinstance(asked.input, EvaluateInput)
    assert (asked.input.action, asked.input.summary) == ("Do thing 1", "it was element_missing")


@pytest.mark.parametrize(
    "failure",
    [
        Failure.EXPECTATION_FALSE,
        Failure.SERVER_ERROR,
        Failure.NO_EVIDENCE,
        Failure.UNKNOWN_PHRASE,
        Failure.SECRET_MISSING,
    ],
)
def test_a_fail_that_is_final_asks_nobody(failure: Failure):
    driven = failed_at_first(failure)

    assert driven.verdict.status == "fail"
    assert driven.tasks == []


def test_an_unproven_pass_is_final():
    driven = Driven.planned()
    driven.ends(driven.open(), evidence=())

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.AGENT, "step-1")
    assert "nothing was checked for" in driven.verdict.summary


def test_stop_ends_the_run_with_the_cause_of_the_fail():
    driven = failed_at_first().decides("stop", reason="hopeless")

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.PRODUCT, "step-1")
    assert driven.case.decisions == (Decision(action="stop", reason="hopeless"),)


def test_an_evaluator_may_choose_another_cause():
    driven = failed_at_first().decides("stop", cause=Cause.AGENT)

    assert driven.verdict.cause == Cause.AGENT


def test_an_evaluator_that_chooses_another_cause_is_quoted_in_the_summary():
    driven = failed_at_first().decides("stop", cause=Cause.AGENT, reason="the page asks for a code by mail")

    assert driven.verdict.summary.endswith("it was element_missing (the page asks for a code by mail)")


def test_however_long_a_step_is_the_summary_says_what_went_wrong():
    driven = Driven.planned(TestCase(name="Long", steps=(Step(action="Do " * 1000 + "it", expected=EXPECTED),)))
    driven.ends(
        driven.open(), fails(driven.open(), Failure.SERVER_ERROR, summary="HTTP 500. " + "x" * 9_000 + " the end")
    )

    assert "HTTP 500." in driven.verdict.summary[:400]
    assert driven.verdict.summary.endswith("the end")
    row = shorten_row(RunRow(run="r", name="", status="fail", summary=driven.verdict.summary), 1)
    assert "HTTP 500." in row.summary and row.summary.endswith("the end") and len(row.summary) <= 1000


def test_continue_goes_on_but_never_leads_to_a_pass():
    driven = failed_at_first().decides("continue")
    assert driven.open().node == "step-2"
    while driven.run.verdict is None:
        driven.ends(driven.open())

    assert statuses(driven.run, ["step-1", "step-2", "step-3"]) == ["skipped", "passed", "passed"]
    assert (driven.verdict.status, driven.verdict.failed_node) == ("fail", "step-1")
    assert driven.verdict.cause == Cause.PRODUCT


def test_recover_does_what_the_evaluator_says_and_then_tries_the_original_again():
    driven = failed_at_first().decides("recover", recovery="Close the banner", recovery_expected="No banner is seen")

    mending = driven.open()
    assert (mending.node, mending.description) == ("step-1-r1", "Close the banner")
    assert (mending.step.expected_result, mending.step.covers, mending.session) == ("No banner is seen", (), "main")
    driven.ends(mending)
    again = driven.open()
    assert (again.node, again.attempt, again.id) == ("step-1", 2, "run-1.step-1.2")
    while driven.run.verdict is None:
        driven.ends(driven.open())
    assert driven.verdict.status == "pass"
    assert [result.node for result in driven.verdict.results] == ["step-1", "step-1-r1", "step-1", "step-2", "step-3"]


def test_a_recovery_needs_proof_like_everything_else():
    driven = failed_at_first().decides("recover", recovery="Close the banner", recovery_expected="No banner is seen")
    driven.ends(driven.open(), evidence=())

    assert (driven.verdict.status, driven.verdict.failed_node) == ("fail", "step-1-r1")


def test_a_failed_recovery_stops_the_run_and_is_not_evaluated_itself():
    driven = failed_at_first().decides("recover", recovery="Close the banner")
    driven.ends(driven.open(), fails(driven.open()))

    assert (driven.verdict.status, driven.verdict.failed_node) == ("fail", "step-1-r1")
    assert driven.verdict.summary.startswith("recovery of sub-task 1/3 (Close the banner): ")
    assert driven.tasks == []


def test_a_sub_task_is_recovered_once_unless_the_policy_says_otherwise():
    def twice(policy: Policy) -> Driven:
        driven = failed_at_first(policy=policy).decides("recover", recovery="Mend it")
        driven.ends(driven.open("step-1-r1"))
        driven.ends(driven.open("step-1"), fails(driven.open("step-1")))
        assert driven.open().node == "step-1-e2"
        return driven.decides("recover", recovery="Mend it again")

    assert twice(Policy(max_recovery_attempts=1)).verdict.failed_node == "step-1"
    assert twice(Policy(max_recovery_attempts=2)).open().node == "step-1-r2"


def test_recover_without_saying_how_stops():
    assert failed_at_first().decides("recover").verdict.failed_node == "step-1"


def test_a_recovery_is_told_by_the_number_of_the_sub_task_that_it_mends():
    driven = failed_at_first().decides("recover", recovery="Mend it")
    mending = driven.open()
    driven.ends(mending)
    again = driven.open()
    driven.ends(again)

    placed = [(task.node, task.position, task.total) for task in (mending, again, driven.open())]
    assert placed == [("step-1-r1", 1, 3), ("step-1", 1, 3), ("step-2", 2, 3)]


def test_recovery_may_fill_the_limit_of_sub_tasks_but_not_pass_it():
    assert failed_at_first(limits=Limits(max_subtasks=4)).decides("recover", recovery="Mend it").open()
    assert failed_at_first(limits=Limits(max_subtasks=3)).decides("recover", recovery="Mend it").verdict.failed_node


def test_an_evaluation_without_a_decision_stops_with_the_original_fail():
    driven = failed_at_first()
    driven.ends(driven.open("step-1-e1"))

    assert (driven.verdict.failed_node, driven.verdict.cause) == ("step-1", Cause.PRODUCT)


def test_an_evaluation_that_fails_stops_with_the_original_fail():
    driven = failed_at_first()
    driven.ends(driven.open("step-1-e1"), fails(driven.open("step-1-e1"), Failure.LIMIT))

    assert (driven.verdict.failed_node, driven.verdict.cause) == ("step-1", Cause.PRODUCT)


def test_an_evaluation_that_infrastructure_fails_is_tried_again():
    driven = failed_at_first()
    driven.ends(driven.open("step-1-e1"), faults(driven.open("step-1-e1")))
    driven.waits(5.0)

    assert driven.open().id == "run-1.step-1-e1.2"


def test_a_sub_task_under_way_in_another_session_is_not_waited_for_once_the_run_has_failed():
    driven = Driven.planned(plan=side_by_side(3))
    driven.ends(driven.open("n0"), fails(driven.open("n0"), Failure.EXPECTATION_FALSE))
    verdict = driven.verdict
    driven.ends(passes_of(driven, "n1"))

    assert driven.run.verdict == verdict
    assert len(driven.logged(VerdictReached)) == 1


def passes_of(driven: Driven, node: str) -> Any:
    task = driven.run.graph[node].sub_task
    assert task is not None
    return task


def faulted(failure: Failure = Failure.INFRASTRUCTURE) -> Driven:
    driven = Driven.planned()
    return driven.ends(driven.open(), faults(driven.open(), failure))


def pause(driven: Driven) -> float:
    return driven.logged(RetryPlanned)[-1].not_before - driven.now


def test_an_infrastructure_fault_is_tried_again_after_a_pause():
    driven = faulted()

    assert driven.tasks == []
    assert 1.0 <= pause(driven) <= 1.2
    assert SetTimer("retry:step-1:1", driven.now + pause(driven)) in driven.effects
    driven.happens(TimerFired(timer="retry:step-1:1"), after=pause(driven))
    assert driven.open().id == "run-1.step-1.2"


def test_a_retry_timer_that_fires_early_by_another_clock_counts():
    driven = faulted().happens(TimerFired(timer="retry:step-1:1"), after=0.1)

    assert driven.open().id == "run-1.step-1.2"


def test_nothing_that_happens_during_the_pause_ends_it():
    driven = faulted().happens(TimerFired(timer="something else"), after=0.1)

    assert driven.tasks == []


def pauses(run: str, attempts: int = 8) -> list[float]:
    driven, found = Driven.planned(run=run, policy=Policy(max_attempts=attempts)), list[float]()
    while driven.run.verdict is None:
        driven.ends(driven.open(), faults(driven.open()))
        if driven.run.verdict is None:
            found.append(pause(driven))
            driven.waits(pause(driven))
    return found


def test_pauses_double_up_to_their_limit_and_never_exceed_it():
    found = pauses("run-1")

    assert len(found) == 7
    assert 2.0 <= found[1] <= 2.4
    assert 4.0 <= found[2] <= 4.8
    assert found[3:] == pytest.approx([5.0] * 4)  # pyright: ignore[reportUnknownMemberType]


def test_pauses_are_the_same_for_the_same_run_and_differ_between_runs():
    assert pauses("run-1") == pauses("run-1")
    assert len({pauses(f"run-{number}")[0] for number in range(8)}) > 4


def test_a_sub_task_is_tried_three_times_in_all():
    driven = Driven.planned()
    ids: list[str] = []
    while driven.run.verdict is None:
        ids.append(driven.open().id)
        driven.ends(driven.open(), faults(driven.open()))
        driven.waits(10.0)

    assert ids == ["run-1.step-1.1", "run-1.step-1.2", "run-1.step-1.3"]
    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.ENVIRONMENT, "step-1")


def test_faults_do_not_count_as_results_unless_they_end_the_run():
    driven = faulted()
    driven.waits(5.0)
    while driven.run.verdict is None:
        driven.ends(driven.open())

    assert driven.verdict.status == "pass"
    assert driven.verdict.results[0].task == "run-1.step-1.2"


def test_what_has_acted_is_never_tried_again():
    driven = Driven.planned()
    driven.ends(driven.open(), faults(driven.open(), acted=True))

    assert (driven.verdict.cause, driven.verdict.results[0].acted) == (Cause.ENVIRONMENT, True)


def test_what_its_agents_file_says_is_final_is_never_tried_again():
    driven = Driven.planned()
    driven.ends(driven.open(), faults(driven.open(), final=True))

    assert not driven.logged(RetryPlanned)


def test_a_fail_is_no_fault_and_is_not_retried():
    driven = Driven.planned()
    driven.ends(driven.open(), fails(driven.open(), Failure.INFRASTRUCTURE)).decides("stop")

    assert not driven.logged(RetryPlanned)
