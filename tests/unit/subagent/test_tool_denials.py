"""A no of a model that looked counts against the product only if the page bears it out."""

import pytest

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Usage
from muster_subagent.tool_context import Looked
from muster_subagent.tools.denials import Page, claim_of, find_refutation
from muster_subagent.tools.look_tool import denied

TOTAL = 'The order total comes to "$59.98"'


def page(*lines: str, names: str = "", whole: bool = True) -> Page:
    return Page(lines, " ".join([*lines, names]), whole)


def refuted(statement: str, *lines: str, said: str = "") -> bool:
    return bool(find_refutation(statement, said, page(*lines)))


@pytest.mark.parametrize(
    ("statement", "bug", "healthy"),
    [
        (TOTAL, ("Order total", "$10.00", "Last order: $59.98"), ("Order total", "$59.98", "Shipping $10.00")),
        (TOTAL, ("Order total $10.00",), ("Order total: $59.98",)),
        (TOTAL, ("Sorry", "The shop is closed"), ("Your total: $59.98", "for this order")),
        ("The order total comes to $59.98", ("Order total $10.00",), ("Order total 59,98 $",)),
        ('The invoice state is "paid"', ("Invoice state", "unpaid"), ("Invoice state", "PAID")),
        ('The banner says "Ready to go"', ("Banner", "busy"), ("We are ready — to go!",)),
        ('The list shows "Mug" and "Lamp"', ("Mug",), ("Lamp", "Mug")),
        ('The list shows "Mug" or "Lamp"', ("Shirt",), ("Mug",)),
        ("The cart comes to 2 items", ("Cart: 12 items",), ("Cart: 2 items",)),
        ("The cart shows two items", ("Cart 3 items",), ("Cart: two items",)),
        ('Nobody is told "Sold out"', ("Mug", "Sold out"), ("Mug", "In stock")),
    ],
)
def test_a_no_is_borne_out_by_what_the_page_shows_or_lacks(
    statement: str, bug: tuple[str, ...], healthy: tuple[str, ...]
):
    assert refuted(statement, *bug)
    assert not refuted(statement, *healthy, said=healthy[0])


@pytest.mark.parametrize(
    ("statement", "said", "bug", "healthy"),
    [
        ("The order is confirmed", "Your order could not be confirmed", "Welcome", "Order confirmed"),
        ("The order is placed successfully", "Order refused", "Welcome", "Order placed successfully"),
        ("The coupon code is accepted", "Coupon code refused", "Welcome", "Coupon code accepted"),
    ],
)
def test_a_quote_of_the_contrary_bears_it_out_unless_the_page_says_so_as_well(
    statement: str, said: str, bug: str, healthy: str
):
    assert refuted(statement, bug, said, said=said)
    assert not refuted(statement, healthy, said, said=said)
    assert not refuted(statement, bug, said)
    assert not refuted(statement, bug, f"{said}?", said=said)
    assert not refuted(statement, bug, f"If {said}, call us", said=said)


@pytest.mark.parametrize(
    "statement",
    [
        "The order is confirmed",
        "The user is thanked",
        'The page shows a greeting instead of "Log in"',
        'The dialog that says "Are you sure?" closes',
        'The label with "Draft" disappears',
        'The page stops showing "Draft"',
        'The page fails to show "Draft"',
        'The note says "Draft" only if it is new',
        'The value shows in place of "Draft"',
        'The "Save" button can\'t be clicked',
        'The cart no longer lists "Backpack"',
        'Nothing hides "Backpack"',
        "No error shows up",
        "The chart looks right",
        'The total is "$5" less than before',
        "The cart holds two mugs",
    ],
)
def test_what_the_page_cannot_show_to_be_false_stays_undecided(statement: str):
    lines = ("Recommended: Backpack", "Error log", "A heading", "Save")
    for said in ("", *lines):
        assert not refuted(statement, *lines, said=said)


def test_what_is_missing_from_a_page_that_was_not_read_whole_is_undecided():
    assert not find_refutation(TOTAL, "", page("Thank you", whole=False))
    assert not find_refutation(TOTAL, "", page("Thank you", names='image "Order total $59.98"'))


def test_words_that_leave_open_what_is_claimed_are_no_claim():
    claim = claim_of('The page now shows the text "A" or "B" in the list')
    assert claim is not None
    assert (claim.values, claim.any_of) == (("A", "B"), True)
    assert claim_of('The page changes "A"') is None


@pytest.mark.parametrize(
    ("refutation", "failure"), [("the page shows $10.00", Failure.EXPECTATION_FALSE), ("", Failure.NO_EVIDENCE)]
)
def test_a_no_fails_the_step_in_any_case_and_says_what_it_rests_on(refutation: str, failure: Failure):
    outcome = denied(TOTAL, Looked(holds=False, quote="", answer="it is not", usage=Usage()), refutation)
    assert (outcome.status, outcome.failure) == ("failed", failure)
    assert ("undecided" in outcome.text) == (not refutation)
