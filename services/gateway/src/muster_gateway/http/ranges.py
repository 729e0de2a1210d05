"""Range requests and conditional requests (RFC 9110). Pure."""

import re
from typing import NamedTuple

_RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class Span(NamedTuple):
    """Bytes `start` to `stop` of a file, `stop` excluded."""

    start: int
    stop: int


class Unsatisfiable(Exception):
    """The requested range is outside the file."""


def parse_range(header: str, size: int) -> Span | None:
    """Return the part of a file that a Range header requests; None for the whole file.

    Several ranges and invalid ones count as the whole file, as the standard allows.

    Raises:
        Unsatisfiable: the range is outside the file.
    """
    found = _RANGE.fullmatch(header)
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:
        if not int(last) or not size:
            raise Unsatisfiable
        return Span(max(0, size - int(last)), size)
    start = int(first)
    if last and int(last) < start:
        return None
    if start >= size:
        raise Unsatisfiable
    return Span(start, min(size, int(last) + 1) if last else size)


def client_has(none_match: str, etag: str) -> bool:
    """Return whether If-None-Match matches the file's ETag."""
    return none_match.strip() == "*" or etag in (tag.strip().removeprefix("W/") for tag in none_match.split(","))


def is_unchanged(if_range: str, etag: str) -> bool:
    """Return whether a part may be sent: If-Range is missing or matches the file's ETag."""
    return not if_range or if_range.strip() == etag
