"""Finds the element that a tester means among those of a screen. Pure.

The rules are those of the script that the web adapter runs in the page: the best rank counts, and what shares it may
all be meant. A rank is (behind a dialog, hidden, how exactly it is named, role, use).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from muster_devices.actions import Target
from muster_devices.observations import ElementsSeen, FindElements, Use
from muster_devices.relations import area_of, fits_role, inner, is_header_row
from muster_devices.screen import Element, Screen
from muster_protocol.tool_calls import Box
from muster_text.element_roles import FIELDS, LISTS, TOGGLES, TYPED
from muster_text.text_match import match_tier

MOST_TOLD = 12
_CLICKED = FIELDS | TOGGLES | {"button", "link", "menuitem", "tab", "option", "treeitem"}
_FITTING: dict[Use, frozenset[str]] = {"type": TYPED, "select": LISTS, "check": TOGGLES}
"""Roles that alone can be used so."""
_PREFERRED: dict[Use, frozenset[str]] = {"click": _CLICKED, "value": FIELDS | TOGGLES}


class Ranked(NamedTuple):
    """An element that may be meant; a lower rank is more likely."""

    rank: tuple[int, ...]
    at: int
    """Place in reading order."""
    element: Element
    strategy: str


def search(screen: Screen, question: FindElements) -> ElementsSeen:
    """Return what the screen has for a target."""
    target, elements = question.target, screen.elements
    area = area_of(elements, target.relations)
    best = _by_ref(elements, target.ref) if target.ref else _best(elements, area.places, target, question.use)
    any_kind = _best(elements, area.places, target, "read") if question.explain and not best else []
    return ElementsSeen(
        version=screen.version,
        place=screen.place,
        strategy=best[0].strategy if best else "",
        rank=best[0].rank if best else None,
        matches=tuple(one.element for one in best[:MOST_TOLD]),
        total=len(best),
        unknown_part=area.missing is not None,
        unclear_part=tuple(elements[at] for at in area.unclear),
        near=names_of(screen) if question.explain else (),
        any_kind=tuple(one.element for one in any_kind[:3]),
    )


def element_at(screen: Screen, x: float, y: float) -> Element | None:
    """Return what one would use at a point: the smallest element there, of equal ones that which is drawn last."""
    boxes = [
        (one.box.width * one.box.height, -at, one)
        for at, one in enumerate(screen.elements)
        if not one.hidden and one.box and _holds_point(one.box, x, y) and (one.name or one.role in _CLICKED)
    ]
    return min(boxes, key=lambda it: it[:2])[2] if boxes else None


def _holds_point(box: Box, x: float, y: float) -> bool:
    return box.x <= x < box.x + box.width and box.y <= y < box.y + box.height


def strategy_of(element: Element | None, target: Target) -> str:
    """Return by what an element was found, as in `Done.strategy`; empty where it is gone or is called otherwise now."""
    if target.ref:
        return "ref"
    named = _named(element, target) if element is not None else None
    if named is None and element is not None and any(match_tier(name, target.name) == 0 for name in element.aliases):
        return "label"
    return named[1] if named else ""


def _by_ref(elements: Sequence[Element], ref: str) -> list[Ranked]:
    return [Ranked((0, int(one.hidden)), at, one, "ref") for at, one in enumerate(elements) if one.ref == ref]


def names_of(screen: Screen) -> tuple[tuple[str, str], ...]:
    """Return role and name of everything that can be seen and named."""
    return tuple(dict.fromkeys((one.role, one.name) for one in screen.elements if one.name and not one.hidden))


def _best(elements: Sequence[Element], among: Mapping[int, float], target: Target, use: Use) -> list[Ranked]:
    """Return the elements of the best rank, or the one that the ordinal names of these."""
    found = [one for at in sorted(among) if (one := _ranked(elements[at], at, target, use)) is not None]
    found = _by_name([one for one in found if target.role != "row" or not is_header_row(elements, one.at)], use)
    top = min((one.rank for one in found), default=None)
    best = [one for one in found if one.rank == top]
    best = [one for one in best if not _holds_another(elements, one, best)]
    if not target.ordinal:
        nearest = min((among[one.at] for one in best), default=0.0)
        return [one for one in best if among[one.at] == nearest]
    index = target.ordinal - 1 if target.ordinal > 0 else target.ordinal
    return [best[index]] if -len(best) <= index < len(best) else []


def _ranked(element: Element, at: int, target: Target, use: Use) -> Ranked | None:
    role, fit = fits_role(element.role, target.role), _use_fit(element, use)
    named = _named(element, target)
    if role is None or fit is None or named is None:
        return None
    tier, strategy = named
    hidden = int(element.hidden)
    if use == "read":
        return Ranked((0, hidden, int(tier > 0), role), at, element, strategy)
    return Ranked((0, hidden, tier, role, fit), at, element, strategy)


def _use_fit(element: Element, use: Use) -> int | None:
    if use in _FITTING:
        return 0 if element.role in _FITTING[use] else None
    return 0 if element.role in _PREFERRED.get(use, (element.role,)) else 1


def _named(element: Element, target: Target) -> tuple[int, str] | None:
    """Return how exactly an element bears a name (see `match_tier`), and by what; its name counts before its text.

    A field of a type ("the password field") is one by that or by its name.
    """
    name = target.name or target.trait
    if not name:
        return 0, "label"
    by_name, by_text = match_tier(element.name, name), match_tier(element.text, name)
    tiers = [tier for tier in (by_name, by_text) if tier is not None]
    if not target.name and (tiers or (element.secret and name == "password")):
        return min((*tiers, 1)), "label"
    if not tiers or (target.exact and min(tiers) > 0):
        return None
    own = by_name is not None and (by_text is None or by_name <= by_text)
    tier = min(tiers)
    return tier, ("name" if own else "label") if tier == 0 else "part" if tier == 3 else "words"


def _by_name(found: list[Ranked], use: Use) -> list[Ranked]:
    """Leave out what only has the name as a part of a word: "log" is no "Blog"."""
    exact = [one for one in found if one.rank[2] == 0] if use == "value" else []
    return exact or [one for one in found if one.strategy != "part"]


def _holds_another(elements: Sequence[Element], one: Ranked, best: Sequence[Ranked]) -> bool:
    """Return whether another of the best is inside of one: then the inner one is meant."""
    inside = inner(elements, one.at)
    return any(other.at in inside for other in best)
