"""The rest of a case is planned again once, faithful to what is written; what is done stays done."""

from driven import Driven, a_case, fails, passes, statuses
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.test_case.replan_rules import REPLANNING
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import PlanMade, Policy
from muster_protocol.plans import Plan, PlanNode

CASE = a_case("One is seen", "Two is seen", "Three is seen")
AGAIN = Policy(replan=True)


def replanning(policy: Policy = AGAIN, case: object = CASE) -> Driven:
    driven = Driven.planned(case, policy=policy)  # type: ignore[arg-type]
    driven.ends(driven.open("step-1"))
    return driven.ends(driven.open("step-2"), fails(driven.open("step-2"), Failure.GAVE_UP)).decides(
        "replan", reason="first open the menu"
    )


def rest(*expected: str) -> Plan:
    """Return a plan of steps 2 and 3, the first of them split."""
    steps = CASE.steps[1:]
    return Plan(
        nodes=(
            PlanNode(id="a", covers=(0,), description=steps[0].action),
            PlanNode(id="b", covers=(0,), description="Look", expected_result="anything at all", needs=("a",)),
            PlanNode(id="c", covers=(1,), description=steps[1].action, expected_result="x", needs=("b",)),
        )
    )


def test_what_is_left_is_planned_again_and_expects_what_is_written():
    driven = replanning()
    task = driven.open(REPLANNING)
    assert [step.action for step in task.input.case.steps] == [step.action for step in CASE.steps[1:]]  # type: ignore[union-attr]
    assert "first open the menu" in task.input.critique  # type: ignore[union-attr]

    driven.ends(task, plan=rest())
    [_, made] = driven.logged(PlanMade)
    assert (made.replaces, [node.covers for node in made.plan.nodes]) == (("step-2", "step-3"), [(1,), (1,), (2,)])
    for node, expected in (("again-a", ""), ("again-b", CASE.steps[1].expected), ("again-c", CASE.steps[2].expected)):
        assert driven.open(node).step.expected_result == expected
        driven.ends(driven.open(node))
    assert (driven.verdict.status, driven.run.graph.total) == ("pass", 4)
    assert statuses(driven.run, ["step-1", "again-c"]) == ["passed", "passed"]


def test_a_plan_that_drops_a_step_is_refused_and_the_run_fails_as_it_had():
    driven = replanning()
    plan = replace(rest(), nodes=rest().nodes[:2])
    driven.ends(driven.open(REPLANNING), plan=plan)
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.AGENT)
    assert "could not be planned again: step 2 is covered by no sub-task" in driven.verdict.summary


def test_it_is_done_once_a_run_and_only_where_it_is_allowed():
    driven = replanning()
    driven.ends(driven.open(REPLANNING), plan=rest())
    driven.ends(driven.open("again-a"), fails(driven.open("again-a"), Failure.GAVE_UP))
    assert not driven.open("again-a-e1").input.may_replan  # type: ignore[union-attr]
    assert driven.decides("replan").verdict.status == "fail"
    assert replanning(Policy()).verdict.status == "fail"


def test_a_step_that_is_half_done_is_not_begun_anew():
    nodes = (
        PlanNode(id="a", covers=(0,), description="Do one half", session="main"),
        PlanNode(id="b", covers=(0,), description="Do thing 1", expected_result="One is seen", needs=("a",)),
    )
    driven = Driven.planned(a_case("One is seen"), plan=Plan(nodes=nodes), policy=AGAIN)
    driven.ends(driven.open("a"), passes(driven.open("a"), unverified=True))
    driven.ends(driven.open("b"), fails(driven.open("b"), Failure.GAVE_UP))
    assert driven.decides("replan").verdict.status == "fail"
