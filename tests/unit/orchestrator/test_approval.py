"""A plan that a person has to approve: nothing of it is done before, and a no ends the run."""

import pytest
from driven import Driven, a_case

from muster_protocol.causes import Cause
from muster_protocol.control import Answer
from muster_protocol.events import Answered, Asked, ControlApplied, OwnerChanged, Parked


def asking() -> Driven:
    return Driven.planned(a_case("One is seen", "Two is seen"), approve_plan=True)


def answered(text: str) -> Driven:
    return asking().happens(ControlApplied(control=Answer(id="a1", question="run-1:plan", text=text)))


def test_the_plan_is_shown_and_the_run_waits():
    driven = asking()
    [asked] = driven.logged(Asked)
    assert "1. " in asked.text
    assert "(expects: Two is seen)" in asked.text
    assert driven.tasks == []
    [parked] = driven.logged(Parked)
    assert parked.reason == 'it asks "Carry out this plan? Answer yes or no."'


@pytest.mark.parametrize("text", ["yes", "OK.", " Ja "])
def test_a_yes_begins_it_and_is_asked_once(text: str):
    driven = Driven(a_case("One is seen"), approve_plan=True)
    driven.ends(driven.open("plan"), plan=Driven.planned(a_case("One is seen")).run.job.plan)  # type: ignore[union-attr]
    woken = OwnerChanged(owner="b", epoch=2, message=2, delivery=1)
    driven.happens(woken, ControlApplied(control=Answer(id="a1", question="", text=text)))
    driven.opens("main")
    driven.ends(driven.open("step-1"))
    assert (driven.verdict.status, len(driven.logged(Asked)), len(driven.logged(Answered))) == ("pass", 1, 1)


def test_anything_else_ends_the_run_before_anything_is_done():
    verdict = answered("no, it leaves out the mail").verdict
    assert (verdict.status, verdict.cause) == ("fail", Cause.CANCELLED)
    assert verdict.summary == "the plan was not approved: no, it leaves out the mail"
