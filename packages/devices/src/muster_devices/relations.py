"""Where elements stand to each other: inside of a part, beside, below, in a column. Pure.

Elements are in reading order; what follows an element with a greater level is inside of it.
"""

from collections.abc import Sequence

from muster_devices.actions import Relation
from muster_devices.screen import Element
from muster_protocol.tool_calls import Box
from muster_text.text_match import match_tier

PARTS = frozenset({
    "row", "listitem", "article", "region", "form", "group", "dialog", "alertdialog", "navigation", "main", "table",
    "list", "banner", "contentinfo", "tabpanel", "menu",
})  # fmt: skip
"""Roles of elements that hold others."""


def related(elements: Sequence[Element], relation: Relation | None) -> dict[int, float] | None:
    """Return the places of the elements that stand so, each with its distance; None if there is no such anchor."""
    if relation is None:
        return dict.fromkeys(range(len(elements)), 0.0)
    if relation.how == "in":
        inside = part_of(elements, relation.anchor)
        return None if inside is None else dict.fromkeys(inside, 0.0)
    found: dict[int, float] = {}
    anchors = _anchors(elements, relation.anchor)
    for anchor in anchors:
        for at, far in _beside(elements, anchor, relation).items():
            found[at] = min(far, found.get(at, far))
    return found if anchors else None


def inner(elements: Sequence[Element], at: int) -> range:
    """Return the places of all elements inside of one."""
    end = at + 1
    while end < len(elements) and elements[end].level > elements[at].level:
        end += 1
    return range(at + 1, end)


def part_of(elements: Sequence[Element], words: str) -> list[int] | None:
    """Return the places in the smallest row, card, section or dialog that has the words; None if there is none."""
    found = [at for anchor in _anchors(elements, words) for at in _part_around(elements, anchor)]
    return list(dict.fromkeys(found)) or None


def _anchors(elements: Sequence[Element], words: str) -> list[int]:
    """Return the places of the visible elements that say the words best; parts of words do not count."""
    tiers: dict[int, int] = {}
    for at, element in enumerate(elements):
        fits = [tier for text in (element.name, element.text) if (tier := match_tier(text, words)) is not None]
        if fits and min(fits) < 3 and not element.hidden:
            tiers[at] = min(fits)
    best = min(tiers.values(), default=None)
    return [at for at, tier in tiers.items() if tier == best]


def _part_around(elements: Sequence[Element], anchor: int) -> Sequence[int]:
    """Return the places in the part of the screen that an element names: its own, the one around it, its section."""
    for at in range(anchor, -1, -1):
        inside = inner(elements, at)
        if elements[at].role in PARTS and inside and (at == anchor or anchor in inside):
            return range(at, inside.stop)
    return _section(elements, anchor)


def _section(elements: Sequence[Element], anchor: int) -> Sequence[int]:
    """Return a heading and what follows up to the next one, where nothing but the screen holds them together."""
    if elements[anchor].role != "heading":
        return ()
    ends = (at for at in range(anchor + 1, len(elements)) if elements[at].role == "heading")
    return range(anchor, next(ends, len(elements)))


def _beside(elements: Sequence[Element], anchor: int, relation: Relation) -> dict[int, float]:
    origin, found = elements[anchor].box, dict[int, float]()
    for at, element in enumerate(elements):
        around = anchor in inner(elements, at)
        if origin is None or element.box is None or at == anchor or around:
            continue
        far = _distance(origin, element.box, relation)
        if far is not None:
            found[at] = 0.0 if relation.how == "in_column" else far
    return found


def _distance(origin: Box, box: Box, relation: Relation) -> float | None:
    """Return how far off a box stands in the direction of the relation, in pixels; None: it does not stand so."""
    if relation.how == "next_to":
        same_line = _overlap(origin.y, origin.height, box.y, box.height) > min(origin.height, box.height) / 2
        return max(box.x - origin.x - origin.width, origin.x - box.x - box.width, 0.0) if same_line else None
    under = box.y >= origin.y + origin.height and _overlap(origin.x, origin.width, box.x, box.width) > 0
    return box.y - origin.y - origin.height if under else None


def _overlap(one: float, length: float, other: float, width: float) -> float:
    return min(one + length, other + width) - max(one, other)
