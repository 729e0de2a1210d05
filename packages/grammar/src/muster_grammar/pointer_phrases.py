"""Phrases for fingers, mouse and keyboard."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target

MOST_TIMES = 50
"""How often one sentence may repeat a click or a key."""


def _on(tool: str, *, field: bool = False) -> Callable[[Target], Calls]:
    return lambda target: (call(tool, **target.arguments(field=field)),)


def _click_times(target: Target, times: int) -> Calls:
    return _on("click")(target) * times if 0 < times <= MOST_TIMES else ()


def _choose(target: Target) -> Calls:
    """Without a noun, `Choose "B" in "Tags"` is about an option, so only a name alone is clicked."""
    return _pick(target) if target.noun else (() if target.within else _on("click")(target))


def _pick(target: Target) -> Calls:
    if target.role in {"radio", "checkbox", "switch"}:
        return _on("check")(target)
    return _on("click")(target) if target.role not in {"option", "combobox", "textbox"} else ()


def _open_element(target: Target) -> Calls:
    return _on("click")(target) if target.role != "dialog" else ()


def _scroll(direction: str) -> Callable[[], Calls]:
    return lambda: (call("scroll", direction=direction),)


def _swipe(direction: str) -> Callable[[], Calls]:
    return lambda: (call("swipe", direction=direction),)


def _swipe_over(direction: str) -> Callable[[Target], Calls]:
    return lambda target: (call("swipe", direction=direction, **target.arguments()),)


def _press(key: str) -> Calls:
    return (call("press", key=key),)


def _press_in(key: str, target: Target) -> Calls:
    return (call("press", key=key, **target.arguments(field=True)),)


def _press_times(key: str, times: int) -> Calls:
    return _press(key) * times if 0 < times <= MOST_TIMES else ()


POINTING: tuple[Phrase, ...] = (
    action(
        "Click {target}",
        "Press {target}",
        build=_on("click"),
        description="Clicks an element.",
        examples=(
            'Click the "Log in" button',
            "Click on the Login button",
            'Tap "Cart"',
            'Press the button named "Save"',
            'Click "Remove" in the "Backpack" row',
            'Click the "Remove" button in the row with "Backpack"',
            'Click "A" and "B"',
            'Click the second "Remove" button',
            'Click the "Edit" link in the row with "Ada" in the "Users" table',
            'Click the checkbox next to "Buy milk"',
            "Click the submit button",
        ),
    ),
    action(
        "Click {plain_noun}",
        build=_on("click"),
        description="Clicks what has just this name.",
        examples=("Click login", "Click on Log out"),
        elliptic=False,
    ),
    action(
        "Click {target} {times}",
        "Press {target} {times}",
        build=_click_times,
        description=f"Clicks an element several times, at most {MOST_TIMES}.",
        examples=('Click the "+" button three times',),
    ),
    action(
        "Choose {target}",
        build=_choose,
        description="Clicks an element; checks it when it is a radio button or a checkbox.",
        examples=('Choose "Settings"', 'Choose the "Express" radio button'),
    ),
    action(
        "Select {element}",
        build=_pick,
        description="Clicks an element whose kind is named; checks it when it is a radio button or a checkbox.",
        examples=('Select the "Express" radio button', 'Select the "Details" tab', 'Select the "Copy" menu item'),
    ),
    action(
        "Open {element}",
        "Switch to {element}",
        build=_open_element,
        description="Opens a menu, a tab of the page, a link or a list by a click.",
        examples=('Open the "File" menu', 'Open the "Details" tab', 'Open the "Cart" link'),
    ),
    action(
        "Double-click {target}",
        build=_on("double_click"),
        description="Clicks an element twice in quick succession.",
        examples=('Double-click the "Backpack" row', 'Double click on "Backpack"'),
    ),
    action(
        "Long-press {target}",
        build=_on("long_press"),
        description="Presses an element and holds it for a moment.",
        examples=('Long-press the "Photo" image', 'Press and hold "Backpack"', 'Long tap on "Backpack"'),
    ),
    action(
        "Swipe left",
        "Swipe to the left",
        build=_swipe("left"),
        description="Moves a finger over the screen to the left, on a device with a touch screen.",
        examples=("Swipe left",),
    ),
    action(
        "Swipe right",
        "Swipe to the right",
        build=_swipe("right"),
        description="Moves a finger over the screen to the right.",
        examples=("Swipe right",),
    ),
    action(
        "Swipe up",
        build=_swipe("up"),
        description="Moves a finger up over the screen; what is further down comes into view.",
        examples=("Swipe up",),
    ),
    action(
        "Swipe down",
        build=_swipe("down"),
        description="Moves a finger down over the screen; what is further up comes into view.",
        examples=("Swipe down",),
    ),
    action(
        "Swipe left on/over {target}",
        "Swipe {target} left",
        "Swipe {target} to the left",
        build=_swipe_over("left"),
        description="Moves a finger over an element to the left.",
        examples=('Swipe left on the "Backpack" row', 'Swipe "Backpack" to the left'),
    ),
    action(
        "Swipe right on/over {target}",
        "Swipe {target} right",
        "Swipe {target} to the right",
        build=_swipe_over("right"),
        description="Moves a finger over an element to the right.",
        examples=('Swipe right on the "Backpack" row',),
    ),
    action(
        "Right-click {target}",
        build=_on("browser_right_click"),
        description="Clicks an element with the right mouse button.",
        examples=('Right-click the "Backpack" row',),
    ),
    action(
        "Hover over {target}",
        build=_on("hover"),
        description="Moves the mouse over an element.",
        examples=('Hover over the "Account" menu', 'Move the mouse over "Account"'),
    ),
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
        build=_scroll("bottom"),
        description="Scrolls to the end of the page.",
        examples=("Scroll to the bottom of the page", "Scroll down to the end"),
    ),
    action(
        "Scroll (up/page) to the top",
        "Scroll (up/page) to the top of the page",
        build=_scroll("top"),
        description="Scrolls to the beginning of the page.",
        examples=("Scroll to the top of the page",),
    ),
    action(
        "Scroll (down/up) to {target}",
        "Scroll {target} into view",
        build=_on("scroll"),
        description="Scrolls until an element can be seen.",
        examples=('Scroll to the "Reviews" heading', 'Scroll "Reviews" into view'),
    ),
)


KEYBOARD: tuple[Phrase, ...] = (
    action(
        "Press {key}",
        build=_press,
        description="Presses a key or a chord where the focus is.",
        examples=("Press Enter", "Hit the Escape key", "Press Ctrl + A", "Press the down arrow", "Press Shift+Tab"),
    ),
    action(
        "Press {key} in/on/inside {target}",
        build=_press_in,
        description="Presses a key or a chord in an element.",
        examples=('Press Ctrl+A in the "Search" field', 'Press Enter in "Search"'),
    ),
    action(
        "Press {key} {times}",
        build=_press_times,
        description=f"Presses a key several times, at most {MOST_TIMES}.",
        examples=("Press Tab 3 times",),
    ),
)
