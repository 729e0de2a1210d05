"""Services as child processes: started, logged, watched, stopped."""

import asyncio
import secrets
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from muster_bus.service import STDIN_VARIABLE
from muster_cli import processes
from muster_protocol.logs import ServiceName
from muster_views.texts import strip_controls

MODULES: dict[ServiceName, str] = {
    "orchestrator": "muster_orchestrator",
    "subagent": "muster_subagent",
    "sessions": "muster_sessionhost",
    "gateway": "muster_gateway",
}
MARK = "MUSTER_CHILD"
"""Environment variable that marks the processes of a service, so that they can be found after it has died."""
KILL_SECONDS = 5.0
LOOK_SECONDS = 0.2


class Spec(NamedTuple):
    """How to start a service: display name, command line and complete environment."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]


def build_spec(name: str, service: ServiceName, env: Mapping[str, str]) -> Spec:
    """Return how to start a service; -P keeps modules in the current folder from standing in for Python's own."""
    return Spec(name, (sys.executable, "-P", "-m", MODULES[service]), env)


class Child:
    """A service's process; it can be started again after it has ended, and writes on into the same log."""

    def __init__(self, spec: Spec, folder: Path) -> None:
        self.spec = spec
        self.log = folder / f"{spec.name}.log"
        self.starts = 0
        self._mark = secrets.token_hex(8)
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """Process id; 0 before the first start."""
        return self._process.pid if self._process else 0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process in a session of its own, so that Ctrl-C at the terminal does not reach it."""
        self.starts += 1
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self.spec.command,
                stdin=PIPE,
                stdout=log,
                stderr=log,
                env={**self.spec.env, STDIN_VARIABLE: "1", MARK: self._mark},
                start_new_session=True,
            )

    async def wait(self) -> int:
        """Wait for the process, kill its remaining descendants, and return its exit code."""
        assert self._process is not None, "not started"
        code = await self._process.wait()
        processes.kill(processes.find_family(self.pid, MARK, self._mark))
        return code

    async def stop(self, grace: float) -> None:
        """Ask the process to stop, and kill it with its descendants after `grace` seconds."""
        if self._process is None:
            return
        family = processes.find_family(self.pid, MARK, self._mark)
        if self.alive:
            self._process.send_signal(signal.SIGTERM)  # closing its input as well would count as a second request
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), grace)
        family = list(dict.fromkeys((*family, *processes.find_family(self.pid, MARK, self._mark))))
        if self.alive:
            self._process.kill()
            await self._process.wait()
        processes.kill(family)
        await asyncio.to_thread(processes.wait_until_gone, family, KILL_SECONDS)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def last_lines(self, count: int = 15) -> str:
        """Return the end of the log, each line indented."""
        return last_lines(self.log, count)


def last_lines(file: Path, count: int = 15) -> str:
    """Return the end of a log, each line indented; of an empty one, that it is empty."""
    try:
        with file.open(errors="replace") as log:
            tail = deque(log, maxlen=count)
    except OSError:
        return ""
    lines = "\n".join(f"    {strip_controls(line.rstrip())}" for line in tail)
    return lines or f"    its log {file} is empty; a full disk may be why"


def describe_exit(code: int) -> str:
    """Return an exit code in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"


@asynccontextmanager
async def show_logs(children: Sequence[Child], tell: Callable[[str], None]) -> AsyncGenerator[None]:
    """Print the lines that children write to their logs, prefixed with their names, inside the block."""
    following = [asyncio.create_task(_follow(child.log, child.spec.name, tell)) for child in children]
    try:
        yield
    finally:
        for task in following:
            task.cancel()
        if following:
            await asyncio.wait(following)


async def _follow(path: Path, name: str, tell: Callable[[str], None]) -> None:
    with path.open("rb") as log:
        rest = b""
        while True:
            *lines, rest = (rest + log.read()).split(b"\n")
            for line in lines:
                tell(f"{name} | {line.decode(errors='replace')}")
            await asyncio.sleep(LOOK_SECONDS)
