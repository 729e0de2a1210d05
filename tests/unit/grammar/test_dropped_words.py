"""No word of a sentence is dropped: one that limits, counts or describes changes the meaning, or the sentence is refused."""

import re
from collections.abc import Iterator

import pytest
from sampling import mostly_slow

from muster_grammar import PHRASES, Phrase, PhraseError, parse_action, parse_expectation
from muster_text.clauses import QUOTED

PARSERS = {"action": parse_action, "expectation": parse_expectation}
_ALLOWED = (
    r"only (?:\d|three tabs|once|twice|\w+ times)|only \w+ columns|\d \w+ only|no \w+ only|is only",  # as many, and no more
    r"^The user first|^I first|first see|should first|don't see first|^Please first|terminal, first",  # the first thing done
    r"unique (?:first|last) name",
    r"(?:Enter|Provide|Select|Choose|Change|Leave|in|for|as|by) its ",  # the label of a field follows, as after "his"
)
"""Where a word says what the sentence says anyway."""


def _calls(phrase: Phrase, sentence: str) -> list[tuple[str, object]] | None:
    try:
        return [(call.tool, call.arguments) for call in PARSERS[phrase.kind](sentence)]
    except PhraseError:
        return None


def _with(word: str, example: str) -> Iterator[str]:
    """Yield an example with a word put in at each place outside of quotes."""
    quoted = [match.span() for match in QUOTED.finditer(example)]
    for match in re.finditer(r" |$", example):
        at = match.start()
        if not any(start < at < end for start, end in quoted):
            yield f"{example[:at]} {word}{example[at:]}"


_DROPPED = ("only", "disabled", "bold", "previous", "first", "three", "its", "near", "seldom", "always")


@pytest.mark.parametrize("share", mostly_slow(range(20), 20))
def test_no_word_is_dropped(share: int):
    for phrase in PHRASES[share::20]:
        for example in phrase.examples if phrase.kind in PARSERS else ():
            if "\n" in example or (":" in example and phrase.kind == "action"):
                continue  # what follows a colon is taken as it is
            meant = _calls(phrase, example)
            for changed in (changed for word in _DROPPED for changed in _with(word, example)):
                allowed = any(re.search(pattern, changed) for pattern in _ALLOWED)
                assert allowed or _calls(phrase, changed) != meant, changed


@pytest.mark.parametrize(
    "sentence",
    (
        'The button "#save" contains the text "Save"',
        'I see a ".card-1" button under "#main"',
        'The "#news" link is not visible',
        'The "form" element is visible',
        'I expect that the element not "#save" is checked',
        'The "Name" field has the tooltip "Your name"',
        'The "Name" label text is "Your name"',
        'I see "Saved" in the console',
        'I see "Saved" in the terminal',
        'Its "Delete" button is visible',
        "The suggestion box is visible",
        "I see the user menu",
        'The first page shows "A"',
    ),
)
def test_what_may_mean_something_else_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    (
        ('The checkbox "#terms" is checked', {"element": "#terms", "role": "css", "state": "checked"}),
        ('I should see 3 ".item" elements', {"element": ".item", "role": "css", "count": 3}),
        ('I should not see an "h2" element', {"element": "h2", "role": "css", "absent": True}),
        ('The button named "#save" is visible', {"element": "#save", "role": "button"}),
        ('The "#news" link is visible', {"element": "#news", "role": "link"}),
        ('The container "#cart" contains "Mug"', {"text": "Mug", "within": ['in css "#cart"']}),
        ("The output should match /v\\d+/", {"text": "v\\d+", "match": "matches"}),
    ),
)
def test_a_text_like_a_selector_is_one_beside_a_noun_that_says_so(sentence: str, arguments: dict[str, object]):
    (check,) = parse_expectation(sentence)
    assert check.arguments == arguments


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Click the Start now button", "Start now"),
        ("Click on the Sign up now link", "Sign up now"),
        ("Click the Log in again button", "Log in again"),
        ("Click the Also read link", "Also read"),
        ("The user clicks on the My account link", "My account"),
        ("Now click the Start button", "Start"),
        ("The user now clicks the Start button again", "Start"),
        ("Click now the Start button", "Start"),
        ("Click this Start button", "Start"),
    ],
)
def test_an_idle_word_is_left_out_but_not_of_a_name(sentence: str, name: str) -> None:
    (made,) = parse_action(sentence)
    assert made.arguments["element"] == name


def test_a_letter_behind_a_name_is_no_article() -> None:
    (made,) = parse_expectation('The "Quantity" field in Product A is "3"')
    assert made.arguments["within"] == "Product A"


def test_what_stands_between_a_name_in_quotes_and_its_kind_is_not_passed_over() -> None:
    with pytest.raises(PhraseError):
        parse_action('Click the "Start" now button')


@pytest.mark.parametrize("text", [".index_table", "#news", ".x > .y"])
def test_that_a_selector_is_no_text_of_the_page_proves_nothing(text: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(f'I should not see "{text}"')
    assert parse_expectation(f'The element named "{text}" is not visible')
