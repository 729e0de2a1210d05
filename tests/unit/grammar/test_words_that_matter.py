"""Words that limit, count, time or deny what is said change its reading or have it refused; none ends in a name or in nothing."""

import re
from collections.abc import Iterator
from zlib import crc32

import pytest
from claim_readings import CLAIMS
from phrase_readings import DEEDS

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten
from muster_text.clauses import QUOTED

_PUT_IN = (
    *("no longer", "never", "not", "twice", "except", "unless", "except for", "at least", "at most", "before"),
    *("instead of", "other than", "without", "any", "partially", "always", "previous", "old", "other", "seldom"),
)
_IN_NO_NAME = ("twice", "immediately", "exactly", "at least", "at most", "instead of", "other than")
_TELLING = re.compile(
    r"\d+|two|three|twenty|seconds?|minutes?|days?|weeks?|not|no|none|never|each|every|all|first|second|third|last|more"
    r"|less|least|most|than|ascending|between|above|below|before|after|twice|once|disabled|unchecked|empty",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r" by clicking | to (?:split|submit|sort|configure|navigate)\b|: |\n")
"""What an act is for says nothing of it; what follows a colon is taken as it is."""
_ONE_IN = 32
_READ = {claim: parse_expectation for claim in CLAIMS} | {deed: parse_action for deed in DEEDS}


def _reading(sentence: str, origin: str) -> str:
    try:
        return shown(_READ[origin](sentence))
    except PhraseError:
        return ""


def _gaps(sentence: str) -> Iterator[int]:
    """Yield where words of a sentence end, outside of quotes."""
    quoted = [match.span() for match in QUOTED.finditer(sentence)]
    for match in re.finditer(r" |$", sentence):
        if not any(start < match.start() < end for start, end in quoted):
            yield match.start()


def _drawn(text: str) -> bool:
    """Return whether a text is one of the sample, which is always the same."""
    return crc32(text.encode()) % _ONE_IN == 0


def _with(words: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield sentences with a word put in, a sample of all places and words."""
    for origin in _READ:
        for word in words:
            for at in () if _PURPOSE.search(origin) else _gaps(origin):
                changed = f"{origin[:at]} {word}{origin[at:]}"
                if _drawn(changed) and "within at most" not in changed:  # which says the same
                    yield changed, word, origin


def test_a_word_that_changes_what_is_meant_is_never_lost():
    lost = [
        changed for changed, _, origin in _with(_PUT_IN) if _reading(changed, origin) == shown(_READ[origin](origin))
    ]
    assert not lost


def test_a_word_that_limits_is_never_part_of_a_name():
    named = [
        (changed, reading)
        for changed, word, origin in _with(_IN_NO_NAME)
        if re.search(rf"\b{word}\b", reading := _reading(changed, origin))
    ]
    assert not named


def test_a_word_that_counts_or_denies_is_never_said_for_nothing():
    for origin in _READ:
        words = [match for match in re.finditer(r"\w+", QUOTED.sub(lambda quote: '"' * len(quote[0]), origin))]
        for match in (word for word in words if _TELLING.fullmatch(word[0]) and "exactly" not in origin):
            shorter = f"{origin[: match.start()].rstrip()} {origin[match.end() :].lstrip()}".strip()
            assert _reading(shorter, origin) != shown(_READ[origin](origin)), shorter


@pytest.mark.parametrize(
    "sentence",
    [
        "There are exactly 3 rows or more",
        "I see exactly one heading at least",
        "There are only 3 rows at most",
        'The list contains only "Milk" and only "Eggs"',
        'The "Users" table has the columns "Name" and only "Mail"',
        'Exactly "S" and "M" are available in the "Size" dropdown',
        'The tabs are "Songs", both "Albums" and "Artists"',
        'I see the "From", "To" and not "Cc" fields',
        'I see the columns "Name" and not "Price"',
        'Both "Saved" appears',
        'The row with "Backpack" shows both "29.99"',
        'The buttons next to "A" and "B" are visible',
        'The field below "A" and "B" is enabled',
        'There are 2 above "X"',
        'The previous active tab is "Details"',
        'The default selected option of "Category" is "Bags"',
        'The old form has "Name" and "Mail" fields',
        '"Ada" appears once in the previous table',
        'Twice the header contains a "Help" link',
        "The total does still not exceed 10",
        "I see the message Order placed twice",
        'The "left" frame shows "L"',
        "Only 1,200 rows or more are shown",
    ],
)
def test_a_claim_is_refused_of_which_a_limit_would_be_lost(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)
    assert not rewritten(sentence, "expectation", parse_expectation)


@pytest.mark.parametrize(
    "sentence",
    [
        "Click the next tab",
        "Click the previous row",
        "Enter Ada exactly in the First Name field",
        "Enter a@shop.test last in the e-mail address",
        "Select Norway only from the Country dropdown",
        "Select twice Norway from the Country dropdown",
        "Enter tester as the user at most name",
        'Click "Other" in the old list',
        'Wait until "A" is visible immediately',
        'Verify that "A" is visible immediately',
    ],
)
def test_an_act_is_refused_of_which_a_limit_would_be_lost(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ('The tabs are "A", "B" and "C" again', 'The tabs are "A", "B" and "C"'),
        ('The list contains only "Milk" and "Eggs" again', 'The list contains only "Milk" and "Eggs"'),
        ('The list contains only "Milk" and also "Eggs"', 'The list contains only "Milk" and "Eggs"'),
        ('I see the columns "Name" and "Price" now', 'I see the columns "Name" and "Price"'),
        ('The "Bold" button no longer is pressed', 'The "Bold" button is not pressed'),
        ('The status no longer is "Open"', 'The status is not "Open"'),
        ('The "Bold" button can no longer be pressed', 'The "Bold" button is disabled'),
        ('The "Name" field can no longer be edited', 'The "Name" field is readonly'),
        ("The table shows 1,200 rows", "The table shows 1200 rows"),
        ("The results should show 3,681 items", "The results should show 3681 items"),
    ],
)
def test_a_claim_is_read_as_its_plain_wording(sentence: str, plain: str):
    assert shown(parse_expectation(sentence)) == shown(parse_expectation(plain))


def test_a_name_may_hold_what_tells_nothing_elsewhere():
    assert shown(parse_action("Click the next button")) == 'click(element="next", role="button")'
    assert shown(parse_action("Click the Start now button")) == 'click(element="Start now", role="button")'


def test_a_value_that_ends_in_a_limit_is_refused():
    with pytest.raises(PhraseError):
        parse_expectation("The order status is Shipped immediately")
