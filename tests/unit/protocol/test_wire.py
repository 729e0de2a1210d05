"""Every type that goes over the wire: what is written is read back, and what is not understood is treated rightly."""

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import msgspec
import pytest
from goldens import UNIONS, holds_itself, is_strict, kinds
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect as shapes

from muster_protocol import codec, requests
from muster_protocol.journal import CallFinished
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolOutcome

TYPES = list(kinds().values())
TEXT = st.text(max_size=12)


def values_of(shape: shapes.Type) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a type, within the bounds it names."""
    match shape:
        case shapes.StrType(min_length=least, pattern=pattern):
            text = st.text(min_size=least or 0, max_size=max(12, least or 0))
            return st.from_regex(pattern, fullmatch=True) if pattern else text
        case shapes.IntType(ge=low, le=high):
            return st.integers(low if low is not None else -(2**53), high if high is not None else 2**53)
        case shapes.FloatType(gt=above, ge=low, le=high):
            bottom = low if low is not None else above
            return st.floats(bottom, high, exclude_min=above is not None, allow_nan=False, allow_infinity=False)
        case shapes.ListType(item_type=item):
            return st.lists(values_of(item), max_size=2)
        case shapes.VarTupleType(item_type=item) if holds_itself(item):
            return st.lists(values_of_flat(item), max_size=2).map(tuple)
        case shapes.VarTupleType(item_type=item, min_length=least):
            return st.lists(values_of(item), min_size=least or 0, max_size=2).map(tuple)
        case shapes.DictType(key_type=key, value_type=value):
            return st.dictionaries(values_of(key), values_of(value), max_size=2)
        case shapes.UnionType(types=several):
            return st.one_of([values_of(one) for one in several])
        case shapes.StructType(cls=kind, fields=fields):
            return made(kind, fields)
        case _:
            return simple(shape)


def values_of_flat(shape: shapes.Type) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a type that may hold its own kind, without any in them."""
    assert isinstance(shape, shapes.StructType)
    return made(shape.cls, tuple(field for field in shape.fields if field.required))


def simple(shape: shapes.Type) -> st.SearchStrategy[Any]:
    match shape:
        case shapes.Metadata(type=described):
            return values_of(described)
        case shapes.LiteralType(values=values):
            return st.sampled_from(values)
        case shapes.EnumType(cls=kind):
            return st.sampled_from(list(kind))
        case shapes.BoolType():
            return st.booleans()
        case shapes.NoneType():
            return st.none()
        case shapes.BytesType():
            return st.binary(max_size=12)
        case shapes.AnyType():
            return st.one_of(st.none(), st.text(max_size=12), st.dictionaries(st.text(max_size=4), st.booleans()))
        case _:
            raise AssertionError(f"no strategy for {shape}")


def made(kind: Any, fields: tuple[shapes.Field, ...]) -> st.SearchStrategy[Any]:
    required = {field.name: values_of(field.type) for field in fields if field.required}
    optional = {field.name: values_of(field.type) for field in fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: kind(**given))


@cache
def any_of(kind: Any) -> st.SearchStrategy[Any]:
    return st.deferred(lambda: values_of(shapes.type_info(kind)))


def members(union: Any) -> Iterator[type[msgspec.Struct]]:
    assert isinstance(union, types.UnionType)
    yield from cast("tuple[type[msgspec.Struct], ...]", union.__args__)


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=8)
@given(data=st.data())
def test_what_is_written_is_read_back_whatever_is_added_and_not_if_anything_is_missing(
    kind: type[msgspec.Struct], data: st.DataObject
):
    value = data.draw(any_of(kind))
    raw = codec.encode(value)

    assert codec.decode(raw, kind) == value
    written = msgspec.json.decode(raw)
    if not is_strict(kind):  # fields of a later version are ignored
        assert codec.decode(codec.encode({**written, "added_later": {"by": ["somebody"]}}), kind) == value
    for field in msgspec.structs.fields(kind):
        if field.required:
            without = {name: value for name, value in written.items() if name != field.encode_name}
            with pytest.raises(msgspec.ValidationError, match=f"`{field.encode_name}`"):
                codec.decode(codec.encode(without), kind)


@pytest.mark.parametrize("name", UNIONS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_member_of_a_union_is_read_back_as_itself(name: str, data: st.DataObject):
    value = data.draw(any_of(UNIONS[name]))

    assert codec.decode(codec.encode(value), UNIONS[name]) == value


def test_a_misspelt_limit_is_refused_rather_than_ignored():
    with pytest.raises(msgspec.ValidationError, match="timeout_second"):
        codec.decode(b'{"timeout_second": 60}', requests.Limits)


@pytest.mark.parametrize("name", UNIONS)
@pytest.mark.parametrize("text", ['{"type":"of_a_later_version"}', "{}", '{"type":7}', "null", "[]"])
def test_a_member_that_this_version_does_not_know_is_an_error(name: str, text: str):
    with pytest.raises(msgspec.ValidationError):
        codec.decode(text, UNIONS[name])


@pytest.mark.parametrize("name", UNIONS)
def test_tags_of_a_union_differ(name: str):
    tags = [kind.__struct_config__.tag for kind in members(UNIONS[name])]

    assert len(set(tags)) == len(tags)
    assert all(tags)


def test_wire_types_cannot_be_changed_once_made():
    assert [kind for kind in TYPES if not kind.__struct_config__.frozen] == []


def test_defaults_are_not_written():
    result = SubTaskResult(task="r.n.1", node="n", attempt=1, status="pass", summary="done")

    assert msgspec.json.decode(codec.encode(result)) == {
        "task": "r.n.1",
        "node": "n",
        "attempt": 1,
        "status": "pass",
        "summary": "done",
    }


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b'{"v": 1'])
def test_what_is_no_json_is_a_decode_error(text: bytes):
    with pytest.raises(msgspec.DecodeError):
        codec.decode(text, requests.RunRequest)


def test_halves_of_characters_are_sent_as_browsers_draw_them():
    """Pages cut texts in the middle of an emoji; what was seen of them has to be stored all the same."""
    seen = ToolOutcome(status="ok", text="Hello \ud83d", captured={"name\udfff": "\ud83d\ude00"})
    sent = codec.decode(codec.encode(CallFinished(index=1, outcome=seen)), CallFinished)
    whole = ToolOutcome(status="ok", text="Hello \ufffd", captured={"name\ufffd": "\U0001f600"})
    assert sent == CallFinished(index=1, outcome=whole)
