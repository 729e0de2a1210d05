"""Kinds without a name, counted lists, what is selected, and what to write for claims that no check makes."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("There is no checkbox", 'check_count(element="", role="checkbox", count=0)'),
        ("The page has no button", 'check_count(element="", role="button", count=0)'),
        ("No image is visible", 'check_count(element="", role="image", count=0)'),
        ('There is no "Save" button', 'check_visible(element="Save", role="button", absent=true)'),
        ("There is no dialog", 'check_visible(element="", role="dialog", absent=true)'),
        ('The selected option is "M"', 'check_state(element="M", role="option", state="selected")'),
        ('The selected radio button is "Card"', 'check_state(element="Card", role="radio", state="checked")'),
        (
            'The menu has three items: "A", "B" and "C"',
            'check_text(text="A", within=["in menu"]), check_text(text="B", within=["in menu"]), '
            'check_text(text="C", within=["in menu"]), '
            'check_count(element="", role="listitem", within=["in menu"], count=3)',
        ),
        (
            'The form has 2 buttons: "Save" and "Cancel"',
            'check_visible(element="Save", role="button", within=["in form"]), '
            'check_visible(element="Cancel", role="button", within=["in form"]), '
            'check_count(element="", role="button", within=["in form"], count=2)',
        ),
        (
            'The "Size" dropdown has 2 options: "S" and "M"',
            'check_options(element="Size", options=["S","M"]), check_options(element="Size", count=2)',
        ),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        "There is no table",  # which a page may draw without saying so
        "There is no list",
        "There is no third row",
        "There is no checked checkbox",
        'The menu has 3 items: "A" and "B"',
        'The menu has at least 2 items: "A" and "B"',
        'The "Size" dropdown has 3 options: "S" and "M"',
        'The table has 3 columns: "A" and "B"',
    ],
)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('Set the slider to "3.5"', 'type(element="", role="slider", text="3.5")'),
        ('Set the dropdown to "M"', 'select(element="", role="combobox", options=["M"])'),
    ],
)
def test_a_control_without_a_name_is_set(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('Click the "Name" header', 'Click the "Name" column header'),
        ('Click the "Name" header in the table', 'Click the "Name" column header in the table'),
        ('Click the "Name" header of the "Users" table', 'Click the "Name" column header in the "Users" table'),
        ("Disable dark mode in Settings", 'Disable "dark mode" in "Settings"'),
    ],
)
def test_an_act_gets_a_proposal(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("The checkbox is not visible", "There are no checkboxes"),
        ("The link is not displayed on the page", "There are no links"),
        ("The third row is not visible", ""),
        ('The "left" frame shows "L"', ""),
    ],
)
def test_a_claim_gets_a_proposal(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


@pytest.mark.parametrize(
    ("sentence", "advice"),
    [
        ("A new tab is opened", "Switch to the new tab"),
        ("A new browser window opens", "Switch to the new tab"),
        ('Each row has an "edit" link', 'The first row has an "Edit" link'),
        ("None of the items is selected", "No checkbox is checked"),
    ],
)
def test_what_no_check_tells_gets_advice(sentence: str, advice: str):
    with pytest.raises(PhraseError, match=advice):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ('A confirmation dialog appears: "Sure?"', 'A confirmation dialog with the text "Sure?" appears'),
        ('A modal opens with title "Sure?"', 'The dialog has the title "Sure?"'),
        ('The "Size" dropdown shows "M" as selected', 'The "Size" dropdown has "M" selected'),
        ('The "Size" dropdown has "M" as the selected option', 'The "Size" dropdown has "M" selected'),
        ('The "Name" field has "Ada" as its placeholder', 'The "Name" field has the placeholder "Ada"'),
        ('I see "Cart" as the page title', 'I see "Cart" as the title'),
        ('I see a "Save" button displayed in the "Main" section', 'I see a "Save" button in the "Main" section'),
        ('I see "A" rendered in the "Main" section', 'I see "A" in the "Main" section'),
        ('The submenu shows "A"', 'The menu shows "A"'),
    ],
)
def test_a_claim_is_read_as_its_plain_wording(sentence: str, plain: str):
    assert shown(parse_expectation(sentence)) == shown(parse_expectation(plain))


@pytest.mark.parametrize(
    "sentence",
    [
        "Click the modal OK button",  # "OK" in the modal
        "Click Deployments > an application > Add",
        "Click File > Save button",
    ],
)
def test_a_part_or_any_of_several_is_no_name(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)
    assert not rewritten(sentence, "action", parse_action)


def test_labels_without_a_verb_may_be_those_of_a_card():
    read = parse_action('Enter card number "4111", expiry "12/30" and CVV "123"')
    assert [call.arguments["element"] for call in read] == ["card number", "expiry", "CVV"]


@pytest.mark.parametrize("sentence", ["I should see error message popup", "A list of Tidders should be displayed"])
def test_what_tells_a_sort_is_no_name(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('Leave the "A" and "B" fields empty', 'clear(element="A"), clear(element="B")'),
        ('Select "Express" from the radio group', 'check(element="Express", role="radio")'),
        ('Select "A" inside the "B" list', 'select(element="B", options=["A"])'),
        ("Click Stop button to interrupt audio playback", 'click(element="Stop", role="button")'),
        (
            'Click "A" and verify it navigates to "/a/b"',
            'click(element="A"), check_url(url="/a/b", match="ends")',
        ),
    ],
)
def test_an_act_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


def test_what_a_value_is_like_is_no_label():
    with pytest.raises(PhraseError):
        parse_action('Enter the unique study name "X"')
    assert not rewritten('Enter the unique study name "X"', "action", parse_action)


def test_a_text_of_a_dialog_with_a_title_is_not_looked_for_anywhere():
    with pytest.raises(PhraseError):
        parse_expectation('I see a dialog with title "Sure?" and message "It is lost"')
