"""The shell of a session: one supervisor process, in the sandbox if there is one, runs all its commands."""

import asyncio
import contextlib
import os
import platform
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple

import structlog

from muster_protocol.session_responses import Unreached
from muster_sessionhost.output_pipe import OutputPipe
from muster_sessionhost.process_reaper import MARK, kill_all
from muster_sessionhost.sandbox import NO_NAMES, Folders, Sandbox, make_system
from muster_sessionhost.session_network import VARIABLES, Mark, SessionNetwork, open_pipe

log = structlog.get_logger("muster.sessions")

START_SECONDS = 20.0
KILL_SECONDS = 5.0
STOP_SECONDS = 1.0
COMMAND_BYTES = 100_000
"""Longest command, in bytes; below the limit of Linux for one argument (128 KiB)."""
AS_SUBREAPER = (
    *(sys.executable, "-I", "-S", "-c"),
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); os.execvp(sys.argv[1], sys.argv[1:])",
)
"""Runs a program as subreaper (PR_SET_CHILD_SUBREAPER) of its descendants; a sandbox uses a PID namespace instead."""
Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, bytes], None]
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ShellDied(Exception):
    """The supervisor ended while a command ran; the next command starts a new one."""


class CommandLimits(NamedTuple):
    """Resource limits of commands; 0: no limit."""

    memory_mb: int = 0
    """MiB of each process."""
    file_mb: int = 0
    """MiB of each file they write."""
    processes: int = 0
    """Processes of this user; has no effect for root."""

    @property
    def arguments(self) -> tuple[int, int, int]:
        """The limits as the supervisor takes them: KiB, KiB, count."""
        return self.memory_mb * 1024, self.file_mb * 1024, self.processes


class Order(NamedTuple):
    """A command to run, with its secrets as environment variables."""

    command: str
    timeout_seconds: float
    background: bool
    secrets: Mapping[str, str]


class Ended(NamedTuple):
    """How a command ended."""

    exit_code: int | None
    pid: int
    timed_out: bool = False
    unreached: tuple[Unreached, ...] = ()


class Shell:
    """Runs commands for one session; the first command starts its supervisor."""

    def __init__(
        self,
        folders: Folders,
        sandbox: Sandbox,
        environment: Mapping[str, str],
        limits: CommandLimits,
        network: SessionNetwork | None,
    ) -> None:
        """`network`: the network that keeps commands to their case's domains; None: they use the host's network."""
        self._folders, self._sandbox, self._limits, self._network = folders, sandbox, limits, network
        self._environment = {**environment, **(VARIABLES if network else {})}
        self._process: Process | None = None
        self._binds: tuple[str, ...] = ()
        self._start = folders.work
        self._starting = asyncio.Lock()
        self._stopped = False
        self._listening: asyncio.Task[None] | None = None
        self._running: dict[str, _Running] = {}
        self._drains: set[OutputPipe] = set()
        self._count = 0

    @property
    def surroundings(self) -> str:
        """The machine as commands see it, in one line."""
        return f"{machine_name()}, bash; commands begin in {self._start}; {self._sandbox.in_words}"

    async def start(self, order: Order, on_output: OnOutput) -> Coroutine[Any, Any, Ended]:
        """Start a command; return a coroutine that waits for its end (it returns at once for a background command).

        `on_output(stream, data)` is called until the last process that writes to the stream has ended.

        Raises:
            ValueError: the command is invalid; nothing was started.
            ShellDied: the supervisor could not start it.
        """
        if problem := _find_problem(order):
            raise ValueError(problem)
        supervisor = await self._supervisor()
        began = await self._network.mark() if self._network else Mark()
        self._count += 1
        running = _Running(str(self._count))
        pipes = self._pipes(running.id, on_output)
        self._running[running.id] = running
        assert supervisor.stdin is not None
        supervisor.stdin.write(_request(running.id, order))
        try:
            async with asyncio.timeout(START_SECONDS):
                await asyncio.shield(running.started)
        except TimeoutError:
            raise ShellDied("the command was not started: the session's shell does not answer") from None
        finally:
            for pipe in pipes:
                pipe.close_writer()
        return self._wait(running, order, pipes, began)

    async def confine(self, binds: tuple[str, ...], start: Path) -> None:
        """From now on show commands these parts of a workspace, and begin them at `start`.

        If that changes anything, every process that commands have left running ends: it would keep what it saw before.
        So do the working directory and the variables that they passed on.
        """
        if (binds, start) == (self._binds, self._start):
            return
        async with self._starting:
            self._binds, self._start = binds, start
            process, self._process = self._process, None
            if process is not None:
                await self._end(process)
                await asyncio.to_thread(_clear, self._folders.state)

    async def stop(self) -> None:
        """End the supervisor and every process that its commands left running; refuse further commands."""
        async with self._starting:
            self._stopped = True
            process, self._process = self._process, None
        if process is not None:
            await self._end(process)
        if self._listening is not None:
            await self._listening
        if self._network is not None:
            await self._network.stop()
        for pipe in list(self._drains):
            pipe.close()

    async def _end(self, process: Process) -> None:
        """Ask the supervisor to kill all processes and exit; if it does not within 1 s, kill them here."""
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            await asyncio.to_thread(kill_all, (self._folders.root.name,))
        _kill_group(process)
        await process.wait()

    async def _wait(self, running: "_Running", order: Order, pipes: list["OutputPipe"], began: Mark) -> Ended:
        pid = running.started.result()
        if order.background:
            return Ended(None, pid)
        try:
            async with asyncio.timeout(order.timeout_seconds):
                code = await asyncio.shield(running.done)
        except TimeoutError:
            await self._kill(running, pid)
            code = None
        for pipe in pipes:
            pipe.drain()
        unreached = await self._network.unreached(began) if self._network else ()
        return Ended(code, pid, timed_out=code is None, unreached=unreached)

    async def _kill(self, running: "_Running", pid: int) -> None:
        if self._process is None or self._process.stdin is None:
            return
        self._process.stdin.write(f"kill\0{pid}\0".encode())
        with contextlib.suppress(TimeoutError, ShellDied):
            await asyncio.wait_for(asyncio.shield(running.done), KILL_SECONDS)

    def _pipes(self, name: str, on_output: OnOutput) -> list["OutputPipe"]:
        def open_pipe(stream: Stream, suffix: str) -> OutputPipe:
            path = self._folders.control / f"{name}.{suffix}"
            made = OutputPipe(path, lambda data: on_output(stream, data), self._drains.discard)
            self._drains.add(made)
            return made

        return [open_pipe("stdout", "out"), open_pipe("stderr", "err")]

    async def _supervisor(self) -> Process:
        async with self._starting:
            if self._stopped:
                raise ShellDied("the session is over")
            if self._process is None or self._process.returncode is not None:
                self._process = await self._launch()
                self._listening = asyncio.create_task(self._listen(self._process))
            return self._process

    async def _launch(self) -> Process:
        await asyncio.to_thread(_write_scripts, self._folders.control)
        await asyncio.to_thread(make_system, self._sandbox, self._folders)
        if self._network is None:
            prefix = self._sandbox.prefix(self._folders, workspace=self._binds, start=self._start)
            return await self._spawn(prefix or AS_SUBREAPER)
        try:
            return await self._launch_in(self._network)
        except OSError as error:
            raise ShellDied(f"this host cannot keep commands to the case's domains: {error}") from error

    async def _launch_in(self, network: SessionNetwork) -> Process:
        with open_pipe() as (reading, writing):
            prefix = self._sandbox.prefix(self._folders, writing.fileno(), self._binds, self._start)
            process = await self._spawn(prefix, writing.fileno())
            writing.close()  # else the reader would never see the end of the data
            try:
                await network.serve(reading)
            except BaseException:
                _kill_group(process)
                raise
        return process

    async def _spawn(self, prefix: Sequence[str], *passed: int) -> Process:
        control = self._folders.control
        return await asyncio.create_subprocess_exec(
            *prefix,
            *("bash", str(control / "supervisor.sh"), str(control), str(self._folders.state)),
            *(self._folders.root.name, *map(str, self._limits.arguments)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=self._folders.work,
            env=self._environment | {MARK: self._folders.root.name},  # marks all its children from the start
            start_new_session=True,
            pass_fds=passed,
        )

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            verb, name, number = line.decode().split()
            running = self._running.get(name)
            if running is not None and verb == "started":
                running.started.set_result(int(number))
            elif running is not None:
                running.done.set_result(int(number))
                del self._running[name]
        await process.wait()
        _kill_group(process)
        died = ShellDied("the session's shell ended while the command ran")
        for running in self._running.values():
            running.fail(died)
        self._running.clear()


class _Running:
    """A command that was sent to the supervisor."""

    def __init__(self, name: str) -> None:
        loop = asyncio.get_running_loop()
        self.id = name
        self.started: asyncio.Future[int] = loop.create_future()
        self.done: asyncio.Future[int] = loop.create_future()

    def fail(self, error: Exception) -> None:
        for future in (self.started, self.done):
            if not future.done():
                future.set_exception(error)
            future.exception()  # marks it as retrieved, so asyncio does not log it if nobody waits


@cache
def machine_name() -> str:
    """Return the name of this machine's system, as `Debian GNU/Linux 12 (bookworm), x86_64`."""
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        name = platform.system()
    return f"{name}, {platform.machine()}"


def _find_problem(order: Order) -> str:
    """Return why the command is invalid, or ""."""
    if "\0" in order.command or any("\0" in value for value in order.secrets.values()):
        return "a command cannot contain a NUL character"
    if len(order.command.encode()) > COMMAND_BYTES:
        return f"the command is longer than {COMMAND_BYTES} bytes: write it to a file and run that"
    for name in order.secrets:
        if not VARIABLE.fullmatch(name):
            return f"{name!r} is not a valid name of an environment variable"
    return ""


def _clear(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink(missing_ok=True)


def _write_scripts(control: Path) -> None:
    for name in ("supervisor.sh", "prelude.sh"):
        (control / name).write_text((files("muster_sessionhost") / name).read_text())
    (control / NO_NAMES).write_text("nameserver 192.0.2.1\n")  # a documentation address: no server answers there


def _request(name: str, order: Order) -> bytes:
    secrets = [f"MUSTER_SECRET_{key}={value}" for key, value in order.secrets.items()]
    keep = "0" if order.background else "1"
    fields = ["run", name, keep, " ".join(order.secrets), order.command, str(len(secrets)), *secrets]
    return "".join(f"{field}\0" for field in fields).encode()


def _kill_group(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
