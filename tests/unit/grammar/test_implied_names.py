"""Names and values without quotes: what is read as if they stood in some, and what stays refused."""

import pytest

from muster_grammar import AmbiguousPhrase, PhraseError, UnknownPhrase, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_text.clauses import split_clauses

ACTS = {
    'Write "Hi" into Bio': 'type(element="Bio", text="Hi")',
    "Click Continue to shipping": 'click(element="Continue to shipping")',
    "Enter 4111 1111 1111 1111 as the card number": 'type(element="card number", text="4111 1111 1111 1111")',
    "Enter 12/30 as the expiry date and 123 as CVC": (
        'type(element="expiry date", text="12/30"), type(element="CVC", text="123")'
    ),
    "Choose 10:30 as Start": 'select(element="Start", options=["10:30"])',
    "Press Pay in the row of Globex": 'click(element="Pay", within="Globex")',
    'Press "Escape"': 'press(key="Escape")',
}
CLAIMS = {
    "The Email field contains ana@example.org": 'check_value(element="Email", value="ana@example.org", match="contains")',
    "The size of notes.txt is 120 KB": 'check_value(element="size", within="notes.txt", value="120 KB")',
    "Report.docx and Budget.xlsx are shown": 'check_text(text="Report.docx"), check_text(text="Budget.xlsx")',
    "The status of Globex changes to Paid": 'check_value(element="status", within="Globex", value="Paid")',
    "The order status should be Not Started": 'check_value(element="order status", value="Not Started")',
    "Auto-remind is on": 'check_state(element="Auto-remind", state="checked")',
    "Light is no longer selected": 'check_state(element="Light", state="unselected")',
    "The Address step is still active": 'check_state(element="Address", state="selected")',
    "Birthday is 17 May 1990": 'check_value(element="Birthday", value="17 May 1990")',
}


@pytest.mark.parametrize(("sentence", "calls"), ACTS.items())
def test_an_action_with_names_without_quotes_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(("sentence", "checks"), CLAIMS.items())
def test_a_claim_with_names_without_quotes_is_read(sentence: str, checks: str):
    assert shown(parse_expectation(sentence)) == checks


@pytest.mark.parametrize(
    "sentence",
    [
        "Press Frobnicate",  # a key with a slip
        "Click Terms and Conditions",  # one name or two?
        "Tap Next to skip editing",  # for what, or called so?
        "Disable the Image Resizer",  # where?
        "I select facet Ministry of Magic",
        "Paste a 256-character string into the Username field",
        'Click "A" in Firefox',
        'Select "Next" and wait for System validate',
    ],
)
def test_an_action_that_may_mean_something_else_stays_refused(sentence: str):
    with pytest.raises(UnknownPhrase):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Error messages are displayed",  # of whatever wording
        "Dashboard is displayed",
        "I should see the Newsletter hover",
        "I can see all the Patches",
        "The Confirmation page should be displayed",
        "The value of the Microphone is 718.80",  # of its row, or in a column "Value"?
        'The file is still called "notes.txt"',  # on the page, or in a directory?
        'A folder named "Music" exists',
        'The channel "general" is open',
        '"Music" has 0 items',
        'Hovering shows "Delete"',
    ],
)
def test_a_claim_that_may_mean_something_else_stays_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


def test_a_name_that_may_end_in_two_places_is_ambiguous():
    with pytest.raises(AmbiguousPhrase) as raised:
        parse_expectation("The Light theme is selected")
    assert len(raised.value.readings) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Report.docx and Budget.xlsx are shown",
        "The Name column contains Headphones, HDMI cable and Speaker",
        "The dropdown offers English, Deutsch and Español",
    ],
)
def test_each_clause_of_a_list_of_names_has_a_check(text: str):
    assert {check.clause for check in parse_expectation(text)} == set(split_clauses(text))
