"""Marks that are no quotes, parts of a page with what they hold, texts with their place alone, and told messages."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

_SEND = 'check_visible(element="Send", role="button", within="Sign up")'


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('A "Sign up" form with a "Send" button is displayed', _SEND),
        ('The "Sign up" form appears with a "Send" button', _SEND),
        ('The page shows a "Sign up" section with a "Send" button', _SEND),
        ('A modal with a "Retry" link opens', 'check_visible(element="Retry", role="link", within=["in dialog"])'),
        ('"Kettle" in the item name column', 'check_text(text="Kettle", within=["in column \\"item name\\""])'),
        ('"Kettle" in the basket', 'check_text(text="Kettle", within="basket")'),
        (
            'I see the row with "Ada" and "Chef"',
            'check_visible(element="Chef", role="row", within=["in row \\"Ada\\""])',
        ),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        'A "Sign up" form with "Name" and "Mail" fields is displayed',  # the second one anywhere
        'A dialog with the text "Sure?" and a "Retry" link appears',
        'A "Sign up" form with no "Send" button is displayed',
        '"Copy cells" in notebook code works',  # what works is no part of the page
        '"Kettle" in bold',
        '"5 Jan" is visible in the "US" format',
    ],
)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('"Answer" "link" should not be visible', '"Answer" link should not be visible'),
        ('I should see "T1" in the ".tags" "css_element"', 'I should see "T1" in the css=".tags"'),
        ("**The Send button is disabled**", "The Send button is disabled"),
        ("**Sent**", ""),  # a text or a state
        (
            'A "Sign up" form with a "Send" button and a "Help" link is displayed',
            'The "Sign up" form has the "Send" button and the "Sign up" form has the "Help" link',
        ),
        ("Message displayed: Your profile has been stored", 'The text "Your profile has been stored" is visible'),
        ("Error message displayed under the box", ""),
        ('"5 Jan" is visible in the "US" format', ""),
    ],
)
def test_what_is_proposed_for_a_claim(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('I click on "Edit" "link" in the "Ada" "table_row"', 'I click on "Edit" link in the "Ada" row'),
        ("Click [ Close all ] button", 'Click "Close all" button'),
        ("**Click the Send button**", "Click the Send button"),
    ],
)
def test_what_is_proposed_for_an_act(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal
