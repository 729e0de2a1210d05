"""Steps that name sessions: those of different sessions run at once, and values flow only along needs."""

from driven import Driven
from msgspec.structs import replace

from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Step, TestCase

STEPS = (
    ("Note the order as ${order}", "shop"),
    ("Open the mail", "mail"),
    ("Find ${order}", "mail"),
    ("Leave", "shop"),
)
CASE = TestCase(
    name="Two people",
    steps=tuple(Step(action=action, expected="", session=session) for action, session in STEPS),
)
NODES = tuple(
    PlanNode(id=f"s{number}", covers=(number - 1,), description=action, session=session)
    for number, (action, session) in enumerate(STEPS, 1)
)


def planned() -> Driven:
    needs: dict[str, tuple[str, ...]] = {"s3": ("s1", "s2"), "s4": ("s1",)}
    plan = Plan(nodes=tuple(replace(node, needs=needs.get(node.id, ())) for node in NODES))
    return Driven.planned(CASE, plan=plan)


def test_the_sessions_its_steps_name_are_opened_before_there_is_a_plan():
    assert [it.request.name for it in Driven(CASE).opening] == ["mail", "shop"]


def test_steps_of_different_sessions_are_carried_out_at_once():
    assert [task.node for task in planned().tasks] == ["s1", "s2"]


def test_a_value_is_known_only_to_the_steps_that_build_upon_the_one_that_captured_it():
    driven = planned()
    driven.ends(driven.open("s2"), captured={"letter": "hello"})
    driven.ends(driven.open("s1"), captured={"order": "4711"})

    assert driven.open("s3").step.values == {"order": "4711", "letter": "hello"}
    assert driven.open("s4").step.values == {"order": "4711"}


def test_what_was_done_is_told_only_to_those_that_build_upon_it():
    driven = planned()
    driven.ends(driven.open("s2"), summary="it was empty")
    driven.ends(driven.open("s1"), summary="done")

    assert "Open the mail" in driven.open("s3").step.state
    assert "Open the mail" not in driven.open("s4").step.state
