"""Words beside a name that a reading would leave out, or take for a name: the sentence is refused."""

import pytest

from muster_grammar import UnknownPhrase, parse_action, parse_expectation

ACTS = (
    "Click on Send a Report",  # not "Send"
    "Click on the Submit Block",  # not "Submit"
    "Double-click the Submit Block",
    "Hover over Add Panel and click 'Add Chart'",
    "Click the community logo",  # not whatever is called so
    "Open the link to a board",
    "Switch to the parent tab",
    "Click the 'Area Chart' chart delete icon",
    "Run the 'Monthly Totals' report",
    "Run the 'Monthly Totals'",  # no command
    "Fill in a valid bank code for 'Account'",
    "Select Action as 'Upload Files'",  # the one in quotes is selected
    "Click the empty state of the first",
)
CLAIMS = (
    "The AI image gallery is visible",
    "I should see Send a Report lightbox",
    "The Add to basket lightbox is visible",
    "Validate Fee Amount info icon message",
    "The Withdraw button will be Active",
    "I don't see 'edit, copy, share' options in the menu",  # one of this name is never there
    "I see the files 'a.png, b.png' in the file list",
    "The table has the columns 'Name, Price'",
    "I see the element Link in the 'Target' card",
    "The 'Delete' dialog for '2' files is visible",
    "The 'Born' field is in 'DD/MM/YYYY' format",
    "The user can see the 'Travel' app on the page",
    "'Instructions' is displayed as Subheading",
)


@pytest.mark.parametrize("sentence", ACTS)
def test_an_act_is_refused(sentence: str) -> None:
    with pytest.raises(UnknownPhrase):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_refused(sentence: str) -> None:
    with pytest.raises(UnknownPhrase):
        parse_expectation(sentence)


def test_what_says_more_of_a_name_in_quotes_may_be_left_out() -> None:
    for act in (
        'Click the event source "Binding"',
        'Select "Excel" format',
        'Run the command "make"',
        "Click Edit option",
    ):
        assert parse_action(act)
    for claim in (
        'The page shows "Hello, Ada"',
        "The total exceeds 10",
        'I see the "Legal" tag',
        "The OTP input is visible",
    ):
        assert parse_expectation(claim)
