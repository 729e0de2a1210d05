"""A tree of roles and names as lines of text: its elements, parts of it, and what has some words. Pure."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from muster_devices.screen import Element, States
from muster_text.text_match import squash

_PARTS = re.compile(
    r"^- '?(row|listitem|article|region|form|group|dialog|alertdialog|navigation|main|table|tabpanel|generic|banner"
    r"|complementary)\b"
)
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REF = re.compile(r" \[ref=\w+\]| \[cursor=pointer\]| \[active\]")

_ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+ ?")
_NO_TEXT = re.compile(r"\s*- text:\s*$")

LEFT_OUT = "more lines left out"
"""What stands at the end of a page that is shown in part."""
_LINE = re.compile(r'([a-z]\w*)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?::(?: (.*))?)?$')
_QUOTED = re.compile(r"'((?:[^']|'')*)'(.*)$")
_MARK = re.compile(r"\[([^\]]*)\]")
_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox", "slider")


class Line(NamedTuple):
    """An element of the tree, as its line tells."""

    role: str
    name: str
    marks: tuple[str, ...]
    """What stands in brackets, such as `checked` or `ref=e12`."""
    ref: str
    text: str


def without_icons(lines: Sequence[str]) -> list[str]:
    """Return the lines without letters that only an icon font has a picture for, which are no part of a name."""
    told = (readable(line) for line in lines)
    return [line for line in told if not _NO_TEXT.match(line)]


def readable(text: str) -> str:
    """Return a text without letters that only an icon font has a picture for."""
    return _ICONS.sub("", text)


def depth(line: str) -> int:
    """Return how deep a line is in the tree, in blanks."""
    return len(line) - len(line.lstrip(" "))


def wanted(line: str) -> str:
    """Return what a line says, without its role and marks."""
    said = _REF.sub("", line).strip().removeprefix("- ").strip("'")
    name = _NAME.search(said)
    text = said.partition(": ")[2]
    return squash(" ".join(part for part in (name.group(1) if name else "", text.strip('"')) if part))


def subtree(lines: Sequence[str], start: int) -> list[str]:
    """Return a line and all below it."""
    level = depth(lines[start])
    end = start + 1
    while end < len(lines) and depth(lines[end]) > level:
        end += 1
    return list(lines[start:end])


def part_of_lines(lines: Sequence[str], words: str) -> list[str]:
    """Return the smallest row, item, section, form, dialog or card that has the words; nothing if there is none."""
    want = squash(words).lower()
    exact = [index for index, line in enumerate(lines) if wanted(line).lower() == want]
    hits = exact or [index for index, line in enumerate(lines) if want in wanted(line).lower()]
    for hit in hits:
        start = next((index for index in range(hit, -1, -1) if _holds(lines, index, hit)), hit)
        level = depth(lines[start])
        return [line[level:] for line in subtree(lines, start)]
    return []


def _holds(lines: Sequence[str], index: int, hit: int) -> bool:
    """Return whether a line is a part of the page that has the hit and more than it."""
    below = subtree(lines, index)
    inside = hit < index + len(below)
    return inside and len(below) > 2 and bool(_PARTS.match(lines[index].strip()))


def matching(lines: Sequence[str], words: str) -> list[str]:
    """Return the lines that have the words, each below the lines that it is in."""
    want = squash(words).lower()
    keep: set[int] = set()
    for index, line in enumerate(lines):
        if want in wanted(line).lower():
            keep |= {index, *_above(lines, index)}
    return [lines[index] for index in sorted(keep)]


def _above(lines: Sequence[str], index: int) -> list[int]:
    found: list[int] = []
    level = depth(lines[index])
    for at in range(index - 1, -1, -1):
        if depth(lines[at]) < level:
            level = depth(lines[at])
            found.append(at)
    return found


def cut(lines: Sequence[str], limit: int = 250, width: int = 240) -> str:
    """Return the lines as text, long ones shortened, with a note of what was left out at the end."""
    shown = [line if len(line) <= width else line[: width - 1] + "…" for line in lines[:limit]]
    left = len(lines) - len(shown)
    if left > 0:
        shown.append(f"… {left} {LEFT_OUT}: ask for a part (within), or find what you look for …")
    return "\n".join(shown)


def masked(lines: Sequence[str], values: Sequence[str], mask: str) -> list[str]:
    """Return the lines with the values of password fields blacked out wherever a field shows them."""
    forms = {form for value in values for form in (value, value.replace("\\", "\\\\").replace('"', '\\"'))}
    longest = sorted(forms, key=len, reverse=True)

    def clean(line: str) -> str:
        if not line.strip().startswith(("- textbox", "- 'textbox", "- generic", "- text")):
            return line
        head, colon, tail = line.partition(": ")
        for form in longest:
            tail = tail.replace(form, mask)
        return head + colon + tail

    return [clean(line) for line in lines]


def elements_of(lines: Sequence[str]) -> tuple[Element, ...]:
    """Return the elements of a tree, in its order; what is no element (an address, a text alone) is left out."""
    return tuple(element for line in lines if (element := _element(line)) is not None)


def _element(line: str) -> Element | None:
    said = parsed(line)
    if said is None:
        return None
    return Element(
        role=said.role,
        name=said.name,
        ref=said.ref,
        text=said.text or said.name,
        value=said.text if said.role in _FIELDS else None,
        states=States(
            enabled="disabled" not in said.marks,
            checked="checked" in said.marks,
            selected="selected" in said.marks,
            expanded="expanded" in said.marks,
            focused="active" in said.marks,
        ),
        level=depth(line) // 2,
    )


def parsed(line: str) -> Line | None:
    """Return what a line of the tree says; None where it is no element: an address, or a text alone."""
    if not line.lstrip().startswith("- "):
        return None
    said = line.strip()[2:]
    if quoted := _QUOTED.match(said):  # YAML's way with a name that holds a colon
        said = quoted[1].replace("''", "'") + quoted[2]
    matched = _LINE.match(said)
    if matched is None:
        return None
    role, name, marks, text = matched.groups()
    told = tuple(_MARK.findall(marks))
    ref = next((mark.removeprefix("ref=") for mark in told if mark.startswith("ref=")), "")
    return Line(role, name or "", told, ref, unquoted(text or ""))


def unquoted(text: str) -> str:
    """Return a text as it is, where YAML has put it in quotes."""
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text
