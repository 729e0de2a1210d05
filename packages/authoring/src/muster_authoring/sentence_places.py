"""Where a sentence stands in the file of a case, whatever form the file has. Pure."""

import re
from collections.abc import Sequence
from typing import NamedTuple

FARTHEST = 80
"""Lines after the beginning of a step in which its sentences are looked for."""
_ESCAPED = {"'": "''?", '"': r'\\?"', "|": r"\\?\|", "\\": r"\\{1,2}"}
"""How quotes, bars and backslashes may be written in a file whose form gives them a meaning of its own."""


class Position(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


class Span(NamedTuple):
    """Where a text begins and where it ends: the first position after it."""

    begin: Position
    end: Position
    exact: bool = True
    """All of the text stands there; else only its beginning, or nothing of it."""

    def holds(self, position: Position) -> bool:
        """Return whether a position is in it or right at its end."""
        return self.begin <= position <= self.end


def locate(lines: Sequence[str], begin: int, text: str, after: Position | None = None) -> Span:
    """Return where a text stands at or after a line (from 1), and where it is there, after a position.

    A file may break a sentence into lines, so the longest beginning of it that is found counts. What is not found
    stands at that line's first word.
    """
    words = text.split()
    if after and words and after.line >= begin and (found := _found(lines, after, words)):
        return found
    start = Position(begin, 1)
    size = len(words)
    while size and (size > 1 or len(words) == 1):
        if found := _found(lines, start, words[:size]):
            return found._replace(exact=size == len(words))
        size = 2 if size == 3 else size // 2
    first = lines[begin - 1] if 0 < begin <= len(lines) else ""
    indent = len(first) - len(first.lstrip())
    return Span(Position(begin, indent + 1), Position(begin, len(first.rstrip()) + 1), exact=False)


def _found(lines: Sequence[str], start: Position, words: Sequence[str]) -> Span | None:
    window = "\n".join(lines[start.line - 1 : start.line - 1 + FARTHEST])
    found = re.compile(r"\s+".join(map(_written, words))).search(window, start.column - 1)
    return (
        Span(_position(window, start.line, found.start()), _position(window, start.line, found.end()))
        if found
        else None
    )


def _written(word: str) -> str:
    return "".join(_ESCAPED.get(letter) or re.escape(letter) for letter in word)


def _position(window: str, first: int, offset: int) -> Position:
    before = window[:offset]
    return Position(first + before.count("\n"), len(before) - before.rfind("\n"))
