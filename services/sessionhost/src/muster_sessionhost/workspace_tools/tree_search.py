"""Searching names and contents of a checkout."""

import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from muster_sessionhost.workspace_tools.checkout import (
    FILE_LIMIT,
    Answer,
    Checkout,
    Refused,
    listed,
    searched,
    short,
)

PATTERN_SECONDS = 20
"""How long a pattern may take in all files together."""


def search_files(checkout: Checkout, name: str, path: str = ".") -> Answer:
    """Return the files whose path has a text in it, or fits a pattern with `*` and `?`; capitals do not matter.

    Raises:
        Refused: the folder may not be read, or nothing is searched for.
    """
    if not name.strip():
        raise Refused("say which name to search for, as in 'config' or '*.py'")
    wanted = name.casefold()
    patterned = any(mark in wanted for mark in "*?[")
    places, remark = searched(checkout, path)
    found: list[str] = []
    for place in places:
        shown = checkout.name(place)
        plain = shown.casefold()
        fits = fnmatchcase(plain, wanted) or fnmatchcase(Path(plain).name, wanted) if patterned else wanted in plain
        if fits:
            found.append(shown)
    return Answer((listed(found, 300, "files") or f"no file of {len(places)} has {name!r} in its path") + remark)


def grep(
    checkout: Checkout,
    pattern: str,
    path: str = ".",
    files: str = "",
    *,
    literal: bool = False,
    ignore_case: bool = False,
) -> Answer:
    """Return the lines that hold a regular expression (or, literally, a text), as `path:line: text`.

    Raises:
        Refused: the pattern is invalid or takes too long, or the folder may not be read.
    """
    compiled = _compiled(re.escape(pattern) if literal else pattern, ignore_case=ignore_case)
    places, remark = searched(checkout, path)
    chosen = [place for place in places if not files or fnmatchcase(place.name, files)]
    lines: list[str] = []
    passed_over = 0
    with _limited(pattern):
        for place in chosen:
            text = _text(place)
            if text is None:
                passed_over += 1
            else:
                lines += _hits(compiled, text, checkout.name(place))
    none = f"no line of {len(chosen)} files matches {pattern!r}"
    skipped = f"\n({passed_over} binary or very large files were passed over)" if passed_over else ""
    return Answer((listed(lines, 300, "lines") or none) + skipped + remark)


def _hits(compiled: re.Pattern[str], text: str, name: str) -> list[str]:
    if compiled.search(text) is None and "^" not in compiled.pattern and "$" not in compiled.pattern:
        return []
    lines = text.split("\n")
    return [f"{name}:{number}: {short(line.strip())}" for number, line in enumerate(lines, 1) if compiled.search(line)]


def _compiled(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    if not pattern:
        raise Refused("say which pattern to search for")
    try:
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise Refused(
            f"{pattern!r} is not a regular expression ({error}); literal=true searches for the text"
        ) from None


def _text(place: Path) -> str | None:
    """Return the text of a file; None if it is binary, very large, or cannot be read."""
    try:
        if place.stat().st_size > FILE_LIMIT:
            return None
        data = place.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data[:8192] else data.decode("utf-8", "replace")


@contextmanager
def _limited(pattern: str) -> Generator[None]:
    """End what is done after `PATTERN_SECONDS`; the engine of expressions looks at signals while it works."""

    def too_long(_signal: int, _frame: object) -> None:
        raise Refused(f"{pattern!r} takes more than {PATTERN_SECONDS} s: write a simpler one, or name a folder")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(PATTERN_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
