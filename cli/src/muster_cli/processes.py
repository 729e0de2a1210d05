"""Finds and ends processes and their descendants."""

import ctypes
import os
import signal
import time
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager, suppress

import psutil
from psutil import Process

PR_SET_CHILD_SUBREAPER = 36


def find_running(pids: Iterable[int]) -> list[Process]:
    """Return the processes that are running."""
    found: list[Process] = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            found.append(Process(pid))
    return drop_ended(found)


def descendants(pids: Iterable[int]) -> list[Process]:
    """Return the processes started by these and by those in turn; the dead that nobody waited for are left out."""
    found: list[Process] = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            found += Process(pid).children(recursive=True)
    return drop_ended(dict.fromkeys(found))


def find_family(pid: int, name: str, value: str) -> list[Process]:
    """Return the descendants of a process, and those of its descendants that lost their parents.

    The latter are known by the variable `name` of the environment they were started with.
    """
    marked = [it for it in psutil.process_iter() if it.pid != pid and _variable(it, name) == value]
    return list(dict.fromkeys([*drop_ended(marked), *descendants([pid, *(it.pid for it in marked)])]))


def drop_ended(processes: Iterable[Process]) -> list[Process]:
    """Return those that have not ended; another process that got the id of one does not count as it."""
    return [process for process in processes if _is_alive(process)]


def kill(processes: Iterable[Process], how: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to those that have not ended."""
    for process in drop_ended(processes):
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.send_signal(how)


def wait_until_gone(processes: Iterable[Process], timeout: float) -> list[Process]:
    """Wait until all have ended, and return those that have not after `timeout` seconds.

    The dead are not waited for as children are: that is for whoever has started them.
    """
    deadline = time.monotonic() + timeout
    left = drop_ended(processes)
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = drop_ended(left)
    return left


@contextmanager
def adopt_orphans() -> Generator[None]:
    """Become the parent of orphaned descendants inside the block, so that they can be found (Linux)."""
    _be_subreaper(1)
    try:
        yield
    finally:
        _be_subreaper(0)


def _be_subreaper(wanted: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, wanted, 0, 0, 0)


def own_descendants() -> list[Process]:
    """Return the running descendants of this process."""
    return descendants([os.getpid()])


def end_descendants(but: Collection[Process] = (), but_command: str = "") -> None:
    """Kill all running descendants of this process.

    What is in `but` is spared, and what has the word `but_command` in its command line.
    """
    spared = set(but)
    kill(it for it in own_descendants() if it not in spared and not (but_command and but_command in command_line(it)))


def command_line(process: Process) -> str:
    """Return the command line of a process; empty if it is gone or not ours to see."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _is_alive(process: Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _variable(process: Process, name: str) -> str | None:
    try:
        return process.environ().get(name)
    except (psutil.Error, OSError):
        return None
