"""Writing and editing files of a checkout."""

from pathlib import Path

from muster_sessionhost.workspace_tools.checkout import (
    FILE_LIMIT,
    Answer,
    Checkout,
    Refused,
    regular,
    text_of,
)


def write(checkout: Checkout, path: str, content: str) -> Answer:
    """Create a file or replace what it holds; missing folders are made.

    Raises:
        Refused: it may not be written, or is too large.
    """
    place, data = checkout.writable(path), content.encode()
    if len(data) > FILE_LIMIT:
        raise Refused(f"{path!r} would have {len(data)} bytes; up to {FILE_LIMIT} are written")
    if place.is_dir():
        raise Refused(f"{path!r} is a folder")
    there = place.exists()
    _store(place, data, path)
    return Answer(f"{'Replaced' if there else 'Created'} {path}, {len(data)} bytes.")


def edit(checkout: Checkout, path: str, old: str, new: str) -> Answer:
    """Replace a text that stands in a file exactly once.

    Raises:
        Refused: it may not be written, or the text is not there or stands there more than once; says where.
    """
    place = checkout.writable(path)
    regular(checkout, path)
    text = text_of(checkout, place)
    if not old:
        raise Refused("say which text to replace; write puts a whole file")
    if old == new:
        raise Refused("the old and the new text are the same: nothing would change")
    count = text.count(old)
    if not count:
        raise Refused(f"{path!r} does not have this text exactly as it is{_near(text, old)}")
    if count > 1:
        lines = _starts(text, old)
        raise Refused(f"{path!r} has this text {count} times, at lines {lines}: give more of what is around it")
    line = text[: text.index(old)].count("\n") + 1
    _store(place, text.replace(old, new).encode(), path)
    return Answer(f"Edited {path} at line {line}.")


def _store(place: Path, data: bytes, path: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    except OSError as error:
        raise Refused(f"{path!r} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _starts(text: str, old: str) -> str:
    """Return the lines at which a text begins, the first ten."""
    lines: list[int] = []
    at = text.find(old)
    while at >= 0 and len(lines) < 10:
        lines.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + len(old))
    return ", ".join(map(str, lines))


def _near(text: str, old: str) -> str:
    """Return where a file has the first line of a text but for its blanks; most misses are of indentation."""
    first = next((line.strip() for line in old.split("\n") if line.strip()), "")
    if not first:
        return ""
    lines = [number for number, line in enumerate(text.split("\n"), 1) if first in line]
    if not lines:
        return ": read the file again, it may have changed"
    where = ", ".join(map(str, lines[:5]))
    return (
        f"; its first line stands at {where}, but what follows or the blanks around it differ: read these lines again"
    )
