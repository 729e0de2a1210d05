"""Phrases for scrolling."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target


def _scroll(direction: str) -> Callable[[], Calls]:
    return lambda: (call("scroll", direction=direction),)


def _to(target: Target) -> Calls:
    return (call("scroll", **target.arguments()),) if target.which else ()


SCROLLING: tuple[Phrase, ...] = (
    action(
        "Scroll down",
        "Scroll the page down",
        "Scroll down the page",
        build=_scroll("down"),
        description="Scrolls down by about a screen.",
        examples=("Scroll down",),
    ),
    action(
        "Scroll up",
        "Scroll the page up",
        "Scroll up the page",
        build=_scroll("up"),
        description="Scrolls up by about a screen.",
        examples=("Scroll up",),
    ),
    action(
        "Scroll (down/page) to the bottom/end",
        "Scroll (down/page) to the bottom/end of the page",
        "Scroll all the way down",
        "Scroll down all the way",
        "Scroll all the way to the bottom",
        "Open the bottom/end of the page",
        "Move to the bottom/end of the page",
        build=_scroll("bottom"),
        description="Scrolls to the end of the page.",
        examples=("Scroll to the bottom of the page", "Scroll down to the end"),
    ),
    action(
        "Scroll (up/page) to the top",
        "Scroll (up/page/back) to the top of the page",
        "Scroll up to the top",
        "Scroll up to the top of the page",
        "Scroll back (up) to the top",
        "Scroll back up to the top of the page",
        "Scroll all the way up",
        "Scroll up all the way",
        "Scroll all the way to the top",
        "Open the top of the page",
        "Move to the top of the page",
        build=_scroll("top"),
        description="Scrolls to the beginning of the page.",
        examples=("Scroll to the top of the page",),
    ),
    action(
        "Scroll (down/up) to {target}",
        "Scroll {target} into view",
        "Bring {target} into view",
        "Scroll page (down/up) to {target}",
        "Scroll (down/up) until {target}",
        "Scroll (down/up) until {target} is visible",
        "Scroll (down/up) to {landmark}",
        "Find {element}",
        build=_to,
        description="Scrolls until an element can be seen.",
        examples=('Scroll to the "Reviews" heading', 'Scroll "Reviews" into view'),
    ),
)
