"""Removes secrets from files, and finds them in archives. Pure."""

import gzip
import io
import json
import zipfile
import zlib

from muster_protocol.codec import with_whole_characters
from muster_text.redaction import Redactor

LINES = (".trace", ".network", ".stacks")
"""Endings of files with one JSON value per line."""
PACKED_LIMIT = 50_000_000
"""Uncompressed bytes searched per file; a larger one counts as holding a secret."""
PACKED_DEPTH = 3


def redact_file(name: str, content: bytes, redactor: Redactor) -> bytes | None:
    """Return a file's bytes with secrets masked; None if it is binary or an archive and may hold one."""
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
    """Return whether a compressed file holds a secret or cannot be read."""
    if not content.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        return False
    try:
        parts = _unpack(content)
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return True  # unreadable: it could hold anything
    if depth == 0 or parts is None:
        return True
    return any(redactor.holds(part) or _hides_secret(part, redactor, depth - 1) for part in parts)


def _unpack(content: bytes) -> list[bytes] | None:
    """Return the contents of a compressed file, with the names of entries; None beyond `PACKED_LIMIT`."""
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
    """Return a JSON text with secrets in its strings masked."""
    if not redactor.holds(content):
        return content
    masked = json.dumps(redactor.masked(json.loads(content)), ensure_ascii=False, separators=(",", ":"))
    return with_whole_characters(masked).encode()
