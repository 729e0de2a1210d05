"""Entries written as `label: value`, several labels, values shown as a label; what is like them and refused is in
`refused_sentences.py`."""

import pytest

from muster_grammar import parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

ACTS = {
    "Email: ada@shop.test": 'type(element="Email", text="ada@shop.test")',
    'Full name: "Ada Byron"': 'type(element="Full name", text="Ada Byron")',
    "Password: `Secret1!`": 'type(element="Password", text="Secret1!")',
    'Enter valid username "Admin"': 'type(element="username", text="Admin")',
    'Enter invalid email "x"': 'type(element="email", text="x")',
    "Leave Name and Email empty": 'clear(element="Name"), clear(element="Email")',
    "User selects the username textbox": 'click(element="username", role="textbox")',
    "Type fb.test in the address bar": 'browser_navigate(url="fb.test")',
    "Refresh the browser page (F5 or Ctrl+R)": "browser_reload()",
    "Click the 'Actions' dropdown (three dots).": 'click(element="Actions", role="combobox")',
    "User select on the Trains option": 'click(element="Trains")',
    "Select Norway as Country": 'select(element="Country", options=["Norway"])',
    "Select Country as Norway": 'select(element="Country", options=["Norway"])',
    "Select Norway from Country Dropdown": 'select(element="Country", options=["Norway"])',
    "Check the Remember Me checkbox": 'check(element="Remember Me", role="checkbox")',
    "Tick Remember Me": 'check(element="Remember Me")',
    "Upload Photo.png": 'browser_upload(element="", files=["Photo.png"])',
    "Click first reserve now button in the list": (
        'click(element="reserve now", role="button", within=["1st","in list"])'
    ),
    "Click the last page link": 'click(element="last page", role="link")',
    "Click the First Name field": 'click(element="First Name")',
    'Type "abc", press Tab and type "x"': 'type(text="abc"), press(key="Tab"), type(text="x")',
    'Click Edit on the row of "Ada"': 'click(element="Edit", within=["by its whole name","in \\"Ada\\""])',
    'Open the "Details" section': 'click(element="Details")',
    'Click "Cancel" in the confirmation dialog': 'click(element="Cancel", within=["in dialog"])',
    'Click "OK" in the alert': "dialog(accept=true)",
}
CLAIMS = {
    'I should see "$180,000" as Loan Amount': 'check_value(element="Loan Amount", value="$180,000")',
    'I should see "30 Years" as the selected Loan Term': 'check_value(element="Loan Term", value="30 Years")',
    'Date format: "Y-m-d"': 'check_value(element="Date format", value="Y-m-d")',
    "Verify that the checkbox is initially unchecked": 'check_state(element="", role="checkbox", state="unchecked")',
    'The user should be at URL "checkout"': 'check_url(url="/checkout", match="ends")',
    "The cart contains 2 items": 'check_count(element="", role="listitem", within="cart", count=2)',
    'The "Filters" sidebar opens': 'check_visible(element="Filters", role="section")',
    '"Press X to close" is visible': 'check_text(text="Press X to close")',
    '"Size X is sold out" is visible': 'check_text(text="Size X is sold out")',
    "Login Button Should Be Disabled": 'check_state(element="Login", role="button", state="disabled")',
}
NO_PROPOSALS = (
    "Verify Error Message Is Displayed",
    'Message such as "Done" is displayed',
    '"A" is visible on mobile',
    '"A" is shown on hover',
    '"A" is displayed at most once',
)
NO_ACTS = ("Set Quantity to Maximum", "Change Name to Another Name", "Click Any Product", "Click Second Row Edit Icon")


@pytest.mark.parametrize("sentence", ACTS)
def test_an_act_is_read(sentence: str) -> None:
    assert shown(parse_action(sentence)) == ACTS[sentence]


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_read(sentence: str) -> None:
    assert shown(parse_expectation(sentence)) == CLAIMS[sentence]


@pytest.mark.parametrize("sentence", NO_PROPOSALS)
def test_no_claim_is_proposed_that_says_something_else(sentence: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == ""


@pytest.mark.parametrize("sentence", NO_ACTS)
def test_no_act_is_proposed_that_says_something_else(sentence: str) -> None:
    assert rewritten(sentence, "action", parse_action) == ""
