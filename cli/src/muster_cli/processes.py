"""Processes of this machine as the kernel lists them, so that nothing that was started outlives its starter.

Reads /proc, so it sees nothing where there is none (macOS); there, only what was started directly is ended.
"""

import ctypes
import os
import signal
import time
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

PR_SET_CHILD_SUBREAPER = 36


class Process(NamedTuple):
    """A process; the moment it was started (in clock ticks) tells it from a later one with the same id."""

    pid: int
    parent: int
    started: int


def running(proc: Path = Path("/proc")) -> dict[int, Process]:
    """Return the processes that run now, by id; the dead that nobody waited for are left out."""
    found = (_read(path) for path in proc.glob("[0-9]*/stat"))
    return {process.pid: process for process in found if process is not None}


def descendants(roots: Iterable[int], table: Mapping[int, Process]) -> list[Process]:
    """Return the processes started by the roots and by those in turn, without the roots themselves. Pure."""
    children: dict[int, list[Process]] = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = list(roots)
    while waiting:
        new = children.pop(waiting.pop(), [])
        found += new
        waiting += [process.pid for process in new]
    return found


def family(pid: int, mark: str) -> list[Process]:
    """Return the descendants of a process, and those of its descendants that lost their parents.

    The latter are known by `mark`, `NAME=VALUE` in the environment they were started with.
    """
    table = running()
    marked = [process for process in table.values() if process.pid != pid and _has_variable(process, mark)]
    found = [*marked, *descendants([pid, *(process.pid for process in marked)], table)]
    return list(dict.fromkeys(found))


def still_running(processes: Iterable[Process]) -> list[Process]:
    """Return those that have not ended."""
    return [process for process in processes if _is_alive(process)]


def kill(processes: Iterable[Process], how: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to those that have not ended."""
    for process in still_running(processes):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, how)


def wait_until_gone(processes: Iterable[Process], timeout: float) -> list[Process]:
    """Wait until all have ended, and return those that have not after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    left = still_running(processes)
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = still_running(left)
    return left


@contextmanager
def adopting_orphans() -> Generator[None]:
    """Be the parent of whatever descendants lose theirs, so that they can still be found (Linux), until left."""
    _be_subreaper(1)
    try:
        yield
    finally:
        _be_subreaper(0)


def _be_subreaper(wanted: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, wanted, 0, 0, 0)


def mine() -> list[Process]:
    """Return everything that this process has started and that still runs."""
    return descendants([os.getpid()], running())


def end_descendants(but: Collection[Process] = (), but_command: str = "") -> None:
    """End everything this process has started that still runs, without mercy.

    What is in `but` is spared, and what has the word `but_command` in its command line.
    """
    spared = set(but)
    kill(it for it in mine() if it not in spared and not (but_command and but_command in _command(it)))


def _is_alive(process: Process) -> bool:
    now = _read(Path(f"/proc/{process.pid}/stat"))
    return now is not None and now.started == process.started


def _has_variable(process: Process, variable: str) -> bool:
    try:
        return variable.encode() in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _command(process: Process) -> str:
    try:
        return Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _read(stat: Path) -> Process | None:
    try:
        text = stat.read_text(errors="replace")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2 :].split()  # the name before may hold anything, even brackets
    if fields[0] in "ZX":
        return None
    return Process(pid=int(text.partition(" ")[0]), parent=int(fields[1]), started=int(fields[19]))
