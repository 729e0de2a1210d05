"""What pairs a label with a value, tells a level, a side or the whole page is no list, name or place."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

ACTS = (
    'Select "Size": "M" from the dropdown',  # a label and what is selected
    "Choose **Colour**: `Red` in the list",
    "Remember the language of the page as ${language}",
    "Enter the Number of Guests in the First Text Box",  # it says which value, and is none
)
CLAIMS = (
    'The "Size" dropdown contains "M": "Medium"',
    'The heading level 2 reads "Orders"',
    'The level 1 heading is "Orders"',
    "There is one level 1 heading",
    "The page has exactly one h1",  # headings of every level would be counted
    "There are 3 h2",
    "The language of the page is German",
    'The theme of the app is "dark"',
    "The zoom level of the window is 125%",
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
        ('The "Size" dropdown contains "M" and "L"', 'check_options(element="Size", options=["M","L"])'),
        ('The h1 is "Orders"', 'check_value(element="", role="heading", value="Orders")'),
        ("There is one css=h1", 'check_count(element="h1", role="css", count=1)'),
        ("The H1 revenue is 5", 'check_value(element="H1 revenue", value="5")'),
        ("The level 2 score is 5", 'check_value(element="level 2 score", value="5")'),
        # a link of that name would not do
        ('The "Orders" view is displayed', 'check_visible(element="Orders", role="section")'),
        ('The "Orders" wizard is not visible', 'check_visible(element="Orders", role="section", absent=true)'),
        (
            'Left sidebar shows the "Help" link',
            'check_visible(element="Help", role="link", within=["in complementary"])',
        ),
        (
            'There is a row for Ada in `Staff` with an "Edit" button',
            'check_visible(element="Edit", role="button", within=["in \\"Ada\\"","in \\"Staff\\""])',
        ),
        ('Verify that the right sidebar shows "A"', 'check_text(text="A", within=["in complementary"])'),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('The footer of the page shows "A"', ""),  # it may stand elsewhere
        ('The end of the sidebar menu holds "A"', ""),
        ("Ensure 3 hidden entries are listed in totals", ""),  # a count is no text
        ("The header says Good morning, Ada", ""),  # nothing is called "header"
        ('The chart\'s title is "Sales"', ""),
        ("The list has 5 items, 2 of which are checked", ""),
        ('I should see "Q5" on survey page "2"', ""),
        ("Calculated return date is displayed in the return date field", ""),
    ],
)
def test_what_is_proposed_for_a_claim(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("Disable Push alerts in Profile", ""),  # not one name
        ("Enter the Number of Guests in the First Text Box", ""),
        ("The cashier selects Gift card in From textbox", ""),
        ('Select "Size": "M"', 'Select "M" in "Size"'),
    ],
)
def test_what_is_proposed_for_an_act(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal
