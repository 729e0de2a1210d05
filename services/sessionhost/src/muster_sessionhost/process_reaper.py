"""Ends the processes that a session left running, wherever they went: each bears its session's mark."""

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path

MARK = "MUSTER_SESSION"
"""Environment variable with the session's folder name, in its browser and in all that its commands start."""
ROUNDS = 5
"""How often it is looked for processes that were started while the others were ended."""


def marked(names: Iterable[str]) -> set[int]:
    """Return the processes of this user, this one left out, that bear the mark of one of these sessions."""
    marks = {f"{MARK}={name}".encode() for name in names}
    found = {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _bears(entry, marks)}
    return found - {os.getpid()}


def end_all(names: Iterable[str]) -> int:
    """Kill every process of these sessions; returns how many there were."""
    names, ended = tuple(names), set[int]()
    for _ in range(ROUNDS if names else 0):
        left = marked(names)
        if not left - ended:
            break
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= left
    return len(ended)


def _bears(entry: Path, marks: set[bytes]) -> bool:
    try:
        return not marks.isdisjoint((entry / "environ").read_bytes().split(b"\0"))
    except OSError:
        return False  # it has ended, or is another user's
