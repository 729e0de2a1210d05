"""The fleet under fire: places that real processes fill, each behind a TCP proxy of its own on the way to NATS."""

import asyncio
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import msgspec
import psutil
from fleet import PROGRAMS
from msgspec import Struct
from proxy import Proxy

from chaos import wrong_clock
from chaos.history import Incarnation
from chaos.schedule import Slot
from muster_bus.nats_server import NatsServer
from muster_bus.service import STDIN_VARIABLE
from muster_cli import processes

START_SECONDS = 60.0
STOP_SECONDS = 20.0
WORKER = str(Path(__file__).with_name("named_worker.py"))


class _Line(Struct):
    """What of a service's log lines is of use here."""

    event: str = ""
    id: str = ""
    pid: int = 0


class Place:
    """One place in the fleet; a process that dies is followed by another, as a supervisor would have it."""

    def __init__(self, slot: Slot, proxy: Proxy, folder: Path, environment: Mapping[str, str]) -> None:
        self.slot, self.proxy = slot, proxy
        self.log, self._clock = folder / f"{slot.name}.log", folder / f"{slot.name}.clock"
        clock = wrong_clock.variables(self._clock)
        self._environment = {**environment, **clock, "HOST_ID": slot.name, "NATS_URL": proxy.url}
        self._process: Process | None = None
        self._number = 0
        """How many processes have filled the place, one after the other."""
        self._lives: list[tuple[int, float]] = []
        self._ends: dict[int, float] = {}

    @property
    def pid(self) -> int:
        """Process id of whoever fills the place; 0 while nobody does."""
        return self._process.pid if self._process is not None and self._process.returncode is None else 0

    async def start(self, **more: str) -> None:
        """Start a process in this place, with further settings; it is a child that stops when this process ends."""
        self._number += 1
        self._process = await self._launch(more)

    async def twin(self) -> Process:
        """Start a second process under the id of this place."""
        return await self._launch({})

    async def end_twin(self, twin: Process, patience: float) -> bool:
        """End the second process, unless it has ended itself; False if it had to be killed."""
        if twin.returncode is None:
            with suppress(ProcessLookupError):
                twin.terminate()
        return await self._ended(twin, patience)

    async def _launch(self, more: Mapping[str, str]) -> Process:
        with self.log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *self._program()),
                env={**self._environment, **more},
                stdin=PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._lives.append((process.pid, time.time()))
        return process

    def _program(self) -> tuple[str, ...]:
        """Return what to run; workers are told their ids, which they make themselves else."""
        return (
            (WORKER, f"{self.slot.name}-{self._number}")
            if self.slot.service == "subagent"
            else PROGRAMS[self.slot.service]
        )

    def set_clock(self, wrong_by: int) -> None:
        """Set the wall clock of whoever fills the place wrong by so many seconds; 0 sets it right."""
        wrong_clock.set_wrong(self._clock, wrong_by)

    @property
    def pids(self) -> set[int]:
        """Process ids of all who have filled the place."""
        return {pid for pid, _ in self._lives}

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process, if there is one."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def ended(self, patience: float) -> bool:
        """Wait for the end of the process; one that takes longer than `patience` seconds is killed: then False."""
        return self._process is None or await self._ended(self._process, patience)

    async def _ended(self, process: Process, patience: float) -> bool:
        in_time = True
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            in_time = False
            for number in (signal.SIGCONT, signal.SIGKILL):
                with suppress(ProcessLookupError):
                    process.send_signal(number)
            await process.wait()
        self._ends[process.pid] = time.time()
        if process.stdin is not None:
            process.stdin.close()
        return in_time

    def incarnations(self) -> tuple[Incarnation, ...]:
        """Return the processes that have filled this place, with the ids that they gave themselves."""
        ids = dict(self.announced())
        return tuple(
            Incarnation(
                slot=self.slot.name,
                service=self.slot.service,
                pid=pid,
                id=ids.get(pid, ""),
                began=began,
                ended=self._ends.get(pid, 0.0),
            )
            for pid, began in self._lives
        )

    def announced(self) -> Iterable[tuple[int, str]]:
        """Yield (pid, id) of each process of this place that said in its log that it has started."""
        if not self.log.exists():
            return
        for line in self.log.read_bytes().splitlines():
            if b'"started"' in line:
                with suppress(msgspec.DecodeError):
                    told = msgspec.json.decode(line, type=_Line)
                    if told.event == "started" and told.pid:
                        yield told.pid, told.id


class Fleet:
    """All places, the nats-server between them, and the supervisor that fills empty places again."""

    def __init__(self, server: NatsServer, places: Mapping[str, Place], folder: Path) -> None:
        self.server, self.places, self.folder = server, places, folder
        self.gateway_url = ""
        self.crashes: list[str] = []
        """Processes that ended without having been asked to."""
        self.attended: set[str] = set()
        """Places where a fault is going on: their processes are meant to end."""
        self.stopping = False
        self.own = {it.pid for it in psutil.Process().children()}
        """Ids of the processes that this one has started and waits for (nats-server, the shop), beside those of the places."""

    async def start(self) -> None:
        """Fill all places, and wait until each process has said that it has started.

        Raises:
            AssertionError: one has ended instead.
        """
        for place in self.places.values():
            await place.start()
        async with asyncio.timeout(START_SECONDS):
            while not all(place.pid in dict(place.announced()) for place in self.places.values()):
                for name, place in self.places.items():
                    assert place.pid, f"{name} did not start: {place.log.read_text(errors='replace')[-2000:]}"
                await asyncio.sleep(0.1)

    async def supervise(self) -> None:
        """Fill places again whose process ended by itself, for ever."""
        while True:
            for name, place in self.places.items():
                if not place.pid and name not in self.attended and not self.stopping:
                    self.crashes.append(f"{name} ended by itself at {time.time():.3f}; see {place.log}")
                    await place.ended(1.0)
                    await place.start()
                place.proxy.to_server.seen.clear()
                place.proxy.to_client.seen.clear()
            reap(self._known())
            await asyncio.sleep(0.2)

    async def stop(self) -> None:
        """End every process, by pid, whatever state it is in."""
        self.stopping = True
        for place in self.places.values():
            place.send(signal.SIGCONT)
            place.send(signal.SIGTERM)
        await asyncio.gather(*(place.ended(STOP_SECONDS) for place in self.places.values()))
        wrong_clock.forget({pid for place in self.places.values() for pid in place.pids})

    def strays(self) -> list[str]:
        """Return the processes that outlived the service that started them: orphans fall to this process."""
        known, children = self._known(), processes.drop_ended(psutil.Process().children())
        orphans = [it for it in children if it.pid not in known]
        return [f"pid {it.pid}: {command(it)}" for it in orphans]

    def end_strays(self) -> None:
        """End what the services have left behind, without mercy."""
        processes.kill(it for it in processes.own_descendants() if it.pid not in self.own)

    def browsers(self) -> list[str]:
        """Return the browsers and sandboxed commands that run below the services."""
        below = processes.descendants([place.pid for place in self.places.values() if place.pid])
        return [f"pid {it.pid}: {text}" for it in below if _is_work(text := command(it))]

    def _known(self) -> set[int]:
        return self.own.union(*(place.pids for place in self.places.values()))


def _is_work(text: str) -> bool:
    return any(word in text.partition(" ")[0] for word in ("chrom", "bwrap", "headless", "sleep"))


def command(process: psutil.Process) -> str:
    """Return the command line of a process, shortened; empty if it is gone."""
    return processes.command_line(process)[:120].strip()


def reap(known: set[int]) -> None:
    """Wait for dead orphans, which fall to this process; its own children are waited for by those who started them."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            text = path.read_text(errors="replace")
            state, parent = text[text.rindex(")") + 2 :].split()[:2]
            pid = int(text.partition(" ")[0])
            if state == "Z" and int(parent) == os.getpid() and pid not in known:
                os.waitpid(pid, os.WNOHANG)


@asynccontextmanager
async def fleet_under_fire(
    server: NatsServer, slots: Iterable[Slot], folder: Path, settings: Mapping[str, str]
) -> AsyncGenerator[Fleet]:
    """Run a fleet on a provisioned server until left; everything it has started is ended then."""
    port = _free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "NATS_"))},
        **{STDIN_VARIABLE: "1", "LOG_FORMAT": "json", "LOG_LEVEL": "info"},
        **{"HTTP_PORT": str(port), "PYTHONUNBUFFERED": "1", "SESSIONS_DIR": str(folder / "sessions")},
        # Hundreds of witnesses and clients share one address, and all of them come back at once after a fault.
        "RATE_LIMIT": "0",
        **settings,
    }
    async with AsyncExitStack() as stack:
        stack.enter_context(processes.adopt_orphans())
        places = dict[str, Place]()
        for slot in slots:
            proxy = Proxy(server.port)
            await proxy.start()
            stack.push_async_callback(proxy.stop)
            places[slot.name] = Place(slot, proxy, folder, environment)
        fleet = Fleet(server, places, folder)
        fleet.gateway_url = f"http://127.0.0.1:{port}"
        stack.callback(fleet.end_strays)
        stack.push_async_callback(fleet.stop)
        await fleet.start()
        supervisor = asyncio.create_task(fleet.supervise())
        try:
            yield fleet
        finally:
            supervisor.cancel()
            await asyncio.wait({supervisor})


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]
