"""The files of a checkout: which paths a call may use, and the errors for all others."""

import difflib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

TEXT_LIMIT = 60_000
"""Characters of an answer."""
LINE_LIMIT = 500
"""Characters of a line in an answer."""
FILE_LIMIT = 5_000_000
"""Bytes of a file that is searched or edited."""
FILES_LIMIT = 50_000
"""Files that one search looks at."""
UNLISTED = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache", ".pytest_cache"}
)
"""Folders that searches pass over: they hold what programs have put there."""
REPOSITORY = ".git"


class Refused(Exception):
    """A call cannot be done; the text says why and what to do instead."""


class Answer(NamedTuple):
    """What a call says: text for whoever asked, and JSON for programs, if any."""

    text: str
    data: str = ""
    failed: bool = False
    """Whether what it ran failed, which the text tells."""


class Checkout(NamedTuple):
    """The folder of a workspace, and the paths in it that may be used; None: all."""

    root: Path
    read: tuple[str, ...] | None = None
    write: tuple[str, ...] | None = None
    confined: bool = True
    """Whether it runs confined, so that it may start programs."""

    def readable(self, path: str) -> Path:
        """Return the place of a path that may be read.

        Raises:
            Refused: it lies outside, is the repository's own folder, or the rules do not allow it.
        """
        return self._allowed(path, self.read, "read")

    def writable(self, path: str) -> Path:
        """Return the place of a path that may be written.

        Raises:
            Refused: as `readable`, or it is the workspace itself.
        """
        place = self._allowed(path, self.write, "written")
        if place == self.top:
            raise Refused(f"{path!r} is the workspace itself, not a file")
        return place

    @property
    def top(self) -> Path:
        """The folder with all links resolved."""
        return Path(os.path.realpath(self.root))

    def name(self, place: Path) -> str:
        """Return a place as calls name it."""
        return str(PurePosixPath(place.relative_to(self.top)))

    def sees(self, place: Path) -> bool:
        """Return whether a place may be read; nothing is followed."""
        return within(self.name(place), self.read)

    def _allowed(self, path: str, rules: tuple[str, ...] | None, done: str) -> Path:
        if "\0" in path:
            raise Refused("a path has no NUL characters")
        top = self.top
        plain = Path(os.path.normpath(top / (path or ".")))
        if not plain.is_relative_to(top):
            raise Refused(f"{path!r} lies outside the workspace: paths are relative to it, as in src/main.py")
        place = Path(os.path.realpath(plain))
        if not place.is_relative_to(top):
            raise Refused(f"{path!r} is a link that leads outside the workspace")
        name = self.name(place)
        if REPOSITORY in (part.casefold() for part in PurePosixPath(name).parts):
            raise Refused(f"{path!r} belongs to the repository itself: use git_log, git_diff and git_status")
        if not within(name, rules):
            allowed = ", ".join(rules or ()) or "nothing"
            raise Refused(f"{path!r} may not be {done} by this agent; what may be: {allowed}")
        return place


def within(name: str, rules: tuple[str, ...] | None) -> bool:
    """Return whether a path is one of those allowed or below one."""
    return rules is None or any(PurePosixPath(name).is_relative_to(rule) for rule in rules)


def existing(checkout: Checkout, path: str) -> Path:
    """Return the place of something that is there.

    Raises:
        Refused: it may not be read, or is not there; names what is most like it.
    """
    place = checkout.readable(path)
    if place.exists():
        return place
    if place.is_symlink():
        raise Refused(f"{path!r} is a link that leads nowhere")
    raise Refused(f"there is no {path!r} in the workspace{_like(checkout, place)}")


def regular(checkout: Checkout, path: str) -> Path:
    """Return the place of a file that is there.

    Raises:
        Refused: it may not be read, is not there, is a folder, or no regular file.
    """
    place = existing(checkout, path)
    if place.is_dir():
        raise Refused(f"{path!r} is a folder: list it with ls")
    if not place.is_file():
        raise Refused(f"{path!r} is a device or a pipe, not a file")
    return place


def text_of(checkout: Checkout, place: Path) -> str:
    """Return the text of a file, line ends as they are.

    Raises:
        Refused: it is larger than `FILE_LIMIT`, or binary.
    """
    name, size = checkout.name(place), place.stat().st_size
    if size > FILE_LIMIT:
        raise Refused(f"{name!r} has {size} bytes; up to {FILE_LIMIT} can be opened: read some of its lines instead")
    data = place.read_bytes()
    refuse_binary(name, data, size)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{name!r} is not UTF-8 text") from None


def refuse_binary(name: str, beginning: bytes, size: int) -> None:
    """Raise an error for a file that begins like no text.

    Raises:
        Refused: it does.
    """
    if b"\0" in beginning[:8192]:
        raise Refused(f"{name!r} is a binary file of {size} bytes, which cannot be shown or edited as text")


def _files_below(checkout: Checkout, start: Path) -> Iterator[Path]:
    """Yield the files below a folder that may be read, in order of their names; links are not followed."""
    if start.is_file():
        yield start
        return
    for folder, folders, names in os.walk(start):
        folders[:] = sorted(name for name in folders if name not in UNLISTED)
        for name in sorted(names):
            place = Path(folder, name)
            if not place.is_symlink() and checkout.sees(place):
                yield place


def searched(checkout: Checkout, path: str) -> tuple[list[Path], str]:
    """Return the files that a search below a path looks at, and a remark if those are not all.

    Raises:
        Refused: see `existing`.
    """
    found: list[Path] = []
    for place in _files_below(checkout, existing(checkout, path)):
        if len(found) == FILES_LIMIT:
            return found, f"\n… only the first {FILES_LIMIT} files were looked at: name a folder"
        found.append(place)
    return found, ""


def listed(lines: list[str], most: int, what: str) -> str:
    """Return lines as a text that is not too long, with a remark on what is left out."""
    kept: list[str] = []
    room = TEXT_LIMIT
    for line in lines[:most]:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return "\n".join([*kept, *([f"… {left} more {what} left out: narrow the search"] if left else [])])


def short(line: str) -> str:
    """Return a line that is not too long."""
    return line if len(line) <= LINE_LIMIT else f"{line[:LINE_LIMIT]}… ({len(line)} characters)"


def _like(checkout: Checkout, place: Path) -> str:
    folder = place.parent
    if not folder.is_dir() or not folder.is_relative_to(checkout.top):
        return ""
    names = [entry.name for entry in folder.iterdir() if checkout.sees(entry) and entry.name != REPOSITORY]
    like = difflib.get_close_matches(place.name, names, n=3, cutoff=0.5)
    return f"; like it there: {', '.join(sorted(like))}" if like else ""
