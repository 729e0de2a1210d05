"""Samples of types on the wire: with nothing but what must be there, and with every field set to something. Pure."""

from typing import Any

import msgspec
from goldens import holds_itself
from msgspec import NODEFAULT, inspect


def minimal(kind: type[msgspec.Struct]) -> Any:
    """Return a value of the type in which every field that has a default keeps it."""
    return kind(**{field.name: _some(field, full=False) for field in _fields(kind) if field.required})


def full(kind: type[msgspec.Struct]) -> Any:
    """Return a value of the type in which no field has its default."""
    return kind(**{field.name: _some(field, full=True) for field in _fields(kind)})


def _fields(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return shape.fields


def _some(field: inspect.Field, *, full: bool) -> Any:
    default = field.default if field.default is not NODEFAULT else _made(field.default_factory)
    found = [value for value in _candidates(field.type, field.name, full=full) if value != default]
    assert found, f"no sample of {field.name} differs from its default"
    return found[0]


def _made(factory: Any) -> Any:
    return factory() if callable(factory) else factory


def _candidates(shape: inspect.Type, name: str, *, full: bool) -> list[Any]:
    match shape:
        case inspect.StrType(pattern=pattern):
            return [f"some-{name}" if pattern else f"some {name}"]
        case inspect.IntType(ge=low, le=high):
            usual = [n for n in (7, 3, 2, 1) if n >= (low or 0) and (high is None or n <= high)]
            return usual or [(low or 0) + 7, (low or 0) + 3]
        case inspect.FloatType(le=high):
            return [n for n in (2.5, 1.25, 0.5) if high is None or n <= high]
        case inspect.BoolType():
            return [True, False]
        case inspect.NoneType():
            return [None]
        case inspect.BytesType():
            return [b"some bytes"]
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.EnumType(cls=kind):
            return list(kind)
        case inspect.StructType(cls=kind):
            return [globals()["full" if full else "minimal"](kind)]
        case _:
            return _several(shape, name, full=full)


def _several(shape: inspect.Type, name: str, *, full: bool) -> list[Any]:
    match shape:
        case inspect.Metadata(type=described):
            return _candidates(described, name, full=full)
        case inspect.AnyType():
            return [{f"of {name}": [1, True]}]
        case inspect.UnionType(types=arms):
            ordered = sorted(arms, key=lambda arm: isinstance(arm, inspect.NoneType) == full)
            return [value for arm in ordered for value in _candidates(arm, name, full=full)]
        case inspect.VarTupleType(item_type=inspect.UnionType(types=arms)):  # one of each, kept short
            return [tuple(_candidates(arm, name, full=False)[0] for arm in arms)]
        case inspect.VarTupleType(item_type=item):
            return [(_candidates(item, name, full=full and not holds_itself(item))[0],)]
        case inspect.ListType(item_type=item):
            return [[_candidates(item, name, full=full)[0]]]
        case inspect.DictType(value_type=inspect.UnionType(types=arms)):
            return [{f"{name} {i}": _candidates(arm, name, full=full)[0] for i, arm in enumerate(arms, 1)}]
        case inspect.DictType(value_type=item):
            return [{f"of {name}": _candidates(item, name, full=full)[0]}]
        case _:
            raise AssertionError(f"no sample for {shape}")
