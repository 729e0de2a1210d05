"""Steps that cannot be taken back: a person is asked before anything of them is done, and a no ends the run."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, plan_of
from msgspec.structs import replace

from muster_protocol.causes import Cause
from muster_protocol.control import Answer
from muster_protocol.events import Asked, ControlApplied, OwnerChanged, Policy
from muster_protocol.examiner_work import CritiqueOutput, PlanIssue
from muster_protocol.kinds import Decision
from muster_protocol.requests import Step, TestCase

WATCHED = Policy(ask_before=("pays", "deletes", "mails"))
SHOP = TestCase(
    name="Buy",
    steps=(
        Step(action="Open the shop", expected="One is seen"),
        Step(action='Click the "Place order" button', expected="Two is seen"),
    ),
)


def planned(case: TestCase = SHOP, policy: Policy = WATCHED, **more: Any) -> Driven:
    return Driven.planned(case, policy=policy, **more)


def answers(driven: Driven, text: str, number: int = 1) -> Driven:
    woken = OwnerChanged(owner="b", epoch=driven.run.owner.epoch + 1, message=2, delivery=number)
    return driven.happens(woken, ControlApplied(control=Answer(id=f"a{number}", question="", text=text)))


def test_before_a_plan_that_pays_a_person_is_asked_and_nothing_is_done():
    driven = planned()
    [asked] = driven.logged(Asked)
    assert asked.text == (
        'This cannot be taken back. May it be done? Answer yes or no.\n- Click the "Place order" button: pays (“place order”)'
    )
    assert driven.tasks == []


def test_a_yes_is_asked_for_once():
    driven = answers(planned(), "Yes.").opens("main")
    driven.ends(driven.open("step-1")).ends(driven.open("step-2"))
    assert (driven.verdict.status, len(driven.logged(Asked))) == ("pass", 1)


def test_anything_else_ends_the_run():
    verdict = answers(planned(), "not on a Friday").verdict
    assert (verdict.status, verdict.cause) == ("fail", Cause.CANCELLED)
    assert verdict.summary == "what is risky was not allowed: not on a Friday"


@pytest.mark.parametrize("policy", [Policy(), Policy(ask_before=("deletes",)), Policy(ask_before=("deploy",))])
def test_what_is_not_watched_is_not_asked_about(policy: Policy):
    assert planned(policy=policy).logged(Asked) == []


def test_the_critic_names_further_steps_as_risky_where_somebody_is_asked_at_all():
    issue = PlanIssue(kind="risky", text="it opens the live shop", step=1)
    for policy, risks in (
        (Policy(ask_before=("deletes",)), ["- Open the shop: the critic: it opens the live shop"]),
        (Policy(), []),
    ):
        driven = Driven(replace(SHOP, checked_by=("critic",)), policy=policy)
        driven.ends(driven.open("plan"), plan=plan_of(SHOP))
        [critique] = [task for task in driven.tasks if task.kind == "critique"]
        driven.ends(critique, output=CritiqueOutput(issues=(issue,)))
        assert [line for asked in driven.logged(Asked) for line in asked.text.splitlines()[1:]] == risks


def test_a_recovery_that_deletes_is_asked_about_before_it_begins():
    driven = planned(a_case("One is seen")).opens("main")
    driven.ends(driven.open("step-1"), fails(driven.open("step-1")))
    recover = Decision(
        action="recover", reason="it is full", recovery="Delete the oldest order", cause=Cause.ENVIRONMENT
    )
    driven.ends(driven.open("step-1-e1"), decision=recover)
    [asked] = driven.logged(Asked)
    assert "- Delete the oldest order: deletes (“delete”)" in asked.text
    assert driven.tasks == []
    assert answers(driven, "no").verdict.cause == Cause.CANCELLED


def test_with_a_plan_to_approve_one_question_is_enough_and_names_what_is_risky():
    driven = planned(approve_plan=True)
    [asked] = driven.logged(Asked)
    assert asked.text.startswith("Carry out this plan? Answer yes or no.\n1. ")
    assert asked.text.endswith('Cannot be taken back:\n- Click the "Place order" button: pays (“place order”)')
    answers(driven, "yes").opens("main")
    assert len(driven.logged(Asked)) == 1
    assert driven.open("step-1")
