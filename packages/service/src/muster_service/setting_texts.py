"""Describes the settings of a service, for `--help`, example.env and docs/settings.md."""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec import inspect as types


class Setting(NamedTuple):
    """A variable in the documents."""

    variable: str
    default: str
    values: str
    """Its valid values."""
    meaning: str
    required: bool = False


def settings_of(kind: type[Struct]) -> tuple[Setting, ...]:
    """Return the fields of a settings struct, in order."""
    described = meanings(kind)
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return tuple(
        Setting(
            field.encode_name,
            _plain(field.default),
            _values(field.type),
            described.get(field.name) or _named(field.name),
        )
        for field in info.fields
    )


def _named(field: str) -> str:
    """Return a field's name as words, for a field without a docstring."""
    words = field.replace("_", " ").capitalize().replace("Nats", "NATS").replace(" har", " HAR")
    return f"{words}."


def meanings(kind: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class and its base classes, by field."""
    found: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if issubclass(owner, Struct) and owner is not Struct:
            body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
            assert isinstance(body, ast.ClassDef)
            found |= dict(_documented(body.body))
    return found


def _documented(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    for field, below in itertools.pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())
            case _:
                pass


def _plain(default: object) -> str:
    """Return a default in the syntax of an environment file."""
    if default is msgspec.NODEFAULT:
        return ""
    if isinstance(default, bool):
        return str(int(default))
    return f"{default:g}" if isinstance(default, float) else str(default)


def _values(kind: types.Type) -> str:
    """Return the valid values of a field in words."""
    match kind:
        case types.BoolType():
            return "1 or 0"
        case types.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case types.IntType() | types.FloatType():
            noun = "whole number" if isinstance(kind, types.IntType) else "number"
            return f"{noun}{_bounds(kind)}"
        case types.StrType(pattern=str(pattern)):
            return f"text that matches `{pattern}`"
        case _:
            return "text"


def _bounds(kind: types.IntType | types.FloatType) -> str:
    low = f"from {kind.ge:g}" if kind.ge is not None else f"above {kind.gt:g}" if kind.gt is not None else ""
    high = f"to {kind.le:g}" if kind.le is not None else f"below {kind.lt:g}" if kind.lt is not None else ""
    words = " ".join(word for word in (low, high) if word)
    return f", {words}" if words else ""


def describe_settings(kind: type[Struct]) -> str:
    """Return the settings of a service for a terminal: each variable, its default and values, and its meaning."""
    return "\n".join(
        f"  {setting.variable}={setting.default}  ({setting.values})\n"
        + textwrap.fill(setting.meaning, 100, initial_indent="      ", subsequent_indent="      ")
        for setting in settings_of(kind)
    )
