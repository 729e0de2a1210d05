"""Where elements stand to each other: inside of a part, beside, below, after, in a column. Pure.

Elements are in reading order; what follows an element with a greater level is inside of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from muster_devices.screen import Element
from muster_protocol.narrowing import Relation
from muster_protocol.tool_calls import Box
from muster_text.element_roles import FIELDS
from muster_text.text_match import match_tier

PARTS = frozenset({
    "row", "listitem", "article", "region", "form", "group", "dialog", "alertdialog", "navigation", "main", "table",
    "list", "banner", "contentinfo", "tabpanel", "menu",
})  # fmt: skip
"""Roles of elements that hold others."""
_LIKE: dict[str, tuple[str, ...]] = {
    "button": ("link", "menuitem", "tab", "switch", "option"),
    "link": ("button", "menuitem", "tab"),
    "icon": ("button", "link", "img", "image", "tab", "menuitem"),
    "page": ("button", "link", "tab"),
    "tab": ("link", "button"),
    "menuitem": ("link", "button", "option"),
    "textbox": ("searchbox", "spinbutton", "combobox"),
    "combobox": ("listbox", "textbox"),
    "listbox": ("combobox",),
    "checkbox": ("switch",),
    "switch": ("checkbox",),
    "cell": ("columnheader", "rowheader"),
    "dialog": ("alertdialog",),
    "menu": ("navigation", "list", "listbox"),
    "region": ("form", "group", "article"),
    "group": ("region", "form"),
    "option": ("menuitem", "listitem"),
    "spinbutton": ("textbox",),
    "searchbox": ("textbox", "combobox"),
    "alert": ("status",),
}
"""What testers call by another role's name."""
_HELD = frozenset(
    ("button", "link", "menuitem", "tab", "option", "checkbox", "radio", "switch", "treeitem", "image", "paragraph")
) | {"row", "cell", "columnheader", "rowheader", "listitem", "textbox", "searchbox", "combobox", "slider"}
"""What is no section: nothing is in it."""


class Area(NamedTuple):
    """Where a target has to be."""

    places: dict[int, float]
    """Of the elements there, each with its distance from what it is beside."""
    missing: Relation | None = None
    """There is nothing that this one names."""
    unclear: tuple[int, ...] = ()
    """Places of what a relation without a name may mean, if that is several."""


def area_of(elements: Sequence[Element], relations: Sequence[Relation]) -> Area:
    """Return where elements stand that fulfil all relations; each part is looked for in those after it."""
    scope, found = set(range(len(elements))), dict.fromkeys(range(len(elements)), 0.0)
    for relation in reversed(relations):
        anchors = [at for at in _anchors(elements, relation) if at in scope]
        if not anchors and relation.how == "in" and relation.anchor and not relation.ordinal:  # its title tells no kind
            anchors = [at for at in _anchors(elements, Relation("in", relation.anchor)) if at in scope]
        if not relation.anchor and not relation.ordinal and len(anchors) > 1:
            return Area({}, unclear=tuple(anchors))
        anchors = anchors if not relation.ordinal else _nth(anchors, relation.ordinal)
        there = _standing(elements, anchors, relation)
        if not anchors or (relation.how == "in" and not there):
            return Area({}, missing=relation)
        if relation.how == "in":
            scope &= there.keys()
        found = {at: far + there[at] for at, far in found.items() if at in there}
    return Area({at: far for at, far in found.items() if at in scope})


def _nth(anchors: Sequence[int], ordinal: int) -> list[int]:
    index = ordinal - 1 if ordinal > 0 else ordinal
    return [anchors[index]] if -len(anchors) <= index < len(anchors) else []


def _standing(elements: Sequence[Element], anchors: Sequence[int], relation: Relation) -> dict[int, float]:
    """Return the places of the elements that stand so to any of the anchors."""
    found: dict[int, float] = {}
    for anchor in anchors:
        for at, far in _to_anchor(elements, anchor, relation).items():
            found[at] = min(far, found.get(at, far))
    return found


def _to_anchor(elements: Sequence[Element], anchor: int, relation: Relation) -> dict[int, float]:
    if relation.how == "of" and relation.role == "field":  # what is written about it
        beside = (Relation(how, relation.anchor) for how in ("next_to", "below"))
        return {at: far for one in beside for at, far in _beside(elements, anchor, one).items()}
    if relation.how == "of":
        return dict.fromkeys((anchor, *_part_around(elements, anchor)), 0.0)
    if relation.how == "in":
        part = _part_around(elements, anchor) if relation.anchor else range(anchor, inner(elements, anchor).stop)
        return dict.fromkeys(part, 0.0)
    if relation.how == "below" and relation.role == "heading":
        return dict.fromkeys(_section(elements, anchor), 0.0)
    if relation.how == "after":
        return {at: at - anchor for at in range(inner(elements, anchor).stop, len(elements))}
    if relation.how == "before":
        return {at: anchor - at for at in range(anchor) if anchor not in inner(elements, at)}
    return _beside(elements, anchor, relation)


def inner(elements: Sequence[Element], at: int) -> range:
    """Return the places of all elements inside of one."""
    end = at + 1
    while end < len(elements) and elements[end].level > elements[at].level:
        end += 1
    return range(at + 1, end)


def fits_role(own: str, wanted: str) -> int | None:
    """Return 0 for the role that is wanted, 1 for one that testers call so, None for any other."""
    if not wanted or own == wanted or (wanted == "field" and own in FIELDS):
        return 0
    if wanted == "section":
        return None if own in _HELD else 0
    return 1 if own in _LIKE.get(wanted, ()) else None


def _anchors(elements: Sequence[Element], relation: Relation) -> list[int]:
    """Return the places of the visible elements that a relation may name; parts of words do not count."""
    tiers: dict[int, int] = {}
    for at, element in enumerate(elements):
        named = [match_tier(text, relation.anchor) for text in (element.name, element.text)] if relation.anchor else [0]
        fits = [tier for tier in named if tier is not None and tier < 3]
        if fits and not element.hidden and fits_role(element.role, relation.role) is not None:
            tiers[at] = min(fits)
    best = min(tiers.values(), default=None)
    exact = relation.anchor or all(elements[at].role != relation.role for at in tiers)
    found = [at for at, tier in tiers.items() if tier == best and (exact or elements[at].role == relation.role)]
    return [at for at in found if not is_header_row(elements, at)] if not relation.anchor else found


def is_header_row(elements: Sequence[Element], at: int) -> bool:
    """Return whether an element is a row that only heads columns."""
    inside = [elements[place].role for place in inner(elements, at)]
    return elements[at].role == "row" and bool(inside) and set(inside) == {"columnheader"}


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
    upper, lower = (box, origin) if relation.how == "above" else (origin, box)
    under = lower.y >= upper.y + upper.height and _overlap(origin.x, origin.width, box.x, box.width) > 0
    return lower.y - upper.y - upper.height if under else None


def _overlap(one: float, length: float, other: float, width: float) -> float:
    return min(one + length, other + width) - max(one, other)
