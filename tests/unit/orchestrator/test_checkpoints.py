"""What a planner expects half-way stops a run early and never makes a pass."""

from typing import Any

from driven import Driven, a_case, fails
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.test_case.planning import restore_expectations
from muster_protocol.causes import Cause, Failure
from muster_protocol.plans import Plan, PlanNode

HALF = 'The text "Half" is visible'
PLAN = Plan(
    nodes=(
        PlanNode(id="a", covers=(0,), description="Do one half", checkpoint=HALF),
        PlanNode(id="b", covers=(0,), description="Do thing 1", expected_result="x", checkpoint="y", needs=("a",)),
    )
)


def half_way() -> Driven:
    return Driven.planned(a_case("One is seen"), plan=PLAN)


def test_a_checkpoint_stands_only_where_nothing_written_is_expected():
    first, last = restore_expectations(a_case("One is seen"), PLAN).nodes
    assert (first.checkpoint, first.expected_result) == (HALF, "")
    assert (last.checkpoint, last.expected_result) == ("", "One is seen")


def test_one_that_holds_leaves_its_part_unverified():
    driven = half_way()
    task = driven.open("a")
    assert task.step.expected_result == HALF
    driven.ends(task)
    driven.ends(driven.open("b"))
    assert (driven.verdict.status, driven.verdict.unverified) == ("pass", 1)


def test_one_that_does_not_hold_is_told_with_its_place_and_blames_no_product():
    driven = half_way()
    more: dict[str, Any] = {"expected": HALF, "seen": "nothing", "where": "http://shop.example/"}
    driven.ends(driven.open("a"), fails(driven.open("a"), Failure.EXPECTATION_FALSE, **more))
    [task] = driven.tasks
    assert task.kind == "evaluate"
    driven.decides("stop", cause=Cause.PRODUCT)
    assert (driven.verdict.cause, driven.verdict.where) == (Cause.AGENT, "http://shop.example/")
    assert f"stopped early at a checkpoint of the plan, '{HALF}'" in driven.verdict.summary


def test_one_that_a_model_missed_is_told_as_one_although_it_shows_no_fault_of_the_product():
    driven = half_way()
    missed = fails(driven.open("a"), Failure.EXPECTATION_FALSE, expected=HALF, seen="nothing")
    driven.ends(driven.open("a"), replace(missed, source="model"))
    driven.decides("stop")
    assert "stopped early at a checkpoint of the plan" in driven.verdict.summary
