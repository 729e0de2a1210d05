"""Finds the recorded target on the screen: exactly one element must match, otherwise the call misses. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_devices.observations import ElementsSeen, Use
from muster_devices.relations import fits_role
from muster_devices.screen import Element
from muster_evidence.healing import is_named_beside, same_place
from muster_protocol.facts import Does
from muster_protocol.step_recordings import Described, MissReason
from muster_subagent.tools.page_changes import without_numbers
from muster_text.element_roles import LISTS
from muster_text.text_match import place_without, squash


class Missed(NamedTuple):
    """Why a recorded call is not repeated."""

    reason: MissReason
    why: str


class Found(NamedTuple):
    """The one element that a recorded target means, and its number among those that were found, from 1."""

    element: Element
    number: int
    total: int


def use_of(does: Does, target: Described) -> Use:
    """Return the use by which a target is looked for: that of the act, so that both rank candidates alike."""
    match does:
        case "enter":
            return "type"
        case "upload":
            return "upload"
        case "choose":
            return "select" if target.role in LISTS else "check"
        case "scroll" | "drag":
            return "read"
        case _:
            return "click"


def find_target(target: Described, seen: ElementsSeen) -> Found | Missed:
    """Return the one element that is the recorded target, or why none is; `seen` was looked for by its name."""
    same = [(number, it) for number, it in enumerate(seen.matches, 1) if _is_same_name(target, it)]
    there = [(number, it) for number, it in same if not it.hidden]
    if not there:
        if same:
            return Missed("not_eligible", f"{target.words()} is hidden")
        return Missed("none", f"there is no {target.words()}")
    if seen.total > len(seen.matches):
        return Missed("ambiguous", f"{seen.total} elements may be {target.words()}")
    chosen = _narrowed(target, there)
    if len(chosen) > 1:
        return Missed("ambiguous", f"{len(chosen)} elements are like {target.words()}")
    if not chosen:
        return Missed("changed", f"no {target.words()} is where it was: {_places(there)}")
    [(number, element)] = chosen
    if not element.states.enabled:
        return Missed("not_eligible", f"{target.words()} is disabled")
    return Found(element, number, seen.total)


def _is_same_name(target: Described, element: Element) -> bool:
    """Return whether an element has the role and the name of the target; without a name, one of its other words."""
    if fits_role(element.role, target.role) is None:
        return False
    if target.name:
        return _plain(element.name) == _plain(target.name)
    return bool(set(map(_plain, target.aliases)) & {_plain(one) for one in (element.name, *element.aliases)})


def _narrowed(target: Described, there: Sequence[tuple[int, Element]]) -> list[tuple[int, Element]]:
    """Return what stands in the place of that name; of several such, what stands between the same neighbours.

    Rows of a table have the same neighbours, and so have cards: neighbours alone do only if one of them still bears the
    old name of the place, or if there was no place and is one candidate.
    """
    here = [one for one in there if one[1].framed == target.framed]
    placed = [one for one in here if same_place(_place_of(one[1]), target.place)]
    if len(placed) == 1:
        return placed
    named = is_named_beside(target) if target.place else len(there) == 1
    return [one for one in placed or here if (placed or named) and _is_beside(target, one[1])]


def _is_beside(target: Described, element: Element) -> bool:
    """Return whether an element stands between the same two neighbours as the target did."""
    now = tuple(without_numbers(one) for one in element.beside)
    return bool(target.beside) and tuple(map(_plain, now)) == tuple(map(_plain, target.beside))


def _places(there: Sequence[tuple[int, Element]]) -> str:
    return ", ".join(f"one is in {element.place!r}" if element.place else "one is elsewhere" for _, element in there)


def _plain(text: str) -> str:
    return squash(text).casefold()


def _place_of(element: Element) -> str:
    return _plain(place_without(element.place, element.name))
