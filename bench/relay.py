"""How fast one gateway process tells log lines to many WebSocket clients, beside what it is made of.

Two floors in the same run: a bare nats-py subscriber that hears the same lines and does nothing with them, and the
gateway's WebSocket server writing the same frames to as many clients, with no NATS before it. One after the other in
one process is what the relay has to be, so in series they allow `1 / (1 / heard + 1 / written)` lines a second.

Clients are in a process of their own, and so is the publisher, which has at most `--window` lines on their way. As
they share the machine's processors with what is measured, the share is also told by processor time: what the floors
spend on a line, divided by what the gateway spends on it.

Latency is measured at half the relay's rate, from before a line is stored until the client has it, and of both floors
at the same rate of lines: of the bare subscriber in the same way; of the bare server with frames of as many lines as
the relay's then have, from the making of a frame until the client has it. What both need (the second is the writing to
all clients, and their reading on the same processors) is taken off what the relay adds.
"""

import argparse
import asyncio
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from fleets import Fleet, fleet, resident
from relay_figures import Level, Pen, Report, Stall, misses, table
from relay_parts import Answer, Ask

from muster_protocol import codec

TICKS = os.sysconf("SC_CLK_TCK")
SETTLE_SECONDS = 0.5
"""Without a line for so long, nothing is on its way any more."""
MORE = {"MAX_CONNECTIONS": "20000", "MAX_PEER_CONNECTIONS": "20000"}
"""All clients come from one address."""


class Waits(NamedTuple):
    """Lines that come steadily."""

    p99: float
    """Milliseconds that they are on their way."""
    frame_lines: float
    """In one frame; 0 where there are no frames."""


class Part:
    """One of the processes of `relay_parts.py`."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.ready = Answer()

    async def ask(self, ask: Ask | None = None, patience: float = 90.0) -> Answer:
        """Have it do something, and return what came of it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if ask is not None:
            self.process.stdin.write(codec.encode(ask) + b"\n")
        async with asyncio.timeout(patience):
            line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError("a part of the bench ended")
        return codec.decode(line, Answer)


@asynccontextmanager
async def part(*arguments: str) -> AsyncGenerator[Part]:
    """Run a part until left."""
    file = str(Path(__file__).with_name("relay_parts.py"))
    process = await asyncio.create_subprocess_exec(*(sys.executable, file, *arguments), stdin=PIPE, stdout=PIPE)
    made = Part(process)
    try:
        made.ready = await made.ask()
        yield made
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Clock:
    """Wall time and processor time of a process since it was made."""

    def __init__(self, pid: int) -> None:
        self._pid, self._wall, self._cpu = pid, time.monotonic(), _cpu(pid)

    def read(self) -> tuple[float, float]:
        """Return seconds of both."""
        return time.monotonic() - self._wall, _cpu(self._pid) - self._cpu


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def rate(publisher: Part, taker: Part, pid: int, window: int, seconds: float) -> tuple[float, float]:
    """Return lines a second that the slowest client takes, and processor seconds of the process on each."""
    await publisher.ask(Ask(window=window, seconds=min(1.0, seconds)))
    before, clock = await taker.ask(Ask()), Clock(pid)
    await publisher.ask(Ask(window=window, seconds=seconds))
    after, (wall, cpu) = await taker.ask(Ask()), clock.read()
    lines = max(1, after.lines - before.lines)
    return lines / wall, cpu / lines


async def waits(source: Part, taker: Part, ask: Ask, clients: int = 1) -> Waits:
    """Return how it is with lines at the rate that is asked for, once nothing of what came before is on its way."""
    before = await settled(taker)
    await source.ask(ask)
    after = await taker.ask(Ask())
    return Waits(after.p99, frame_lines(before, after, clients))


async def settled(taker: Part) -> Answer:
    """Return what it has taken once no more comes; its waits count from there on, so they hold none of a full rate."""
    before = await taker.ask(Ask())
    async with asyncio.timeout(60):
        while True:
            await asyncio.sleep(SETTLE_SECONDS)
            if (now := await taker.ask(Ask())).lines == before.lines:
                return now
            before = now


def frame_lines(before: Answer, after: Answer, clients: int) -> float:
    """Return lines in one of the frames that so many clients took meanwhile; 0 if they took none. Pure."""
    frames = (after.frames - before.frames) / clients
    return (after.lines - before.lines) / frames if frames else 0.0


async def relayed(group: Fleet, clients: int, window: int, seconds: float) -> tuple[float, float, float, int, Waits]:
    """Return rate, processor seconds a line, lines a frame, lines missed, and how it is at half the rate."""
    url = group.server.url
    async with (
        gateway(group) as (pid, port),
        part("publish", url) as publisher,
        part("watch", url, str(port), str(clients), "0", "/logs") as watching,
    ):
        before = await watching.ask(Ask())
        lines, cpu = await rate(publisher, watching, pid, window, seconds)
        after = await watching.ask(Ask())
        half = await waits(publisher, watching, Ask(rate=lines / 2, window=10**9, seconds=seconds), clients)
        missed = (await watching.ask(Ask())).missed
        return lines, cpu, frame_lines(before, after, clients), missed, half


async def heard(group: Fleet, window: int, seconds: float, half: float) -> tuple[float, float, float]:
    """Return rate and processor seconds a line of the bare subscriber, and its p99 at a rate."""
    async with part("publish", group.server.url) as publisher, part("hear", group.server.url) as hearing:
        lines, cpu = await rate(publisher, hearing, hearing.process.pid, window, seconds)
        return lines, cpu, (await waits(publisher, hearing, Ask(rate=half, window=10**9, seconds=seconds))).p99


@asynccontextmanager
async def writing(group: Fleet, clients: int, server: str) -> AsyncGenerator[tuple[Part, Part]]:
    """Run the bare WebSocket server with so many clients; return both."""
    async with (
        part("serve", server) as serving,
        part("watch", group.server.url, str(serving.ready.port), str(clients), "0", "/") as watching,
    ):
        yield serving, watching


async def written(group: Fleet, clients: int, lines: float, seconds: float, server: str) -> tuple[float, float]:
    """Return lines a second that the bare server writes to each client, so many a frame, and processor seconds each."""
    async with writing(group, clients, server) as (serving, _):
        ask = Ask(lines=max(1, round(lines)), seconds=seconds)
        await serving.ask(msgspec.structs.replace(ask, seconds=0.5))
        clock = Clock(serving.process.pid)
        sent = await serving.ask(ask)
        _, cpu = clock.read()
        each = sent.lines / clients
        return each / sent.seconds, cpu / max(1, each)


async def paced(group: Fleet, clients: int, ask: Ask, server: str) -> float:
    """Return milliseconds (p99) that frames are on their way from the bare server, which makes them at a rate."""
    async with writing(group, clients, server) as (serving, watching):
        await serving.ask(msgspec.structs.replace(ask, seconds=0.5))
        return (await waits(serving, watching, ask, clients)).p99


@asynccontextmanager
async def gateway(group: Fleet) -> AsyncGenerator[tuple[int, int]]:
    """Run a gateway; return its process and port."""
    file = group.folder / f"port-{time.monotonic_ns()}"
    process = await group.start("gateway", HTTP_PORT="0", PORT_FILE=str(file), **MORE)
    try:
        yield process.pid, int(file.read_text())
    finally:
        process.terminate()
        await process.wait()


async def level(clients: int, window: int, seconds: float, server: str) -> Level:
    """Return the relay and its floors with so many clients, one after the other."""
    async with fleet(15.0) as group:
        lines, cpu, whole_lines, missed, half = await relayed(group, clients, window, seconds)
        ear, ear_cpu, ear_p99 = await heard(group, window, seconds, lines / 2)
        pen, pen_cpu = await written(group, clients, whole_lines, seconds, server)
        steady = Ask(rate=lines / 2, lines=max(1, round(half.frame_lines)), seconds=seconds)
        pen_p99 = await paced(group, clients, steady, server)
    micro = 1_000_000
    return Level(
        clients=clients,
        heard=ear,
        written=pen,
        relayed=lines,
        heard_cpu=ear_cpu * micro,
        written_cpu=pen_cpu * micro,
        relayed_cpu=cpu * micro,
        frame_lines=whole_lines,
        missed=missed,
        half_lines=half.frame_lines,
        p99=half.p99,
        heard_p99=ear_p99,
        written_p99=pen_p99,
    )


async def stall(lines: int, rate: float) -> Stall:
    """Return what clients that read nothing cost the gateway, while another one reads."""
    async with fleet(15.0) as group, gateway(group) as (pid, port):
        url = group.server.url
        async with part("publish", url) as publisher, part("watch", url, str(port), "1", "5", "/logs"):
            await publisher.ask(Ask(rate=rate, window=10**9, seconds=3.0))
            sizes = [resident(pid) / 2**20]
            for _ in range(2):
                await publisher.ask(Ask(rate=rate, window=10**9, seconds=lines / rate / 2))
                sizes.append(resident(pid) / 2**20)
    return Stall(lines, *sizes)


async def pen(server: str, clients: int, seconds: float) -> Pen:
    """Return what a WebSocket implementation costs."""
    async with fleet(15.0) as group:
        costs = [(await written(group, clients, lines, seconds, server))[1] * lines for lines in (1, 50)]
    return Pen(server, *(cost / clients * 1_000_000 for cost in costs))


async def work(asked: argparse.Namespace) -> Report:
    """Measure everything."""
    busy = os.getloadavg()[0]
    levels = [await level(clients, asked.window, asked.seconds, asked.server) for clients in asked.clients]
    pens = [await pen(server, 100, asked.seconds) for server in asked.servers]
    return Report(pens, levels, await stall(asked.stalled, 4000.0) if asked.stalled else None, busy)


def main() -> None:
    """Print the table, or JSON; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 10, 100, 500])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--window", type=int, default=1000, help="lines that may be on their way")
    parser.add_argument("--stalled", type=int, default=60_000, help="lines while clients are stalled; 0: leave it out")
    parser.add_argument(
        "--server", default="muster", help="of the floor that writes: muster, or what uvicorn calls --ws"
    )
    parser.add_argument("--servers", nargs="*", default=[], help="compare these, each as --server, with 100 clients")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    report = asyncio.run(work(asked))
    print(msgspec.json.encode(report).decode() if asked.json else table(report))
    if misses(report):
        sys.exit(1)


if __name__ == "__main__":
    main()
