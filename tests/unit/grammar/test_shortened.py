"""Claims and acts as checklists shorten them are read in full, or refused where what is left out may matter."""

import pytest

from muster_grammar import AmbiguousPhrase, PhraseError, parse_action, parse_expectation
from muster_grammar.engine import Calls

CLAIMS = {
    'Must display "5 items"': 'The page shows "5 items"',
    'Must Not Display "5 items"': 'The page does not show "5 items"',
    'Shows the "Welcome" heading': 'The "Welcome" heading is visible',
    "Should redirect to `/login`": 'I am on "/login"',
    '"Save" button disabled': 'The "Save" button is disabled',
    "Textarea empty": "The text area is empty",
    'Error message displayed: "Wrong password"': 'The text "Wrong password" is visible',
    'Error: "Wrong password"': 'The text "Wrong password" is visible',
    'The order confirmation message "Thanks" is shown': 'The text "Thanks" is visible',
    'Verify the status as "Open"': 'The status is "Open"',
    'Title: "Home"': 'The page title is "Home"',
    'Subtotal: "$9"': 'Subtotal is "$9"',
    "3 rows in the table": "There are 3 rows in the table",
    'A new row "Ada" appears in the table': 'The row "Ada" is visible in the table',
    '- [ ] "Saved" is visible': '"Saved" is visible',
    'Expected result: "Saved" is visible': '"Saved" is visible',
    '**Verify** the page title is "Home"': 'The page title is "Home"',
    'Shows "Delete user" title': 'The page shows "Delete user"',
    'The form shows "New user" title': 'The form shows "New user"',
    'The form displays the title "New user"': 'The form shows "New user"',
    'User is redirected to the "New user" form': 'The "New user" form is visible',
    'Total price updated to "$5"': 'Total price is "$5"',
    "📋 Copy button visible": 'The "Copy" button is visible',
    '🔒 "Log out" is visible': '"Log out" is visible',
    "An error is displayed: Username is required": 'The text "Username is required" is visible',
    'Look for the text "Saved"': 'The page shows "Saved"',
}
ACTS = {
    'Click "A" → click "B"': 'Click "A" and click "B"',
    'Open the "File" menu -> choose "B"': 'Open the "File" menu and choose "B"',
    "Click File → Save": "Click File > Save",
    'Click the "Source" button (eye icon)': 'Click the "Source" button',
    'Click the "Edit" link (in the first row)': 'Click the "Edit" link in the first row',
    'Enter an invalid password (e.g., "12345")': 'Enter the password "12345"',
    'Enter valid username (`ada`) in the "Name" field': 'Type "ada" into the "Name" field',
    'Click the blue "Save" button': 'Click the "Save" button',
    'In the sidebar click "Users"': 'Click "Users" in the sidebar',
    'Accept the terms by checking "I agree"': 'Check "I agree"',
    "Reload the page (F5)": "Reload the page",
    "Use Ctrl+Z": "Press Ctrl+Z",
    'Upload the image "a.png" to "Photo"': 'Upload "a.png" to "Photo"',
    'Look for the "Save" button': 'Find the "Save" button',
    '🔍 Click "Search"': 'Click "Search"',
    'The student clicks "Save"': 'Click "Save"',
}


def _told(calls: Calls) -> list[tuple[str, object]]:
    return [(call.tool, call.arguments) for call in calls]


@pytest.mark.parametrize(("short", "full"), CLAIMS.items())
def test_a_shortened_claim_says_what_the_full_one_says(short: str, full: str):
    assert _told(parse_expectation(short)) == _told(parse_expectation(full))


@pytest.mark.parametrize(("short", "full"), ACTS.items())
def test_a_shortened_act_does_what_the_full_one_does(short: str, full: str):
    assert _told(parse_action(short)) == _told(parse_action(full))


@pytest.mark.parametrize(
    "sentence",
    ("Verify Patient tab", '"Saved"', 'Verify "Saved"', "Login page displayed", "Message displayed", "Disabled"),
)
def test_a_claim_that_says_nothing_to_be_checked_stays_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    (
        'Click the "Edit" link (not the first)',
        'Click the "Save" button (if enabled)',
    ),
)
def test_what_may_matter_is_not_left_out(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


def test_what_is_set_as_what_is_ambiguous_between_two_names():
    with pytest.raises(AmbiguousPhrase):
        parse_action("Set the Joint Account as From Account")


def test_a_part_without_a_subject_is_about_the_subject_before_it():
    calls = parse_expectation('The list contains "A" and contains "B"')
    assert [call.arguments["within"] for call in calls] == [["in list"], ["in list"]]
