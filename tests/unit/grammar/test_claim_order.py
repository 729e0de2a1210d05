"""A place before the comma is where the claim is, and "neither … nor" denies both."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.advice import Role
from muster_grammar.rewritings import rewritten
from muster_protocol.tool_calls import ToolCall


def _bare(sentence: str) -> list[tuple[str, object]]:
    """Return what is checked, each once, whichever clause it is for."""
    told: list[tuple[str, object]] = []
    for call in parse_expectation(sentence):
        told += [(call.tool, call.arguments)] if (call.tool, call.arguments) not in told else []
    return told


@pytest.mark.parametrize(
    ("sentence", "plain"),
    (
        ('In the "Ada" row, the status is "Open"', 'The status of the "Ada" row is "Open"'),
        ("In the Microphone row, the stock is 3", 'The stock in the "Microphone" row is 3'),
        ('In the dialog, I see "A" and "B"', 'I see "A" and "B" in the dialog'),
        ('In the menu, "A" and "B" are shown', '"A" and "B" are shown in the menu'),
        ('In the "Cart" section, there is no "Pay" button', 'There is no "Pay" button in the "Cart" section'),
        ('Below the "Name" field, "Too long" is shown', '"Too long" is shown below the "Name" field'),
        ('Within 5 seconds, "Saved" is shown', '"Saved" is shown within 5 seconds'),
        ('Within 5 seconds the alert "Saved" appears', 'The alert "Saved" appears within 5 seconds'),
        ('Within 10 s the "Save" button is enabled', 'The "Save" button is enabled within 10 s'),
        ('Neither "Save" nor "Cancel" is enabled', '"Save" is not enabled. "Cancel" is not enabled'),
        (
            'Neither the "Save" nor the "Cancel" button is disabled',
            'The "Save" button is enabled. The "Cancel" button is enabled',
        ),
        ('I see neither "A" nor "B"', 'I do not see "A". I do not see "B"'),
        ('"Terms" stays ticked', '"Terms" is ticked'),
        ('"Saved" no longer appears', '"Saved" is not visible'),
        ('The "Name" field can be edited', 'The "Name" field is editable'),
        ('The "Name" field can\'t be edited', 'The "Name" field is read-only'),
        ('The "Save" button can be clicked', 'The "Save" button is enabled'),
    ),
)
def test_another_order_of_words_says_the_same(sentence: str, plain: str) -> None:
    assert _bare(sentence) == _bare(plain)


def test_a_place_before_the_comma_holds_for_its_sentence_alone() -> None:
    checks = parse_expectation('In the "Ada" row, the status is "Open" and "Pay" is shown. The total is 5')
    places = {str(check.arguments.get("element", check.arguments.get("text"))): check.arguments for check in checks}
    assert [places[name].get("within") for name in ("status", "Pay", "total")] == ["Ada", "Ada", None]


def test_each_clause_has_a_check_of_its_own() -> None:
    checks: tuple[ToolCall, ...] = parse_expectation('In the "Ada" row, the status is "Open"')
    assert {check.clause for check in checks} == {'In the "Ada" row', 'the status is "Open"'}


@pytest.mark.parametrize(
    "sentence",
    (
        'In the console, "Error" is shown',
        'After clicking "Save", "Done" is shown',
        'In English, "Save" is shown',
        'Neither "A" or "B" is visible',
        'Neither of "A" and "B" is visible',
        'Either "A" or "B" is visible',
        "3 rows remain",
        'In the "Ada" row',
    ),
)
def test_a_place_that_may_be_elsewhere_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    (
        "The mp3 filename shown in the panel is `a.mp3`",
        "The Task Edit ultimate parent's details status is Completed",
        "The context menu is closed",
        'I see the "Menu" newest button',
        'There is no cheapest "Milk"',
        'I see the second-last "Milk"',
        'I see the total "Milk" button',
    ),
)
def test_a_word_that_tells_which_one_is_not_dropped(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "role"),
    (
        ('Put "Chair" into the cart', "action"),
        ('Add "Blue in Green" to the "Evening" playlist', "action"),
        ("Choose 25 rows per page", "action"),
        ("The status of invoice 1044 is Open", "expectation"),
        ("The In progress column shows 1 card", "expectation"),
        ("jdoe is still in the list", "expectation"),
    ),
)
def test_what_would_say_something_else_is_not_proposed(sentence: str, role: Role) -> None:
    assert not rewritten(sentence, role, parse_action if role == "action" else parse_expectation)
