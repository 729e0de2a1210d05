"""Phrases for keys."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.pointer_phrases import MOST_TIMES
from muster_grammar.target_parser import Target


def _press(key: str) -> Calls:
    return (call("press", key=key),)


def _press_in(key: str, target: Target) -> Calls:
    return (call("press", key=key, **target.arguments(field=True)),)


def _press_times(key: str, times: int) -> Calls:
    return _press(key) * times if 0 < times <= MOST_TIMES else ()


KEYBOARD: tuple[Phrase, ...] = (
    action(
        "Press {key}",
        "Use {key}",
        "Press/Use (keyboard) shortcut/combination {key}",
        "Press/Use (key/keyboard) combination {key}",
        "Press/Click {lone_key} button on keyboard",
        build=_press,
        description="Presses a key or a chord where the focus is.",
        examples=("Press Enter", "Hit the Escape key", "Press Ctrl + A", "Press the down arrow", "Press Shift+Tab"),
    ),
    action(
        "Click {lone_key}",
        build=_press,
        description="Presses a key that is said to be clicked; in quotes it may as well be an element.",
        examples=("Click the Enter key",),
    ),
    action(
        "Press {key} in/on/inside {target}",
        build=_press_in,
        description="Presses a key or a chord in an element.",
        examples=('Press Ctrl+A in the "Search" field', 'Press Enter in "Search"'),
    ),
    action(
        "Press {key} {times}",
        "Press {key} {times} in a row",
        build=_press_times,
        description=f"Presses a key several times, at most {MOST_TIMES}.",
        examples=("Press Tab 3 times",),
    ),
)
