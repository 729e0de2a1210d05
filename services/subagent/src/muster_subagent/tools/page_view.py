"""The page as a model is shown it: the accessibility tree without what a model can do without. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from muster_devices.outline import parsed, unquoted
from muster_text.element_roles import LISTS

INLINE_CHARACTERS = 200
"""A part of the page is told in one line if what it holds takes at most so many characters."""
OPTIONS = 30
"""So many options of a list are told; a page may have one for each country."""
DEEPEST = 80
"""Blanks before a line; what is deeper counts as this deep, so that no page can exhaust the stack."""

_USED = re.compile(
    r"(link|button|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab"
    r"|menuitem\w*|treeitem|dialog|alertdialog|iframe)$"
)
"""Roles of elements that a person uses, so that a model needs a ref for each."""
_CELLS = frozenset({"cell", "gridcell", "rowheader", "columnheader"})
_BARE = (
    _CELLS
    | {"generic", "list", "group", "paragraph", "section", "main", "text", "search", "navigation", "banner"}
    | {"table", "rowgroup", "heading"}
)
"""Roles that say nothing about what they hold where they have no name."""
_REF = re.compile(r" \[(?:f\d+)?e\d+\]")
_LEFT_OUT = re.compile(r"(ref=.*|cursor=.*|level=.*|active|aria-hidden)$")


class Part(NamedTuple):
    """An element of the tree, or a line of text (no role)."""

    role: str
    name: str = ""
    marks: tuple[str, ...] = ()
    """What it is now, such as `checked`."""
    ref: str = ""
    text: str = ""
    parts: tuple["Part", ...] = ()
    hidden: bool = False
    """From assistive technology: what it holds is told, it is not."""


def lean(view: str) -> str:
    """Return a snapshot in fewer words: no addresses, no containers that say nothing, rows and cards in one line each,
    refs where names are not enough.

    A ref stays on what can be used and has no name, or shares its role and name with another.
    """
    parts = _useful(tree(view.splitlines()))
    shared = Counter((part.role, part.name) for part in _all(parts))
    return "\n".join(line for part in parts for line in _lines(part, shared))


def told(view: str) -> str:
    """Return what a snapshot tells of the page, without the refs, which say nothing of it."""
    return _REF.sub("", lean(view))


def roles(view: str) -> frozenset[str]:
    """Return the roles of what a snapshot shows, as far as they can be used."""
    return frozenset(part.role for part in _all(tree(view.splitlines())) if _USED.match(part.role))


def tree(lines: Sequence[str]) -> tuple[Part, ...]:
    """Return the elements of a snapshot, each with what it holds; what is no element is a text."""
    found: list[Part] = []
    at = 0
    while at < len(lines):
        depth, end = _depth(lines[at]), at + 1
        while end < len(lines) and _depth(lines[end]) > depth:
            end += 1
        if not lines[at].lstrip().startswith("- /"):  # an address, or another property
            found.append(_part(lines[at].strip())._replace(parts=tree(lines[at + 1 : end])))
        at = end
    return tuple(found)


def _depth(line: str) -> int:
    return min(len(line) - len(line.lstrip(" ")), DEEPEST)


def _part(line: str) -> Part:
    if not line.startswith("- "):
        return Part("", text=line)
    said = parsed(line)
    if said is None:
        return Part("", text=unquoted(line[2:].removesuffix(":")))
    kept = tuple(mark for mark in said.marks if not _LEFT_OUT.match(mark))
    return Part(said.role, said.name, kept, said.ref, said.text, hidden="aria-hidden" in said.marks)


def _useful(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts without those that say nothing; what these hold takes their place."""
    found = [kept for part in parts for kept in _kept(part)]
    names = [part.name for part in found]
    told = [
        part
        for before, part, after in zip(["", *names], found, [*names[1:], ""], strict=False)
        if part.role or part.text.removesuffix(":") not in (before, after)  # a label, which is its field's name
    ]
    return tuple(_paired(told))


def _kept(part: Part) -> tuple[Part, ...]:
    """Return what is left of a part: itself with what it holds, only that, or a text."""
    if part.text and part.role in _BARE and not part.name:
        return (Part("", text=part.text),)
    parts = tuple(it for it in _useful(part.parts) if it.role or f" {it.text} " not in f" {part.name} ")
    if part.hidden or (part.role in _BARE and not part.name):
        return parts
    if part.role in _CELLS:
        return parts if any(part.name == it.name for it in parts) else (Part("", text=part.name), *parts)
    if f" {part.text} " in f" {part.name} ":
        part = part._replace(text="")
    return (part._replace(parts=parts),)


def _paired(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts, with a term and its definition as one text."""
    pairs = {
        index
        for index, (first, second) in enumerate(pairwise(parts))
        if (first.role, second.role) == ("term", "definition") and first.text and second.text
    }
    for index, part in enumerate(parts):
        if index in pairs:
            yield Part("", text=f"{part.text}: {parts[index + 1].text}")
        elif index - 1 not in pairs:
            yield part


def _all(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from _all(part.parts)


def _lines(part: Part, shared: Counter[tuple[str, str]]) -> list[str]:
    """Return a part as lines: one, if what it holds is short and holds nothing itself."""
    head = _head(part, shared)
    if not part.parts:
        return [head]
    if part.role in LISTS and all(it.role == "option" for it in part.parts):
        return [f"{head}: {_options(part.parts)}"]
    below = [_lines(it, shared) for it in part.parts]
    inline = " | ".join(line for lines in below for line in lines)
    if all(len(lines) == 1 for lines in below) and len(inline) <= INLINE_CHARACTERS:
        return [f"{head}: {inline}"]
    return [f"{head}:", *(f" {line}" for lines in below for line in lines)]


def _options(options: Sequence[Part]) -> str:
    told = [f"[{it.name or it.text}]" if "selected" in it.marks else it.name or it.text for it in options]
    more = [f"{len(told) - OPTIONS} more"] if len(told) > OPTIONS else []
    return " / ".join(told[:OPTIONS] + more)


def _head(part: Part, shared: Counter[tuple[str, str]]) -> str:
    """Return what a part says of itself."""
    if not part.role:
        return part.text
    pointed = _USED.match(part.role) and (not part.name or shared[part.role, part.name] > 1)
    ref = f" [{part.ref}]" if part.ref and pointed else ""
    name = f' "{part.name}"' if part.name else ""
    marks = "".join(f" [{mark}]" for mark in part.marks)
    return f"{part.role}{name}{marks}{ref}" + (f": {part.text}" if part.text else "")
