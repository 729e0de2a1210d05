"""A check that a model chose counts only if it speaks of its clause, of all of it, and of nothing else."""

import re
from typing import Any

import pytest
import stated
from msgspec.structs import replace

from muster_evidence.binding import find_mismatch, find_wrong_source
from muster_protocol.facts import Evidence
from muster_protocol.tool_calls import ArgumentValue
from muster_text.wording import find_numbers, has_number, is_negative, stands_alone, subject_stems

TOTAL = 'The order total comes to "$59.98"'


def says(clause: str, tool: str, seen: str = "", values: dict[str, str] | None = None, **given: Any) -> str:
    return find_mismatch(clause, stated.check(clause, tool, seen=seen, **given), values or {})


@pytest.mark.parametrize(
    ("clause", "tool", "seen", "given"),
    [
        (TOTAL, "check_value", '"$59.98"', {"element": "Order total", "value": "$59.98"}),
        (TOTAL, "check_text", '"$59.98"', {"text": "$59.98", "within": "Order total"}),
        (TOTAL, "check_text", '"Order total: $59.98"', {"text": "Order total: $59.98"}),
        (
            'The price of the mug comes to "$8"',
            "check_value",
            '"$8"',
            {"element": "Price", "within": "Mug", "value": "$8"},
        ),
        ('The cart no longer lists "Mug"', "check_text", "", {"text": "Mug", "within": "Cart", "absent": True}),
        ("The cart holds 2 mugs", "check_count", "2", {"element": "Mug", "within": "Cart", "count": 2}),
        (
            "The cart holds 2 items",
            "check_count",
            "2",
            {"element": "", "role": "listitem", "within": "Cart", "count": 2},
        ),
        ("The order is confirmed", "check_text", '"Your order is confirmed"', {"text": "Your order is confirmed"}),
        ('The address mentions "done"', "check_url", "http://s/done", {"url": "done", "match": "contains"}),
        ('The output mentions "ready"', "check_output", '"all ready"', {"text": "ready"}),
        ('The file mentions "ready"', "check_file", '"all ready"', {"path": "a.txt", "text": "ready"}),
        ("The script ends without an error", "check_exit_code", "0", {"code": 0}),
        ("The server answers with 200", "check_response", "200", {"status": 200}),
        ('The total comes to "${sum}"', "check_value", '"$8"', {"element": "Total", "value": "$8"}),
    ],
)
def test_a_check_that_aims_at_what_its_clause_names_counts(clause: str, tool: str, seen: str, given: dict[str, Any]):
    assert says(clause, tool, seen, {"sum": "$8"}, **given) == ""


@pytest.mark.parametrize(
    ("tool", "seen", "given"),
    [
        ("check_title", '"$59.98"', {"title": "$59.98"}),
        ("check_url", '"http://s/?q=$59.98"', {"url": "$59.98", "match": "contains"}),
        ("check_output", '"$59.98"', {"text": "$59.98"}),
        ("check_file", '"$59.98"', {"path": "a", "text": "$59.98"}),
        ("check_text", '"Order total before: $59.98"', {"text": "$59.98"}),
        ("check_text", '"Last order: $59.98"', {"text": "Last order: $59.98"}),
        ("check_text", '"$59.98"', {"text": "$59.98", "within": "Order history"}),
        ("check_value", '"$59.98"', {"element": "Price", "within": "Lamp", "value": "$59.98"}),
        ("check_value", '"$59.98"', {"element": "Last order total", "value": "$59.98"}),
        ("check_value", '"$59.98"', {"ref": "e7", "value": "$59.98"}),
        ("check_visible", 'abbr "Note"', {"element": "Order total $59.98"}),
        ("check_value", '"$10.00"', {"element": "Order total", "value": "$59.98|.*", "match": "matches"}),
        ("check_value", '"$59.980"', {"element": "Order total", "value": "$59.98", "match": "starts"}),
        ("check_value", '"$59.985"', {"element": "Order total", "value": "$59.98", "match": "contains"}),
        ("check_value", '"$10.00"', {"element": "Order total", "value": "$59.98", "negate": True}),
        ("check_text", '"x"', {}),
    ],
)
def test_a_check_of_something_else_does_not_count(tool: str, seen: str, given: dict[str, Any]):
    assert says(TOTAL, tool, seen, **given)


@pytest.mark.parametrize(
    ("clause", "tool", "given"),
    [
        ("The coupon code is accepted", "check_exit_code", {"code": 0}),
        ("The order is placed successfully", "check_exit_code", {"code": 0}),
        ("The order status has changed", "check_response", {"status": 200}),
        ("The server takes the order", "check_response", {"status": 200}),
        ('The panel opens with "done"', "check_url", {"url": "/done", "match": "ends"}),
        ('The banner says "ready"', "check_output", {"text": "ready"}),
        ('The title of the article comes to "News"', "check_title", {"title": "News"}),
        ("The order is confirmed", "check_text", {"text": "Order"}),
        ("The order is confirmed", "check_text", {"text": "Order not confirmed"}),
        ('The cart no longer lists "Mug"', "check_text", {"text": "Mug", "within": "Cart"}),
        ("The cart shows mugs", "check_count", {"element": "Mug", "within": "Cart", "count": 0}),
        (
            "The cart shows mugs",
            "check_count",
            {"element": "Mug", "within": "Cart", "count": 9, "comparison": "at_most"},
        ),
        (
            "The cart shows 2 mugs",
            "check_count",
            {"element": "Mug", "within": "Cart", "count": 2, "comparison": "at_least"},
        ),
    ],
)
def test_a_word_in_common_or_the_wrong_way_round_does_not_count(clause: str, tool: str, given: dict[str, Any]):
    assert says(clause, tool, "ready done News", **given)


@pytest.mark.parametrize(
    ("clause", "tool", "seen", "given"),
    [
        (TOTAL, "check_value", '"$99.98 $59.98"', {"element": "Order total", "value": "$59.98", "match": "at_least"}),
        (TOTAL, "check_value", '"$59.98"', {"element": "Order total", "value": "$59.98", "match": "at_most"}),
        (TOTAL, "check_value", '"$59.98"', {"element": "Order total", "value": "$59.98", "match": "same"}),
        (TOTAL, "check_value", '"$59.98"', {"element": "Order total", "value": "$59.98", "match": "above"}),
        ('The order shows "Mug"', "check_each", '"Mug"', {"role": "row", "within": "Order", "text": "Mug"}),
        ('No row shows "Mug"', "check_each", '"Mug"', {"role": "row", "text": "Mug"}),
        ('The page shows "Mug"', "check_page", '"Mug"', {"name": "Mug"}),
        ('"Cup" is not above "Mug"', "check_order", '"Cup", "Mug"', {"texts": ["Cup", "Mug"]}),
        ('The page shows "Cup" and "Mug"', "check_order", '"Cup", "Mug"', {"texts": ["Cup", "Mug"]}),
    ],
)
def test_a_looser_or_another_comparison_than_the_clause_says_does_not_count(
    clause: str, tool: str, seen: str, given: dict[str, Any]
):
    assert says(clause, tool, seen, **given)


def test_a_check_of_which_nothing_is_known_proves_nothing():
    nothing = Evidence(clause=TOTAL, check="check_value", call=1, passed=True, seen="$59.98")
    assert "is not a check" in find_mismatch(TOTAL, nothing, {})
    assert "is not a check" in says(TOTAL, "check_value", "$59.98", element="Order total", valeu="$59.98")
    loose = replace(stated.check(TOTAL, "check_value", element="Order total", value="$59.98"), relation="unknown")
    assert "compared loosely" in find_mismatch(TOTAL, loose, {})


@pytest.mark.parametrize(
    ("text", "literal", "there"),
    [
        ("Order total: $59.98", "$59.98", True),
        ("it costs $5.", "$5", True),
        ("$59.98", "$5", False),
        ("$5.50", "$5", False),
        ("$1,005", "5", False),
        ("unpaid", "paid", False),
        ("paid twice", "paid", True),
        ("12 items", "2 items", False),
        ("anything", "", True),
        ("<Total>", "<Total>", True),
    ],
)
def test_a_literal_stands_alone_or_is_a_part_of_something_else(text: str, literal: str, there: bool):
    assert stands_alone(text, literal) is there


def test_numbers_are_figures_words_and_sums_outside_of_quotes():
    assert find_numbers('Two of 3 cost $59.98, or 50 % off 59.98 €, not "7"') == ("3", "$59.98", "50 %", "59.98 €", "2")
    assert has_number("two mugs", "2") and has_number("2 mugs", "2") and not has_number("$2.50", "2")
    assert has_number("step ①", "①") and not any(has_number("25 m²", it) for it in ("²", "①", "9" * 5_000))


def test_the_subject_of_a_clause_is_what_is_left_without_literals_and_common_words():
    assert subject_stems(TOTAL) == {"order", "total"}
    assert subject_stems('The text "Order total" is visible') == frozenset()


@pytest.mark.parametrize("text", ["No error shows up", "It isn't there", "Nobody is told", "It cannot be pressed"])
def test_a_denial_is_told_from_a_claim(text: str):
    assert is_negative(text) and not is_negative('The text "No error" is visible')


@pytest.mark.parametrize(
    ("action", "arguments", "why"),
    [
        ("Note what the backpack costs as ${price}", {"element": "Price"}, ""),
        ("Note the order number as ${order}", {"element": "Order number"}, ""),
        ('Note the match of "A-\\d+" as ${order}', {"pattern": r"A-\d+"}, ""),
        ("Note the version that the command prints as ${v}", {"source": "output"}, ""),
        ("Note what the backpack costs as ${price}", {"element": "Saving"}, "'saving'"),
        ("Note what the backpack costs as ${price}", {"pattern": r"\d+"}, "the page as a whole"),
        ("Note what the backpack costs as ${price}", {"source": "url"}, "from the url"),
        ("Note what the backpack costs as ${price}", {"source": "nowhere"}, "is unknown"),
    ],
)
def test_a_value_is_taken_from_what_the_step_speaks_of(action: str, arguments: dict[str, ArgumentValue], why: str):
    name = re.findall(r"\$\{(\w+)\}", action)[0]
    capture = stated.capture("remember", name, name=name, **arguments)
    assert (why in find_wrong_source(action, capture)) if why else find_wrong_source(action, capture) == ""


@pytest.mark.parametrize(
    ("action", "taken"),
    [
        ("Ask the tester for the code in the mail and note it as ${code}", True),
        ("Open the mail, then please ask someone for the code and remember it as ${code}", True),
        ('Ask the chatbot "How old are you?" and remember the answer as ${code}', False),
        ("Note the order number as ${code}", False),
        ("Remember the code that the page asks for as ${code}", False),
        ("Remember the ask price as ${code}", False),
    ],
)
def test_what_a_person_said_is_a_value_only_where_the_step_says_to_ask(action: str, taken: bool):
    asked = stated.capture("ask_person", "code", question="Order number?")
    assert ("a person's answer" in find_wrong_source(action, asked)) is not taken


@pytest.mark.parametrize("call", ["ask_person", "remember", "execute_command", "find"])
def test_only_a_check_can_be_bound_to_a_clause(call: str):
    clause = 'The order total is "$59.98"'
    assert "is not a check" in says(clause, call, "$59.98", question="Is it $59.98?", name="order total", text="$59.98")
    assert "is not a check" in says(clause, call, "$59.98", text="$59.98")
