"""Finds duplicate keys of JSON objects, because parsers silently keep only the last value. Pure."""

import json
from collections.abc import Iterator
from typing import cast

from muster_protocol.unknown_keys import LONGEST_KEY, listed


class _Pairs(list[tuple[str, object]]):
    """The members of an object, in order."""


def describe_repeated_keys(text: bytes | str) -> str:
    """Return the keys that are there twice, as in `$.steps[2].expected: the key is there twice`; empty if none.

    The text must be JSON that has been read before.
    """
    return listed(_find(json.loads(text, object_pairs_hook=_Pairs, parse_int=str), "$"))


def _find(value: object, place: str) -> Iterator[str]:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, item in value:
            below = f"{place}.{key[:LONGEST_KEY]}"
            if key in seen:
                yield f"{below}: the key is there twice"
            seen.add(key)
            yield from _find(item, below)
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[object]", value)):
            yield from _find(item, f"{place}[{number}]")
