"""The page as a model is shown it: the accessibility tree without what a model can do without. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

_USED = re.compile(
    r"^- '?(link|button|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab"
    r"|menuitem\w*|treeitem|row|cell|gridcell|dialog|alertdialog|iframe)\b"
)
_REF = re.compile(r" \[ref=\w+\]")
_NOISE = re.compile(r" \[(?:cursor=pointer|active)\]")
_BARE = re.compile(
    r"^- (?:generic|list|group|paragraph|section|main|text|search|navigation|banner)(?: \[ref=\w+\])?:?$"
)
_PLAIN = re.compile(r"^- (?:generic|paragraph|text)(?: \[ref=\w+\])?: (.+)$")
_ALONE = re.compile(r'^- \S+ "[^"]+"')
"""A line whose element has a name."""
_NAMED = re.compile(r'^- \S+ "([^"]*)"')


def lean(view: str) -> str:
    """Return a snapshot in fewer words: no addresses, no containers that say nothing, refs where names are not enough.

    A ref stays on what can be used and has no name, or shares its role and name with another.
    """
    lines = _once(_flattened(view.splitlines()))
    count = Counter(_ALONE.match(line.strip()) and _REF.sub("", line.strip()).rstrip(":") for line in lines)
    alone = [_ALONE.match(line.strip()) and count[_REF.sub("", line.strip()).rstrip(":")] == 1 for line in lines]
    return "\n".join(_REF.sub("", line) if by_name else line for line, by_name in zip(lines, alone, strict=True))


def _flattened(lines: Sequence[str]) -> list[str]:
    """Return the lines; what stood in a container that is left out moves up to where that was."""
    found: list[str] = []
    gone: list[int] = []
    """Depths of the containers that were left out and that the line is in."""
    for line in lines:
        depth = len(line) - len(line.lstrip(" "))
        text = _NOISE.sub("", line.strip())
        gone = [at for at in gone if at < depth]
        if text.startswith("- /url:") or "[aria-hidden]" in text:
            continue
        if _BARE.match(text):
            gone.append(depth)
            continue
        found.append(" " * ((depth - 2 * len(gone)) // 2) + _lean(text))
    return found


def _once(lines: Sequence[str]) -> list[str]:
    """Return the lines without labels that the field after them is named by, and without colons before nothing."""
    found: list[str] = []
    for line, after in zip(lines, [*lines[1:], ""], strict=False):
        named = _NAMED.match(after.strip())
        if named and line.strip() == f"- {named.group(1)}":
            continue
        below = len(after) - len(after.lstrip(" ")) > len(line) - len(line.lstrip(" "))
        found.append(line if below or not line.endswith(":") else line[:-1])
    return found


def _lean(text: str) -> str:
    plain = _PLAIN.match(text)
    if plain:
        return f"- {plain.group(1)}"
    return text if _USED.match(text) else _REF.sub("", text)
