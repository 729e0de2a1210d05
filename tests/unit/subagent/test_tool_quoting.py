"""A yes of a model that looked counts only with a quote that bears it out."""

import pytest

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Usage
from muster_subagent.tool_context import Looked
from muster_subagent.tools.look_tool import judged
from muster_subagent.tools.quotes import against

TOTAL = 'The order total comes to "$59.98"'
LINES = ("Thank you", "Order total", "$10.00", "Order history", "Last order: $59.98", "Lamp $59.98")
RIGHT = ("Thank you", "Order total", "$59.98", "Last order: $12.00", "Lamp $29.99")


def says_yes(quote: str, *, pictured: bool = False) -> Looked:
    return Looked(holds=True, quote=quote, answer="yes", usage=Usage(), pictured=pictured)


def test_a_yes_with_a_good_quote_holds():
    outcome = judged(TOTAL, says_yes("$59.98"), " ".join(RIGHT), RIGHT)
    assert (outcome.status, outcome.seen) == ("ok", "$59.98")


def test_a_quote_that_is_not_on_the_page_is_none_not_even_for_a_denial():
    for statement in (TOTAL, "No error shows up"):
        outcome = judged(statement, says_yes("All is well, $59.98"), " ".join(RIGHT), RIGHT)
        assert (outcome.status, outcome.failure) == ("error", Failure.NO_EVIDENCE)
        assert "is not on the page" in outcome.text


def test_an_empty_quote_shows_nothing():
    assert "quotes nothing" in against(TOTAL, "", RIGHT, pictured=True)
    assert "quotes nothing" in against("The order is confirmed", "", RIGHT, pictured=True)


def test_how_something_looks_need_not_be_quoted_from_a_picture():
    assert against("The chart is drawn in green", "", RIGHT, pictured=True) == ""
    assert against("The chart is drawn in green", "", RIGHT, pictured=False)


@pytest.mark.parametrize("quote", ["$10.00", "Order total", "$59.980"])
def test_a_quote_must_have_what_the_statement_names(quote: str):
    assert "does not have" in against(TOTAL, quote, LINES, pictured=False)


@pytest.mark.parametrize(
    "quote", ["Last order: $59.98", "$59.98", "Lamp $59.98", "Order total $10.00 Order history Last order: $59.98"]
)
def test_a_quote_from_elsewhere_is_told_by_the_line_that_speaks_more_of_it(quote: str):
    assert "something else" in against(TOTAL, quote, LINES, pictured=False)


@pytest.mark.parametrize("quote", ["$59.98", "Order total $59.98"])
def test_a_quote_from_the_right_place_holds_beside_other_sums(quote: str):
    assert against(TOTAL, quote, RIGHT, pictured=False) == ""


def test_a_row_is_told_from_another_row():
    lines = ("Item Price", "Mug $5.00", "Lamp $8.00")
    statement = 'The price of the mug comes to "$8.00"'
    assert against(statement, "Lamp $8.00", lines, pictured=False)
    assert against(statement, "Mug $8.00", ("Item Price", "Mug $8.00", "Lamp $5.00"), pictured=False) == ""


def test_a_quote_that_says_the_contrary_speaks_against_it():
    for quote in ("Order failed", "Your order could not be confirmed"):
        assert "speaks against" in against("The order is confirmed", quote, (quote,), pictured=False)
    assert against("The order is refused with an error", "Error: no", ("Error: no",), pictured=False) == ""
    assert against('The message "No results" comes up', "No results", ("No results",), pictured=False) == ""


def test_a_denial_falls_with_what_the_page_shows():
    assert "is on the page" in against('Nobody is told "Sold out"', "", ("Mug", "Sold out"), pictured=False)
    assert "the page shows" in against("No error shows up", "", ("Error: card declined",), pictured=False)
    assert against('Nobody is told "Sold out"', "", ("Mug",), pictured=False) == ""
    for line in ("No errors", "0 errors", "Mug"):
        assert against("No error shows up", "", (line,), pictured=False) == ""


def test_a_denied_state_may_be_of_something_that_is_there():
    assert against('The "Save" button can no longer be pressed', "Save", ("Save",), pictured=False) == ""
