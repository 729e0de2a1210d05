"""How testers word their claims: what is read, and what is refused since it names nothing or says more than checks do."""

import pytest

from muster_grammar import UnknownPhrase, parse_expectation
from muster_grammar.engine import shown

READ = {
    "The page shows 'You can't pay yet'": 'check_text(text="You can\'t pay yet")',
    "I do not see the text 'It's over' in the header": 'check_text(text="It\'s over", within=["in banner"], absent=true)',
    'The message is shown: *"Paid"*': 'check_text(text="Paid")',
    'Success: "Paid"': 'check_text(text="Paid")',
    'I see the error message as "Too long"': 'check_text(text="Too long")',
    'A message containing "Paid" is displayed': 'check_text(text="Paid")',
    'The error messages "A" and "B" are displayed': 'check_text(text="A"), check_text(text="B")',
    'I see the "Mail" field prefilled with "a@b.test"': 'check_value(element="Mail", value="a@b.test")',
    'I see the "Blue" option in the "Colour" dropdown': 'check_options(element="Colour", options=["Blue"])',
    'The default value of the "Size" dropdown is "M"': 'check_value(element="Size", value="M")',
    'The h1 contains "Orders"': 'check_value(element="", role="heading", value="Orders", match="contains")',
    "No dialog is open": 'check_visible(element="", role="dialog", absent=true)',
    "75 rows are in the table": 'check_count(element="", role="row", within=["in table"], count=75)',
    "The rows are sorted by total in descending order": 'check_sorted(element="total", descending=true)',
    'Each value in the "n" column is 1': 'check_each(role="cell", within=["in column \\"n\\""], text="1", exact=true)',
    'The "Orders" link is highlighted': 'check_state(element="Orders", role="link", state="selected")',
    'I see input value contains "Ada"': 'check_value(element="", role="field", value="Ada", match="contains")',
    'I expect that element "#save" is visible': 'check_visible(element="#save", role="css")',
    'I should see a "form#login" element': 'check_visible(element="form#login", role="css")',
    'The checkbox ".is_done" is checked': 'check_state(element=".is_done", role="css", state="checked")',
    'The ".NET" link is visible': 'check_visible(element=".NET", role="link")',
    "The login button is visible": 'check_visible(element="login", role="button")',
    "I see a Markdown editor tab": 'check_visible(element="Markdown editor", role="tab")',
    'I see the "X" of "Y"': 'check_text(text="X", within="Y")',
    'I see "X" 3 times': 'check_count(element="X", count=3)',
    'The "X" button should be disabled in the dialog': (
        'check_state(element="X", role="button", within=["in dialog"], state="disabled")'
    ),
    "The user should receive a not found response": "check_response(status=404)",
    'The focus is on the "X" field': 'check_state(element="X", state="focused")',
    'I see the "A" and "B" links': ('check_visible(element="A", role="link"), check_visible(element="B", role="link")'),
    'Buttons "A" and "B" are disabled': (
        'check_state(element="A", role="button", state="disabled"), '
        'check_state(element="B", role="button", state="disabled")'
    ),
    'I see the text "A" and "B" links': 'check_text(text="A"), check_visible(element="B", role="link")',
    'The page heading is "Welcome"': 'check_visible(element="Welcome", role="heading", within=["by its whole name"])',
    'I should get a "404 Not Found" response': "check_response(status=404)",
    "I can see the Remove All link": 'check_visible(element="Remove All", role="link")',
    'The page has the title "Cart"': 'check_title(title="Cart")',
    '"A" is removed from the list': 'check_text(text="A", within=["in list"], absent=true)',
    'I see "Ada" in the "#Users" element': 'check_text(text="Ada", within=["in css \\"#Users\\""])',
}

DESCRIBED = (
    '"Word" is highlighted',
    'The total "5" is shown',
    "Versand: 39,00 € is displayed",
    "I should see a large image",
    "I should see a log-in form",
    "The missing image is visible",
    "The sortable link is visible",
    "Page options are displayed",
    'The 4th batch action is "Delete"',
    'The id of the message is "m1"',
    "I am on the next page",
    "I am on a confirmation page",
    "I am on the order history page",
    "The login page is displayed",
    "A 404 page is displayed",
    'The subject of the message is "Hello"',
    "I am on the Success/Confirmation page",
    "The user should be redirected to my Order history page",
    "The New claim page is open",
)
"""No name is said, only what sort of thing it is."""

PARTLY = (
    'I see "" in the "Cart" section',
    'I see "Ada" in "index.html"',
    "I am on the order page for the last order",
    "I am on the login page or the start page",
    'I should see "X" with "Y"',
    'I see "X" in the "Y" tab',
    'I see a link to "/help"',
    'The contacts directory contains "Bob"',
)
"""A part of it would be left out, or taken for something else."""


@pytest.mark.parametrize("sentence", READ)
def test_a_claim_in_the_words_of_testers_is_read(sentence: str):
    assert shown(parse_expectation(sentence)) == READ[sentence]


@pytest.mark.parametrize("sentence", [*DESCRIBED, *PARTLY])
def test_a_claim_that_names_nothing_or_says_more_is_refused(sentence: str):
    with pytest.raises(UnknownPhrase):
        parse_expectation(sentence)
