"""What makes two screens the same state: their structure, without texts, numbers and how long their lists are. Pure."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from muster_exploration.abstraction import (
    abstract_address,
    abstract_page,
    abstract_text,
    carried_tokens,
    numbers_of,
    view_of,
)
from muster_text.element_roles import FIELDS, TOGGLES

_POINTED = {"button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem"}
CONTROLS = FIELDS | TOGGLES | _POINTED
"""Roles of what can be acted on."""
_NAMED = CONTROLS | {"heading", "dialog", "alertdialog", "tabpanel", "form", "navigation", "region", "group"}
"""Roles whose name tells one screen from another."""
_LISTS = frozenset({"list", "table", "grid", "treegrid", "rowgroup", "feed", "listbox", "tree"})
_PASSING = frozenset({"alert", "status", "log", "timer", "tooltip", "progressbar", "marquee"})
"""Roles of what comes and goes by itself."""
_PLAIN = frozenset({"text", "paragraph", "generic", "strong", "emphasis", "code", "time", "img", "image", ""})
LONG_LIST = 12
"""From more children of a kind on, names no longer tell them apart: it is a list, not a menu."""
LATE = 3
"""From this place on, it does not matter which item of a list has the focus."""
_ALIKE = 3
"""So many alike outside of a list are one, too."""


class Part(NamedTuple):
    """An element of a screen."""

    role: str
    name: str
    level: int
    """Depth in the tree."""
    address: str = ""
    """Where a link leads, in full."""
    enabled: bool = True
    value: str = ""
    checked: bool = False
    text: str = ""
    focused: bool = False
    """Whether it has the focus, where that tells what a key does; false for what is tapped."""


class Tree(NamedTuple):
    """A part with what is in it."""

    at: int
    """Index of the part."""
    part: Part
    children: tuple["Tree", ...]


class Shape(NamedTuple):
    """The identity of a screen."""

    id: str
    kin: str
    exact: str


def shape_of(parts: Sequence[Part], address: str, title: str = "") -> Shape:
    """Return the identity of a screen; an address that is empty or not of the web adds nothing but its words."""
    trees = trees_of(parts)
    kin = _digest(abstract_page(address), _outline(trees, ""), *_focus_in(trees, ""))
    carried = carried_tokens(address, [part.address for part in parts if part.address])
    numbers = [number for number in numbers_of(address) if number not in carried]
    exact = _digest(title, *(f"{part.role}|{part.name}|{part.value}|{part.text}|{part.checked}" for part in parts))
    return Shape(_digest(kin, *view_of(address), *numbers), kin, exact)


def _focus_in(trees: Sequence[Tree], role: str) -> list[str]:
    """Return what has the focus, from the outside in; items of a list that come late count as one place."""
    ranks = {tree.at: rank for group in alike_groups(trees, role) for rank, tree in enumerate(group)}
    for tree in trees:
        inner = _focus_in(tree.children, tree.part.role)
        if inner or tree.part.focused:
            rank = ranks.get(tree.at)
            own = tree.part.role + ":" + abstract_text(tree.part.name)
            return [own if rank is None else f"{_item_shape(tree)}#{min(rank, LATE)}", *inner]
    return []


def trees_of(parts: Sequence[Part]) -> tuple[Tree, ...]:
    """Return the parts as trees, by their levels."""
    place = 0

    def below(level: int) -> tuple[Tree, ...]:
        nonlocal place
        found: list[Tree] = []
        while place < len(parts) and parts[place].level > level:
            index, part = place, parts[place]
            place += 1
            found.append(Tree(index, part, below(part.level)))
        return tuple(found)

    return below(-1)


def alike_groups(trees: Sequence[Tree], role: str) -> list[list[Tree]]:
    """Return which children of one parent are items of a list: two alike or more, of different names."""
    by_shape: dict[str, list[Tree]] = {}
    many = Counter(_bones(tree) for tree in trees)
    for tree in trees:
        bones = _bones(tree)
        long = many[bones] > LONG_LIST
        by_shape.setdefault(bones if long else _item_shape(tree), []).append(tree)
    least = 2 if role in _LISTS else _ALIKE
    return [group for group in by_shape.values() if len(group) >= least and _is_item(group, role)]


def _is_item(group: Sequence[Tree], role: str) -> bool:
    return len(group) > LONG_LIST or role in _LISTS or any(tree.children for tree in group)


def _outline(trees: Sequence[Tree], role: str) -> str:
    """Return the structure of siblings; what is alike stands once, whichever and however many they are."""
    grouped = {tree.at for group in alike_groups(trees, role) for tree in group}
    items = sorted({_item_shape(tree) for tree in trees if tree.at in grouped or role in _LISTS})
    told = [_told(tree) for tree in trees if not (tree.at in grouped or role in _LISTS)]
    if len(items) > LONG_LIST:  # too many kinds of items to be kinds
        items = sorted({_bones(tree) for tree in trees if tree.at in grouped or role in _LISTS})
    return "(" + ",".join(filter(None, [*told, *(f"{item}*" for item in items)])) + ")"


def _told(tree: Tree) -> str:
    part = tree.part
    if part.role in _PASSING:
        return ""
    inner = _outline(tree.children, part.role) if tree.children and part.role not in FIELDS else ""
    if part.role in _PLAIN:
        return "" if inner in ("", "()") else inner
    name = abstract_text(part.name) if part.role in _NAMED else ""
    off = "!" if part.role in CONTROLS and not part.enabled else ""
    return f"{part.role}:{name}{off}{inner}"


def _item_shape(tree: Tree) -> str:
    """Return what items of one list have in common: roles, the names of what is done to each, kinds of addresses."""
    part = tree.part
    if part.role in _PLAIN | _PASSING and not tree.children:
        return ""
    alone = _controls(tree) == 1
    named = part.role in CONTROLS and (not part.address or alone) and part.role != "option"
    own = abstract_address(part.address) if part.address else abstract_text(part.name) if named else ""
    inner = "" if part.role in FIELDS else ",".join(sorted({_item_shape(one) for one in tree.children} - {""}))
    return f"{part.role}:{own}({inner})" if part.role not in _PLAIN else inner


def _bones(tree: Tree) -> str:
    """Return roles alone, and in which folder addresses lie."""
    part = tree.part
    folder = abstract_address(part.address).rpartition("/")[0] if part.address else ""
    inner = ",".join(sorted({_bones(one) for one in tree.children}))
    return f"{part.role}:{folder}({inner})"


def _controls(tree: Tree) -> int:
    return (tree.part.role in CONTROLS) + sum(_controls(one) for one in tree.children)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]
