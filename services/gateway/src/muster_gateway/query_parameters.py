"""What is wrong with a parameter of a request, in words that say what it may be. Pure."""

from collections.abc import Sequence
from types import UnionType
from typing import Annotated, Literal, NamedTuple, Union, get_args, get_origin

from litestar.params import ParameterKwarg
from litestar.typing import FieldDefinition

LONGEST = 60
"""Characters of a value that a refusal repeats."""


class AcceptedValues(NamedTuple):
    """What a parameter takes: one of these words, or else a number between bounds."""

    words: tuple[str, ...] = ()
    number: Literal["", "number", "whole number"] = ""
    least: float | None = None
    most: float | None = None


def accepted_values(parameter: FieldDefinition) -> AcceptedValues:
    """Return what a handler's parameter takes; nothing where it takes any text."""
    parts = _type_parts(parameter.annotation)
    words = tuple(str(word) for part in parts if get_origin(part) is Literal for word in get_args(part))
    number = "whole number" if int in parts else "number" if float in parts else ""
    limits = parameter.kwarg_definition
    if not isinstance(limits, ParameterKwarg):
        return AcceptedValues(words, number)
    return AcceptedValues(words, number, limits.ge, limits.le)


def _type_parts(annotation: object) -> list[object]:
    """Return what a type is made of: what is in its lists, and the alternatives of its unions."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType, list, tuple):
        return [part for inner in get_args(annotation) for part in _type_parts(inner)]
    if origin is Annotated:
        return _type_parts(get_args(annotation)[0])
    return [annotation]


def describe_fault(name: str, given: Sequence[str], wanted: AcceptedValues, message: str) -> str:
    """Return a sentence on a parameter that was given with these values; `message` is what the framework has to say."""
    if wanted.words:
        wrong = [value for value in given if value not in wanted.words]
        return f"{name}: {_quote(wrong)} is none; there are {', '.join(wanted.words)}"
    if wanted.number:
        return f"{name}: {_quote(given[-1:])} is no {wanted.number}{_describe_bounds(wanted.least, wanted.most)}"
    return f"{name}: {message}"


def _quote(values: Sequence[str]) -> str:
    return " and ".join(repr(value if len(value) <= LONGEST else value[:LONGEST] + "…") for value in values) or "that"


def _describe_bounds(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f" up to {most}"
    return f" from {least} on" if most is None else f" from {least} to {most}"
