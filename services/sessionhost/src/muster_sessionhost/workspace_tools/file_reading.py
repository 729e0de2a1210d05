"""Reading files and folders of a checkout."""

from itertools import islice
from pathlib import Path

from muster_sessionhost.workspace_tools.checkout import (
    REPOSITORY,
    TEXT_LIMIT,
    Answer,
    Checkout,
    Refused,
    existing,
    listed,
    refuse_binary,
    regular,
    short,
)

LINES = 400
"""Lines that are read unless others are asked for."""


def read(checkout: Checkout, path: str, first: int = 1, last: int = 0) -> Answer:
    """Return numbered lines of a text file, at most `TEXT_LIMIT` characters.

    Raises:
        Refused: the file cannot be read, or has no such lines.
    """
    place = regular(checkout, path)
    size = place.stat().st_size
    with place.open("rb") as beginning:
        refuse_binary(path, beginning.read(8192), size)
    first, last = max(1, first), last or max(1, first) + LINES - 1
    if last < first:
        raise Refused(f"lines {first} to {last} are no range: the last one comes before the first")
    lines, total = _lines(place, first, last)
    if not lines and total:
        raise Refused(f"{path!r} has {total} lines, and no line {first}")
    if not total:
        return Answer(f"{path} is empty.")
    shown = _fitting(lines)
    end = first + len(shown) - 1
    more = f"\n… go on with first={end + 1}" if end < total else ""
    return Answer(f"{path}, lines {first} to {end} of {total}:\n" + "\n".join(shown) + more)


def _lines(place: Path, first: int, last: int) -> tuple[list[str], int]:
    """Return the numbered lines of a range, and how many the file has."""
    with place.open(encoding="utf-8", errors="replace", newline="\n") as file:
        skipped = sum(1 for _ in islice(file, first - 1))
        wanted = [line.rstrip("\r\n") for line in islice(file, last - first + 1)]
        total = skipped + len(wanted) + sum(1 for _ in file)
    return [f"{first + index:>6}  {short(line)}" for index, line in enumerate(wanted)], total


def _fitting(lines: list[str]) -> list[str]:
    room, kept = TEXT_LIMIT, list[str]()
    for line in lines:
        room -= len(line) + 1
        if room < 0 and kept:
            break
        kept.append(line)
    return kept


def ls(checkout: Checkout, path: str = ".") -> Answer:
    """Return the entries of a folder: folders first, files with their size, links with where they lead.

    Raises:
        Refused: it is no folder, or may not be read.
    """
    place = existing(checkout, path)
    if not place.is_dir():
        raise Refused(f"{path!r} is a file: read it with read")
    entries = [entry for entry in place.iterdir() if entry.name != REPOSITORY and checkout.sees(entry)]
    entries.sort(key=lambda entry: (entry.is_symlink() or not entry.is_dir(), entry.name))
    return Answer(listed([_entry(entry) for entry in entries], 500, "entries") or f"{path} is empty.")


def _entry(entry: Path) -> str:
    if entry.is_symlink():
        return f"{entry.name} -> {entry.readlink()}"
    return f"{entry.name}/" if entry.is_dir() else f"{entry.name}  {entry.stat().st_size} bytes"
