"""A denial, an order or a time of a claim is told by its checks, or the claim is refused."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    "claim",
    [
        'The total is not "5" but "6"',  # which is "6"
        "The total is not 5, but 6",
        'The page shows no "A" but "B"',
        'The "A" field is not empty and enabled',  # which may be enabled, or not be
        'The "A" field isn\'t empty, but enabled',
        'The "Save" button is not visible and disabled',
        'Das Feld "A" ist nicht leer und deaktiviert',
        'The list does not show both "A" and "B"',  # it may show one
        'The list shows "A", then "B"',  # in this order
        'The page shows "A" and afterwards "B"',
        'The tabs are "A", then "B"',
        'Every second row contains "A"',  # is not the second row
        '"A" does not appear within 5 seconds',  # at any time of them
        'The "A" button is not enabled within 5 seconds',
        'Within 5 seconds, no error "A" is visible',
        '"Total" is the same as "Sum"',  # as what the other holds
        'The "Total" is equal to the "Sum"',
        'All buttons but "A" are disabled',  # and "A" is not
        'The "A" field shows no error',  # and need not be empty
        'Only "A" and "B" are visible in the list',
        "The price was 5 and is now 6",
        '"C" is not visible and disabled',
        'Der Reiter "Details" ist inaktiv',  # nor disabled
        '"Dunkelmodus" ist aktiv',
    ],
)
def test_a_claim_whose_denial_order_or_time_would_move_is_refused(claim: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(claim)


@pytest.mark.parametrize(
    "claim",
    [
        '"A" is not visible but "B" is',
        'The "A" field is empty and not disabled',
        'The "A" field is not empty and is disabled',
        'The page contains "A" but not "B"',
        '"A" and "B" are not visible',
        'Then the page shows "A", and then the "B" button is disabled',
        '"A" is no longer visible within 5 seconds',
        '"A" disappears within 5 seconds',
        'The heading is the same as "Order 17"',
        'The page shows "A", "B" in this order',
    ],
)
def test_a_claim_that_says_it_of_each_is_read(claim: str) -> None:
    assert parse_expectation(claim)


@pytest.mark.parametrize(
    "sentence",
    [
        'Click "Save" using the keyboard',  # a click would do what the keyboard may not
        'Hover over the "Save" button with the keyboard',
        'Click the second "Edit" button from the right',  # not from the left
        'Click the third "Edit" link on the left',
        'Click "A" in "B" and "C"',  # in both, or "C" as well
        "Press and hold Enter",  # a key, and no element
        "Click the penultimate row",
    ],
)
def test_an_act_whose_way_or_place_would_be_lost_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    "claim",
    [
        "The price is 10 % lower",  # than what?
        "The total is about 5",
        "The total is twice 5",
        "The total is always 5",
        "The total is the same",
        "The total is 5 including tax",
        "The total is 5 for 3 seconds",
        "3 new rows are visible",
        "About 3 rows are visible",
        "At most one checkbox is checked",
        '"A" is visible at the top of the page',
        '"A" is visible on the left',
        'Just "A" is visible',
        'Every row has a "Delete" and an "Edit" button',
        "The price is positive",
    ],
)
def test_no_proposal_makes_a_comparison_or_a_place_a_text(claim: str) -> None:
    assert rewritten(claim, "expectation", parse_expectation) == ""


@pytest.mark.parametrize(
    ("claim", "checks"),
    [
        (
            'The "A" and "B" buttons are visible and enabled',
            ["check_visible A", "check_visible B", "check_state B", "check_state A"],
        ),
        (
            'The "A", "B" and "C" fields are empty but not disabled',
            ["check_state A", "check_state B", "check_state C", "check_state C", "check_state A", "check_state B"],
        ),
        ('The "A" section shows "B" and "C" and is expanded', ["check_text B", "check_text C", "check_state A"]),
    ],
)
def test_what_is_said_of_several_is_asked_of_each(claim: str, checks: list[str]) -> None:
    found = [(call.tool, call.arguments.get("element") or call.arguments["text"]) for call in parse_expectation(claim)]
    assert [f"{tool} {name}" for tool, name in found] == checks


@pytest.mark.parametrize(
    "sentence", ['Click left of "Save"', 'Click the edge of "Save"', "Warte, bis der Ladekreis verschwindet"]
)
def test_no_proposal_calls_an_element_by_a_place_or_a_verb(sentence: str) -> None:
    assert rewritten(sentence, "action", parse_action) == ""
