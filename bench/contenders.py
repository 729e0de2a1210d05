"""The product and the two floors as the bench runs them: a fresh nats-server, a driver process and a worker process."""

import asyncio
import os
import statistics
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from nats.aio.msg import Msg
from wire import GO, Go, Sizes, Timing

from muster_bus import Bus, Log
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import read_entries
from muster_bus.testing import connected, provisioned_server
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.errors import Refused
from muster_protocol.events import Entry, RunOpened, SubTaskDispatched
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

HERE = Path(__file__).parent
PATIENCE = 300.0
"""Seconds after which a contender that has not come back is given up."""
STREAMS = ("REQUESTS", "RUNS", "TASKS", "JOURNAL", "LOGS", "KV_SNAPSHOTS", "KV_RUN_LIST")


class Contender(NamedTuple):
    """A name, and the arguments to Python that start its driver and its worker."""

    name: str
    driver: tuple[str, ...]
    worker: tuple[str, ...]


FLOOR_A = Contender("A", (str(HERE / "floor_a.py"), "driver"), (str(HERE / "floor_a.py"), "worker"))
FLOOR_B = Contender("B", (str(HERE / "floor_b.py"), "driver"), (str(HERE / "floor_b.py"), "worker"))
PRODUCT = Contender("product", ("-m", "muster_orchestrator"), ("-m", "muster_subagent"))


class Fleet(NamedTuple):
    """A running contender: its connection and its processes."""

    contender: Contender
    bus: Bus
    server: NatsServer
    driver: Process
    worker: Process

    @property
    def pids(self) -> tuple[int, int, int]:
        """Process ids of server, driver and worker."""
        return (self.server.pid, self.driver.pid, self.worker.pid)


class Load(NamedTuple):
    """What one load took."""

    timing: Timing
    processor: tuple[float, float, float]
    """Processor seconds of server, driver and worker."""
    others: float
    """Share of the machine's processors that was busy with anything else."""
    stored: dict[str, int]
    """Messages by stream."""


class Reading(NamedTuple):
    """The clocks at one moment, seconds: wall, processor of the whole machine, of the bench itself, of the fleet."""

    wall: float
    machine: float
    bench: float
    processes: tuple[float, ...]

    @classmethod
    def of(cls, fleet: Fleet) -> "Reading":
        """Read the clocks."""
        spent = tuple(processor_seconds(pid) for pid in fleet.pids)
        return cls(time.perf_counter(), machine_seconds(), time.process_time(), spent)

    def others_since(self, before: "Reading") -> float:
        """Return the share of the machine that others used."""
        ours = sum(self.processes) - sum(before.processes) + self.bench - before.bench
        room = (self.wall - before.wall) * (os.cpu_count() or 1)
        return max(0.0, (self.machine - before.machine - ours) / room)


@asynccontextmanager
async def fleet(contender: Contender) -> AsyncGenerator[Fleet]:
    """Start a contender on a server of its own; everything is stopped afterwards."""
    async with provisioned_server() as server, connected(server) as bus:
        driver = await _start(contender.driver, server)
        worker = await _start(contender.worker, server)
        try:
            yield Fleet(contender, bus, server, driver, worker)
        finally:
            for process in (driver, worker):
                await _stop(process)


async def _start(command: tuple[str, ...], server: NatsServer) -> Process:
    environment = {**os.environ, "NATS_URL": server.url, "LOG_LEVEL": "warning"}
    arguments = command if command[0] == "-m" else (*command, server.url)
    return await asyncio.create_subprocess_exec(sys.executable, *arguments, env=environment)


async def _stop(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        await asyncio.wait_for(process.wait(), 15)


async def measured(fleet: Fleet, go: Go) -> Load:
    """Have the contender drive the chains and return what it took.

    Raises:
        RuntimeError: a process of it has ended.
        TimeoutError: it has not come back in time.
    """
    stored, before = await _stored(fleet.bus), Reading.of(fleet)
    timing, runs = await _while_alive(fleet, go)
    after, all_stored = Reading.of(fleet), await _stored(fleet.bus)
    gaps = timing.gaps or [gap for run in runs for gap in _gaps(await read_entries(fleet.bus, run))]
    server, driver, worker = (end - begin for begin, end in zip(before.processes, after.processes, strict=True))
    counts = {name: all_stored[name] - stored[name] for name in STREAMS}
    return Load(Timing(timing.seconds, gaps), (server, driver, worker), after.others_since(before), counts)


async def _while_alive(fleet: Fleet, go: Go) -> tuple[Timing, list[str]]:
    driving = asyncio.ensure_future(_driven(fleet, go))
    ends = [asyncio.ensure_future(process.wait()) for process in (fleet.driver, fleet.worker)]
    await asyncio.wait({driving, *ends}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    over = any(end.done() for end in ends)
    for waiting in (driving, *ends):
        waiting.cancel()
    if over:
        raise RuntimeError(f"a process of {fleet.contender.name} has ended; what it said is above")
    if not driving.done():
        raise TimeoutError(f"{fleet.contender.name} has not come back within {PATIENCE:g} s")
    return driving.result()


async def _driven(fleet: Fleet, go: Go) -> tuple[Timing, list[str]]:
    """Return the timing, and the runs where their logs are yet to be read for it, once all runs are closed."""
    done = await (_product(fleet.bus, go) if fleet.contender is PRODUCT else _floor(fleet.bus, go))
    while (await fleet.bus.js.stream_info("REQUESTS")).state.messages:
        await asyncio.sleep(0.02)
    return done


async def _floor(bus: Bus, go: Go) -> tuple[Timing, list[str]]:
    while True:
        try:
            return await bus.request(GO, go, Timing, PATIENCE), []
        except Refused:  # its driver is still starting
            await asyncio.sleep(0.05)


async def _product(bus: Bus, go: Go) -> tuple[Timing, list[str]]:
    """Submit the chains as drills, and wait for their verdicts; returns the runs too."""
    verdicts: list[Verdict] = []
    all_in = asyncio.Event()

    async def ended(message: Msg) -> None:
        verdicts.append(codec.decode(message.data, Verdict))
        if len(verdicts) == go.runs:
            all_in.set()

    subscription = await bus.nc.subscribe(bus.names.verdict("*"), cb=ended)
    await bus.nc.flush()
    begun = time.perf_counter()
    await asyncio.gather(*(_submit(bus, RunRequest(job=Drill(count=go.chain))) for _ in range(go.runs)))
    await all_in.wait()
    seconds = time.perf_counter() - begun
    await subscription.unsubscribe()
    assert all(verdict.status == "pass" for verdict in verdicts), verdicts
    return Timing(seconds, []), [verdict.run for verdict in verdicts]


async def _submit(bus: Bus, request: RunRequest) -> None:
    while True:
        try:
            await submit(bus, request)
        except Refused:  # the orchestrator is still starting
            await asyncio.sleep(0.05)
        else:
            return


def _gaps(entries: list[Entry]) -> list[float]:
    moments = [entry.at for entry in entries if any(isinstance(event, SubTaskDispatched) for event in entry.events)]
    return [(after - before) * 1e3 for before, after in pairwise(moments)]


def processor_seconds(pid: int) -> float:
    """Return the processor seconds, user and system, that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_seconds() -> float:
    """Return the processor seconds that all processes together have used: all but idle and waiting for a disk."""
    user, nice, system, _, _, irq, soft_irq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + soft_irq + steal) / os.sysconf("SC_CLK_TCK")


async def _stored(bus: Bus) -> dict[str, int]:
    """Return how many messages each stream has ever stored."""
    return {name: (await bus.js.stream_info(name)).state.last_seq for name in STREAMS}


async def product_sizes(fleet: Fleet, chain: int) -> Sizes:
    """Return the mean sizes (bytes) of what the product stores for a chain, read back from one."""
    bus = fleet.bus
    _, [run] = await _product(bus, Go(1, chain, Sizes(), 0.0))
    row = await bus.js.get_last_msg("KV_RUN_LIST", f"$KV.RUN_LIST.{run}")
    snapshot = await bus.js.get_last_msg("KV_SNAPSHOTS", f"$KV.SNAPSHOTS.{run}")
    stored = [message.data for message in await Log(bus, "RUNS", bus.names.events(run)).read()]
    events = [event for data in stored for event in codec.decode(data, Entry).events]
    tasks = [event.sub_task for event in events if isinstance(event, SubTaskDispatched)]
    requests = [event.request for event in events if isinstance(event, RunOpened)]
    journals = [await Log(bus, "JOURNAL", bus.names.journal(task.id)).read() for task in tasks[:10]]
    lines = await Log(bus, "LOGS", bus.names.log(run, "orchestrator")).read()
    return Sizes(
        request=_mean([codec.encode(request) for request in requests]),
        entry=_mean(stored),
        task=_mean([codec.encode(task) for task in tasks]),
        taken=_mean([journal[0].data for journal in journals]),
        finished=_mean([journal[-1].data for journal in journals]),
        line=_mean([line.data for line in lines]),
        snapshot=len(snapshot.data or b""),
        row=len(row.data or b""),
    )


def _mean(messages: list[bytes]) -> int:
    return round(statistics.mean(len(message) for message in messages))
