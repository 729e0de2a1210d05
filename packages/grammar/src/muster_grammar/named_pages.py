"""Phrases that identify the current page by what it shows; a page's name stands in quotes (decision 0049)."""

from muster_grammar.element_phrases import is_shown
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Comparison
from muster_grammar.text_phrases import no_texts


def _titled(text: str) -> Calls:
    return (call("check_title", title=text),)


def _titled_so(comparison: Comparison, text: str) -> Calls:
    return (call("check_title", title=text, **comparison.arguments()),)


def _showing(texts: tuple[str, ...]) -> Calls:
    return tuple(call("check_text", text=text) for text in texts) if all(texts) else ()


NAMED_PAGES: tuple[Phrase, ...] = (
    expectation(
        "I am on page showing/displaying {texts}",
        "I am on page with {texts}",
        "I am on page contain/show {texts}",
        "I am on page which/where shows/displays {texts}",
        "The page is visible with {texts}",
        build=_showing,
        description="Each text is visible on the page.",
        examples=('I am on a page with the error message "Not allowed"', 'I am taken to a page showing "Welcome"'),
    ),
    expectation(
        "I am on page not showing/displaying/contain/show {texts}",
        "I am on page without {texts}",
        build=no_texts,
        description="None of the texts is visible on the page.",
        examples=('I am on a page not showing "Not allowed"',),
    ),
    expectation(
        "I am on page with page title {quoted}",
        build=_titled,
        description="Compares the title of the page.",
        examples=('I am on a page with the title "Your orders"',),
    ),
    expectation(
        "I am on page with page title {compare} {text}",
        "I am on page whose page title {compare} {text}",
        build=_titled_so,
        description="Compares the title of the page.",
        examples=('I am on a page with title matching "Order [0-9]+"',),
    ),
    expectation(
        "I am on page showing/with/contain {element}",
        build=is_shown,
        description="The page shows an element.",
        examples=('I am on a page with a "Continue" button',),
    ),
)
