"""Sentences that were read as something they do not say: each is refused now, or read as what it says."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.errors import AmbiguousPhrase, UnknownPhrase
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    "sentence",
    [
        "Tap Next/Continue",  # either
        "Click the Save/Update button",
        "Tap editor menu",  # what is called so?
        "User selects test site section",
        "I select exemption FRA2",  # an exemption, which the page need not call one
        "Click order A17",
        "Select Tier",  # which?
        "Choose Country",
        "Enter the title Doctor in the Name field",  # two names
        "Disable the Image Resizer",
        'Upload "a.txt" to archive',  # no purpose, a place
        'Click "A" to verify the total',
        'Click "A". "B".',  # a sentence of its own has a verb of its own
        'Click the "Save" button. Rossi',
        "Click the Cancel button next to Dr. Rossi",
        "Click Edit next to J. Smith",
        'Open the row menu of "A"',  # that of the row, which is called nothing
        'Click the "A" row menu',
        'Navigate to the "A" list',  # no list is clicked
        "Turn your internet connection back on",
        'Wait for "A" of the "B" element',
    ],
)
def test_an_action_that_may_mean_something_else_is_refused(sentence: str) -> None:
    with pytest.raises(UnknownPhrase):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Suggestion dropdown should appear",
        'The file "a.txt" is listed',  # on the page, not in the directory
        'The file "a.txt" is not visible',
        'I see the file "a.txt"',
        'The "Sales" chart is displayed',  # its name may stand above none
        'There is a "Sales" diagram',
        'Hovering shows "Delete"',
        'The object "hello" should contain "world"',
        'The logs for task "greet" should contain "Hello"',
        "The Active/Done tab is visible",
        'The first result is "Mug"',
        "Both buttons are enabled",
        'The "Save" button is visible. It is enabled',  # nothing is called "It"
        "The dialog closes. It is not visible",
        'The "Orders" table is visible. It has 3 rows',
        "The J. Smith row is visible",
        'The "Save" button is enabled. The "Cancel" button',
        "The list is sorted, newest first",  # by letters?
        'There are two tabs: "A", "B" and "C"',
        'The items are "A" and "B"',  # of which list?
        'The total is "5" and "B" is not',  # not there, or not "5"?
    ],
)
def test_a_claim_that_may_mean_something_else_is_refused(sentence: str) -> None:
    with pytest.raises(UnknownPhrase):
        parse_expectation(sentence)


@pytest.mark.parametrize("sentence", ["Confirm Password field is visible", "Verify button is visible"])
def test_a_verb_that_may_be_part_of_a_name_is_ambiguous(sentence: str) -> None:
    with pytest.raises(AmbiguousPhrase):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "checks"),
    [
        ("Verify Login panel exists", 'check_visible(element="Login", role="section")'),
        ("Validate the Save button is disabled", 'check_state(element="Save", role="button", state="disabled")'),
        ("Confirm the Password field is empty", 'check_state(element="Password", state="empty")'),
        ("Ensure Password field exists", 'check_visible(element="Password")'),
        ('The file "a.txt" exists', 'check_file(path="a.txt")'),
        ('There is a file "a.txt"', 'check_file(path="a.txt")'),
        ('The active tab is "Details"', 'check_state(element="Details", role="tab", state="selected")'),
    ],
)
def test_a_claim_is_read_as_what_it_says(sentence: str, checks: str) -> None:
    assert shown(parse_expectation(sentence)) == checks


@pytest.mark.parametrize(
    ("sentence", "instead"),
    [
        ('The file "a.txt" is listed', ""),
        ('The "Sales" chart is displayed', 'The "Sales" image is visible'),
        ("The registration's balance is 0.00", '"balance" in "registration" is "0.00"'),
        ('The order does not have a status of "Open"', '"status" in "order" is not "Open"'),
        ("The A to Z label should not be present", 'The text "A to Z" is not visible'),
        ("I am shown the DR2225 error", 'The text "DR2225" is visible'),
        ("The price is crossed out", ""),
        ('The avatar of "Bob" is shown', ""),
        ("Both buttons are enabled", ""),
        ('The last message is "Hello"', '"Hello" is the last item in the list'),
        ('The user clicks submit and sees the "Required" message', ""),
    ],
)
def test_a_rewriting_says_no_less(sentence: str, instead: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == instead


@pytest.mark.parametrize(
    ("sentence", "checks"),
    [
        (
            'I see "A", "B" and "C" in the menu',
            'check_text(text="A", within=["in menu"]), check_text(text="B", within=["in menu"]), '
            'check_text(text="C", within=["in menu"])',
        ),
        (
            'I see the "A" and "B" buttons in the menu',
            'check_visible(element="A", role="button", within=["in menu"]), '
            'check_visible(element="B", role="button", within=["in menu"])',
        ),
        (
            'The URL contains "A" and the "B" of "C" is "D"',  # a clause with a verb of its own has its own place, too
            'check_url(url="A", match="contains"), check_value(element="B", within="C", value="D")',
        ),
        (
            'The table has the columns "A" and "B". The "C" of "D" is "E"',
            'check_visible(element="A", role="columnheader", within=["in table"]), '
            'check_visible(element="B", role="columnheader", within=["in table"]), '
            'check_value(element="C", within="D", value="E")',
        ),
        ('I see "A", and I see "B" in the menu', 'check_text(text="A"), check_text(text="B", within=["in menu"])'),
        ('"A" is visible and "B" in the menu', 'check_text(text="A"), check_text(text="B", within=["in menu"])'),
    ],
)
def test_a_place_behind_several_names_is_that_of_all(sentence: str, checks: str) -> None:
    assert shown(parse_expectation(sentence)) == checks


@pytest.mark.parametrize(
    "sentence", ["Enter spaces as the title", "Type letters in the amount", 'Open tab "http://x.test/"']
)
def test_what_describes_a_text_or_may_be_two_things_is_no_act(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(sentence)


def test_names_side_by_side_are_no_list() -> None:
    with pytest.raises(PhraseError):
        parse_expectation('There are "at most 5" "table tr" elements')


@pytest.mark.parametrize(
    "sentence",
    [
        'Drag "A" halfway to "B"',
        "Click the third to last row",
        "Click the first error field",
        'Click "A" in the opened dialog',
        'Type "x" in the Title input in a newly opened window',
        'Toggle the switch "OFF"',
        'Select Domain "A"',
        'Fill "Name" with the value of "Nickname"',
    ],
)
def test_an_act_on_what_words_only_describe_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        'I should see "A" nowhere',
        "Browser print dialog opens",
        "Focus moves to first error field",
        'User is taken to the "Billing" tab',
        '❌ "A" is visible',
        'The form has "A" but not "B" fields',
        'The form shows "A" or "B" title',
        'The "A" dropdown has "B" and "C" options only',
        'Total not updated to "5"',
        'The "A" form does not close',
    ],
)
def test_a_claim_of_which_a_word_would_be_lost_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


def test_texts_that_tell_one_row_are_all_looked_for_in_it() -> None:
    row = '"in row \\"Ada\\""'
    edit = f'click(element="Edit", within=["in row \\"Admin\\"",{row}])'
    assert shown(parse_action('Click "Edit" in the row with "Ada" and "Admin"')) == edit
    assert shown(parse_action('Click "Edit" in the row with "Ada" and "Admin" and click "Save"')) == (
        f'{edit}, click(element="Save")'
    )
    for claim in ('A row with "Ada" and "Admin" is visible', 'Eine Zeile mit "Ada" und "Admin" ist sichtbar'):
        assert shown(parse_expectation(claim)) == f'check_visible(element="Admin", role="row", within=[{row}])'
    claims = '"Admin" is shown in the row with "Ada" and "active" is shown in the row with "Ada"'
    each = 'check_text(text="Admin", within="Ada"), check_text(text="active", within="Ada")'
    assert shown(parse_expectation(claims)) == shown(parse_action(f"Verify that {claims}")) == each
    two = 'click(element="Ada", role="row"), click(element="Save", role="button")'
    assert shown(parse_action('Click the row with "Ada" and the "Save" button')) == two


@pytest.mark.parametrize(
    "sentence",
    [
        'A row with "Ada" and "Admin" is not visible',
        'There is no row with "Ada" and "Admin"',
        'The dialog with "Ada" and "Admin" is visible',
        'A section with "Ada" and "Admin" is visible',
    ],
)
def test_texts_that_tell_one_thing_are_never_looked_for_apart(sentence: str) -> None:
    with pytest.raises(UnknownPhrase):
        parse_expectation(sentence)
