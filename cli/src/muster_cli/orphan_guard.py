"""A guard process that ends a fleet and removes its folder if the process that started it dies.

It reads lines from its standard input: `service PID`, `server PID`, `folder PATH`, and `done`, which dismisses it. If
the input ends before that, the starter is dead: services notice the same way and get time to stop, then all is ended.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from muster_cli import processes

NEEDED = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")
"""The only environment variables the guard gets, so that it holds no secrets."""
SERVICE_SECONDS = 15.0
SERVER_SECONDS = 5.0


class Guard:
    """The starter's side: tells the guard process what to clean up."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "muster_cli.orphan_guard"],
            env={name: os.environ[name] for name in NEEDED if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def service(self, pid: int) -> None:
        """Guard a process that stops by itself when its starter is gone."""
        self._say(f"service {pid}")

    def server(self, pid: int) -> None:
        """Guard a process that must be stopped after the services."""
        self._say(f"server {pid}")

    def folder(self, path: Path) -> None:
        """Guard a folder, to be removed at the end."""
        self._say(f"folder {path}")

    def dismiss(self) -> None:
        """End the guard; everything is cleaned up."""
        self._say("done")
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # a guard that was killed guards nothing; the fleet works without it
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()


class Watched(NamedTuple):
    """What the guard cleans up."""

    services: list[int]
    servers: list[int]
    folders: list[Path]


def read_orders(lines: Iterable[str]) -> Watched | None:
    """Return what to end once the lines have ended, or None if the guard was dismissed."""
    watched = Watched([], [], [])
    for line in lines:
        order, _, rest = line.rstrip("\n").partition(" ")
        match order:
            case "service":
                watched.services.append(int(rest))
            case "server":
                watched.servers.append(int(rest))
            case "folder":
                watched.folders.append(Path(rest))
            case "done":
                return None
            case _:
                continue
    return watched


def end_watched(watched: Watched, patience: float = SERVICE_SECONDS) -> None:
    """Wait for the services to stop, `patience` seconds at most; end them and all below, the servers, the folders."""
    services = [*processes.find_running(watched.services), *processes.descendants(watched.services)]
    servers = processes.find_running(watched.servers)
    left = processes.wait_until_gone(services, patience)
    processes.kill([*left, *processes.descendants(process.pid for process in left)])
    processes.kill(servers, signal.SIGTERM)
    processes.kill(processes.wait_until_gone(servers, SERVER_SECONDS))
    for folder in watched.folders:
        shutil.rmtree(folder, ignore_errors=True)


def main(orders: IO[str]) -> None:
    """Wait for the starter's death or dismissal, and act on it."""
    watched = read_orders(orders)
    if watched is not None:
        end_watched(watched)


if __name__ == "__main__":
    main(sys.stdin)
