"""What this version and those before it wrote is still read, and read as what was meant."""

import json
from collections.abc import Iterator
from typing import Any, cast, get_args

import goldens
import msgspec
import pytest
from msgspec import inspect as shapes

from muster_protocol import codec, wire_schema

RECORDED = [
    (version, name, message) for version in goldens.versions() for name, message in goldens.messages(version).items()
]
AGAIN = "`make golden` records it; tests/golden/README.md says what else a change of the wire asks for"


def kind_of(name: str) -> goldens.Kind:
    assert name in goldens.kinds(), f"{name} is on the wire no more, but logs may hold one: give it back"
    return goldens.kinds()[name]


def test_every_type_on_the_wire_is_recorded():
    assert set(goldens.messages()) == set(goldens.kinds()), AGAIN


def test_every_type_of_every_subject_and_row_is_among_those_looked_for():
    told = [kind for channel in wire_schema.CHANNELS for kind in (channel.message, channel.reply) if kind is not None]
    _, components = msgspec.json.schema_components([*told, *wire_schema.STORED])
    structs = {name for name, body in components.items() if body.get("type") == "object"}

    assert structs <= set(goldens.kinds())


def test_every_member_of_every_union_is_among_those_looked_for():
    members = {kind.__name__ for union in goldens.UNIONS.values() for kind in get_args(union)}
    tagged = {name for name, kind in goldens.kinds().items() if kind.__struct_config__.tag}

    assert members == tagged


def test_what_was_recorded_is_read_and_means_the_same():
    for version, name, message in RECORDED:
        kind = kind_of(name)
        for raw in (bytes(message.minimal), bytes(message.full)):
            value = codec.decode(raw, kind)
            assert codec.decode(codec.encode(value), kind) == value
            if version == codec.VERSION:
                assert json.loads(codec.encode(value)) == json.loads(raw)
            assert all(codec.decode(raw, union) == value for union in goldens.unions_of(kind))


def test_what_is_recorded_leaves_all_out_or_fills_all_in():
    for version, name, message in RECORDED:
        kind = kind_of(name)
        fields = msgspec.structs.fields(kind)
        whole = not kind.__struct_config__.omit_defaults
        needed = {field.encode_name for field in fields if field.required or whole}
        tag = {kind.__struct_config__.tag_field}
        assert set(json.loads(bytes(message.minimal))) - tag == needed
        if version == codec.VERSION:
            assert set(json.loads(bytes(message.full))) - tag == {field.encode_name for field in fields}, AGAIN


def test_fields_of_a_later_version_are_ignored_wherever_they_stand():
    for _, name, message in RECORDED:
        kind = kind_of(name)
        full = codec.decode(bytes(message.full), kind)
        later = codec.encode(goldens.aged(full))

        assert codec.decode(later, kind) == full
        assert goldens.is_strict(kind) or b"added_later" in later


TAGS = {kind.__struct_config__.tag for kind in goldens.kinds().values()} - {None}
"""Names of members of unions."""


def tagged_places(value: Any) -> Iterator[dict[str, Any]]:
    match value:
        case dict():
            held = cast("dict[str, Any]", value)
            if held.get("type") in TAGS:
                yield held
            for item in held.values():
                yield from tagged_places(item)
        case list():
            for item in cast("list[Any]", value):
                yield from tagged_places(item)
        case _:
            pass


def test_a_member_of_a_later_version_is_refused_wherever_it_stands():
    for _, name, message in RECORDED:
        written = json.loads(bytes(message.full))
        for place in tagged_places(written):
            before = place["type"]
            place["type"] = "of_a_later_version"
            with pytest.raises(msgspec.ValidationError, match="of_a_later_version"):
                codec.decode(json.dumps(written), kind_of(name))
            place["type"] = before


def test_every_word_a_field_may_hold_is_recorded_and_none_was_dropped():
    assert goldens.recorded_words() == goldens.words(), AGAIN


@pytest.mark.parametrize("version", goldens.versions())
def test_words_of_every_version_are_still_understood(version: int):
    now = goldens.words()
    for field, known in goldens.recorded_words(version).items():
        assert set(known) <= set(now.get(field, ())), f"{field} no longer takes a word that logs may hold"


def test_the_words_that_are_looked_for_are_all_there_are():
    closed, words = (shapes.LiteralType, shapes.EnumType), goldens.words()
    for name, kind in goldens.kinds().items():
        shape = shapes.type_info(kind)
        assert isinstance(shape, shapes.StructType)
        for field in shape.fields:
            arms = field.type.types if isinstance(field.type, shapes.UnionType) else (field.type,)
            has_words = any(isinstance(arm, closed) for arm in arms)
            assert has_words == (f"{name}.{field.name}" in words)
