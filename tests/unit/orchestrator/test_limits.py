"""What ends a run before its plan is done: cancelling, its time, its budgets; and pausing, which does not."""

from collections.abc import Callable

import pytest
from driven import START, Driven, a_case, fails, faults, limits, passes
from msgspec.structs import replace

from muster_orchestrator.machine import Conclude, SetTimer
from muster_protocol.causes import Cause, Failure
from muster_protocol.codec import encode
from muster_protocol.control import Answer, Cancel, Pause, Resume
from muster_protocol.estimates import Estimate
from muster_protocol.events import (
    ControlApplied,
    GivenUp,
    OwnerChanged,
    Policy,
    SubTaskEnded,
    TimerFired,
    VerdictReached,
)
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Drill
from muster_protocol.tool_calls import Usage

CANCEL = Cancel(id="c1", by="Ada", reason="wrong build")


def recovering() -> Driven:
    driven = Driven.planned()
    return driven.ends(driven.open(), fails(driven.open())).decides("recover", recovery="Mend it")


def evaluating() -> Driven:
    driven = Driven.planned()
    return driven.ends(driven.open(), fails(driven.open()))


def between_tries() -> Driven:
    driven = Driven.planned()
    return driven.ends(driven.open(), faults(driven.open()))


STAGES: dict[str, Callable[[], Driven]] = {
    "planning": Driven,
    "waiting for its session": lambda: (driven := Driven()).ends(driven.open(), plan=Driven.planned().case.plan),
    "executing": Driven.planned,
    "in its last sub-task": lambda: Driven.planned(a_case("One is seen")),
    "between two tries": between_tries,
    "evaluating": evaluating,
    "recovering": recovering,
    "paused": lambda: Driven.planned().asked(Pause(id="p1")),
    "a drill": lambda: Driven(Drill(count=3)),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_run_can_be_cancelled_while_it_is(stage: str):
    driven = STAGES[stage]()
    sessions = tuple(driven.run.sessions.open.values())
    driven.asked(CANCEL)

    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.CANCELLED)
    assert driven.verdict.summary == "cancelled by Ada: wrong build"
    [conclude] = driven.effects
    assert isinstance(conclude, Conclude)
    assert conclude.sessions == sessions


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_that_comes_after_the_verdict_changes_it(stage: str):
    driven = STAGES[stage]()
    open_tasks = driven.tasks
    driven.asked(CANCEL)
    verdict = driven.verdict
    for task in open_tasks:
        driven.ends(task)
    driven.asked(Cancel(id="c2", by="Bob")).asked(Resume(id="r1")).happens(TimerFired(timer="run"))

    assert driven.run.verdict == verdict
    assert len(driven.logged(VerdictReached)) == 1
    assert [type(effect) for effect in driven.effects] == [Conclude]


def test_a_run_cancelled_in_its_very_first_entry_dispatches_nothing():
    driven = Driven.planned()
    opened = driven.events[0]
    first = Driven(Drill(count=2))
    first.run, first.entries = type(first.run)(), []
    first.happens(opened, ControlApplied(control=CANCEL))

    assert [type(event).__name__ for event in first.events] == ["RunOpened", "ControlApplied", "VerdictReached"]


def test_the_first_to_cancel_is_named():
    driven = Driven.planned()
    driven.happens(ControlApplied(control=CANCEL), ControlApplied(control=Cancel(id="c2", by="Bob")))

    assert driven.verdict.summary == "cancelled by Ada: wrong build"


def test_a_sub_task_that_its_worker_cancelled_ends_the_run_as_cancelled():
    driven = Driven.planned()
    driven.ends(driven.open(), fails(driven.open(), Failure.CANCELLED, status="cancelled"))

    assert driven.verdict.cause == Cause.CANCELLED


def test_the_same_control_counts_once():
    driven = Driven.planned().asked(Pause(id="p1")).asked(Resume(id="r1")).asked(Pause(id="p1"))

    assert not driven.run.people.paused
    assert driven.run.people.controls == ("p1", "r1")


def test_a_paused_run_lets_what_is_open_finish_and_dispatches_nothing_more():
    driven = Driven.planned().asked(Pause(id="p1"))
    assert driven.open().node == "step-1"
    driven.ends(driven.open())
    assert driven.tasks == []
    assert driven.run.verdict is None
    driven.asked(Resume(id="r1"))
    assert driven.open().node == "step-2"


def test_a_pause_does_not_hold_up_the_end():
    driven = Driven.planned(a_case("One is seen")).asked(Pause(id="p1"))
    driven.ends(driven.open())

    assert driven.verdict.status == "pass"


def test_an_answer_nobody_asked_for_changes_nothing():
    driven = Driven.planned()
    before = driven.run
    driven.asked(Answer(id="a1", question="q", text="yes"))

    assert driven.run.graph == before.graph
    assert driven.open().node == "step-1"


def test_a_run_that_takes_too_long_fails_as_the_agents_and_says_how_far_it_got():
    driven = Driven.planned(limits=limits(timeout_seconds=60))
    driven.ends(driven.open())
    driven.waits(60)

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.AGENT, "")
    assert driven.verdict.summary == "not finished within 60 s (limits: timeout_seconds); 1/3 sub-tasks passed"


def test_the_time_of_a_run_counts_from_its_first_event_by_its_own_limit():
    driven = Driven.planned(limits=limits(timeout_seconds=60))

    assert SetTimer("run", START + 60) in driven.effects
    assert driven.open().finish_by == START + 60
    assert SetTimer("run", START + 7) in Driven(policy=Policy(run_seconds=7)).effects


def test_an_outcome_stored_in_time_beats_the_timer_that_fires_with_it():
    driven = Driven.planned(a_case("One is seen"))
    task = driven.open()
    other = Driven.planned(a_case("One is seen"))
    driven.ends(task)
    outcome = driven.logged(SubTaskEnded)[-1]
    other.happens(TimerFired(timer="run"), outcome)

    assert other.verdict.status == "pass"


def test_a_fail_that_comes_with_the_timer_is_told_rather_than_the_timer():
    driven = Driven.planned()
    outcome = SubTaskEnded(outcome=fails(driven.open(), Failure.EXPECTATION_FALSE))
    driven.happens(TimerFired(timer="run"), outcome)

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.PRODUCT, "step-1")


def test_a_timer_nobody_set_changes_nothing():
    driven = Driven.planned().happens(TimerFired(timer="retry:step-1:1"))

    assert driven.run.verdict is None
    assert driven.open().attempt == 1


@pytest.mark.parametrize(
    ("bounds", "usage", "said", "cause"),
    [
        ({"max_calls": 5}, Usage(calls=5), "5 of max_calls 5", Cause.AGENT),
        ({"max_tokens": 100}, Usage(input_tokens=90, output_tokens=20), "110 of max_tokens 100", Cause.AGENT),
        ({"max_cost": 0.5}, Usage(cost=0.75), "0.75 of max_cost 0.5", Cause.BUDGET),
    ],
)
def test_a_used_up_budget_ends_the_run_before_the_next_sub_task(
    bounds: dict[str, float], usage: Usage, said: str, cause: Cause
):
    driven = Driven.planned(limits=limits(**bounds))
    driven.ends(driven.open(), usage=usage)

    assert driven.tasks == []
    assert (driven.verdict.cause, driven.verdict.summary) == (cause, f"the budget is used up: {said}")


@pytest.mark.parametrize("failure", [Failure.ELEMENT_MISSING, Failure.MONEY_SPENT])
def test_a_run_whose_money_is_spent_when_a_step_fails_never_blames_the_product(failure: Failure):
    driven = Driven.planned(limits=limits(max_cost=0.5))
    driven.ends(driven.open(), fails(driven.open(), failure, usage=Usage(cost=0.5)))

    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.BUDGET)


def opened_with(estimate: Estimate) -> Driven:
    return Driven(estimate=estimate, limits=limits(max_cost=0.5))


def test_a_run_that_is_estimated_at_more_than_it_may_cost_is_refused_before_anything_is_spent():
    driven = opened_with(Estimate(usage=Usage(cost=0.6), steps=3))

    assert (driven.tasks, driven.verdict.status, driven.verdict.cause) == ([], "fail", Cause.BUDGET)
    assert "earlier runs of its steps came to 0.6, and it may cost 0.5" in driven.verdict.summary


def test_an_estimate_that_may_be_spent_or_is_unknown_refuses_nothing():
    for estimate in (Estimate(usage=Usage(cost=0.5), steps=3), Estimate(steps=3, unknown=(1, 2, 3))):
        assert opened_with(estimate).run.verdict is None


def test_a_budget_that_is_used_up_by_the_last_sub_task_does_not_spoil_the_pass():
    driven = Driven.planned(a_case("One is seen"), limits=limits(max_calls=5))

    assert driven.ends(driven.open(), usage=Usage(calls=9)).verdict.status == "pass"


def test_tries_that_failed_through_infrastructure_are_spent_all_the_same():
    driven = Driven.planned(limits=limits(max_calls=5))
    driven.ends(driven.open(), faults(driven.open(), usage=Usage(calls=5)))

    assert driven.verdict.summary == "the budget is used up: 5 of max_calls 5"


def test_no_sub_task_gets_more_than_the_run_has_left():
    driven = Driven.planned(limits=limits(max_calls=10, max_tokens=1000))
    assert (driven.open().budget.calls, driven.open().budget.tokens) == (10, 1000)
    driven.ends(driven.open(), usage=Usage(calls=4, input_tokens=300))

    budget = driven.open().budget
    assert (budget.calls, budget.tokens) == (6, 700)
    assert (budget.iterations, budget.seconds) == (15, 180.0)


def test_with_the_budget_used_up_nothing_new_begins_beside_what_is_under_way():
    nodes = [
        PlanNode(id="n0", covers=(0,), description="Do thing 1", expected_result="x", session="s0"),
        PlanNode(id="n1", covers=(1,), description="Do thing 2", expected_result="x", session="s1"),
        PlanNode(id="n2", covers=(2,), description="Do thing 3", expected_result="x", session="s0", needs=("n0",)),
    ]
    driven = Driven.planned(plan=Plan(nodes=tuple(nodes)), limits=limits(max_calls=5))
    driven.ends(driven.open("n0"), usage=Usage(calls=5))

    assert [task.node for task in driven.tasks] == ["n1"]
    assert driven.run.verdict is None
    driven.ends(driven.open("n1"))
    assert driven.verdict.summary == "the budget is used up: 5 of max_calls 5"


def test_without_limits_of_its_own_a_run_has_no_budget_to_use_up():
    driven = Driven.planned()
    driven.ends(driven.open(), usage=Usage(calls=10_000, input_tokens=10**9, cost=1e6))

    assert driven.open().node == "step-2"


def lose_owners(driven: Driven, times: int) -> None:
    for _ in range(times):
        run = driven.run
        driven.happens(OwnerChanged(owner="b", epoch=run.owner.epoch + 1, message=1, delivery=run.owner.delivery + 1))


def test_a_run_that_costs_one_owner_after_another_is_given_up():
    driven = Driven.planned()
    lose_owners(driven, 19)
    assert driven.run.verdict is None
    lose_owners(driven, 1)

    assert driven.verdict.cause == Cause.AGENT
    assert driven.verdict.summary == "given up: 20 orchestrators in a row were lost before another sub-task ended"
    assert len(driven.logged(GivenUp)) == 1
    [conclude] = [it for it in driven.effects if isinstance(it, Conclude)]
    assert conclude.given_up == "20 orchestrators in a row were lost before another sub-task ended"


def test_how_many_owners_may_be_lost_is_a_setting():
    driven = Driven.planned(policy=Policy(max_takeovers=2))
    lose_owners(driven, 2)

    assert driven.verdict.summary.startswith("given up: 2 orchestrators in a row")


def test_a_run_that_had_its_verdict_before_its_owners_were_lost_is_not_given_up():
    driven = Driven.planned(policy=Policy(max_takeovers=2))
    driven.asked(CANCEL)
    lose_owners(driven, 3)

    assert driven.verdict.cause == Cause.CANCELLED
    assert driven.logged(GivenUp) == []
    assert [it.given_up for it in driven.effects if isinstance(it, Conclude)] == [""]


def test_owners_may_be_lost_as_often_as_it_takes_while_sub_tasks_end():
    driven = Driven.planned()
    while driven.run.verdict is None:
        lose_owners(driven, 15)
        driven.ends(driven.open())

    assert driven.verdict.status == "pass"


def test_a_verdict_fits_into_one_message_whatever_was_seen():
    case = a_case(*[f"Thing {number} is seen" for number in range(30)])
    driven = Driven.planned(case)
    while driven.run.verdict is None:
        seen = replace(passes(driven.open()).step.evidence[0], seen="x" * 30_000)
        driven.ends(driven.open(), evidence=(seen,))

    assert (
        driven.verdict.status,
        len(driven.verdict.results),
        sum(len(it.step.evidence) for it in driven.verdict.results),
    ) == ("pass", 30, 30)
    assert len(encode(driven.entries[-1])) < 1_000_000
    small = Driven.planned(a_case("One is seen"))
    small.ends(small.open())
    assert small.verdict.results == small.run.results
