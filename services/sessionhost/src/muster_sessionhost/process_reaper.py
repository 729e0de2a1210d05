"""Kills the processes that a session left running; an environment variable marks them, wherever they moved."""

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path

MARK = "MUSTER_SESSION"
"""Environment variable with the name of the session's folder; its browser and commands pass it on to their children."""
ROUNDS = 5
"""How often to search again for processes that were started while others were killed."""


def find_processes(names: Iterable[str]) -> set[int]:
    """Return the ids of this user's processes that belong to one of these sessions, except this process."""
    marks = {f"{MARK}={name}".encode() for name in names}
    found = {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _has_mark(entry, marks)}
    return found - {os.getpid()}


def kill_all(names: Iterable[str]) -> int:
    """Kill every process of these sessions; return how many there were."""
    names, ended = tuple(names), set[int]()
    for _ in range(ROUNDS if names else 0):
        left = find_processes(names)
        if not left - ended:
            break
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= left
    return len(ended)


def _has_mark(entry: Path, marks: set[bytes]) -> bool:
    try:
        return not marks.isdisjoint((entry / "environ").read_bytes().split(b"\0"))
    except OSError:
        return False  # the process has ended, or belongs to another user
