"""The words of moves, by which they are found related to a goal, a part of an app, or one another. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

from muster_protocol.explorations import EarlierMove

_WORD = re.compile(r"[^\W_]{3,}")
_COMMON = frozenset({"the", "page", "title", "contains", "visible", "text", "url", "and", "is", "not"})


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text that mean something, in lower case."""
    yield from (word.lower() for word in _WORD.findall(text) if word.lower() not in _COMMON)


def move_words(move: EarlierMove) -> frozenset[str]:
    """Return the words of a move: of its name, its address, and what it chooses."""
    return _move_words(move.name, move.address, move.option)


@lru_cache(maxsize=20_000)
def _move_words(name: str, address: str, option: str) -> frozenset[str]:
    return frozenset(words_of(" ".join((name, address.partition("://")[2].partition("/")[2], option))))
