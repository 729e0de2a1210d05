"""Describes unknown keys of a JSON document, and values that are not among the choices. Pure."""

import difflib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

from msgspec import inspect

MAX_REPORTED = 10
LONGEST_KEY = 80
"""Characters shown of a key."""


def describe_unknown(value: object, kind: Any) -> str:  # noqa: ANN401 - unions are not `type`s
    """Return what is refused, as in `$.steps[2].expect: unknown key; did you mean 'expected'?`; empty if nothing.

    Values that are none of the choices of their place count as unknown, too.
    """
    return listed(_find(value, inspect.type_info(kind), "$"))


def listed(problems: Iterator[str]) -> str:
    """Return the first problems in one line."""
    found = list(islice(problems, MAX_REPORTED + 1))
    return "; ".join((*found[:MAX_REPORTED], "and more") if len(found) > MAX_REPORTED else found)


def _find(value: object, shape: inspect.Type, place: str) -> Iterator[str]:
    match shape, value:
        case inspect.StructType(), dict():
            yield from _find_in_struct(cast("dict[str, object]", value), shape, place)
        case inspect.UnionType(types=several), _:
            yield from _find_in_union(value, several, place)
        case inspect.EnumType(cls=cls), str():
            yield from _refuse_choice(value, [str(member.value) for member in cls], place)
        case inspect.LiteralType(values=values), str():
            yield from _refuse_choice(value, [str(one) for one in values], place)
        case ((inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item)), list()):
            for number, one in enumerate(cast("list[object]", value)):
                yield from _find(one, item, f"{place}[{number}]")
        case inspect.DictType(value_type=item), dict():
            for key, one in cast("dict[str, object]", value).items():
                yield from _find(one, item, f"{place}.{key[:LONGEST_KEY]}")
        case _:
            pass


def _find_in_struct(value: dict[str, object], shape: inspect.StructType, place: str) -> Iterator[str]:
    known = {field.encode_name: field.type for field in shape.fields}
    for key, item in value.items():
        if key in known:
            yield from _find(item, known[key], f"{place}.{key}")
        elif key != shape.tag_field and shape.forbid_unknown_fields:
            yield f"{place}.{key[:LONGEST_KEY]}: unknown key{suggest(key, known)}"


def _find_in_union(value: object, several: tuple[inspect.Type, ...], place: str) -> Iterator[str]:
    for one in several:
        if not isinstance(one, inspect.StructType) or _is_tagged(value, one):
            yield from _find(value, one, place)
    yield from _find_tag(value, several, place)


def _find_tag(value: object, several: tuple[inspect.Type, ...], place: str) -> Iterator[str]:
    """Find a tag that no member of a union has."""
    tags = {str(one.tag): one.tag_field for one in several if isinstance(one, inspect.StructType) and one.tag}
    for field in set(tags.values()):
        tag = cast("dict[str, object]", value).get(field or "") if isinstance(value, dict) else None
        if isinstance(tag, str):
            yield from _refuse_choice(tag, list(tags), f"{place}.{field}")


def _refuse_choice(value: str, choices: list[str], place: str) -> Iterator[str]:
    if value not in choices:
        yield f"{place}: {value[:LONGEST_KEY]!r} is not valid; valid: {', '.join(filter(None, choices))}"


def _is_tagged(value: object, shape: inspect.StructType) -> bool:
    """Return whether a value has the tag of this member of a union."""
    return isinstance(value, dict) and cast("dict[str, object]", value).get(shape.tag_field or "") == shape.tag


def suggest(key: str, known: Iterable[str]) -> str:
    """Return what was meant by a key that is not known, or else all that are."""
    close = difflib.get_close_matches(key[:LONGEST_KEY].casefold(), known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(known)}"
