"""A tree of roles and names as lines of text: its elements, parts of it, and what has some words. Pure."""

import json
import re
from collections.abc import Sequence

from muster_devices.screen import Element, States
from muster_text.text_match import squash

_PARTS = re.compile(
    r"^- '?(row|listitem|article|region|form|group|dialog|alertdialog|navigation|main|table|tabpanel|generic|banner"
    r"|complementary)\b"
)
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REF = re.compile(r" \[ref=\w+\]| \[cursor=pointer\]| \[active\]")

LEFT_OUT = "more lines left out"
"""What stands at the end of a page that is shown in part."""
_LINE = re.compile(r'([a-z]\w*)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?::(?: (.*))?)?$')
_QUOTED = re.compile(r"'((?:[^']|'')*)'(.*)$")
_MARK = re.compile(r"\[([^\]]*)\]")
_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox", "slider")


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
    said = line.strip().removeprefix("- ")
    if quoted := _QUOTED.match(said):  # YAML's way with a name that holds a colon
        said = quoted[1].replace("''", "'") + quoted[2]
    matched = _LINE.match(said)
    if matched is None:
        return None
    role, name, marks, told = matched.groups()
    known = set(_MARK.findall(marks))
    text = _plain(told or "")
    return Element(
        role=role,
        name=_plain(f'"{name}"') if name else "",
        ref=next((mark.removeprefix("ref=") for mark in known if mark.startswith("ref=")), ""),
        text=text or (name or ""),
        value=text if role in _FIELDS else None,
        states=States(
            enabled="disabled" not in known,
            checked="checked" in known,
            selected="selected" in known,
            expanded="expanded" in known,
            focused="active" in known,
        ),
        level=depth(line) // 2,
    )


def _plain(text: str) -> str:
    """Return a text as it is, where it stands in quotes."""
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text
