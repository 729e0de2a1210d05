"""Sentences that must not be read: typos, two meanings, something missing, negations that would turn the meaning round."""

import re

import pytest
from refused_sentences import REFUSED_CLAIMS, REFUSED_DEEDS, UNKNOWN_ACTIONS, UNKNOWN_EXPECTATIONS
from sampling import mostly_slow

from muster_grammar import (
    PHRASES,
    AmbiguousPhrase,
    Phrase,
    PhraseError,
    UnknownPhrase,
    parse_action,
    parse_expectation,
    parse_precondition,
)
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import QUOTED

PARSERS = {"action": parse_action, "expectation": parse_expectation, "precondition": parse_precondition}

UNKNOWN_PRECONDITIONS = (
    "The shop is not open at ${base_url}",
    "The shop is open",
    'The shop is open at "somewhere"',
    "The command git is not installed",
    "The command rm -rf is installed",
    'The command "git; rm -rf" is installed',
    "I am logged in",
)

AMBIGUOUS = {
    'Press "Enter"': ("click", "press"),
    'Press "Delete" in the "Backpack" row': ("click", "press"),
    'Wait until the APK filename in Downloads panel contains ".apk"': ("check_text", "check_value"),
}


@pytest.mark.parametrize("sentence", [*UNKNOWN_ACTIONS, *REFUSED_DEEDS])
def test_an_action_that_says_nothing_certain_is_unknown(sentence: str):
    with pytest.raises(UnknownPhrase):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", [*UNKNOWN_EXPECTATIONS, *REFUSED_CLAIMS])
def test_an_expectation_that_says_nothing_certain_is_unknown(sentence: str):
    with pytest.raises(UnknownPhrase):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "There are no broken images",
        "There are no duplicate rows",
        'The "Tags" list has no duplicates',
        'The "Orders" table has no gaps',
        "No invalid links are visible",
        "There are 0 empty rows",
        "There are at most 2 broken images",
        "The error image is not visible",
        "Broken images are not visible",
        'There are no broken images in the "Cart" section',
    ],
)
def test_what_may_describe_rather_than_name_is_no_name_of_what_must_not_be_there(sentence: str):
    with pytest.raises(UnknownPhrase, match="in quotes"):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The Login button is not visible",
        "I do not see the Save button",
        'There are no "broken" images',
        "There are no rows",
    ],
)
def test_a_name_in_quotes_or_with_a_capital_letter_may_be_absent(sentence: str):
    assert parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ('Double-click "X" and close the field', "close the field"),
        ('Click "Save" and close the dialog', "close the dialog"),
        ('Click "Save" and submit the form', "submit the form"),
        ('Hover over "Menu", then delete the row', "delete the row"),
    ],
)
def test_a_verb_that_is_not_known_is_no_name(sentence: str, part: str):
    with pytest.raises(UnknownPhrase, match=f"«{part}»"):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", UNKNOWN_PRECONDITIONS)
def test_a_precondition_that_says_nothing_certain_is_unknown(sentence: str):
    with pytest.raises(UnknownPhrase):
        parse_precondition(sentence)


@pytest.mark.parametrize("sentence", AMBIGUOUS)
def test_a_sentence_with_two_meanings_is_refused_with_both(sentence: str):
    with pytest.raises(AmbiguousPhrase) as raised:
        parse_action(sentence)
    assert sorted(reading.partition("(")[0] for reading in raised.value.readings) == sorted(AMBIGUOUS[sentence])
    assert all(reading in str(raised.value) for reading in raised.value.readings)


def test_an_unclear_clause_is_named_not_the_whole_expectation():
    with pytest.raises(AmbiguousPhrase, match=r'^«The APK name in Downloads panel contains "b"» can mean check_text'):
        parse_expectation('The title is "A". The APK name in Downloads panel contains "b"')


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        ('Clik the "Log in" button', "Click {target}"),
        ('Typ "x" into the "Name" field', "Type {text} into/in/to/on {target}"),
        ("Upload the file", "Upload {files} to/into/in/for/with/using/via/through {target}"),
    ],
)
def test_the_closest_phrases_come_with_an_unknown_action(sentence: str, first: str):
    with pytest.raises(UnknownPhrase) as raised:
        parse_action(sentence)
    assert first in raised.value.closest
    assert 1 <= len(raised.value.closest) <= 3
    assert sentence in str(raised.value)
    assert first in str(raised.value)


def test_the_closest_phrases_are_looked_for_once_and_only_when_asked_for():
    asked: list[str] = []
    error = UnknownPhrase("Clik it", find_closest=lambda: (asked.append("asked"), "Click {target}")[1:])
    assert not asked
    assert "Click {target}" in f"{error} {error}"
    assert asked == ["asked"]


def test_the_closest_phrases_come_with_an_unknown_clause():
    with pytest.raises(UnknownPhrase, match="no phrase fits «the exit cod is 0»") as raised:
        parse_expectation('The title is "A" and the exit cod is 0')
    assert raised.value.closest[0] == "The exit code is {code}"


@pytest.mark.parametrize(
    ("sentence", "hint"),
    [
        ('Click "A', "quote"),
        ("Wait for the moon", "what to wait for"),
        ('Click "Save" properly', '"properly" says nothing'),
        ('Click "A" or "B"', "alternatives"),
        ('Never click "A"', "negation"),
        ("Click login quickly and quietly", '"quietly" is no act'),
        ("Enter a valid first name", '"valid" does not say which value.*Type "…" into the "first name" field'),
        ("Select all rows", "what selects them all"),
        ("Switch to the other tab", "Say which tab"),
        ("The user enters credentials", "Say what is typed"),
        ("I am on the profile page", "Write what the page is called in quotes"),
        ("Go to the dashboard", "Say how to get there"),
        ("I reset my token", '"reset" is no act on a page'),
        ("Tap the created tag", "Name in quotes what is meant"),
        ("Sort the table by name", "Say what is clicked or typed for it"),
    ],
)
def test_the_error_says_what_to_do(sentence: str, hint: str):
    with pytest.raises(PhraseError, match=hint):
        parse_action(sentence)


@pytest.mark.parametrize("sentence", ['The order total comes to "$59.98"', 'The group arrives at "Oslo"'])
def test_a_claim_about_an_order_is_not_told_what_to_click(sentence: str):
    with pytest.raises(PhraseError) as raised:
        parse_expectation(sentence)
    assert "clicked" not in str(raised.value)


def test_the_part_that_is_unknown_is_named():
    with pytest.raises(UnknownPhrase, match='«frobnicate "B"»') as raised:
        parse_action('Click "A" and frobnicate "B"')
    assert raised.value.sentence == 'frobnicate "B"'


_LEFT_ALONE = re.compile(rf"{QUOTED.pattern}|`[^`]*`|\$\{{[^}}]*\}}\S*|https?://\S+|:\s.*", re.DOTALL)


def _examples() -> list[tuple[Phrase, str]]:
    return [(phrase, example) for phrase in PHRASES for example in phrase.examples]


def _calls(phrase: Phrase, sentence: str) -> list[tuple[str, object]] | None:
    try:
        calls: tuple[ToolCall, ...] = PARSERS[phrase.kind](sentence)
    except PhraseError:
        return None
    return [(call.tool, call.arguments) for call in calls]


def _with(word: str, example: str) -> list[str]:
    """Return the example with the word put in at each place outside of literals."""
    kept = [match.span() for match in _LEFT_ALONE.finditer(example)]
    gaps = [0, *(match.start() for match in re.finditer(r"\s", example)), len(example)]
    free = [gap for gap in gaps if not any(start < gap <= end and gap != end for start, end in kept)]
    return [f"{example[:gap]} {word} {example[gap:]}".strip() for gap in free if not example[gap:].startswith("\n")]


TURNING = ["not", "without", "or", "never", "every", "no", "neither", "unless", "except", "any"]


@pytest.mark.parametrize("share", mostly_slow(range(20), 20))
def test_a_word_that_turns_the_meaning_round_is_never_overlooked(share: int):
    for phrase, example in _examples()[share::20]:
        if ":" in example and phrase.kind == "action":
            continue  # what follows a colon is taken as it is
        meant = _calls(phrase, example)
        assert meant is not None
        for changed in (changed for word in TURNING for changed in _with(word, example)):
            assert _calls(phrase, changed) != meant, changed


@pytest.mark.parametrize("share", mostly_slow(range(4), 4))
def test_a_negated_action_is_never_read_as_another_action(share: int):
    for phrase, example in _examples()[share::4]:
        if phrase.kind != "action" or ":" in example or re.match("Wait|Verify|Check that|Make sure", example):
            continue  # these may well contain "not"
        for word in ("not", "never", "do not", "don't"):
            for changed in _with(word, example):
                assert _calls(phrase, changed) is None, changed


def test_a_slip_in_the_first_word_is_never_read_as_something_else():
    for phrase, example in _examples():
        first = re.match(r"[A-Z][a-z]{3,}\b", example)
        if phrase.kind != "action" or first is None:
            continue
        word = first.group()
        for at in range(len(word) - 1):
            slip = word[:at] + word[at + 1] + word[at] + word[at + 2 :] + example[len(word) :]
            assert slip == example or _calls(phrase, slip) is None, slip
