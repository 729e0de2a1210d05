"""Plans for goals: what is wrong with one, which steps are due, and what agents are told."""

from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_protocol.goal_plans import Fault, GoalPlan, GoalStep, PlanOutcome, Review, Risk, StepOutcome
from muster_subagent.workflows import goal_steps

TEAM = ("executor", "tester")


def step(id: str, *needs: str, agent: str = "", **more: str) -> GoalStep:
    return GoalStep(id=id, task=f"do {id}", needs=needs, agent=agent, **more)


def plan(*steps: GoalStep, risks: tuple[Risk, ...] = ()) -> GoalPlan:
    return GoalPlan(steps=steps, risks=risks)


def ended(id: str, status: str = "done", summary: str = "") -> StepOutcome:
    return StepOutcome(id=id, status=status, summary=summary or f"{id} was {status}")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nonsense", "this is no plan"),
        (None, "this is no plan: Expected `object`, got `null`"),
        ({"steps": []}, "this is no plan: Expected `array` of length >= 1"),
        ({"steps": [{"id": "a", "task": "x"}] * 21}, "this is no plan: Expected `array` of length <= 20"),
        ({"steps": [{"id": "a", "task": "x", "why": ""}]}, "this is no plan: Object contains unknown field `why`"),
        ({"steps": [{"id": "a", "task": "x"}, {"id": "a", "task": "y"}]}, "two steps have the id 'a'"),
        (
            {"steps": [{"id": "make", "task": "x"}, {"id": "b", "task": "y", "needs": ["mak"]}]},
            "step b needs 'mak', which is no step (did you mean 'make'?)",
        ),
        (
            {"steps": [{"id": "a", "task": "x", "agent": "testr"}]},
            "step a is for 'testr', who is not there (did you mean 'tester'?): executor, tester",
        ),
        (
            {"steps": [{"id": "a", "task": "x", "needs": ["b"]}, {"id": "b", "task": "y", "needs": ["a"]}]},
            "these steps need each other",
        ),
        ({"steps": [{"id": "a", "task": "x", "needs": ["a"]}]}, "these steps need each other: a"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_told_with_the_reason(given: object, said: str):
    found = goal_steps.read_plan(given, TEAM)

    assert isinstance(found, str)
    assert found.startswith(said), found


def test_a_plan_may_be_json():
    found = goal_steps.read_plan('{"steps": [{"id": "a", "task": "x", "agent": "tester"}], "risks": []}', TEAM)
    assert found == plan(GoalStep(id="a", task="x", agent="tester"))


IDS = [f"s{number}" for number in range(6)]
PLANS = st.lists(st.sets(st.sampled_from(IDS)), min_size=1, max_size=6).map(
    lambda needs: plan(*(step(IDS[n], *sorted(it & set(IDS[:n]))) for n, it in enumerate(needs)))
)


@given(PLANS, st.sets(st.sampled_from(IDS)))
def test_every_step_is_tried_once_after_all_it_needs_or_skipped(made: GoalPlan, bad: set[str]):
    outcomes: dict[str, StepOutcome] = {}
    order: list[str] = []
    while due := goal_steps.due_steps(made, outcomes):
        for one in due:
            assert all(outcomes[need].status == "done" for need in one.needs)
            order.append(one.id)
        outcomes |= {one.id: ended(one.id, "failed" if one.id in bad else "done") for one in due}
    skipped = {it.id for it in goal_steps.skipped_steps(made, outcomes)}

    assert sorted([*order, *skipped]) == sorted(it.id for it in made.steps)
    needs = {it.id: set(it.needs) for it in made.steps}
    below = {it for it in TopologicalSorter(needs).static_order() if needs[it] & (bad | skipped)}
    assert skipped == below


def test_a_step_is_told_what_it_needs_to_know_and_nothing_else():
    first, second, third = step("a"), step("b"), step("c", "a", done_when="tests pass")
    made = plan(
        first, second, third, risks=(Risk(text="it may be slow", steps=("c",), notice="time it"), Risk(text="x"))
    )
    outcomes = {"a": ended("a", summary="made a.py"), "b": ended("b", summary="secret of b")}
    told = goal_steps.step_task("The goal", third, made, outcomes, "no such file")

    assert told.splitlines()[0] == "Carry out step c of a plan: do c"
    for text in ("The goal", "tests pass", "it may be slow (time it)", "made a.py", "no such file"):
        assert text in told
    assert "secret of b" not in told
    assert "- x" not in told


def test_what_became_of_a_plan_is_told_in_a_line():
    made = plan(step("a"), step("b", "a"))
    good = PlanOutcome(plan=made, steps=(ended("a"), ended("b")), reviews=(Review(faults=()),))
    bad = PlanOutcome(
        plan=made, steps=(ended("a", "failed"),), reworks=2, open=(Fault(text="no expiry", file="a.py", line=3),)
    )

    assert goal_steps.describe_outcome(good) == "2 of 2 steps done, 1 reviews"
    assert (
        goal_steps.describe_outcome(bad) == "0 of 2 steps done, 0 reviews, 2 rounds of rework; still wrong: no expiry"
    )
    assert goal_steps.fault_lines(bad.open) == "- no expiry (a.py:3)"
