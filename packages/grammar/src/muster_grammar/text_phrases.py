"""Phrases for texts on the page and in its parts."""

import re

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.markup_texts import looks_of
from muster_grammar.pattern_parameters import Comparison
from muster_grammar.target_parser import Within
from muster_protocol.narrowing import Narrowing, narrowing_of
from muster_protocol.tool_calls import ArgumentValue, ToolCall

_FILE = re.compile(
    r"[^\s]*/[^\s]*\.\w{1,5}|[^\s]*/\.[\w.-]+|[\w.-]+\.(?:html?|txt|md|json|xml|ya?ml|css|js|ts|rb|py|log|csv|php|conf|lock|toml|sh)"
)
"""A path, or the name of a file, in quotes."""


def _message(comparison: Comparison, text: str) -> Calls:
    """What a message says is all it says, unless the sentence says that it contains it."""
    match comparison:
        case Comparison("is", negate=False):
            return _exact_text(text)
        case Comparison("contains", negate=negate):
            return (_text(text, absent=negate),)
        case _:
            return ()


def _text(text: str, within: Within = "", *, absent: bool = False) -> ToolCall:
    place: dict[str, ArgumentValue] = {"within": within} if within else {}
    return call("check_text", text=text, **place, **({"absent": True} if absent else {}))


def _texts(texts: tuple[str, ...]) -> Calls:
    return _texts_in(texts, "")


def no_texts(texts: tuple[str, ...]) -> Calls:
    """Return the checks that none of the texts is visible; none where their absence would prove nothing."""
    return _no_texts_in(texts, "")


def _no_text(text: str) -> Calls:
    return no_texts((text,))


def _texts_in(texts: tuple[str, ...], place: Within) -> Calls:
    return _each_text(texts, place, absent=False)


def _texts_beside(texts: tuple[str, ...], place: Within) -> Calls:
    """Which of two texts comes first is a question of order."""
    anchor = narrowing_of(place).relations[0]
    return () if anchor.how in {"above", "below", "before", "after"} and not anchor.role else _texts_in(texts, place)


def _text_in(text: str, place: Within) -> Calls:
    return _texts_in((text,), place)


def _no_texts_in(texts: tuple[str, ...], place: Within) -> Calls:
    return _each_text(texts, place, absent=True)


def _each_text(texts: tuple[str, ...], place: Within, *, absent: bool) -> Calls:
    """An empty text is on each page, and a file is no part of one; that a selector is no text there proves nothing."""
    if not all(texts) or (absent and any(looks_of(text, "") != "name" for text in texts)):
        return ()
    if isinstance(place, str) and _FILE.fullmatch(place):
        return ()
    return tuple(_text(text, place, absent=absent) for text in texts)


def _texts_in_file(texts: tuple[str, ...], path: str) -> Calls:
    """A path with an ending is that of a file."""
    if not all(texts) or "/" not in path or path.startswith("/") or not _FILE.fullmatch(path):
        return ()
    return tuple(call("check_file", path=path, text=text) for text in texts)


def _in_texts(place: Within, texts: tuple[str, ...]) -> Calls:
    return _texts_in(texts, place)


def _in_part_of(whole: Within, texts: tuple[str, ...], part: Within) -> Calls:
    """The part may be told first: a row in the table, the column of a row."""
    relations = (*narrowing_of(part).relations, *narrowing_of(whole).relations)
    return _texts_in(texts, Narrowing(relations=relations).argument())


def _in_no_texts(place: Within, texts: tuple[str, ...]) -> Calls:
    return _no_texts_in(texts, place)


def _neither(one: str, other: str) -> Calls:
    return no_texts((one, other))


def _titled_text(text: str) -> Calls:
    return _texts((text,))


def _exact_text(text: str) -> Calls:
    return (call("check_text", text=text, exact=True),)


def _shown() -> Calls:
    return (call("check_shown"),)


def _accessible(text: str = "") -> Calls:
    return (call("check_accessibility", **({"rule": text} if text else {})),)


TEXTS: tuple[Phrase, ...] = (
    expectation(
        "The page keeps all accessibility rules",
        "The page breaks no accessibility rule/rules",
        "The page has no accessibility violations/problems/issues",
        build=_accessible,
        description="axe-core finds no rule of WCAG 2.2, level A or AA, that the page breaks. Only in browsers.",
        examples=("The page breaks no accessibility rules",),
    ),
    expectation(
        "The page keeps the accessibility rule {text}",
        build=_accessible,
        description="The page does not break a rule, by its id in axe-core.",
        examples=('The page keeps the accessibility rule "button-name"',),
    ),
    expectation(
        "The page is not blank/empty",
        build=_shown,
        description="The page shows anything at all.",
        examples=("The page is not blank",),
    ),
    expectation(
        "The page shows {texts}",
        "{texts} is visible",
        "{texts} displayed/shown",
        "The page shows {texts} displayed/listed/shown",
        "The text is visible {texts}",
        "The page shows text as {texts}",
        "Text contain {texts} is visible",
        "The text shows/show {texts}",
        build=_texts,
        description="Each text is visible on the page.",
        examples=(
            'The page shows "A" and "B"',
            'The text "Hello, tester" is visible',
            '"Saved" appears',
            "I should see the message 'Saved'",
            'There is a text "Saved" on the page',
            '"A", "B" and "C" are displayed',
        ),
    ),
    expectation(
        "The page does not show {texts}",
        "{texts} is not visible",
        build=no_texts,
        description="None of the texts is visible on the page.",
        examples=(
            'The text "Onesie" is not visible',
            'The page does not contain "Error"',
            'I don\'t see "Error"',
            '"Loading" has disappeared',
            'There is no error message "Wrong password"',
        ),
    ),
    expectation(
        "No (text) {quoted} is visible",
        "No {quoted} text is visible",
        "No text saying/stating/reading/with {quoted} is visible",
        build=_no_text,
        description="No such text is visible.",
        examples=('No "Error" is visible',),
    ),
    expectation(
        "{texts} is visible {beside}",
        "{texts} is {beside}",
        "The page shows {texts} {beside}",
        build=_texts_beside,
        description="Each text is visible beside something.",
        examples=('The error message "Too long" is shown below the "Name" field',),
    ),
    expectation(
        "{texts} is visible in/inside/within/on {spot}",
        "The page shows {texts} in/inside/within/on/of {spot}",
        "The page shows {texts} displayed/shown/listed/rendered in/inside/within/on {spot}",
        "{texts} in/inside/within {spot} is visible",
        "{texts} is in/inside/within {spot}",
        "{texts} is added to/in {spot}",
        "{texts} is moved to/into {spot}",
        "{texts} is visible within {markup}",
        "The page shows {texts} within {markup}",
        build=_texts_in,
        description="Each text is visible in a part of the page.",
        examples=('"A" is shown in the "Cart" section', 'I see "29.99" in the row with "Backpack"'),
    ),
    expectation(
        "The page shows {texts} in {quoted}",
        build=_texts_in_file,
        description="A file, of which the sentence gives the path, contains each text.",
        examples=('I see "Hello" in "_site/index.html"',),
    ),
    expectation(
        "The page shows value {quoted} in/inside/within {spot}",
        "Alert {quoted} is visible in/inside/within {spot}",
        build=_text_in,
        description="A text is visible in a part of the page.",
        examples=('I see the value "Ada" in the "Name" column', 'The alert "Too long" is shown in the "Age" section'),
    ),
    expectation(
        "{texts} is not visible in/inside/within/on {spot}",
        "{texts} is not visible from {place}",
        "The page does not show {texts} in/inside/within/on {spot}",
        "{texts} in/inside/within {spot} is not visible",
        "{texts} is not in/inside/within {spot}",
        "{texts} is not visible within {markup}",
        "The page does not show {texts} within {markup}",
        build=_no_texts_in,
        description="None of the texts is visible in a part of the page.",
        examples=('"A" is not shown in the "Cart" section',),
    ),
    expectation(
        "{region} shows/contains {texts}",
        "{region} has (the) text {texts}",
        "{region} has/shows/contains (the) (following) items/menuitems/entries {texts}",
        "{bar} offers/lists {texts}",
        build=_in_texts,
        description="Each text is visible in a part of the page.",
        examples=(
            'The menu offers "Edit" and "Copy"',
            'The "Cart" section contains "A" and "B"',
            'The row with "Backpack" shows "29.99"',
        ),
    ),
    expectation(
        "{region} shows/contains {texts} in/inside/within {region}",
        build=_in_part_of,
        description="Each text is visible in a part of a part of the page.",
        examples=('The second row shows "Ada" in the "Name" column',),
    ),
    expectation(
        "{region} does not show {texts}",
        "{region} does not contain {texts}",
        build=_in_no_texts,
        description="None of the texts is visible in a part of the page.",
        examples=('The "Cart" section does not contain "A"',),
    ),
    expectation(
        "Neither {text} nor {text} is visible",
        build=_neither,
        description="None of two texts is visible on the page.",
        examples=('Neither "A" nor "B" is visible',),
    ),
    expectation(
        "The page shows the text {titled}",
        build=_titled_text,
        description="A text without quotes, with a capital letter, is visible.",
        examples=("I see the message Order placed",),
    ),
    expectation(
        "The text {compare} {text}",
        build=_message,
        description="A message on the page is this, or contains it.",
        examples=('The error message is "Wrong password"', 'The success message contains "saved"'),
    ),
    expectation(
        "The exact text {text} is visible",
        "The page shows exactly {text}",
        "The page shows the exact text {text}",
        build=_exact_text,
        description="An element of the page has exactly this text.",
        examples=('The exact text "Total" is visible',),
    ),
)
