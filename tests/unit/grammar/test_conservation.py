"""No word without quotes that tells something ends in a name, in a value or in nothing: such a reading is refused."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.conservation import ELSEWHERE
from muster_grammar.engine import shown
from muster_grammar.phrase_catalogue import PHRASES
from muster_grammar.unquoted_names import UNREAD


@pytest.mark.parametrize(
    "sentence",
    [
        "Select the first candidate checkbox",  # which of several, and no name
        "Visit the last activities item",
        "Click on created requirement name",  # what was done to it
        "Click on the folllowing tuple link",
        "Click Not now",  # nothing is called "Not"
        "Click Try again",
        "Click the Save button last",
        "Enter Ada before in the Name field",
        'Click the "Save" before button',
        "Click on Add Video URL drop down field",
        'Set notifications for email "ada@shop.test"',
        'Select "Glorious" for editing',
        'Edit the tag "Stargate"',  # nothing is typed
        'Fill in "Sales" as Functional Area',  # of a name and a value the one in quotes is the value
        'Select "Time Period" as "Last 90 Days"',
        "Set my preferences to View Full Work mode",
        'Download the "Invoice" as PDF',  # no file is called so
        "Select an `Available` book",  # any of several
        'Click seldom "Save"',
        'Click the "" button',  # any button
        'Click "Save" in ""',
        "Check Favorites list",  # to look at it
        'Uncheck the "Terms" link',
        "Click on the Id searched in the list",
        "Click the Report generated",
        "Enter product for search",  # what kind of thing
        "the user enters an inactive UAC",
        "Enter **only 2 letters** in the **Name** field",
        "Enter **valid credit card data**",
        "Use `Tab` to move to the date of birth",  # as often as that takes
        'Click just "Save"',
        'Click the "Save" seldom button',
        "Press the **Back** button in the browser.",  # the browser's own
        'Click "Refresh" of the browser',
        'Select page "two"',  # which may be called so
        'Select "Close" in Save Updates Overlay',  # no list
        'Choose "Yes" in the Delete Account Modal',
        "Check if date inputs have ID attributes",  # no text
        'Drag "A" to many "B"',
    ],
)
def test_an_act_with_a_word_that_would_be_lost_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        'Verify status of requisition is "Open" for all',
        'verify status of requisition is "Approval Pending"',  # nothing is called "verify status"
        'Borrowed successfully, book status changes to "Open"',
        'I see "Message" in the hover list',
        'I see "Welcome" in the email body',
        'The email should not contain "missing"',
        'The pseud autocomplete should not contain "Ada"',
        'The user "Ada" should not have a block for "Bob"',
        "Keyword does not exist",
        "All recruiters should be selected",
        "Verify Orders and Bank Account Tabs are displayed",
        "I validate the Marketing user create campaign success message",
        'I see the "a+" regex on the page',
        "Password setup link opens",
        'Verify that "On Hold" button can be removed',
        "Mail is listed under Left Facet",
        "Leave Phone number field empty",
        "Enter Password",
        "Email Settings",
        'The "" button is visible',
        '"Paid" is visible in ""',
        'The "Name" field contains ""',  # everything does
        "The Debt should be visible on the Bank Debts card",  # the card is called so
        'The Debt should be visible on the "Bank Debts" card',
        "The Prescription should be added in the Patient section",  # a thing, not a text
        "Captive portal should pop up automatically",
        "Items should be displayed",  # one of them would do
        "The links are visible",
        "Password length must be more than 5",
        "**No focus skips** should occur",  # no text
        'The filter dropdown option is "All"',
        'The Personal Details first name field shows the error "Required"',
        'I can see "Mug" in the orders page list view',
        "verify Send Request as PDF functionality",
        '"Card" is selected and not "Cash"',
        'I see "A" in manage permission light box',
        'I see the "A" always button',
        '"Saved" is seldom visible',
        "I should see Social buttons",  # what they are for
        "The Media controls are visible",
        "I verify the presence of Positive controls and False positive variants table",
        "I can see patients with Pending Reports",
        "I should not see Payment Failed message",  # nothing need be called so
        "The page does not show Total Price",
        "The Total Price matches the number of Items",  # no pattern
        "the date inputs have ID attributes",
        "Work Plan lists Attendees",
        '"OK" is "disabled"',  # a state or a text?
        'The "Status" field is "empty"',
        '"Save" is "visible"',
        'The "Pause" button becomes "Enabled"',
    ],
)
def test_a_claim_with_a_word_that_would_be_lost_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("Click the last page link", 'click(element="last page", role="link")'),
        ("Click Load more results", 'click(element="Load more results", within=["by its whole name"])'),
        ('Enter "not partly, maybe" in "Note"', 'type(element="Note", text="not partly, maybe")'),
        (
            'Create the file "a.txt" with the content:\nIt may be very late',
            'write_file(path="a.txt", content="It may be very late")',
        ),
        ("Click the All orders tab", 'click(element="All orders", role="tab")'),
        ("Click the Recently added tab", 'click(element="Recently added", role="tab")'),
        ("Press `Tab` to move to the next field", 'press(key="Tab")'),
        ("Enter **Ada** in the **Name** field", 'type(element="Name", text="Ada")'),
        ('Select "" in "Color"', 'select(element="Color", options=[""])'),
        ('Type "" into the "Name" field', 'type(element="Name", text="")'),
        ('Enter weak password "abc"', 'type(element="password", text="abc")'),
        ('Enter partial keyword "lap"', 'type(element="keyword", text="lap")'),
        ("Click Maybe Later button", 'click(element="Maybe Later", role="button")'),
        ('Select "Bikes" from the "Group" dropdown', 'select(element="Group", options=["Bikes"])'),
        ('Choose "Page 2" in "Go to page"', 'select(element="Go to page", options=["Page 2"])'),
    ],
)
def test_the_same_words_are_read_where_they_are_a_name_or_in_quotes(sentence: str, calls: str) -> None:
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('The "OK" button is "disabled"', 'check_state(element="OK", role="button", state="disabled")'),
        ('The "OK" button is not "enabled"', 'check_state(element="OK", role="button", state="disabled")'),
        ('The "Terms" checkbox should be "checked"', 'check_state(element="Terms", role="checkbox", state="checked")'),
        ('The "Home" tab is "active"', 'check_state(element="Home", role="tab", state="selected")'),
        ('The "Help" link is "visible"', 'check_visible(element="Help", role="link")'),
        ('"Account" shows "disabled"', 'check_value(element="Account", value="disabled", match="contains")'),
        ('The "Status" dropdown is "Closed"', 'check_value(element="Status", value="Closed")'),
        ("The Total is 5", 'check_value(element="Total", value="5")'),
    ],
)
def test_a_state_in_quotes_is_one_where_nothing_else_can_be_meant(sentence: str, calls: str) -> None:
    assert shown(parse_expectation(sentence)) == calls


def test_no_phrase_says_what_the_unread_words_say() -> None:
    patterns = " ".join(pattern for phrase in PHRASES for pattern in (phrase.pattern, *phrase.also)).lower()
    assert (UNREAD - ELSEWHERE).isdisjoint(patterns.replace("/", " ").split())


def test_a_clause_of_nothing_but_a_word_that_is_left_out_is_refused() -> None:
    with pytest.raises(PhraseError):
        parse_expectation('Currently, only "context" is supported')
