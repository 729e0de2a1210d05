"""A fleet of real processes for system tests: started, stopped, killed and continued by pid."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from fork_server import Process, execute
from fork_server import start as start_process
from waiting import eventually

from muster_bus import Bus, Log, Rows, replay
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import decode_entry, find_verdict
from muster_bus.store_answers import BUS_ERRORS
from muster_bus.testing import connected, provisioned_server
from muster_protocol import codec
from muster_protocol.events import Entry, VerdictReached
from muster_protocol.journal import JournalBatch, JournalEntry
from muster_protocol.logs import WorkerRow
from muster_protocol.verdicts import Verdict

ACK_WAIT = 2.0
PROGRAMS: dict[str, tuple[str, ...]] = {
    "orchestrator": ("-m", "muster_orchestrator"),
    "subagent": ("-m", "muster_subagent"),
    "sessions": (str(Path(__file__).with_name("guarded_host.py")),),
    "gateway": ("-m", "muster_gateway"),
}
T = TypeVar("T")


class RunLog:
    """The log of a run, of which each look reads only what is new."""

    def __init__(self, bus: Bus, run: str) -> None:
        self._log = Log(bus, "RUNS", bus.names.events(run))
        self._entries: list[Entry] = []

    async def read(self) -> list[Entry]:
        """Return the entries so far, oldest first."""
        found = await self._log.read(self._log.last)
        self._entries += [entry for entry in map(decode_entry, found) if entry is not None]
        return self._entries


class Fleet:
    """Processes around one private nats-server; `forked` starts them fast, as forks, and not as a user would."""

    def __init__(
        self, server: NatsServer, bus: Bus, folder: Path, environment: dict[str, str], *, forked: bool = True
    ) -> None:
        self.server, self.bus, self.folder = server, bus, folder
        self._start = start_process if forked else execute
        self._environment = environment
        self._processes: list[Process] = []
        self._services: list[str] = []

    async def start(self, service: str, **environment: str) -> Process:
        """Start one process and return it when it has told the fleet that it is there."""
        number = len(self._processes)
        log = self.folder / f"{service}-{number}.log"
        process = await self._start(PROGRAMS[service], {**self._environment, **environment}, log)
        self._processes.append(process)
        self._services.append(service)

        async def there() -> bool:
            if process.returncode is not None:
                raise AssertionError(f"{service} ended with {process.returncode}:\n{log.read_text()[-3000:]}")
            try:
                return process.pid in {row.pid for row in await self.rows()}
            except BUS_ERRORS:  # the test has taken NATS or the bucket away
                return False

        await eventually(there, f"{service} is up")
        return process

    @property
    def running(self) -> list[Process]:
        """The processes that have not ended."""
        return [process for process in self._processes if process.returncode is None]

    async def rows(self) -> list[WorkerRow]:
        """Return what those that are there tell of themselves."""
        return await Rows(self.bus, "WORKERS", WorkerRow).all()

    def of(self, service: str) -> list[Process]:
        """Return the processes of a service, in the order in which they were started."""
        return [process for name, process in zip(self._services, self._processes, strict=True) if name == service]

    async def verdict(self, run: str, seconds: float = 60.0) -> Verdict:
        """Return the verdict a run's log holds, once it is there."""

        log = RunLog(self.bus, run)

        async def look() -> Verdict | None:
            return find_verdict(await log.read())

        return await eventually(look, f"verdict of {run}", seconds)

    async def closed(self, run: str, seconds: float = 60.0) -> list[Entry]:
        """Return a run's log once it is closed, checked for the one verdict it may hold."""

        log = RunLog(self.bus, run)

        async def look() -> list[Entry] | None:
            entries = await log.read()
            kinds = [type(event).__name__ for entry in entries for event in entry.events]
            return entries if "RunClosed" in kinds else None

        entries = await eventually(look, f"{run} is closed", seconds)
        verdicts = [event for entry in entries for event in entry.events if isinstance(event, VerdictReached)]
        assert len(verdicts) == 1
        return entries

    async def journal(self, task: str) -> list[JournalEntry]:
        """Return the entries of a sub-task's journal."""
        found: list[JournalEntry] = []
        async for message in replay(self.bus, "JOURNAL", self.bus.names.journal(task)):
            found += codec.decode(message.data, JournalBatch).entries
        return found

    async def stop(self) -> None:
        """End every process that is left, by pid, whatever state it is in."""
        for process in self._processes:
            if process.returncode is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self._processes:
            try:
                await asyncio.wait_for(process.wait(), 20.0)
            except TimeoutError:
                process.kill()
                await process.wait()


@asynccontextmanager
async def fleet(folder: Path, **environment: str) -> AsyncGenerator[Fleet]:
    """Run a private nats-server, and whatever is started on it, until left."""
    async with provisioned_server(ack_wait_seconds=ACK_WAIT) as server, connected(server) as bus:
        settings = {
            "NATS_URL": server.url,
            "HTTP_PORT": "0",
            "ACK_WAIT_SECONDS": str(ACK_WAIT),
            "LOG_FORMAT": "console",
            "SHUTDOWN_SECONDS": "3",
            "SESSION_DRAIN_SECONDS": "0",  # the runs' owners are stopped at the same time
            "UNSANDBOXED_MODEL_COMMANDS": "allow",  # what could do harm is refused all the same (`harmless`)
            **dict.fromkeys(("RECORD_TRACE", "RECORD_HAR", "RECORD_PICTURE"), "off"),  # a fifth of a browser's time
        }
        made = Fleet(server, bus, folder, {**os.environ, **settings, **environment})
        try:
            yield made
        finally:
            await made.stop()
