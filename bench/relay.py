"""How fast one gateway process tells log lines to many WebSocket clients, beside what it is made of.

Two floors in the same run: a bare nats-py subscriber that hears the same lines and does nothing with them, and the
gateway's WebSocket server writing the same frames to as many clients, with no NATS before it. One after the other in
one process is what the relay has to be, so in series they allow `1 / (1 / heard + 1 / written)` lines a second.

Clients are in a process of their own, and so is the publisher, which has at most `--window` lines on their way. As
they share the machine's processors with what is measured, the share is also told by processor time: what the floors
spend on a line, divided by what the gateway spends on it. Latency is measured at half the relay's rate, from before a
line is stored until the client has it, less what the bare subscriber needs.
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

import msgspec
from fleets import Fleet, fleet, resident
from relay_parts import Answer, Ask

from muster_protocol import codec

SHARE_GOAL, LINES_GOAL, LATENCY_GOAL = 0.7, 30_000, 50.0
"""Of what the floors allow; lines a second to 100 clients together; milliseconds that the relay adds at p99."""
TICKS = os.sysconf("SC_CLK_TCK")
MORE = {"MAX_CONNECTIONS": "20000", "MAX_PEER_CONNECTIONS": "20000"}
"""All clients come from one address."""


class Level(msgspec.Struct, frozen=True):
    """So many clients; lines a second that each of them got, and processor microseconds of one line to all of them."""

    clients: int
    heard: float
    written: float
    relayed: float
    heard_cpu: float
    written_cpu: float
    relayed_cpu: float
    frame_lines: float
    """In one of the relay's frames."""
    missed: int
    p99: float
    """Milliseconds at half the rate; of the bare subscriber at the same rate `heard_p99`."""
    heard_p99: float

    @property
    def share(self) -> float:
        """Of what the floors in series allow, by the clock."""
        return self.relayed * (1 / self.heard + 1 / self.written)

    @property
    def share_cpu(self) -> float:
        """The same by processor time."""
        return (self.heard_cpu + self.written_cpu) / self.relayed_cpu

    @property
    def added(self) -> float:
        """Milliseconds that the relay adds at p99."""
        return self.p99 - self.heard_p99


class Stall(msgspec.Struct, frozen=True):
    """The gateway's memory (MiB) with clients that read nothing: before, and after half and all of the lines."""

    lines: int
    before: float
    half: float
    after: float


class Pen(msgspec.Struct, frozen=True):
    """What a WebSocket implementation costs with no NATS before it: processor microseconds of a frame to a client."""

    server: str
    short: float
    """Of one line."""
    long: float
    """Of 50 lines."""


class Report(msgspec.Struct, frozen=True):
    """Everything measured."""

    pens: list[Pen]
    levels: list[Level]
    stall: Stall | None
    busy: float
    """Processes that were ready to run before it began: how busy the machine was without it."""


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


async def waits(publisher: Part, taker: Part, lines: float, seconds: float) -> float:
    """Return milliseconds (p99) that lines at so many a second are on their way."""
    await taker.ask(Ask())
    await publisher.ask(Ask(rate=lines, window=10**9, seconds=seconds))
    return (await taker.ask(Ask())).p99


async def relayed(group: Fleet, clients: int, window: int, seconds: float) -> tuple[float, float, float, int, float]:
    """Return rate, processor seconds a line, lines a frame, lines missed, and p99 at half the rate."""
    url = group.server.url
    async with (
        gateway(group) as (pid, port),
        part("publish", url) as publisher,
        part("watch", url, str(port), str(clients), "0", "/logs") as watching,
    ):
        before = await watching.ask(Ask())
        lines, cpu = await rate(publisher, watching, pid, window, seconds)
        after = await watching.ask(Ask())
        frames = max(1, after.frames - before.frames) / clients
        p99 = await waits(publisher, watching, lines / 2, seconds)
        missed = (await watching.ask(Ask())).missed
        return lines, cpu, (after.lines - before.lines) / frames, missed, p99


async def heard(group: Fleet, window: int, seconds: float, half: float) -> tuple[float, float, float]:
    """Return rate and processor seconds a line of the bare subscriber, and its p99 at a rate."""
    async with part("publish", group.server.url) as publisher, part("hear", group.server.url) as hearing:
        lines, cpu = await rate(publisher, hearing, hearing.process.pid, window, seconds)
        return lines, cpu, await waits(publisher, hearing, half, seconds)


async def written(group: Fleet, clients: int, frame_lines: float, seconds: float, server: str) -> tuple[float, float]:
    """Return lines a second that each client of the bare WebSocket server gets, and processor seconds a line to all."""
    url = group.server.url
    async with (
        part("serve", server) as serving,
        part("watch", url, str(serving.ready.port), str(clients), "0", "/"),
    ):
        ask = Ask(lines=max(1, round(frame_lines)), seconds=seconds)
        await serving.ask(msgspec.structs.replace(ask, seconds=0.5))
        clock = Clock(serving.process.pid)
        sent = await serving.ask(ask)
        _, cpu = clock.read()
        lines = sent.lines / clients
        return lines / sent.seconds, cpu / max(1, lines)


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
        lines, cpu, frame_lines, missed, p99 = await relayed(group, clients, window, seconds)
        ear, ear_cpu, ear_p99 = await heard(group, window, seconds, lines / 2)
        pen, pen_cpu = await written(group, clients, frame_lines, seconds, server)
    micro = 1_000_000
    return Level(
        clients=clients,
        heard=ear,
        written=pen,
        relayed=lines,
        heard_cpu=ear_cpu * micro,
        written_cpu=pen_cpu * micro,
        relayed_cpu=cpu * micro,
        frame_lines=frame_lines,
        missed=missed,
        p99=p99,
        heard_p99=ear_p99,
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


def misses(report: Report) -> list[str]:
    """Return the goals that were missed. Pure."""
    found: list[str] = []
    for one in report.levels:
        if one.share_cpu < SHARE_GOAL:
            found.append(f"{one.clients} clients: {one.share_cpu:.2f} of what the floors allow")
        if one.added > LATENCY_GOAL:
            found.append(f"{one.clients} clients: {one.added:.0f} ms added at p99")
        if one.clients == 100 and one.relayed * 100 < LINES_GOAL:
            found.append(f"{one.relayed * 100:.0f} lines a second to 100 clients")
    if report.stall and report.stall.after > report.stall.half * 1.05 + 1:
        found.append(f"memory grew from {report.stall.half:.0f} to {report.stall.after:.0f} MiB beside stalled clients")
    return found


def table(report: Report) -> str:
    """Return the figures for people. Pure."""
    head = "clients   heard/s  written/s  relayed/s   in all/s   us heard  us written  us relayed   by cpu  by clock"
    rows = [f"load before: {report.busy:.1f}", f"{head}   lines/frame  p99 ms  added ms  missed"]
    rows += [
        f"{one.clients:7} {one.heard:9.0f} {one.written:10.0f} {one.relayed:10.0f} {one.relayed * one.clients:10.0f} "
        f"{one.heard_cpu:10.1f} {one.written_cpu:11.1f} {one.relayed_cpu:11.1f} {one.share_cpu:8.2f} {one.share:9.2f} "
        f"{one.frame_lines:13.1f} {one.p99:7.1f} {one.added:9.1f} {one.missed:7}"
        for one in report.levels
    ]
    rows += [f"{one.server}: {one.short:.1f} us a frame of one line, {one.long:.1f} of 50" for one in report.pens]
    if report.stall:
        one = report.stall
        sizes = f"{one.before:.0f}, {one.half:.0f}, {one.after:.0f} MiB"
        rows.append(f"memory beside 5 stalled clients, before, half-way and after {one.lines} lines: {sizes}")
    return "\n".join(rows + [f"missed: {goal}" for goal in misses(report)])


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
