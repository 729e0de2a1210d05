"""Files without secrets, also inside archives. Pure."""

import gzip
import io
import json
import zipfile
import zlib

from muster_text.redaction import Redactor

LINES = (".trace", ".network", ".stacks")
"""Entries that hold a JSON value a line."""
PACKED_LIMIT = 50_000_000
"""Bytes that are looked at of what a compressed file holds; one that holds more is not trusted."""
PACKED_DEPTH = 3


def redact_file(name: str, content: bytes, redactor: Redactor) -> bytes | None:
    """Return the bytes of one file without secrets, or None if it is binary and holds one, also inside an archive."""
    if not redactor:
        return content
    if name.endswith(LINES):
        return b"\n".join(redact_json(line, redactor) for line in content.split(b"\n"))
    if not redactor.holds(content):
        return None if _hides_secret(content, redactor) else content
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    masked = redactor.mask(text).encode()
    return None if redactor.holds(masked) else masked


def _hides_secret(content: bytes, redactor: Redactor, depth: int = PACKED_DEPTH) -> bool:
    """Return whether a compressed file holds a secret, or cannot be looked into."""
    if not content.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        return False
    try:
        parts = _unpack(content)
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return True  # it cannot be looked into, and might hold anything
    if depth == 0 or parts is None:
        return True
    return any(redactor.holds(part) or _hides_secret(part, redactor, depth - 1) for part in parts)


def _unpack(content: bytes) -> list[bytes] | None:
    """Return what is in a compressed file, names of entries included; None if that is too much."""
    if content.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(content)) as file:
            data = file.read(PACKED_LIMIT + 1)
        return [data] if len(data) <= PACKED_LIMIT else None
    parts, room = list[bytes](), PACKED_LIMIT
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            with archive.open(info) as file:
                parts += [info.filename.encode(errors="replace"), file.read(room + 1)]
            room -= len(parts[-1])
            if room < 0:
                return None
    return parts


def redact_json(content: bytes, redactor: Redactor) -> bytes:
    """Return a JSON text with its strings masked."""
    if not redactor.holds(content):
        return content
    masked = json.dumps(redactor.masked(json.loads(content)), ensure_ascii=False, separators=(",", ":"))
    return masked.encode(errors="replace")  # pages may hold halves of characters
