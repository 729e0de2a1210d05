"""Fleets of real processes for benches, what they stored and when, and processes that burn processor time."""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from nats.errors import TimeoutError as NatsTimeout

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

from controlled_page import controlled_page
from fleet import Fleet
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.testing import connected, provisioned_server
from muster_protocol.logs import WorkerRow

__all__ = [
    "Fleet",
    "Seen",
    "burners",
    "controlled_page",
    "eventually",
    "fleet",
    "pid_of",
    "quantile",
    "resident",
    "seen",
]
BURN = "while True: pass"


class Seen(NamedTuple):
    """A stored message, and when the server stored it (Unix seconds)."""

    subject: str
    data: bytes
    at: float


@asynccontextmanager
async def fleet(ack_wait: float, *, max_runs: int = 256, **environment: str) -> AsyncGenerator[Fleet]:
    """Run a private nats-server, and whatever is started on it, until left."""
    with tempfile.TemporaryDirectory(prefix="muster-bench-") as folder:
        shape = {"ack_wait_seconds": ack_wait, "max_runs": max_runs}
        async with provisioned_server(None, **shape) as server, connected(server, **shape) as bus:
            settings = {
                "NATS_URL": server.url,
                "ACK_WAIT_SECONDS": str(ack_wait),
                "MAX_RUNS": str(max_runs),
                "LOG_LEVEL": "error",
                "SHUTDOWN_SECONDS": "1",
                "SESSION_DRAIN_SECONDS": "0",
            }
            made = Fleet(server, bus, Path(folder), {**os.environ, **settings, **environment}, forked=False)
            try:
                yield made
            finally:
                await made.stop()


async def seen(bus: Bus, stream: str, subject: str) -> list[Seen]:
    """Return all messages of a subject (wildcards allowed) that are stored now, oldest first."""
    reading = await bus.js.subscribe(subject, stream=bus.names.stream(stream), ordered_consumer=True)
    found: list[Seen] = []
    try:
        info = await reading.consumer_info()
        left = (info.num_pending or 0) + (info.delivered.consumer_seq if info.delivered else 0)
        while left:
            message = await reading.next_msg(timeout=10)
            found.append(Seen(message.subject, message.data, message.metadata.timestamp.timestamp()))
            left = message.metadata.num_pending
    except NatsTimeout as error:
        raise TimeoutError(f"{subject} cannot be read to its end") from error
    finally:
        await reading.unsubscribe()
    return found


async def pid_of(bus: Bus, id: str) -> int:
    """Return the process of a worker, orchestrator or session host by its id."""

    async def look() -> int | None:
        row = await Rows(bus, "WORKERS", WorkerRow).get(id)
        return row.pid if row else None

    return await eventually(look, f"{id} is among the living")


@asynccontextmanager
async def burners(count: int) -> AsyncGenerator[None]:
    """Keep so many processors busy until left."""
    burning: list[Process] = []
    try:
        for _ in range(count):
            burning.append(await asyncio.create_subprocess_exec(sys.executable, "-c", BURN))
        yield
    finally:
        for process in burning:
            process.kill()
            await process.wait()


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def quantile(values: list[float], share: float) -> float:
    """Return the value that such a share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
