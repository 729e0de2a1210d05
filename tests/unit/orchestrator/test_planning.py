"""Plans: what is refused, and that expectations are taken from the case, whatever a planner makes of them."""

from typing import Any

import pytest
from driven import EXPECTED, Driven, a_case, in_its_sessions, plan_of
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.drill import drill_rules
from muster_orchestrator.machine.jobs.test_case.planning import find_faults, restore_expectations
from muster_protocol.causes import Cause
from muster_protocol.events import PlanMade, PlanRefused, SubTaskDispatched
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Drill, Limits, Step, TestCase

CASE = a_case("One is seen", "", "Three is seen", preconditions=("The shop is open",))


def node(id: str, *covers: int, expected: str = "it worked", **more: Any) -> PlanNode:
    said = " ".join(CASE.steps[index].action for index in covers if 0 <= index < 3) or "Do something"
    told: dict[str, Any] = {"description": said, **more}
    return PlanNode(id=id, covers=covers, expected_result=expected, **told)


def plan(*nodes: PlanNode) -> Plan:
    """Return a plan in which each sub-task waits for the one before, if it does not say what for."""
    before = ["", *(it.id for it in nodes)]
    chained = (replace(it, needs=it.needs or ((b,) if b else ())) for b, it in zip(before, nodes, strict=False))
    return Plan(nodes=tuple(chained))


def refused(*nodes: PlanNode, limit: int = 30) -> str:
    made = plan(*nodes)
    return "; ".join(find_faults(in_its_sessions(CASE, made), made, limit))


PRE = node("pre-1", precondition=True, description="The shop is open")


def test_the_steps_as_written_are_an_acceptable_plan():
    assert find_faults(CASE, plan_of(CASE), 30) == ()


def test_steps_may_be_split_and_added_to():
    assert not refused(PRE, node("a", 0), node("b", 0), node("helper", expected=""), node("c", 1), node("d", 2))


def test_a_step_that_no_sub_task_covers_is_named():
    assert refused(PRE, node("a", 0), node("b", 1)) == "step 3 is covered by no sub-task"


def test_an_expectation_that_no_sub_task_carries_is_named():
    assert refused(PRE, node("a", 0), node("b", 1), node("c", 2, expected="")) == (
        "no sub-task has the expectation of step 3"
    )


def test_a_step_that_expects_nothing_needs_no_carrier():
    assert not refused(PRE, node("a", 0), node("b", 1, expected=""), node("c", 2))


def test_a_missing_precondition_is_refused():
    text = "the preconditions are not covered one by one, as written"
    steps = (node("a", 0), node("b", 1), node("c", 2))
    assert refused(*steps) == text
    assert refused(node("pre-1", precondition=True, description="All is well"), *steps) == text


@pytest.mark.parametrize("merged", [(0, 1), (1, 2)], ids=["an expectation between", "nothing expected between"])
def test_a_sub_task_that_carries_out_several_steps_is_refused(merged: tuple[int, int]):
    [left] = {0, 1, 2}.difference(merged)
    nodes = sorted((node("a", *merged), node("b", left)), key=lambda it: it.covers)
    assert refused(PRE, *nodes) == "sub-task 'a' covers more than one step"


def test_a_step_in_other_words_is_refused():
    assert refused(PRE, node("a", 0, description="Do nothing"), node("b", 1), node("c", 2)) == (
        "sub-task 'a' rewords step 1"
    )


def test_parts_of_a_step_that_leave_out_what_it_quotes_are_refused():
    case = TestCase(name="x", steps=(Step(action='Type "Ann" and "Bob"', expected="Both are there"),))
    parts = (node("a", 0, description='Type "Ann"'), node("b", 0, description='Type "Bob"'))
    assert find_faults(case, plan(*parts), 30) == ()
    assert find_faults(case, plan(parts[0], node("b", 0, description="Type the other")), 30) == (
        "the sub-tasks of step 1 leave out 'Bob'",
    )


def test_steps_in_another_order_are_refused():
    assert "changes the order" in refused(PRE, node("b", 1), node("a", 0), node("c", 2))


def test_sub_tasks_of_one_session_that_do_not_wait_for_each_other_are_refused():
    first, last = node("a", 0), node("c", 2)
    text = refused(PRE, first, node("b", 1, needs=("pre-1",)), last)
    assert text == "sub-task 'b' does not wait for 'a' in the same session"
    assert not refused(PRE, first, node("b", 1, needs=("pre-1",), session="other"), replace(last, needs=("a",)))


def test_too_many_sub_tasks_are_refused_with_the_limit_by_name():
    text = refused(PRE, node("a", 0), node("b", 1), node("c", 2), limit=3)
    limit = "limits.max_subtasks of the case, else ORCHESTRATOR_MAX_SUBTASKS"
    assert text == f"the plan has 4 sub-tasks, the limit is 3 ({limit})"
    assert not refused(PRE, node("a", 0), node("b", 1), node("c", 2), limit=4)


def test_two_sub_tasks_of_one_id_are_refused():
    assert "the same id" in refused(PRE, node("a", 0), node("a", 1, 2))


@pytest.mark.parametrize("needs", ["b", "later", "nowhere"])
def test_a_need_must_come_before_the_sub_task_that_has_it(needs: str):
    text = refused(PRE, node("a", 0), node("b", 1, needs=(needs,)), node("later", 2))
    assert text.startswith("sub-task 'b' needs a sub-task that does not come before it")


@pytest.mark.parametrize("id", ["", "two words", "a.b", "plan", "x" * 65, "a*", "a>"])
def test_an_id_that_is_no_subject_token_or_that_of_planning_is_refused(id: str):
    assert f"{id!r} needs another id" in refused(PRE, node(id, 0, 1, 2))


def test_a_session_name_that_is_no_subject_token_is_refused():
    assert "invalid session name" in refused(PRE, node("a", 0, 1, 2, session="my session"))


@pytest.mark.parametrize("kind", ["noop", "plan", "evaluate", "wizard"])
def test_a_kind_whose_pass_nobody_judges_cannot_carry_out_a_step(kind: str):
    assert f"is of kind {kind!r}" in refused(PRE, node("a", 0, 1, 2, kind=kind))


@pytest.mark.parametrize("index", [-1, 3])
def test_covering_a_step_that_is_not_there_is_refused(index: int):
    assert "covers a step that does not exist" in refused(PRE, node("a", 0, 1, 2), node("b", index))


def test_a_precondition_cannot_cover_a_step_and_so_keep_its_own_expectation():
    assert "it can be one of the two" in refused(node("a", 0, 1, 2, precondition=True))


def test_an_adopted_plan_has_the_expectations_of_the_case_verbatim():
    reworded = plan(PRE, node("a", 0, expected="One is roughly seen"), node("b", 1), node("c", 2, expected="3"))

    expectations = {it.id: it.expected_result for it in restore_expectations(CASE, reworded).nodes}

    assert expectations == {"pre-1": "it worked", "a": "One is seen", "b": "", "c": "Three is seen"}


def test_of_several_sub_tasks_for_one_step_the_last_carries_its_expectation():
    nodes = {it.id: it for it in restore_expectations(CASE, plan(node("a", 0), node("b", 0), node("c", 1, 2))).nodes}

    assert (nodes["a"].expected_result, nodes["b"].expected_result) == ("", "One is seen")


def test_a_sub_task_that_covers_several_steps_carries_the_expectations_of_each_in_lines():
    [only] = restore_expectations(CASE, plan(node("all", 0, 1, 2))).nodes

    assert only.expected_result == "One is seen\nThree is seen"


def test_an_added_sub_task_loses_an_expectation_of_its_own():
    nodes = {
        it.id: it for it in restore_expectations(CASE, plan(node("extra", expected="Well"), node("a", 0, 1, 2))).nodes
    }

    assert nodes["extra"].expected_result == ""


def test_a_drill_is_a_chain_of_sub_tasks_that_need_no_session():
    made = drill_rules.build_plan(Drill(count=12)).nodes

    assert [it.id for it in made][:2] == ["drill-01", "drill-02"]
    assert [it.needs for it in made] == [(), *((it.id,) for it in made[:-1])]
    assert {(it.kind, it.session) for it in made} == {("noop", "")}


def test_a_refused_plan_ends_the_run_and_blames_the_agent():
    driven = Driven(CASE)
    driven.ends(driven.open("plan"), plan=plan(PRE, node("a", 0)))

    [told] = driven.logged(PlanRefused)
    assert told.reasons == ("step 2 is covered by no sub-task", "step 3 is covered by no sub-task")
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.AGENT)
    assert driven.verdict.summary.startswith("the plan was refused: step 2 is covered by no sub-task; step 3")
    assert not driven.logged(PlanMade)


def test_a_planner_that_gives_no_plan_is_refused():
    driven = Driven()
    driven.ends(driven.open("plan"))

    assert driven.verdict.summary == "the result holds no output of kind plan"


def test_the_limit_of_the_case_counts_instead_of_the_policy():
    case = a_case(*[f"Thing {number} is seen" for number in range(40)])

    assert Driven(case).verdict.summary.startswith("the plan was refused: the plan has 40 sub-tasks, the limit is 30")
    wide = Driven(case, limits=Limits(max_subtasks=40))
    assert wide.ends(wide.open("plan"), plan=plan_of(case)).run.graph.total == 40


def test_a_case_that_no_plan_can_fit_is_refused_before_anybody_makes_one():
    case = a_case("", "", "Both are seen", "", preconditions=("The shop is open",))
    short = Driven(case, limits=Limits(max_subtasks=4))

    assert short.logged(SubTaskDispatched) == [] and short.opening == []
    assert "the plan has 5 sub-tasks, the limit is 4" in short.verdict.summary
    assert Driven(case, limits=Limits(max_subtasks=5)).open().kind == "plan"


def test_what_a_worker_is_handed_has_the_expectation_of_the_case():
    case = a_case(EXPECTED)
    driven = Driven.planned(case, plan=plan(node("a", 0, expected="The title is roughly right")))

    assert driven.open().step.expected_result == EXPECTED


def test_the_plan_in_the_log_stays_as_the_planner_made_it():
    case = a_case(EXPECTED)
    reworded = plan(node("a", 0, expected="The title is roughly right"))
    driven = Driven.planned(case, plan=reworded)

    assert driven.logged(PlanMade)[0].plan == reworded
    assert driven.case.plan == plan(replace(reworded.nodes[0], expected_result=EXPECTED))
