"""What is told of a run: lines for people, its row in the list, and what of the news can change it."""

import time
from typing import Any

import pytest
from driven import START, Driven, a_case, fails, faults

from muster_bus import LogLine
from muster_orchestrator.control_handler import cancel_queued
from muster_orchestrator.machine import Run, evolve, fold, open_tasks
from muster_orchestrator.narration import describe_event
from muster_orchestrator.run_watch import is_relevant
from muster_orchestrator.snapshots import build_row
from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.events import (
    ControlApplied,
    OwnerChanged,
    Parked,
    RunClosed,
    RunOpened,
    SessionFailed,
    SessionOpened,
    SubTaskEnded,
    TimerFired,
    VerdictReached,
)
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.sessions import SessionRef

CANCEL = Cancel(id="c1", by="Ada", reason="wrong build")


def told(driven: Driven) -> list[LogLine]:
    """Return the lines of a whole log, told as its owner tells them."""
    run, found = Run(), list[LogLine]()
    for entry in driven.entries:
        run = fold(run, [entry])
        found += [line for event in entry.events if (line := describe_event(run, event))]
    return found


@pytest.mark.parametrize(
    ("failure", "decided", "why"),
    [
        (Failure.GAVE_UP, {"action": "stop", "cause": Cause.PRODUCT}, "the cause stays agent: an evaluator may not"),
        (Failure.ELEMENT_MISSING, {"action": "stop", "cause": Cause.AGENT}, ""),
        (Failure.GAVE_UP, {"action": "recover", "recovery": "Mend it", "cause": Cause.PRODUCT}, ""),
        (Failure.GAVE_UP, {"action": "recover"}, "it names no recovery"),
        (Failure.GAVE_UP, {"action": "replan"}, "may not be planned again"),
        (Failure.GAVE_UP, {"action": "retry", "hint": "Scroll"}, "only a model's step"),
    ],
)
def test_the_log_says_where_a_rule_overrules_an_evaluator(failure: Failure, decided: dict[str, Any], why: str):
    driven = Driven.planned()
    driven.ends(driven.open(), fails(driven.open(), failure)).decides(reason="it is so", **decided)

    [line] = [it.text for it in told(driven) if "Evaluation of step-1" in it.text]
    assert why in line and ("overruled" in line) == bool(why)


def test_a_run_reads_like_a_story():
    driven = Driven.planned(a_case("One is seen", preconditions=("The shop is open",)))
    driven.ends(driven.open(), faults(driven.open(), summary="the worker was lost")).waits(5)
    driven.ends(driven.open())
    driven.happens(OwnerChanged(owner="orchestrator-b", epoch=2, message=1, delivery=2))
    driven.ends(driven.open())

    assert [line.text.removeprefix("[Orchestrator] ") for line in told(driven)] == [
        "Run run-1: A case, 1 step",
        "Planning: done",
        "Planning: decomposed test case into 2 sub-tasks",
        "Session main opened on host-1",
        "Precondition 1/2: The shop is open",
        "Trying pre-1 again: the worker was lost",
        "Precondition 1/2: The shop is open (attempt 2)",
        "Sub-task 2/2: Do thing 1",
        "Taken over by orchestrator-b (owner number 2); finished work is kept",
        "VERDICT: PASS — 2 of 2 sub-tasks passed, 1 unverified",
    ]


def test_lines_carry_what_machines_need_beside_the_text():
    driven = Driven.planned(a_case("One is seen", "Two is seen"))
    line = next(line for line in told(driven) if line.kind == "progress")

    assert (line.node, line.task, line.position, line.total, line.status) == ("step-1", "run-1.step-1.1", 1, 2, "open")


def test_an_evaluation_is_told_with_its_reason():
    driven = Driven.planned(a_case("One is seen"))
    driven.ends(driven.open(), fails(driven.open()))
    driven.decides("stop", reason="the shop is closed", cause=Cause.ENVIRONMENT)
    (line,) = [line for line in told(driven) if "Evaluation" in line.text]

    assert line.text == "[Orchestrator] Evaluation of step-1: stop, cause environment — the shop is closed"
    assert (line.kind, line.node, line.status) == ("decision", "step-1", "stop")


def test_a_refused_pass_and_a_failed_run_stand_out():
    driven = Driven.planned(a_case("One is seen"))
    driven.ends(driven.open(), evidence=())
    refusal, verdict = told(driven)[-2:]

    assert refusal.text.startswith("[Orchestrator] step-1: the claimed pass is refused — nothing was checked for")
    assert (refusal.level, refusal.kind) == ("warning", "decision")
    assert verdict.text.startswith("[Orchestrator] VERDICT: FAIL (agent) — sub-task 1/1 (Do thing 1): nothing was")
    assert (verdict.level, verdict.kind, verdict.status) == ("error", "verdict", "fail")


def test_a_result_that_is_accepted_as_claimed_is_not_told_twice():
    driven = Driven.planned(a_case("One is seen"))
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))

    assert [line.kind for line in told(driven)][-2:] == ["progress", "verdict"]


def test_a_row_shows_how_far_a_run_is():
    driven = Driven.planned(a_case("One is seen", "Two is seen", tags=("smoke",)), suite="shop", labels={"a": "b"})
    row = build_row(driven.run, 7)
    assert (row.run, row.name, row.status, row.done, row.total, row.sequence) == ("run-1", "A case", "running", 0, 2, 7)
    assert (row.suite, row.labels, row.tags, row.owner, row.started_at) == ("shop", {"a": "b"}, ("smoke",), "a", START)

    driven.ends(driven.open())
    assert build_row(driven.run, 8).done == 1
    driven.ends(driven.open())
    ended = build_row(driven.run, 9)
    assert (ended.status, ended.cause, ended.done, ended.ended_at) == ("pass", "", 2, START + 3)
    assert ended.summary == "2 of 2 sub-tasks passed"


def test_done_are_the_sub_tasks_of_the_plan_that_passed_whoever_was_asked_about_the_others():
    def progress(driven: Driven) -> tuple[int, int]:
        row = build_row(driven.run, 1)
        return row.done, row.total

    for failure in (Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING):  # final at once; or an evaluator is asked
        driven = Driven.planned(a_case("One is seen", "Two is seen"))
        driven.ends(driven.open())
        driven.ends(driven.open(), fails(driven.open(), failure))
        assert progress(driven) == (1, 2), failure
    assert progress(driven.decides("continue")) == (1, 2)
    assert driven.verdict.status == "fail"


def test_a_recovery_is_none_of_the_plans_sub_tasks():
    driven = Driven.planned(a_case("One is seen", "Two is seen"))
    driven.ends(driven.open(), fails(driven.open(), Failure.ELEMENT_MISSING)).decides("recover", recovery="Mend it")
    driven.ends(driven.open())
    row = build_row(driven.run, 1)
    assert (row.done, row.total) == (0, 2)
    while driven.run.verdict is None:
        driven.ends(driven.open())
    row = build_row(driven.run, 2)
    assert (row.done, row.total, row.summary.split(",")[0]) == (2, 2, "2 of 2 sub-tasks passed")


def test_a_row_tells_paused_parked_and_failed_runs():
    driven = Driven.planned().asked(Pause(id="p"))
    assert build_row(driven.run, 1).status == "paused"
    driven.asked(Resume(id="r")).happens(Parked(reason="waits"))
    assert build_row(driven.run, 1).status == "parked"
    driven.asked(CANCEL)
    row = build_row(driven.run, 1)
    assert (row.status, row.cause, row.summary) == ("fail", "cancelled", "cancelled by Ada: wrong build")


def test_before_there_is_a_plan_nothing_is_done_of_nothing():
    row = build_row(Driven().run, 1)
    assert (row.status, row.done, row.total) == ("running", 0, 0)


def test_a_run_cancelled_in_the_queue_is_opened_and_closed_in_one_entry():
    request = RunRequest(job=Drill(count=3), id="run-1")
    run, entry = cancel_queued(request, CANCEL, "orchestrator-a", time.time())

    kinds = [type(event) for event in entry.events]
    assert kinds == [RunOpened, ControlApplied, VerdictReached, RunClosed]
    assert fold(Run(), [entry]) == run
    assert run.closed
    assert run.verdict is not None
    assert (run.verdict.status, run.verdict.cause) == ("fail", Cause.CANCELLED)
    assert build_row(run, 1).status == "fail"


def test_only_outcomes_of_open_attempts_are_news():
    driven = Driven.planned()
    task = driven.open()
    ended = SubTaskEnded(outcome=fails(task))

    assert open_tasks(driven.run) == (task,)
    assert is_relevant(ended, driven.run)
    driven.ends(task)
    assert not is_relevant(ended, driven.run)
    assert [task.id for task in open_tasks(driven.run)] == ["run-1.step-2.1"]


SESSION = SessionRef(run="run-1")


def test_a_session_without_a_sandbox_is_warned_of():
    driven = Driven.planned(a_case("One is seen"))
    line = describe_event(driven.run, SessionOpened(session=SESSION))
    assert line is not None
    assert (line.level, "install bubblewrap" in line.text) == ("warning", True)


@pytest.mark.parametrize(
    "event",
    [
        ControlApplied(control=CANCEL),
        TimerFired(timer="run"),
        SessionOpened(session=SESSION),
        SessionFailed(name="main", reason="no room"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_after_the_verdict_nothing_but_the_close_is_news(event: ControlApplied):
    driven = Driven.planned()
    assert is_relevant(event, driven.run)
    driven.asked(Cancel(id="other"))

    assert not is_relevant(event, driven.run)
    assert is_relevant(RunClosed(), driven.run)


def test_what_was_applied_or_has_fired_is_no_news_again():
    run = evolve(Driven.planned().asked(Pause(id="p")).run, TimerFired(timer="t"))

    assert not is_relevant(ControlApplied(control=Pause(id="p")), run)
    assert not is_relevant(TimerFired(timer="t"), run)
    assert is_relevant(TimerFired(timer="u"), run)
