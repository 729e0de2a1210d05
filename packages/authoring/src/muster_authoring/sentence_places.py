"""Where a sentence stands in the file of a case, whatever form the file has. Pure."""

import re
from collections.abc import Sequence
from typing import NamedTuple

FARTHEST = 80
"""Lines after the beginning of a step in which its sentences are looked for."""


class Position(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


def locate(lines: Sequence[str], begin: int, text: str) -> Position:
    """Return where a text begins at or after a line (from 1); what is not found stands at that line's first word.

    A file may break a sentence into lines and escape its quotes, so the longest beginning of it that is found counts.
    """
    words = text.split()
    window = "\n".join(lines[begin - 1 : begin - 1 + FARTHEST])
    size = len(words)
    while size and (size > 1 or len(words) == 1):
        if found := re.search(r"\s+".join(map(re.escape, words[:size])), window):
            before = window[: found.start()]
            return Position(begin + before.count("\n"), len(before) - before.rfind("\n"))
        size = 2 if size == 3 else size // 2
    first = window.partition("\n")[0]
    return Position(begin, len(first) - len(first.lstrip()) + 1)
