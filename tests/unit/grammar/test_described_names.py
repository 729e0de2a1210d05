"""What only describes, stresses, joins or tells how is no name, text, value or place; and who acts may be anybody."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

ACTS = (
    "Leave optional field blank",
    "Click the mandatory field",
    "Click on specific tab",
    "Open the particular menu",
    "Enter empty 'Nickname'",
    "Click GET BONUS CARD",  # not "GET BONUS"
    "Select Terms And Conditions",  # one thing
    "Click Home And Garden",
    "Click on Profile Dropdown And Sign Out Successfully",
    "Select '2031' for the invoice",
    "Select '2031' for loading records",
    "Fill in the last comment box with 'Hi'",  # the last of several
    "Type 'Hi' in the first message field",
    "Double click on the 'Price' column on Order List",
    "Click Queue Using List",
    "Click Sorting in Python",
    "Go to the last image",
    "Hover over Monthly Sales Table",
    'Write "x" as "a.txt"',  # which may be a file
    "Fill 03-04-2031 as Date of Birth",  # into which of the two
)
CLAIMS = (
    "The record is **not archived**",
    'The record is **not marked as "Late"**',
    "'Remove Item Button' is not displayed",
    "I see 'Sign in link'",
    "404/expected error",
    "The date/time error is shown",
    "I can see Phone Number in US format",
    "The user sees Invoice Total in red color",
    "Result:** Order is found",
    "Verify option to Choose Seat is there",
    "Display invoices containing 'Ada'",
    "The user is able to see the Address",
    "Added Delivery Address should be displayed in the list",
    "Error Message Start Date is wrong message should be displayed",
    "The upload button is 'disable'",
    "The registration should be 'successful'",
    "The total → 5",
    "Quantity -> 2",
    "The x coordinate of 'Logo' is '5'",
    "Tax Period selected",
    "The sign-up screen heading should be visible",
)


@pytest.mark.parametrize("sentence", ACTS)
def test_an_act_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("Click the Log in CTA", 'click(element="Log in")'),
        ('Click "Sign up" call to action in the header', 'click(element="Sign up", within=["in banner"])'),
        ("Click Login btn", 'click(element="Login", role="button")'),
        ('Select the "Express" radio-button', 'check(element="Express", role="radio")'),
        ('Type "x" in the "Note" text-box', 'type(element="Note", text="x")'),
        ('Select "M" from the "Size" dropdown box', 'select(element="Size", options=["M"])'),
        ('Select "M" for the size', 'select(element="size", options=["M"])'),
        ('Type "x" in the last name field', 'type(element="last name", text="x")'),
        ("Write ada@shop.test as e-mail address", 'type(element="e-mail address", text="ada@shop.test")'),
        ('Write "ada@shop.test" as the e-mail', 'type(element="e-mail", text="ada@shop.test")'),
        ("Librarian clicks 'Save'", 'click(element="Save")'),
        ("Maker leaves 'User name' blank", 'clear(element="User name")'),
        ("The cashier enters '5' in 'Tip'", 'type(element="Tip", text="5")'),
        ("Click the Customer table", 'click(element="Customer", role="table")'),
    ],
)
def test_an_act_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody clicks 'Save'",
        "The system enters '5' in 'Tip'",
        "Form selects 'A'",
        "Shift clicks 'A'",
        "Mouse clicks 'A'",
    ],
)
def test_what_is_nobody_does_nothing(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("Librarian sees 'Saved'", 'check_text(text="Saved")'),
        ('Status displayed as "Available"', 'check_value(element="status", value="Available")'),
        ('Status shown as "Available"', 'check_value(element="status", value="Available")'),
        ('Nickname field auto filled with "Main"', 'check_value(element="Nickname", value="Main")'),
        ("The Nickname field is auto-filled with 'Main'", 'check_value(element="Nickname", value="Main")'),
        ("The text 'Save button' is not visible", 'check_text(text="Save button", absent=true)'),
        ("The 'Save' button is **disabled**", 'check_state(element="Save", role="button", state="disabled")'),
        ("The total > 5", 'check_value(element="total", value="5", match="above")'),
        ("The Sign up CTA is visible", 'check_visible(element="Sign up")'),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("I should be on the preferences screen", 'I am on the "preferences" page'),
        ("The user successfully navigates to the Orders page", 'I am on the "Orders" page'),
        ("User verifies Submit button on the page", 'The "Submit" button is visible'),
        ("User clicks on View Archived Users checkbox", ""),  # it is clicked
        ("I should see the text field with placeholder text 'Name'", ""),
        ("The app displays Orders for 'March'", ""),
        ("The clerk can view complete order list", ""),
        ("User is able to see the Address", ""),
        ("I can see Phone Number in US format", ""),
        ("Added Delivery Address should be displayed in the list", ""),
        ("I verify 'Remove Item Button' is not displayed", ""),
    ],
)
def test_what_is_proposed_for_a_claim(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("Click GET BONUS CARD", 'Click "GET BONUS CARD"'),
        ('I append "@Ada" to the publisher', 'Append "@Ada" to "publisher"'),  # what it holds stays
        ('Fill "03-04-2031" as Date of Birth', 'Type "03-04-2031" into "Date of Birth"'),
        ("Click Queue Using List", 'Click "Queue Using List"'),
        ("Select Terms And Conditions", ""),
        ("Click on particular tab", ""),
        ("I select 'March' for loading records", ""),
        ("Click read here link on Order History section", ""),
        ("Select 'A' on the dropdown portal", ""),
    ],
)
def test_what_is_proposed_for_an_act(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal
