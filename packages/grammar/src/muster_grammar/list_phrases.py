"""Phrases for several named elements of one kind: each of them must be so."""

from muster_grammar.count_phrases import count_of
from muster_grammar.element_kinds import HELD
from muster_grammar.element_phrases import is_hidden, is_shown, place_shows
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count, State
from muster_grammar.state_phrases import state_of
from muster_grammar.target_parser import Target, Within

Group = tuple[Target, ...]
_TOLD_ELSEWHERE = frozenset((*HELD.values(), "option", "columnheader"))


def _shown(group: Group) -> Calls:
    return tuple(one for target in group for one in is_shown(target))


def _shown_in(place: Within, group: Group) -> Calls:
    return tuple(one for target in group for one in place_shows(place, target))


def _shown_at(group: Group, place: Within) -> Calls:
    return _shown_in(place, group)


def _hidden(group: Group) -> Calls:
    return tuple(one for target in group for one in is_hidden(target))


def _shown_kind(kind: Target, names: tuple[str, ...]) -> Calls:
    return _shown(tuple(kind._replace(element=name) for name in names)) if all(names) else ()


def _just(kind: Target, names: tuple[str, ...]) -> Calls:
    """Which list a row, an item or an option is in, only its place can say; columns have phrases of their own."""
    if not kind.role or kind.role in _TOLD_ELSEWHERE:
        return ()
    many = count_of(Count("is", len(names)), kind)
    return (*_shown_kind(kind, names), *many) if all(names) else ()


def _counted(count: Count, kind: Target, names: tuple[str, ...]) -> Calls:
    return _just(kind, names) if count == Count("is", len(names)) else ()


def _counted_in(place: Within, count: Count, kind: Target, names: tuple[str, ...]) -> Calls:
    """Of rows and items each holds one of the texts; how many options and columns there are has phrases of its own."""
    if count != Count("is", len(names)) or not all(names) or not kind.role or kind.role in ("option", "columnheader"):
        return ()
    many = count_of(count, kind._replace(within=place))
    if kind.role in HELD.values():
        return (*(call("check_text", text=name, within=place) for name in names), *many)
    return (*_shown_in(place, tuple(kind._replace(element=name) for name in names)), *many)


def _are(group: Group, state: State) -> Calls:
    each = [state_of(target._replace(plural=False), state) for target in group]
    return tuple(one for calls in each for one in calls) if all(each) else ()


LISTS: tuple[Phrase, ...] = (
    expectation(
        "{group} is visible",
        "The page shows {group}",
        build=_shown,
        description="Each of several elements is visible.",
        examples=('The buttons "Save" and "Cancel" are visible', 'I see the "From", "To" and "Cc" fields'),
    ),
    expectation(
        "{group} is visible in/inside/within/on {spot}",
        "The page shows {group} in/inside/within/on {spot}",
        build=_shown_at,
        description="Each of several elements is visible in a part of the page.",
        examples=('I see the "Name", "Mail" and "Phone" fields in the form',),
    ),
    expectation(
        "{region} has/shows/contains {group}",
        build=_shown_in,
        description="Each of several elements is visible in a part of the page.",
        examples=('The form has "Name", "Mail" and "Phone" fields',),
    ),
    expectation(
        "{group} is not visible",
        "The page does not show {group}",
        build=_hidden,
        description="None of several elements is visible.",
        examples=('I do not see the links "Edit" and "Remove"',),
    ),
    expectation(
        "{kinds} is visible {texts}",
        "Following {kinds} is visible {texts}",
        "The page shows following {kinds} {texts}",
        build=_shown_kind,
        description="Each of several elements is visible.",
        examples=('The following fields are displayed: "Name", "Mail"',),
    ),
    expectation(
        "{kinds} is {texts}",
        build=_just,
        description="There are these elements of a kind and no others.",
        examples=('The tabs are "Songs", "Albums" and "Artists"',),
    ),
    expectation(
        "There are {count} {kinds} {texts}",
        "{count} {kinds} is visible {texts}",
        build=_counted,
        description="There are these elements of a kind and no others.",
        examples=('There are three tabs: "Songs", "Albums" and "Artists"',),
    ),
    expectation(
        "{region} has/shows/contains {count} {kinds} {texts}",
        build=_counted_in,
        description="A part of the page holds these elements of a kind and no others.",
        examples=('The menu has 3 items: "Open", "Save" and "Print"',),
    ),
    expectation(
        "{group} {state}",
        build=_are,
        description="The state of several elements.",
        examples=('The "Save", "Copy" and "Print" buttons are disabled',),
    ),
)
