"""Who acts, which keys tags mark, what remarks change nothing, what is said of both, and what stands beside what."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('Store keeper clicks "Pack"', 'click(element="Pack")'),  # "store" is a verb, too
        ('Set builder clicks "Pack"', 'click(element="Pack")'),  # typed into a field "builder clicks" before
        ('The note writer types "A" into "Text"', 'type(element="Text", text="A")'),
        ("Press <kbd>Enter</kbd>", 'press(key="Enter")'),
        ("Press <kbd>ctrl</kbd>+<kbd>K</kbd>.", 'press(key="Control+k")'),
        ("Press <kbd>right</kbd>", 'press(key="ArrowRight")'),
        ('Click "Allow" when prompted', 'click(element="Allow")'),
        (
            'Click the "Pay" button (located in the footer)',
            'click(element="Pay", role="button", within=["in contentinfo"])',
        ),
        ('Click "Pay" (see figure)', 'click(element="Pay")'),
        ("Enter the amount (e.g. 12) in the Amount field", 'type(element="Amount", text="12")'),
        ('Sort the table by clicking the "Age" column', 'click(element="Age", role="columnheader")'),
    ],
)
def test_an_act_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        'Check customer clicks "Pack"',  # what is checked?
        "Click <kbd>right</kbd>",
        "Press <kbd>↓</kbd>",
        'Click "Pay" (see "Terms")',
        'Click "Pay" when ready',
        'Sort descending by clicking the "Age" column',  # one click may sort the other way
        'Enter builder clicks as "A"',
    ],
)
def test_an_act_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('Click "Pay" (it should turn green)', ""),  # what must be so is no remark
        ('Click "Pay" (wait for the receipt)', ""),
        ('Check customer clicks "Pack"', ""),
        ('Enter builder clicks as "A"', ""),
        ('Sort descending by clicking the "Age" column', ""),
    ],
)
def test_what_is_proposed_for_an_act(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal


_BOTH = 'check_visible(element="A", role="link"), check_visible(element="B", role="link")'


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('Both the "A" and "B" links are visible', _BOTH),
        ('Ensure both "A" and "B" links are displayed', _BOTH),
        ('Both the links "A" and "B" are visible', _BOTH),
        (
            'The "Pay" button is next to the "Back" link',
            'check_visible(element="Pay", role="button", within=["next to link \\"Back\\""])',
        ),
        (
            'The "Pay" button is below "Total"',
            'check_visible(element="Pay", role="button", within=["below \\"Total\\""])',
        ),
        ('The "Age" field is below "10"', 'check_value(element="Age", value="10", match="below")'),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        'Both the "A" and "B" links are not visible',  # one of them may be
        'Both rows contain "A" and "B"',
        'The "Start" field is before the "End" field',  # its value, or where it stands?
        'The "Low" cell is below the "High" cell',
    ],
)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)
