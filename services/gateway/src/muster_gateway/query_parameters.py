"""Describes invalid request parameters together with their valid values. Pure."""

from collections.abc import Sequence
from types import UnionType
from typing import Annotated, Literal, NamedTuple, Union, get_args, get_origin

from litestar.params import ParameterKwarg
from litestar.typing import FieldDefinition

LONGEST = 60
"""Characters of a value that an error quotes."""


class AcceptedValues(NamedTuple):
    """Valid values of a parameter: one of `words`, or a number within bounds."""

    words: tuple[str, ...] = ()
    number: Literal["", "number", "whole number"] = ""
    least: float | None = None
    most: float | None = None


def accepted_values(parameter: FieldDefinition) -> AcceptedValues:
    """Return the valid values of a handler's parameter; empty if any text is valid."""
    parts = _type_parts(parameter.annotation)
    words = tuple(str(word) for part in parts if get_origin(part) is Literal for word in get_args(part))
    number = "whole number" if int in parts else "number" if float in parts else ""
    limits = parameter.kwarg_definition
    if not isinstance(limits, ParameterKwarg):
        return AcceptedValues(words, number)
    return AcceptedValues(words, number, limits.ge, limits.le)


def _type_parts(annotation: object) -> list[object]:
    """Return the item types of lists and the alternatives of unions in a type."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType, list, tuple):
        return [part for inner in get_args(annotation) for part in _type_parts(inner)]
    if origin is Annotated:
        return _type_parts(get_args(annotation)[0])
    return [annotation]


def describe_fault(name: str, given: Sequence[str], wanted: AcceptedValues, message: str) -> str:
    """Return an error sentence for a parameter; `message` is the framework's own text."""
    if wanted.words:
        wrong = [value for value in given if value not in wanted.words]
        return f"{name}: {_quote(wrong)} is not valid; valid: {', '.join(wanted.words)}"
    if wanted.number:
        return f"{name}: {_quote(given[-1:])} is not a {wanted.number}{_describe_bounds(wanted.least, wanted.most)}"
    return f"{name}: {message}"


def _quote(values: Sequence[str]) -> str:
    return " and ".join(repr(value if len(value) <= LONGEST else value[:LONGEST] + "…") for value in values) or "that"


def _describe_bounds(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f" of at most {most}"
    return f" of at least {least}" if most is None else f" from {least} to {most}"
