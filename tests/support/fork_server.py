"""Processes of services without the time that importing them takes, which is most of the time that a start takes.

Each program has a server that has imported it; a service is a fork of that, with an environment, a session and a file
for its output of its own, which then runs as `python -m …` would. Without the server there is no process left.
"""

import asyncio
import atexit
import gc
import importlib
import os
import runpy
import select
import signal
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import IO, NoReturn

import msgspec

from muster_protocol.codec import convert_types


class Start(msgspec.Struct, tag=True):
    """An order to start a process; answered with its pid."""

    environment: dict[str, str]
    output: str
    """File that stdout and stderr go to."""


class Reap(msgspec.Struct, tag=True):
    """A question for the exit code of a process that has ended."""

    pid: int


class Forked:
    """A process that is a fork of a server; like `asyncio.subprocess.Process`."""

    def __init__(self, server: "Server", pid: int) -> None:
        self.pid = pid
        self._server = server
        self._ended = os.pidfd_open(pid)
        self._code: int | None = None

    @property
    def returncode(self) -> int | None:
        """The exit code, or the negative number of the signal that ended it; None while it runs."""
        if self._code is None and select.select([self._ended], [], [], 0)[0]:
            self._code = self._server.ask(Reap(self.pid))
            os.close(self._ended)
        return self._code

    def send_signal(self, number: int) -> None:
        """Send a signal.

        Raises:
            ProcessLookupError: it has ended.
        """
        if self.returncode is not None:
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Return the exit code once it has ended."""
        while (code := self.returncode) is None:
            loop, ended = asyncio.get_running_loop(), os.dup(self._ended)
            seen: asyncio.Future[None] = loop.create_future()
            loop.add_reader(ended, _tell, seen)
            try:
                await seen
            finally:
                loop.remove_reader(ended)
                os.close(ended)
        return code


def _tell(seen: asyncio.Future[None]) -> None:
    if not seen.done():
        seen.set_result(None)


Process = Forked | asyncio.subprocess.Process


class Server:
    """The process that a program's processes are forks of."""

    def __init__(self, program: tuple[str, ...]) -> None:
        self._process = subprocess.Popen(
            (sys.executable, __file__, *program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._turn = threading.Lock()
        atexit.register(self._process.communicate)  # no more orders: it ends

    def ask(self, order: Start | Reap) -> int:
        """Return the answer to an order, from any thread."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None
        assert told is not None
        with self._turn:
            asked.write(msgspec.json.encode(order) + b"\n")
            asked.flush()
            return int(told.readline())


_server = cache(Server)


async def start(program: tuple[str, ...], environment: dict[str, str], output: Path) -> Process:
    """Start a program, `("-m", module)` or the path of a script, as the leader of a session of its own.

    What Python or the loader of programs reads only as a program begins makes it one of its own: a fork never begins.
    """
    if any(name.startswith(("LD_", "PYTHON")) and os.environ.get(name) != environment[name] for name in environment):
        return await execute(program, environment, output)
    server = await asyncio.to_thread(_server, program)
    return Forked(server, await asyncio.to_thread(server.ask, Start(environment, str(output))))


async def execute(program: tuple[str, ...], environment: dict[str, str], output: Path) -> Process:
    """Start a program without a server, for those who measure what it costs."""
    with output.open("wb") as file:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *program),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


def serve(program: list[str], orders: IO[bytes], answers: IO[bytes]) -> None:
    """Carry out orders until there are none; then end what still runs."""
    main = f"{program[1]}.__main__" if program[0] == "-m" else ""
    if main:
        sys.path[0] = ""
        importlib.import_module(main)
        del sys.modules[main]
    else:
        runpy.run_path(program[0])
    convert_types()  # once, for all forks
    gc.freeze()
    running = set[int]()
    for line in orders:
        order: Start | Reap = msgspec.json.decode(line, type=Start | Reap)
        match order:
            case Start(environment=environment, output=output):
                pid = os.fork() or _run(program, environment, output)
                running.add(pid)
                told = pid
            case Reap(pid=pid):
                told = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                running.discard(pid)
        answers.write(b"%d\n" % told)
        answers.flush()
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _run(program: list[str], environment: dict[str, str], output: str) -> NoReturn:
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number in (1, 2):
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = program[-1:]
    if program[0] == "-m":
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(program[0], run_name="__main__")
    raise SystemExit


if __name__ == "__main__":
    serve(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer)
