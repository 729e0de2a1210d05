"""Phrases for fingers, mouse and keyboard."""

import re
from collections.abc import Callable

from muster_grammar.element_kinds import FIELD_NOUNS, FOLDED_BY_PART, OPTION_LABELS, is_typable
from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target, Within

_OF_BROWSER = frozenset(("browser", "new", "newest", "latest", "last", "opened"))
_WAY = re.compile(r"(?:[A-Z][^/]*/){2,}[A-Z][^/]*")
MOST_TIMES = 50
"""How often one sentence may repeat a click or a key."""
_FOLDED = FOLDED_BY_PART | {""}
"""Nouns of what may be expanded by a part of it; none: a name alone may be that of a row."""


def _on(tool: str) -> Callable[[Target], Calls]:
    return lambda target: (call(tool, **_numbered(target).arguments()),) if target.which else ()


def _fold(target: Target) -> Calls:
    """Return a click on what opens and closes the target: in a row or tree item, that is a part of it."""
    is_one = bool(target.element) and target.noun in _FOLDED and not (target.exact or target.ordinal)
    return _on("click")(target._replace(trait="foldable") if is_one else target)


def _numbered(target: Target) -> Target:
    """Return the target; a page with a number is one of those that a list leads to."""
    return target._replace(role="page") if target.noun == "page" and target.element.isdigit() else target


def _click(target: Target) -> Calls:
    """Names between slashes may be the way through a menu, which is said with ">"."""
    return () if _WAY.fullmatch(target.element) or target.within == "keyboard" else _on("click")(target)


def _click_page(number: int) -> Calls:
    return (call("click", element=str(number), role="page"),)


def _click_times(target: Target, times: int) -> Calls:
    return _on("click")(target) * times if 0 < times <= MOST_TIMES else ()


def _click_times_turned(times: int, target: Target) -> Calls:
    return _click_times(target, times)


def _choose(target: Target) -> Calls:
    """Without a noun, `Choose "B" in "Tags"` is about an option, so only a name alone is clicked.

    `Choose the size "M"` is about an option as well (`form_phrases`).
    """
    if target.noun in OPTION_LABELS:
        return ()
    return _pick(target) if target.noun else (() if target.within else _on("click")(target))


def _pick(target: Target) -> Calls:
    if target.role in {"radio", "checkbox", "switch", "row"}:  # a row that has a box to be selected by is ticked
        return _on("check")(target)
    if target.role == "option":  # what it is in is the list to choose from; a radio button is called an option, too
        return () if target.within else _on("click")(target._replace(role=""))
    field = target.role in {"combobox", "textbox"} or target.noun in FIELD_NOUNS
    return () if field else _on("click")(target)


def _pick_in(name: str, place: Within) -> Calls:
    return (call("click", element=name, within=place),)


def _open_element(target: Target) -> Calls:
    """Which tab of the browser is new or the last is said by its number."""
    of_browser = target.role == "tab" and not target.sure and not _OF_BROWSER.isdisjoint(target.element.lower().split())
    return _on("click")(target) if target.role not in {"dialog", "table", "list"} and not of_browser else ()


def _click_in(target: Target) -> Calls:
    """To click in a tab or a cell is to click it; in a part of the page it may be anywhere."""
    return _on("click")(target) if target.role in {"tab", "cell"} else ()


def _click_heading(heading: str) -> Calls:
    return (call("click", element=heading, role="columnheader"),)


def _held(modifiers: str) -> Callable[[Target], Calls]:
    return lambda target: (call("click", **target.arguments(), holding=modifiers),)


def _click_holding(target: Target, modifiers: str) -> Calls:
    return _held(modifiers)(target)


def _click_path(path: tuple[str, ...]) -> Calls:
    return tuple(call("click", element=part) for part in path)


def _click_each(group: tuple[Target, ...]) -> Calls:
    return tuple(one for target in group for one in _on("click")(target))


def _focus(target: Target) -> Calls:
    """A click gives a field the focus; anything else would be carried out by it."""
    return _on("click")(target) if is_typable(target.role, target.noun) else ()


def _drag(target: Target, to: Target) -> Calls:
    end = to.arguments()
    place = {f"to_{key}": value for key, value in end.items() if key != "element"}
    return (call("drag", **target.arguments(), to=end["element"], **place),)


def _drag_to_column(target: Target, column: str) -> Calls:
    return (call("drag", **target.arguments(), to=column, to_role="section"),)


_MODIFIERS = {"Ctrl": "Control", "Shift": "Shift", "Alt": "Alt", "Meta": "Meta"}


POINTING: tuple[Phrase, ...] = (
    action(
        "Click {target}",
        "Press {pressed}",
        build=_click,
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
        description="Clicks the element with exactly this name.",
        examples=("Click login", "Click on Log out"),
        elliptic=False,
    ),
    action(
        "Click {listed}",
        build=_on("click"),
        description="Clicks the element with this name, whatever its kind.",
        examples=('Click the folder "Photos"', 'Click on the task "Build"'),
    ),
    action(
        "Click {target} {times}",
        "Press {target} {times}",
        build=_click_times,
        description=f"Clicks an element several times, at most {MOST_TIMES}.",
        examples=('Click the "+" button three times',),
    ),
    action(
        "Click {times} on {target}",
        build=_click_times_turned,
        description=f"Clicks an element several times, at most {MOST_TIMES}.",
        examples=('Click twice on the "+" button',),
    ),
    action(
        "Click {group}",
        build=_click_each,
        description="Clicks several elements, one after the other.",
        examples=('Click the "A" and "B" buttons',),
    ),
    *(
        action(
            f"{word}+click {{target}}",
            build=_held(modifier),
            description=f"Clicks an element while the key {word} is held.",
            examples=(f'{word}+click the "Row 2" link',),
        )
        for word, modifier in _MODIFIERS.items()
    ),
    action(
        "Click {target} while holding {modifiers}",
        build=_click_holding,
        description="Clicks an element while a key is held.",
        examples=('Click the "Row 2" row while holding Shift',),
    ),
    action(
        "Open {link} in a new (browser) tab/window",
        "Click {link} to open it in a new (browser) tab/window",
        build=_held("Control"),
        description="Clicks a link so that it opens in a new browser tab.",
        examples=('Open the "Help" link in a new tab',),
    ),
    action(
        "Click {path}",
        "Open {path}",
        "Choose/Select {path}",
        "Choose/Select {path} from/in the menu",
        "Choose/Select/Click/Open the menuitem {path}",
        "Open/Click the menu {path}",
        build=_click_path,
        description="Clicks the entries of menus, one after the other.",
        examples=("Click File > Save as", 'Select "File > Save as" from the menu'),
    ),
    action(
        "Drag {target} to/onto/into/over/on {target}",
        "Move {element} to/onto/into/over/on {target}",
        "Drag {target} to/onto/into/over/on {listed}",
        "Drag {target} , drop it to/onto/into/over/on/in {target}",
        build=_drag,
        description="Presses the mouse on an element, moves it to another one and lets go.",
        examples=('Drag "Buy milk" to the "Done" list', 'Drag and drop the "A" card onto the "B" card'),
    ),
    action(
        "Drag {target} to/onto/into/over/on {column}",
        "Move {element} to/onto/into/over/on {column}",
        "Drag {target} , drop it to/onto/into/over/on/in {column}",
        build=_drag_to_column,
        description="Drags an element into a column of a board.",
        examples=('Drag the "Task 1" card to the "Done" column',),
    ),
    action(
        "Click page {code}",
        "Open page {code}",
        "Select page {code}",
        build=_click_page,
        description="Clicks one of the numbers that lead to the pages of a list.",
        examples=("Click page 2", "Go to page 3", 'Go to page "4"'),
    ),
    action(
        "Focus {target}",
        build=_focus,
        description="Clicks a field, so that it has the focus.",
        examples=('Focus the "Name" field', 'Set the focus on the "Name" field'),
    ),
    action(
        "Click in/into/inside {textbox}",
        build=_focus,
        description="Clicks a field, so that it has the focus.",
        examples=('Click into the "Name" field',),
    ),
    action(
        "Click in/into/inside {dropdown}",
        build=_on("click"),
        description="Clicks a list of options, which opens it.",
        examples=('Click in the "Country" dropdown',),
    ),
    action(
        "Click in/inside {element}",
        build=_click_in,
        description="Clicks a tab or a cell.",
        examples=('Click in the "Details" tab',),
    ),
    action(
        "Click {column}",
        "Click heading/header of {column}",
        "Sort by {column}",
        "Sort table by {quoted}",
        "Sort table by {column}",
        "Sort table on {quoted}",
        "Order table by {quoted}",
        "Order table by {column}",
        build=_click_heading,
        description="Clicks the heading of a column, which sorts a table.",
        examples=('Click the "Price" column', 'Sort the table by "Price"'),
    ),
    action(
        "Select/Choose {option} in/from {bar}",
        build=_pick_in,
        description="Clicks an entry of a menu or a bar of the page.",
        examples=('Select "Users" in the side menu', 'Choose "Help" from the sidebar'),
    ),
    action(
        "Toggle {target}",
        build=_on("click"),
        description="Clicks a control that changes between two states.",
        examples=('Toggle the "Dark mode" switch',),
    ),
    action(
        "Expand/Collapse {target}",
        "Click to expand/collapse {target}",
        "Expand/Collapse {titled_noun}",
        build=_fold,
        description="Clicks a control that opens and closes, of a row the one in it; the next check shows the result.",
        examples=('Expand the "Details" section', 'Expand the "Orders" row'),
    ),
    action(
        "Choose {target}",
        build=_choose,
        description="Clicks an element; checks it when it is a radio button or a checkbox.",
        examples=('Choose "Settings"', 'Choose the "Express" radio button'),
    ),
    action(
        "Select {element}",
        "Select/Choose {choice}",
        "Select/Choose/Click/Check {no_named}",
        build=_pick,
        description="Clicks an element; checks it when it is a radio button or a checkbox.",
        examples=(
            'Select "Express"',
            "Select Yes",
            'Select the "Express" radio button',
            'Select the "Details" tab',
            'Select the "Copy" menu item',
        ),
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
        "Double-click {titled_noun}",
        "Double-click {listed}",
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
        "Right-click {target}",
        "Right-click {titled_noun}",
        "Click {target} with the right mouse button",
        "Open the context menu of/on/for {target}",
        "Right-click {listed}",
        build=_on("browser_right_click"),
        description="Clicks an element with the right mouse button.",
        examples=('Right-click the "Backpack" row',),
    ),
    action(
        "Hover over {target}",
        "Hover over {titled_noun}",
        "Hover over {listed}",
        build=_on("hover"),
        description="Moves the mouse over an element.",
        examples=('Hover over the "Account" menu', 'Move the mouse over "Account"'),
    ),
)
