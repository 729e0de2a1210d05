"""Phrases for states of single elements."""

from collections.abc import Sequence

from muster_grammar.element_kinds import FIELD_NOUNS, HELD, KINDS
from muster_grammar.element_phrases import is_hidden, is_shown
from muster_grammar.engine import Calls, Parameter, Phrase, call, expectation
from muster_grammar.pattern_parameters import State
from muster_grammar.target_parser import Target, Within
from muster_grammar.tokens import Words
from muster_grammar.vocabulary import split
from muster_protocol.tool_calls import ArgumentValue

OPPOSITES = {
    "enabled": "disabled",
    "disabled": "enabled",
    "checked": "unchecked",
    "unchecked": "checked",
    "selected": "unselected",
    "expanded": "collapsed",
    "collapsed": "expanded",
    "editable": "readonly",
    "readonly": "editable",
    "invalid": "valid",
    "valid": "invalid",
    "open": "closed",
    "closed": "open",
}
_OF_ENTRIES = ("checked", "unchecked", "selected", "expanded", "collapsed")
_OF_FEW = ("active", "highlighted", "on", "off", "pressed")
"""States that only the kinds of elements in `_MEANT` have."""
_FOLDED = {"open": "expanded", "closed": "collapsed"}
"""What is open or closed is a dialog that is there or not, or else something that folds."""
_TURNED = ("switch", "checkbox", "")
_MEANT = {
    ("selected", "radio"): "checked",
    ("selected", "checkbox"): "checked",
    ("active", "tab"): "selected",
    ("open", "tab"): "selected",
    ("active", "link"): "selected",
    ("active", "menuitem"): "selected",
    ("pressed", "button"): "checked",
    **{("highlighted", role): "selected" for role in ("tab", "link", "menuitem", "row", "listitem", "option")},
    **{("on", role): "checked" for role in _TURNED},
    **{("off", role): "unchecked" for role in _TURNED},
}
"""States that kinds of elements have under another name."""
_OPENING = split("form window wizard popover view")
"""Nouns of what is there once it is open, and does not fold."""
_ASIDE = split("sidebar drawer")
"""Nouns of what is there once it is open; closed it may be gone, or be a narrow bar."""
_TYPED_INTO = FIELD_NOUNS | {"textbox", "searchbox", "box"}
"""Nouns of what neither opens nor closes."""


def state_of(target: Target, state: State) -> Calls:
    """Return the check of a state; those without an opposite cannot be negated, but for "empty", which is a value."""
    arguments = target.arguments(field=True)
    if state.name == "empty" and target.role in HELD:
        return _holds_none(target, state)
    if state.name == "empty" and state.negate:
        return (call("check_value", **arguments, value="", negate=True),)
    said = _MEANT.get((state.name, target.role), state.name)
    name = OPPOSITES.get(said, "") if state.negate else said
    if name in _OF_FEW:  # of a button "active" may mean enabled or pressed
        return ()
    if name in _FOLDED and target.noun in _ASIDE:
        return is_shown(target) if name == "open" else ()
    if name in _FOLDED and (target.role == "dialog" or target.noun in _OPENING):
        return is_shown(target) if name == "open" else is_hidden(target)
    if name in _FOLDED and (target.noun not in KINDS or target.noun in _TYPED_INTO or target.role == "tab"):
        return ()  # a page, a dialog, a menu, a channel?
    return (call("check_state", **arguments, state=_FOLDED.get(name, name)),) if name else ()


def _state_in(target: Target, state: State, place: Within) -> Calls:
    """What is selected in a list is the list's value."""
    chosen = state.name == "selected" and not target.noun
    return () if target.within or chosen else state_of(target._replace(within=place), state)


def _is_empty(target: Target) -> Calls:
    return state_of(target, State("empty", negate=False))


def _is_not_empty(target: Target) -> Calls:
    return state_of(target, State("empty", negate=True))


def _state_named(target: Target, state: State) -> Calls:
    return state_of(target, state) if target.noun else ()


def _has_focus(target: Target) -> Calls:
    return state_of(target, State("focused", negate=False))


def _is_closed(target: Target) -> Calls:
    return state_of(target, State("closed", negate=False))


def _is_expanded(target: Target) -> Calls:
    return state_of(target, State("expanded", negate=False))


def _of_state(state: State, target: Target) -> Calls:
    return state_of(target, state) if target.element else ()


def _holds_none(target: Target, state: State) -> Calls:
    """A table or a list is empty if it has no rows or items; its heading row is none."""
    if target.within:
        return ()
    holder: Within = target.element or [f"in {target.role}"]
    many: dict[str, ArgumentValue] = {"count": 1, "comparison": "at_least"} if state.negate else {"count": 0}
    return (call("check_count", element="", role=HELD[target.role], within=holder, **many),)


def _holds_nothing(label: str) -> Calls:
    return state_of(Target(label), State("empty", negate=False))


def _holds_something(label: str) -> Calls:
    return state_of(Target(label), State("empty", negate=True))


def _state_of_entry(target: Target, state: State) -> Calls:
    """An entry of a list may be ticked or selected; what else is said of a task or a user need not be of its text."""
    return state_of(target, state) if state.name in _OF_ENTRIES else ()


def _adjective(some: Words) -> Sequence[State]:
    return (State({"ticked": "checked"}.get(some[0].key, some[0].key), negate=False),)


STATE_PARAMETERS = {
    "adjective": Parameter(
        r"(?:enabled|disabled|checked|unchecked|ticked|selected|focused|expanded|collapsed|active|required|mandatory|empty)",
        _adjective,
        "a state: `enabled`, `disabled`, `checked`, `selected`, `focused`, `expanded`, `active`, `required`, `empty`",
    ),
}

ELEMENT_STATES: tuple[Phrase, ...] = (
    expectation(
        "{listed} {state}",
        build=_state_of_entry,
        description="Whether an entry, by what it is called, is ticked, selected or expanded.",
        examples=('The task "Buy milk" is checked',),
    ),
    expectation(
        "{property} is empty/blank",
        build=_holds_nothing,
        description="A value that a label ends with a noun for one is empty.",
        examples=("The order number is empty",),
    ),
    expectation(
        "{textbox} contains/shows/holds nothing",
        "{textbox} has/contains/shows/holds no text/value/content/contents",
        "{textbox} has (an) empty value/text",
        "Value/Content/Contents of/in {textbox} is empty/blank",
        "The page does not show text/value in/inside/within {textbox}",
        "Nothing is in/inside {textbox}",
        build=_is_empty,
        description="A field is empty.",
        examples=('The "Search" field contains nothing', 'There is no text in the "Search" field'),
    ),
    expectation(
        "{textbox} has/contains/shows/holds (some/any) text/value/content",
        "Value/Content/Contents of/in {textbox} is not empty/blank",
        build=_is_not_empty,
        description="A field is not empty.",
        examples=('The "Search" field contains some text',),
    ),
    expectation(
        "{stateful} is {adjective} field/button/tab/link/option/checkbox/element/one",
        build=_state_named,
        description="The state of an element.",
        examples=('The "Overview" tab is the active tab', 'The "Mail" field is a required field'),
    ),
    expectation(
        "{property} is not empty/blank",
        build=_holds_something,
        description="A value that a label ends with a noun for one is not empty.",
        examples=("The order number is not empty",),
    ),
    expectation(
        "{stateful} {state}",
        build=state_of,
        description="The state of an element.",
        examples=(
            'The "Log in" button is enabled',
            'The "Express" radio button is checked',
            '"I accept the terms" is not checked',
            'The field "Name" is empty',
            'The "Name" field is not empty',
            'The "Search" field has the focus',
            'The "Bags" option is not selected',
            'The "Dark mode" switch is off',
            'The "Bold" button is pressed',
            'The "src" tree item is expanded',
        ),
    ),
    expectation(
        "{stateful} close/closes/collapse",
        build=_is_closed,
        description="What opens and closes is closed.",
        examples=('The "New user" form closes',),
    ),
    expectation(
        "{stateful} expand",
        build=_is_expanded,
        description="What opens and closes is open.",
        examples=('The "Details" section expands',),
    ),
    expectation(
        "{stateful} {state} in/inside/within {spot}",
        build=_state_in,
        description="The state of an element in a part of the page.",
        examples=('The "Milk" checkbox is checked in the "Groceries" list',),
    ),
    expectation(
        "The page shows {stateful} {adjective}",
        "The page shows {stateful} is {adjective}",
        build=state_of,
        description="The state of an element.",
        examples=('I see the "Terms" checkbox checked',),
    ),
    expectation(
        "The page shows {adjective} {stateful}",
        build=_of_state,
        description="The state of an element.",
        examples=('I see a disabled "Save" button',),
    ),
    expectation(
        "Cursor is in/inside/on {textbox}",
        "(Keyboard) focus is in/inside/on {stateful}",
        "Focus is set/given to/on {stateful}",
        "Focus moves/move/returns/return/goes/jumps/shifts (back) to {stateful}",
        "{stateful} receives/gains/is/takes focus",
        build=_has_focus,
        description="An element has the focus.",
        examples=('The cursor is in the "Name" field', 'The focus moves to the "Save" button'),
    ),
)
