"""Bodies of HTTP answers, read piece by piece and unpacked here: a small one cannot become more than what is wanted."""

import re
import zlib
from typing import NamedTuple

import httpx

ENCODINGS = "gzip, deflate"
"""What a request may offer to take: the encodings that are unpacked here."""
LARGEST = 1_000_000
"""Bytes of a body that are read at most, before and after it is unpacked."""


class Body(NamedTuple):
    """The text of an answer, or its beginning."""

    text: str
    cut: bool
    """Whether there is more than was read."""


async def read_body(answer: httpx.Response, limit: int = LARGEST) -> Body:
    """Return the body of an answer that was asked for with `stream`, its first `limit` bytes at most.

    Raises:
        httpx.HTTPError: the connection breaks off, or the body is packed in a way that was not offered, or wrongly.
    """
    packing = answer.headers.get("content-encoding", "").strip().lower()
    unpacked = _Unpacked(packing, limit)
    received = 0
    async for piece in answer.aiter_raw():
        received += len(piece)
        unpacked.add(piece)
        if unpacked.full or received > limit:
            return Body(_decoded(bytes(unpacked.data[:limit]), answer.charset_encoding), cut=True)
    return Body(_decoded(bytes(unpacked.data), answer.charset_encoding), cut=not unpacked.whole)


class _Unpacked:
    """What pieces of a body unpack to, never more than one byte above a limit."""

    def __init__(self, packing: str, limit: int) -> None:
        if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise httpx.DecodingError(f"its body is packed with {packing!r}, and only {ENCODINGS} is read")
        self.data = bytearray()
        self._limit = limit
        self._packed = packing not in ("", "identity")
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)  # reads the header: gzip or zlib

    @property
    def full(self) -> bool:
        return len(self.data) > self._limit

    @property
    def whole(self) -> bool:
        return not self._packed or (self._unpack.eof and not self._unpack.unused_data)

    def add(self, piece: bytes) -> None:
        room = self._limit + 1 - len(self.data)
        if not self._packed:
            self.data += piece[:room]
            return
        try:
            self.data += self._unpack.decompress(piece, room)
        except zlib.error as error:
            if self.data or not piece:
                raise httpx.DecodingError(f"its body cannot be unpacked: {error}") from error
            self._unpack = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers send deflate without a header
            self._add_bare(piece, room)

    def _add_bare(self, piece: bytes, room: int) -> None:
        try:
            self.data += self._unpack.decompress(piece, room)
        except zlib.error as error:
            raise httpx.DecodingError(f"its body cannot be unpacked: {error}") from error


def _decoded(body: bytes, encoding: str | None) -> str:
    """Return bytes as text, by the encoding that the header or the page itself names."""
    named = re.search(rb"<meta[^>]{0,100}charset=[\"']?([\w-]+)", body[:2048], re.IGNORECASE)
    for name in (encoding, named and named[1].decode("ascii", "ignore")):
        try:
            if name:
                return body.decode(name, "replace")
        except LookupError:
            continue
    return body.decode("utf-8-sig", "replace")
