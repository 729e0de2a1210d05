"""Phrases for leaving a field, and for closing a dialog or menu by a click outside of it."""

from muster_grammar.element_kinds import is_typable
from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target


def _click_outside(target: Target) -> Calls:
    return (call("click_outside", **target.arguments()),) if target.which else ()


def _click_elsewhere() -> Calls:
    return (call("click_outside"),)


def _leave(target: Target) -> Calls:
    """Without a name the field that has the focus is meant: a click outside might close the dialog around it."""
    if not is_typable(target.role, target.noun):
        return ()
    return _click_outside(target) if target.element else _tab_out(target)


def _tab_out(target: Target) -> Calls:
    if target.element:
        return (call("press", key="Tab", **target.arguments(field=True)),)
    return (call("press", key="Tab"),) if target.arguments().keys() == {"element", "role"} else ()


LEAVING: tuple[Phrase, ...] = (
    action(
        "Click outside (of) {target}",
        build=_click_outside,
        description="Clicks where nothing is, outside of an element: it closes a dialog or menu that closes so.",
        examples=("Click outside the dialog", 'Click outside of the "Filters" menu'),
    ),
    action(
        "Click outside/away",
        "Click elsewhere",
        "Click somewhere/anywhere else",
        "Click (on) empty/blank area/space/spot/place",
        build=_click_elsewhere,
        description="Clicks where nothing is, outside of what is open or has the focus.",
        examples=("Click outside", "Click anywhere else", "Click on an empty area"),
    ),
    action(
        "Leave {target}",
        "Blur {target}",
        "Unfocus {target}",
        "Remove (the) focus from {target}",
        "Move (the) focus away from {target}",
        build=_leave,
        description="Clicks where nothing is, so that a field loses the focus; without a name, presses Tab.",
        examples=('Leave the "Email" field', "Leave the field"),
    ),
    action(
        "Tab out of {target}",
        build=_tab_out,
        description="Presses Tab in a field, so that the next one has the focus.",
        examples=('Tab out of the "Email" field',),
    ),
)
