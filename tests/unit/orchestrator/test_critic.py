"""The critic of plans: it sends back, twice at most, and the rules stay above it."""

from typing import Any

from driven import Driven, a_case, fails, plan_of, statuses
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.test_case.critic_rules import MOST_SENT_BACK
from muster_protocol.causes import Failure
from muster_protocol.events import Policy, SubTaskDispatched
from muster_protocol.examiner_work import CritiqueInput, CritiqueOutput, PlanIssue
from muster_protocol.kinds import PlanInput
from muster_protocol.plans import Plan

CASE = a_case(checked_by=("critic",))
ISSUE = PlanIssue(kind="incomplete", text="nobody signs in", step=1)
BACK = CritiqueOutput(issues=(ISSUE,), suggestions=("Sign in first",), confidence=0.9, revise=True)


def planned_by(source: Any = "model", case: Any = CASE, **more: Any) -> Driven:
    driven = Driven(case, **more)
    return planned(driven, source)


def planned(driven: Driven, source: Any = "model", plan: Plan | None = None) -> Driven:
    return driven.ends(driven.open("plan"), plan=plan or plan_of(CASE), source=source)


def says(driven: Driven, output: CritiqueOutput) -> Driven:
    [task] = [task for task in driven.tasks if task.kind == "critique"]
    return driven.ends(task, output=output)


def test_without_being_asked_for_there_is_no_critic():
    driven = Driven.planned(a_case())
    assert not [it for it in driven.logged(SubTaskDispatched) if it.sub_task.kind == "critique"]
    assert driven.case.plan is not None


def test_a_critic_reads_case_and_plan_before_the_plan_counts():
    driven = planned_by()
    [task] = [task for task in driven.tasks if task.kind == "critique"]
    assert isinstance(task.input, CritiqueInput)
    assert (task.agent, task.input.plan, task.input.case.steps) == ("critic", plan_of(CASE), CASE.steps)
    assert driven.case.plan is None

    says(driven, CritiqueOutput(confidence=0.8))
    assert driven.case.plan is not None


def test_the_setting_of_a_fleet_has_each_case_examined():
    driven = planned_by(case=a_case(), policy=Policy(checkers=("critic",)))
    assert [task.kind for task in driven.tasks] == ["critique"]


def test_a_plan_that_is_sent_back_is_made_again_with_what_was_found():
    driven = says(planned_by(), BACK)
    again = driven.open("plan")
    assert isinstance(again.input, PlanInput)
    assert (again.attempt, again.input.critique) == (2, ("step 1: nobody signs in", "Sign in first"))
    assert driven.case.plan is None


def test_a_plan_is_sent_back_twice_at_most_and_counts_then():
    driven = planned_by()
    for _ in range(MOST_SENT_BACK):
        planned(says(driven, BACK))
    says(driven, BACK)
    assert driven.case.plan is not None
    assert [critique.revise for critique in driven.case.critiques] == [True, True, False]


def test_a_plan_that_no_model_made_is_not_made_again():
    driven = says(planned_by("script"), BACK)
    assert driven.case.plan is not None
    assert driven.case.critiques[0].issues == (ISSUE,)


def test_a_critic_that_fails_holds_nobody_up():
    driven = planned_by()
    [task] = driven.tasks
    driven.ends(task, fails(task, Failure.UNPARSABLE))
    assert driven.case.plan is not None
    assert statuses(driven.run, ["critique-1"]) == ["failing"]


def test_what_the_rules_refuse_is_shown_to_no_critic():
    driven = Driven(CASE)
    planned(driven, plan=replace(plan_of(CASE), nodes=plan_of(CASE).nodes[:1]))
    assert not driven.tasks
    assert "the plan was refused" in driven.verdict.summary


def test_a_plan_that_becomes_wrong_by_a_critique_is_refused_all_the_same():
    driven = says(planned_by(), BACK)
    planned(driven, plan=replace(plan_of(CASE), nodes=plan_of(CASE).nodes[1:]))
    assert "the plan was refused" in driven.verdict.summary
