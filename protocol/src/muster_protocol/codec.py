"""JSON encoding and decoding of messages: one encoder, one cached decoder per type."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from muster_protocol.repeated_keys import describe_repeated_keys
from muster_protocol.unknown_keys import describe_unknown

T = TypeVar("T")

VERSION = 1
"""Version of the wire format, sent as the `v` header.

Raise it for a new member of a union, and for a new field of a type that refuses unknown ones.
"""

VERSION_HEADER = "v"

LARGEST = 2**63 - 1
"""The largest number that a sequence, a count or a version may have."""

_encoder = msgspec.json.Encoder()


def encode(value: object) -> bytes:
    """Return the value as JSON. Halves of characters, which texts of pages and models may have, are replaced."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(_with_whole_texts(msgspec.to_builtins(value)))


def with_whole_characters(text: str) -> str:
    """Return a text with U+FFFD, as browsers draw it, for each half of a character (a lone surrogate): no UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _with_whole_texts(value: object) -> object:
    match value:
        case str():
            return with_whole_characters(value)
        case list():
            return [_with_whole_texts(item) for item in cast("list[object]", value)]
        case dict():
            items = cast("dict[object, object]", value).items()
            return {_with_whole_texts(key): _with_whole_texts(item) for key, item in items}
        case _:
            return value


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401 - unions are not `type`s
    return msgspec.json.Decoder(kind)


def convert_types() -> None:
    """Have msgspec convert every Struct that is loaded; call it before anything is decoded in a thread.

    Two threads that decode a Struct for the first time crash the process: the second finds its fields half converted.
    """
    for kind in dict.fromkeys(_subclasses(msgspec.Struct)):
        with suppress(TypeError, NameError):  # of a library, and never decoded
            msgspec.json.Decoder(kind)


def _subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def decode(data: bytes | str, kind: type[T]) -> T:
    """Return JSON as a value of the type (a Struct or a union of tagged ones).

    Raises:
        msgspec.DecodeError: it is not JSON, or not of that type.
    """
    try:
        return _decoder(kind).decode(data)
    except RecursionError as error:
        raise msgspec.DecodeError("it is nested too deeply") from error


def decode_untrusted(data: bytes | str, kind: type[T]) -> T:
    """Return JSON from an untrusted source as a value of the type; checks that all of it is UTF-8.

    Raises:
        msgspec.DecodeError: it is not UTF-8, not JSON, or not of that type; names keys that the type refuses.
    """
    try:
        return decode(data.decode() if isinstance(data, bytes) else data, kind)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
    except msgspec.ValidationError as error:
        if unknown := describe_unknown(decode(data, object), kind):
            raise msgspec.ValidationError(unknown) from None
        raise error from None


def decode_asked(data: bytes | str, kind: type[T]) -> T:
    """Return JSON that asks for something as a value of the type: as `decode_untrusted`, and no key is there twice.

    Raises:
        msgspec.DecodeError: it is empty, not UTF-8, not JSON, or not of that type; names keys that are refused.
    """
    if not data.strip():
        raise msgspec.DecodeError("it is empty")
    asked = decode_untrusted(data, kind)
    if repeated := describe_repeated_keys(data):
        raise msgspec.ValidationError(repeated)
    return asked


def version_of(headers: Mapping[str, str] | None) -> int:
    """Return the wire version in a message's headers; 1 if there is none."""
    version = (headers or {}).get(VERSION_HEADER, "")
    return read_number(version) if version.isascii() and version.isdigit() else 1


def read_number(text: str) -> int:
    """Return the number that a text of digits from a header or subject stands for; 0 for any other text.

    A longer one than the server counts to is `LARGEST`: anyone may write it, and Python refuses to read very long ones.
    """
    if not (text.isascii() and text.isdigit()):
        return 0
    return int(text) if len(text) < len(str(LARGEST)) else LARGEST
