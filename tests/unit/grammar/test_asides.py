"""Asides of actions are left out; what may change what is done never is."""

import pytest

from muster_grammar import PhraseError, parse_action
from muster_grammar.parser import shown
from muster_grammar.rewritings import rewritten

SAID = {
    'Click "Save" as usual': 'click(element="Save")',
    "Press the Enter key on the keyboard": 'press(key="Enter")',
    'Click the "Buy" button to complete the purchase': 'click(element="Buy", role="button")',
    "Press Escape to close the dialog": 'press(key="Escape")',
    'Click "Next" in order to continue': 'click(element="Next")',
    'To log in, click "Sign in"': 'click(element="Sign in")',
    "Click Submit on the log-in page": 'click(element="Submit", within=["by its whole name"])',
    'Click the "Save" button at the top of the page': 'click(element="Save", role="button")',
    'Click "Save" at the bottom of the form': 'click(element="Save", within=["in form"])',
    "Click on the cart icon in the upper right corner": 'click(element="cart", within=["of type icon"])',
    'Click the "Sign up" button (top right)': 'click(element="Sign up", role="button")',
    'Press the "Create" button without editing any of the fields': 'click(element="Create", role="button")',
    'Close the popup by clicking on "X"': 'click(element="X")',
    "As a user, click Submit": 'click(element="Submit", within=["by its whole name"])',
    "Launch the browser and open https://shop.test": 'browser_navigate(url="https://shop.test")',
    'In the dialog, click "OK"': 'click(element="OK", within=["in dialog"])',
    'In the "Name" field, enter "Ada"': 'type(element="Name", text="Ada")',
    'In the "Name" field enter "Ada"': 'type(element="Name", text="Ada")',
    'From the "Country" dropdown, select "Norway"': 'select(element="Country", options=["Norway"])',
    'On the log-in page, click "Sign in"': 'click(element="Sign in")',
}
UNREAD = (
    "Click the button to remove a document",
    "Click Back to search",
    'Click "Save" to verify that it is saved',
    'Click "A" to open "B"',
    'Click "Zoom" to zoom to 50% scale',
    'Click "A" (or wait)',
    'Click "A" (twice)',
    'Click "A" (if shown)',
    'Select "A" to uploading another file',
    'Click "A" on another page',
    'Click "A" on each page',
    'Type "x" at the top',
    'Click "A" without waiting',
    'Upload the file by clicking "Upload"',
    'Close the "Welcome" dialog by clicking "X"',
    'In the dialog, type "x" into "Name" and click "Save"',
    'As an administrator, click "Save"',
)


UNPROPOSED = (
    "The user clicks the button to remove a document",
    'Click "Update" (or wait for the update)',
    'Click the pin icon to view pins, verify they are "new"',
)


@pytest.mark.parametrize("sentence", UNPROPOSED)
def test_no_proposal_drops_what_may_matter(sentence: str):
    assert not rewritten(sentence, "action", parse_action)


@pytest.mark.parametrize("sentence", SAID)
def test_an_aside_is_left_out(sentence: str):
    assert shown(parse_action(sentence)) == SAID[sentence]


@pytest.mark.parametrize("sentence", UNREAD)
def test_what_may_matter_is_no_aside(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)
