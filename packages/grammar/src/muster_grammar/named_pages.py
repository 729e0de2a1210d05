"""Phrases for the page one is on: by its name without quotes, or by what it shows."""

from collections.abc import Sequence

from muster_grammar.element_phrases import is_shown
from muster_grammar.engine import Calls, Parameter, Phrase, call, expectation
from muster_grammar.tokens import Words, name
from muster_grammar.unquoted_names import is_marked, is_name
from muster_grammar.vocabulary import split

_WHICH = split(
    "next previous same other another current correct right wrong following appropriate relevant respective desired "
    "different first second third final initial given specified selected requested resulting whole entire main new "
    "old error empty blank single last original corresponding intended target expected"
)
"""Words that tell which page, and not how it is called."""


def _page_name(some: Words) -> Sequence[str]:
    """Read the name of a page; in small letters it is what people call it, and no text that it must show."""
    if not is_name(some) or not is_marked(some) or any("/" in token.text for token in some):
        return ()
    return () if len(some) == 1 and some[0].key in _WHICH else (name(some),)


def _named(page: str) -> Calls:
    return (call("check_page", name=page),)


def _showing(texts: tuple[str, ...]) -> Calls:
    return tuple(call("check_text", text=text) for text in texts) if all(texts) else ()


PAGE_NAMES = {
    "page_name": Parameter(
        r"[^\"]+?", _page_name, "the name of a page without quotes, with a capital letter: `Login`, `Order details`"
    ),
}

NAMED_PAGES: tuple[Phrase, ...] = (
    expectation(
        "I am on {page_name} page",
        "{page_name} page is visible",
        "{page_name} page is opened/loaded/open",
        "{page_name} page opens/loads/open",
        "The page shows {page_name} page",
        build=_named,
        description="The page has this name, without quotes: in its title, or as a heading.",
        examples=("I am on the Login page", "The Order details page is displayed", "The Settings page opens"),
    ),
    expectation(
        "I am on page showing/displaying {texts}",
        "I am on page with {texts}",
        "I am on page contain/show {texts}",
        "I am on page which/where shows/displays {texts}",
        build=_showing,
        description="Each text is visible on the page.",
        examples=('I am on a page with the error message "Not allowed"', 'I am taken to a page showing "Welcome"'),
    ),
    expectation(
        "I am on page showing/with/contain {element}",
        build=is_shown,
        description="The page shows an element.",
        examples=('I am on a page with a "Continue" button',),
    ),
)
