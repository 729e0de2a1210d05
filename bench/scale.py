"""How an orchestrator bears many runs, and how a fleet grows.

First one orchestrator and one worker with 10, 100 and 1,000 runs in flight (`noop` drills), all at the same offered
rate: sub-tasks wait as long as it takes for all runs together to give so many outcomes a second. So what is measured is
what being many costs, not a queue that builds up. All runs have plans of the same length. Latency is from a sub-task's
`Finished` stored in its journal to the next one's message stored in `TASKS`, both by the server's clock. Goal: its
median with the most runs is at most 1.5 times that with the fewest.

Then 1, 2 and 4 orchestrators with as many workers: how long a sub-task in the queue waits until a worker has taken it
(stored in `TASKS` to `Taken` stored), with sub-tasks that wait and with ones that use a processor.
"""

import argparse
import asyncio
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from fleets import Fleet, Seen, fleet, quantile, resident, seen
from waiting import eventually

from muster_bus import Bus
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.journal import Finished, JournalBatch, Taken
from muster_protocol.requests import Drill, RunRequest

GOAL = 1.5
"""The median latency with the most runs is at most so many times that with the fewest."""
ACK_WAIT = 15.0
PATIENCE = 120.0


class Level(msgspec.Struct, frozen=True):
    """One orchestrator with so many runs; milliseconds, and kilobytes of its memory."""

    runs: int
    dispatches: int
    p50: float
    p99: float
    appends: float
    """To run logs and journals, a second."""
    memory: float
    """A run, beyond what the process held before the first one."""


class Spread(msgspec.Struct, frozen=True):
    """So many orchestrators and workers; milliseconds from being queued to being taken."""

    processes: int
    load: str
    sub_tasks: float
    """A second."""
    p50: float
    p99: float


class Report(msgspec.Struct, frozen=True):
    """Everything measured."""

    levels: list[Level]
    spreads: list[Spread]

    @property
    def ratio(self) -> float:
        """Median latency with the most runs as a multiple of that with the fewest."""
        return self.levels[-1].p50 / self.levels[0].p50 if self.levels else 0.0


class Step(NamedTuple):
    """One thing a journal says of a run, and when it was stored."""

    at: float
    entry: object


def steps_by_run(journals: Iterable[Seen]) -> dict[str, list[Step]]:
    """Return what the journals say, run by run, in the order in which it was stored. Pure."""
    found: dict[str, list[Step]] = defaultdict(list)
    for message in journals:
        run = message.subject.split(".")[2]
        found[run] += [Step(message.at, entry) for entry in codec.decode(message.data, JournalBatch).entries]
    return found


def dispatch_seconds(steps: list[Step], since: float) -> list[float]:
    """Return the seconds from each outcome of a chain to the next sub-task being queued. Pure."""
    found: list[float] = []
    ended = 0.0
    for step in steps:
        match step.entry:
            case Finished():
                ended = step.at
            case Taken(at=queued) if ended > since:
                found.append(queued - ended)
            case _:
                pass
    return found


def start_seconds(steps: list[Step], since: float) -> list[float]:
    """Return the seconds from each sub-task's being queued to its being taken. Pure."""
    return [step.at - step.entry.at for step in steps if isinstance(step.entry, Taken) and step.entry.at > since]


async def begin(bus: Bus, runs: int, drill: Drill, rate: float) -> None:
    """Submit drills at a steady rate, and return when all are under way."""
    begun = time.monotonic()
    for number in range(runs):
        await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
        await submit(bus, RunRequest(job=drill))

    async def under_way() -> bool:
        info = await bus.js.consumer_info("REQUESTS", "runs")
        return info.num_ack_pending == runs

    await eventually(under_way, f"{runs} runs are in flight", PATIENCE)


async def appended(bus: Bus) -> int:
    """Return how many messages run logs and journals have ever held."""
    return sum([(await bus.js.stream_info(name)).state.last_seq for name in ("RUNS", "JOURNAL")])


def chain_length(runs: list[int], rate: float, seconds: float) -> int:
    """Return how long the drills must be to last through beginning and measuring, however few they are."""
    return min(10_000, math.ceil(rate / min(runs) * (max(runs) / rate + seconds + 10)))


async def level(runs: int, chain: int, rate: float, seconds: float) -> Level:
    """Return what so many runs cost one orchestrator at a rate of outcomes a second."""
    room = str(runs + 10)
    drill = Drill(count=chain, wait_seconds=runs / rate)
    async with fleet(ACK_WAIT, max_runs=runs + 10, ORCHESTRATOR_RUNS=room, THINK_SLOTS=room) as group:
        driver = await group.start("orchestrator")
        await group.start("subagent")
        idle = resident(driver.pid)
        await begin(group.bus, runs, drill, rate)
        since, before = time.time(), await appended(group.bus)
        await asyncio.sleep(seconds)
        appends = (await appended(group.bus) - before) / (time.time() - since)
        memory = (resident(driver.pid) - idle) / runs / 1024
        found = steps_by_run(await seen(group.bus, "JOURNAL", group.bus.names.journal("*.*.*")))
    waits = [each * 1e3 for steps in found.values() for each in dispatch_seconds(steps, since)]
    done = Level(runs, len(waits), quantile(waits, 0.5), quantile(waits, 0.99), appends, memory)
    print(f"{runs} runs: p50 {done.p50:.1f} ms, p99 {done.p99:.1f} ms", file=sys.stderr)
    return done


LOADS = {
    "waiting 50 ms": Drill(wait_seconds=0.05),
    "waiting 200 ms, 10 ms of processor": Drill(wait_seconds=0.2, cpu_seconds=0.01),
}


async def spread(processes: int, load: str, chains: int, seconds: float) -> Spread:
    """Return how long sub-tasks of many chains at once wait for a worker."""
    drill = LOADS[load]
    lasting = math.ceil((seconds + chains / 20.0 + 5) / drill.wait_seconds)
    async with fleet(ACK_WAIT) as group:
        await start(group, processes)
        await begin(group.bus, chains, msgspec.structs.replace(drill, count=lasting), rate=20.0)
        since = time.time()
        await asyncio.sleep(seconds)
        found = steps_by_run(await seen(group.bus, "JOURNAL", group.bus.names.journal("*.*.*")))
    waits = [each * 1e3 for steps in found.values() for each in start_seconds(steps, since)]
    return Spread(processes, load, len(waits) / seconds, quantile(waits, 0.5), quantile(waits, 0.99))


async def start(group: Fleet, processes: int) -> None:
    """Start so many orchestrators and workers."""
    for service in ("orchestrator", "subagent"):
        for _ in range(processes):
            await group.start(service)


def table(report: Report, rate: float) -> str:
    """Return the levels and the spreads, and how the goal stands."""
    columns = "{:<8}{:>12}{:>10}{:>10}{:>12}{:>12}"
    lines = [f"one orchestrator, {rate:g} outcomes a second; latency from an outcome to the next sub-task in the queue"]
    lines.append(columns.format("runs", "dispatches", "p50 ms", "p99 ms", "appends/s", "KiB a run"))
    for it in report.levels:
        told = (f"{it.p50:.1f}", f"{it.p99:.1f}", f"{it.appends:.0f}", f"{it.memory:.0f}")
        lines.append(columns.format(it.runs, it.dispatches, *told))
    if report.levels:
        most, fewest = report.levels[-1].runs, report.levels[0].runs
        lines.append(f"p50 with {most} runs / p50 with {fewest}: {report.ratio:.2f}   goal: at most {GOAL}")
    lines += ["", "{:<36}{:>10}{:>8}{:>10}{:>10}".format("sub-tasks", "of each", "per s", "p50 ms", "p99 ms")]
    for it in report.spreads:
        lines.append(f"{it.load:<36}{it.processes:>10}{it.sub_tasks:>8.0f}{it.p50:>10.1f}{it.p99:>10.1f}")
    return "\n".join(lines)


async def work(asked: argparse.Namespace) -> Report:
    """Measure what is asked for."""
    runs: list[int] = sorted(asked.runs)
    chain = chain_length(runs, asked.rate, asked.seconds) if runs else 0
    levels = [await level(count, chain, asked.rate, asked.seconds) for count in runs]
    wanted = [(load, count) for load in LOADS for count in asked.processes]
    spreads = [await spread(count, load, asked.chains, asked.seconds) for load, count in wanted]
    return Report(levels, spreads)


def main() -> None:
    """Print the table, or JSON; exit 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="*", default=[10, 100, 1000], help="runs in flight")
    parser.add_argument("--rate", type=float, default=50.0, help="outcomes a second, all runs together")
    parser.add_argument("--seconds", type=float, default=20.0, help="of measuring, each time")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2, 4], help="orchestrators, and workers")
    parser.add_argument("--chains", type=int, default=16, help="runs at once while schedule to start is measured")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    report = asyncio.run(work(asked))
    print(msgspec.json.encode(report).decode() if asked.json else table(report, asked.rate))
    if report.ratio > GOAL:
        sys.exit(1)


if __name__ == "__main__":
    main()
