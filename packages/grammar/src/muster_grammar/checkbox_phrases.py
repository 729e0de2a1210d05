"""Phrases for checkboxes, radio buttons and switches."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target, Within
from muster_protocol.narrowing import Narrowing, Relation

_MARKED = frozenset(("checkbox", "radio", "switch"))


def _check(target: Target) -> Calls:
    return (call("check", **_checkable(target).arguments()),) if target.which else ()


def _uncheck(target: Target) -> Calls:
    return (call("uncheck", **_checkable(target).arguments()),) if target.which else ()


def _mark(target: Target) -> Calls:
    return _check(target) if target.role in _MARKED else ()


def _unmark(target: Target) -> Calls:
    return _uncheck(target) if target.role in _MARKED else ()


def _turn_on(name: str) -> Calls:
    return _check(Target(name, "switch"))


def _turn_off(name: str) -> Calls:
    return _uncheck(Target(name, "switch"))


def _checkable(target: Target) -> Target:
    """What is called an option is a checkbox or a radio button if it is checked."""
    return target._replace(role="") if target.role == "option" and target.element else target


def _check_beside(label: str) -> Calls:
    place = Narrowing(relations=(Relation("next_to", label),)).argument()
    return (call("check", element="", role="checkbox", within=place),)


def _check_column(heading: str) -> Calls:
    return (call("check", element=heading),)


def _check_column_in(heading: str, place: Within) -> Calls:
    return (call("check", element=heading, within=place),)


def _uncheck_column(heading: str) -> Calls:
    return (call("uncheck", element=heading),)


def _uncheck_column_in(heading: str, place: Within) -> Calls:
    return (call("uncheck", element=heading, within=place),)


CHECKBOXES: tuple[Phrase, ...] = (
    action(
        "Check {target}",
        "Check {target} as checked",
        "Turn/Toggle/Switch/Flip {target} on",
        build=_check,
        description="Checks a checkbox or a radio button.",
        examples=('Check "I accept the terms"', 'Tick the "Newsletter" checkbox', 'Check "A" and "B"'),
    ),
    action(
        "Uncheck {target}",
        "Turn/Toggle/Switch/Flip {target} off",
        build=_uncheck,
        description="Unchecks a checkbox.",
        examples=('Uncheck "Newsletter"', 'Untick the checkbox "Newsletter"'),
    ),
    action(
        "Set {element} to checked/on",
        "Activate {element}",
        "Toggle on {element}",
        "Put/Place tick/check/checkmark in/into/on {element}",
        "Put/Place check mark in/into/on {element}",
        build=_mark,
        description="Checks a checkbox or a radio button, or turns a switch on.",
        examples=('Set the "Terms" checkbox to checked', 'Put a tick in the "Terms" checkbox'),
    ),
    action(
        "Set {quoted} switch to on",
        build=_turn_on,
        description="Turns a switch on.",
        examples=('Set the "Dark mode" switch to on',),
    ),
    action(
        "Set {quoted} switch to off",
        build=_turn_off,
        description="Turns a switch off.",
        examples=('Set the "Dark mode" switch to off',),
    ),
    action(
        "Set {element} to unchecked/off",
        "Deactivate {element}",
        "Toggle off {element}",
        "Remove tick/check/checkmark from/in {element}",
        "Remove check mark from/in {element}",
        build=_unmark,
        description="Unchecks a checkbox, or turns a switch off.",
        examples=('Remove the tick from the "News" checkbox',),
    ),
    action(
        "Check (the) box/checkbox beside {quoted}",
        build=_check_beside,
        description="Checks the checkbox beside a text.",
        examples=('Tick the box next to "Milk"',),
    ),
    action(
        "Check {column}",
        build=_check_column,
        description="Checks the checkbox of a column, where columns are chosen.",
        examples=('Check the "Price" column',),
    ),
    action(
        "Check {column} in/inside/within {spot}",
        build=_check_column_in,
        description="Checks the checkbox of a column in a part of the page.",
        examples=('Check the "Price" column in the dialog',),
    ),
    action(
        "Uncheck {column}",
        build=_uncheck_column,
        description="Unchecks the checkbox of a column, where columns are chosen.",
        examples=('Uncheck the "Price" column',),
    ),
    action(
        "Uncheck {column} in/inside/within {spot}",
        build=_uncheck_column_in,
        description="Unchecks the checkbox of a column in a part of the page.",
        examples=('Uncheck the "Price" column in the dialog',),
    ),
)
