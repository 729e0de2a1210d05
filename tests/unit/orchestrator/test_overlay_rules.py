"""What is closed by rule because it lies over what a step needs: what offers to close, where nothing else is at stake."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, passes

from muster_protocol.causes import Cause, Failure
from muster_protocol.events import Policy, RecoveryPlanned
from muster_protocol.tool_calls import Obstacle

RULES = Policy(recover_by_rule=True)
COOKIES = Obstacle(
    role="dialog",
    name="Cookies",
    text="We use cookies and share data with partners. Accept all Settings",
    offers=("Accept all", "Settings"),
    words='dialog "Cookies"',
)
WHERE = "http://shop.example/cart"


def covered(obstacle: Obstacle, policy: Policy = RULES, action: str = 'Click the "Buy" button', **more: Any) -> Driven:
    case = a_case("The order is placed")
    case = type(case)(name=case.name, steps=(type(case.steps[0])(action=action, expected="One is seen"),))
    driven = Driven.planned(case, policy=policy)
    task = driven.open("step-1")
    return driven.ends(task, fails(task, acted=True, obstacle=obstacle, where=WHERE, **more))


def closings(driven: Driven) -> list[str]:
    return [event.decision.recovery for event in driven.logged(RecoveryPlanned)]


def like(**more: Any) -> Obstacle:
    return type(COOKIES)(**{name: getattr(COOKIES, name) for name in COOKIES.__struct_fields__} | more)


def test_a_cookie_banner_is_accepted_then_the_step_is_tried_again_and_the_verdict_tells_it():
    driven = covered(COOKIES)
    mending = driven.open("step-1-r1")
    assert mending.description == 'Click the "Accept all" button in "Cookies"'
    assert mending.step.expected_result == f'The URL is "{WHERE}"'
    driven.ends(mending, passes(mending, unverified=False))
    driven.ends(driven.open("step-1"))
    assert driven.verdict.status == "pass"
    assert 'closed by rule, as it was in the way: Click the "Accept all" button' in driven.verdict.summary


@pytest.mark.parametrize(
    ("obstacle", "sentence"),
    [
        (like(offers=("Close", "Accept all")), 'Click the "Close" button in "Cookies"'),
        (Obstacle(text="Have a look around", offers=("×",)), 'Click the "×" button'),
    ],
)
def test_what_closes_is_preferred_and_an_overlay_needs_no_name(obstacle: Obstacle, sentence: str):
    assert closings(covered(obstacle)) == [sentence]


@pytest.mark.parametrize(
    "obstacle",
    [
        Obstacle(name="Offer", text="Backpack for $9.99. Close the deal", offers=("Close",)),
        Obstacle(name="Almost there", text="Closing places your order", offers=("Close",)),
        Obstacle(name="Bye", text="Close to delete your account", offers=("Close",)),
        Obstacle(name="Oops", text="Something went wrong", offers=("Close",)),
        Obstacle(role="alertdialog", name="Hello", text="Hello", offers=("Close",)),
        Obstacle(name="Terms", text="Our terms have changed", offers=("Accept",)),
        Obstacle(name="Cookies", text="We use cookies", offers=("Accept and buy now",)),
        Obstacle(name="Cookies", text="We use cookies", offers=("Close", "Buy now")),
        Obstacle(name="Two", text="Two", offers=("Close", "Close")),
        Obstacle(name='Cookies" or "Buy', text="We use cookies", offers=("Close",)),
        Obstacle(name="${secret:PIN}", text="We use cookies", offers=("Close",)),
        Obstacle(name="Nothing", text="Nothing to press"),
    ],
)
def test_what_costs_tells_of_a_fault_or_is_unclear_is_never_clicked(obstacle: Obstacle):
    assert closings(covered(obstacle)) == []


@pytest.mark.parametrize("action", ['Click the "Close" button', "Accept the cookies", 'Click "Settings" in the dialog'])
def test_what_the_case_itself_speaks_of_is_left_to_it(action: str):
    assert closings(covered(COOKIES, action=action)) == []


def test_nothing_is_closed_where_rules_are_off_or_the_fail_is_another():
    assert closings(covered(COOKIES, Policy())) == []
    assert closings(covered(COOKIES, failure=Failure.EXPECTATION_FALSE)) == []


def test_a_step_has_one_overlay_closed_and_a_false_expectation_after_it_is_the_products():
    driven = covered(COOKIES)
    driven.ends(driven.open("step-1-r1"), passes(driven.open("step-1-r1")))
    task = driven.open("step-1")
    driven.ends(task, fails(task, Failure.EXPECTATION_FALSE, acted=True))
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.PRODUCT)
    assert "closed by rule" in driven.verdict.summary
    assert len(closings(driven)) == 1


@pytest.mark.parametrize("failure", [Failure.ELEMENT_MISSING, Failure.EXPECTATION_FALSE])
def test_a_button_that_is_not_there_any_more_or_led_elsewhere_is_not_the_products_fault(failure: Failure):
    driven = covered(COOKIES)
    task = driven.open("step-1-r1")
    driven.ends(task, fails(task, failure))
    assert (driven.verdict.status, driven.verdict.cause) == ("fail", Cause.AGENT)
