"""Wordings beyond the plain ones: sorts of kinds, other nouns, places in markup, values and names without quotes."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown

DONE = {
    'Switch to the "Details" tab': 'click(element="Details", role="tab")',
    'Click page "2"': 'click(element="2", role="page")',
    'Click the "Orders" page': 'click(element="Orders")',
    'Sort the table by the "Name" column': 'click(element="Name", role="columnheader")',
    'Click the "Media" sub tab': 'click(element="Media", role="tab")',
    'Fill in the "Body" HTML field with "x"': 'type(element="Body", text="x")',
    'Click the navigation link "Help"': 'click(element="Help", role="link")',
    'Right-click the node "api"': 'browser_right_click(element="api")',
    'Click on "a.jpg" attachment thumbnail': 'click(element="a.jpg")',
    'Click the "Save" button in the "Profile" wizard': 'click(element="Save", role="button", within="Profile")',
    'Follow "Order" within "#orders"': 'click(element="Order", within=["in css \\"#orders\\""])',
    'Click "A" in the "#main" element': 'click(element="A", within=["in css \\"#main\\""])',
    'Click the element with id "save"': 'click(element="#save", role="css")',
    "Click the button labelled Save": 'click(element="Save", role="button")',
    'Click the link that says "Help"': 'click(element="Help", role="link")',
    'Click the label containing text "Overwrite"': 'click(element="Overwrite")',
    "Click on Display Options": 'click(element="Display Options", within=["by its whole name"])',
    "Hover over Log Out": 'hover(element="Log Out", within=["by its whole name"])',
    "Click the Save link in Settings": 'click(element="Save", role="link", within="Settings")',
    'Click "A" in the dropdown menu': 'click(element="A", within=["in menu"])',
    'Click "A" in the context menu': 'click(element="A", within=["in menu"])',
    'Select "Users" in the side menu': 'click(element="Users", within=["in menu"])',
    "Go to Settings → Users": 'click(element="Settings"), click(element="Users")',
    'Enter username "ada" and password "x"': (
        'type(element="username", text="ada"), type(element="password", text="x")'
    ),
    "Enter User name: ada and Password: x1": (
        'type(element="User name", text="ada"), type(element="Password", text="x1")'
    ),
    'Click on "A" and then on "B"': 'click(element="A"), click(element="B")',
    'Replace the text in "Name" with "x"': 'type(element="Name", text="x")',
    'Wait until I see "A"': 'wait_for(text="A")',
    "Successfully run `ls`": 'execute_command(command="ls"), check_exit_code(code=0)',
    'Enter "x" into the prompt': 'dialog(text="x")',
    "Press the Down key": 'press(key="ArrowDown")',
    'I am on the "Orders" page': 'check_page(name="Orders")',
    "Select Norway from the Country dropdown": 'select(element="Country", options=["Norway"])',
}
UNDONE = (
    "Click a row",
    "Select a checkbox",
    "Click the thumbnail",
    "Click Enter",
    'Click "Enter"',
    'Click the "Log in" buton',
    'Click "Save" tomorrow',
    'Click "Save" hopefully',
    'Click anywhere "Save"',
    'Click the disabled button "Save"',
    'Click the leftmost button "Save"',
    'Click "A" and "B" workloads',
    "Click NOT Save",
    'Click "A" in Firefox',
    'Select "A" in the "Tags" section',
    'Select "Save" from the "File" menu',
    'Select "awesome" in the "Content" HTML field',
    'Type "x" in lower case',
    'Type x into "Name"',
    "Enter invalid as password",
    "Enter a valid email as user name",
    "Enter email as user name",
    "Enter ada or bob as the user name",
    "Enter note: do not save",
    "Select Norway or Sweden from the Country dropdown",
    'Enter username "ada" and frobnicate "x"',
    'Enter username "ada" and frobnicate password "x"',
    'Click "A" and near "B"',
    'Replace the moon with "x"',
)
SEEN = {
    'The tooltip "Delete" is shown': 'check_visible(element="Delete", role="tooltip")',
    'A tooltip with the text "Delete" appears': 'check_visible(element="Delete", role="tooltip")',
    'The tooltip "Delete" is not visible': 'check_visible(element="Delete", role="tooltip", absent=true)',
    'The "Show" button becomes "Hide"': 'check_visible(element="Hide", role="button"), check_visible(element="Show", role="button", within=["by its whole name"], absent=true)',
    '"Milk" is listed first in the table': 'check_text(text="Milk", within=["in 1st row","in table"])',
    'The "Milk" item is first in the list': 'check_text(text="Milk", within=["in 1st listitem","in list"])',
    '"Milk" has a price of "$1"': 'check_value(element="price", within="Milk", value="$1")',
    'The order "A-1" has the status "Sent"': 'check_value(element="status", within="A-1", value="Sent")',
    "No errors appear in the browser console": 'check_console(level="error", absent=true)',
    'The "Name" field has the message "Too long"': 'check_text(text="Too long", within=["of field \\"Name\\""])',
    'I should see comment "Typo"': 'check_text(text="Typo")',
    'I see the diff comment "Typo" in the "Changes" section': 'check_text(text="Typo", within="Changes")',
    'I should not see the issue "Bug 4"': 'check_text(text="Bug 4", absent=true)',
    'I should see a flash with "Saved"': 'check_text(text="Saved")',
    'I see "A" within ".cart"': 'check_text(text="A", within=["in css \\".cart\\""])',
    'I do not see "A" within "#cart"': 'check_text(text="A", within=["in css \\"#cart\\""], absent=true)',
    'I should see a table with id "users"': 'check_visible(element="#users", role="css")',
    'The "Category" dropdown shows "Bags"': 'check_value(element="Category", value="Bags")',
    'The selected option of "Category" is "Bags"': 'check_value(element="Category", value="Bags")',
    'The "Save" button\'s text is "Save"': 'check_value(element="Save", role="button", value="Save")',
    'An error message is displayed: "Wrong"': 'check_text(text="Wrong")',
    'Expect the heading to be "Welcome"': 'check_value(element="", role="heading", value="Welcome")',
    'The "A" checkbox is marked checked': 'check_state(element="A", role="checkbox", state="checked")',
    'The path is "/a"': 'check_url(url="/a")',
    'I see "A" in the page header': 'check_text(text="A", within=["in banner"])',
    'I should see "5" rows': 'check_count(element="", role="row", count=5)',
    'I should see a page titled "One"': 'check_title(title="One")',
    'I should see a disabled "Save" button': 'check_state(element="Save", role="button", state="disabled")',
    'I should see the "A" field with value "x"': 'check_value(element="A", value="x")',
    'The "Name" placeholder contains "x"': (
        'check_attribute(element="Name", attribute="placeholder", value="x", match="contains")'
    ),
    'The output contains exactly "x"': 'check_output(text="x", match="is")',
    'The "Filters" drawer is open': 'check_visible(element="Filters", role="dialog")',
    'The "Help" popover is not visible': 'check_visible(element="Help", role="dialog", absent=true)',
    'The drawer shows "2 mugs"': 'check_text(text="2 mugs", within=["in dialog"])',
    'The "Users" table has 4 columns': 'check_count(element="", role="columnheader", within=["in table \\"Users\\""], count=4)',
}
UNSEEN = (
    'The object "hello" exists',
    'There is a "body" part',
    'The closed issue "Bug" is visible',
    'I see "A" today',
    'I see "Saved" immediately',
    'I see "A" and perhaps "B"',
    "The thumbnail is visible",
    'I should see a hidden "Save" button',
    'I should see the "A" field without value "x"',
    'The "Name" column is sorted',
    'The table has a row with "A" and "B" in the "Name" column',
    "The list shows some items",
)


@pytest.mark.parametrize("sentence", DONE)
def test_an_action_is_read(sentence: str):
    assert shown(parse_action(sentence)) == DONE[sentence]


@pytest.mark.parametrize("sentence", UNDONE)
def test_an_action_that_is_near_one_of_these_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", SEEN)
def test_a_claim_is_read(sentence: str):
    assert shown(parse_expectation(sentence)) == SEEN[sentence]


@pytest.mark.parametrize("sentence", UNSEEN)
def test_a_claim_that_is_near_one_of_these_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)
