"""Decoding what anybody may have written: whatever it is, it is read or refused."""

from typing import TypeVar

import msgspec

from muster_protocol import codec

T = TypeVar("T")


def decode(data: bytes | str, kind: type[T]) -> T:
    """Return JSON as a value of the type.

    Raises:
        msgspec.DecodeError: it is no UTF-8, no JSON, not of that type, or nested more deeply than can be read.
    """
    try:
        return codec.decode(data.decode() if isinstance(data, bytes) else data, kind)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
