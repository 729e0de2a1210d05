"""What starting workers brings while a backlog waits, and what stopping them costs.

Many drills are in flight, so that more sub-tasks wait than there are slots. One worker is there, then 2, then 4; each
time it is measured how many sub-tasks a second are done and how long one waits from being queued to being taken. Then
three of the four are stopped (SIGTERM, so they drain) while the backlog still waits, and the last one finishes it: no
run may fail, and no sub-task should be begun twice.

Once with sub-tasks that wait, as most do (for browsers, for models), and once with ones that use a processor, which
cannot go faster than there are processors. Goal: with ones that wait, four workers do at least 0.9 times four times
what one does, and no run fails in either case.
"""

import argparse
import asyncio
import math
import os
import sys
import time
from collections import Counter
from typing import NamedTuple

import msgspec
from contenders import machine_seconds, processor_seconds
from fleets import Fleet, fleet, quantile, seen
from scale import Step, begin, steps_by_run
from waiting import eventually

from muster_bus import Bus
from muster_bus.run_store import find_verdict, read_entries
from muster_protocol.journal import Finished, Taken
from muster_protocol.requests import Drill

GOAL = 0.9
ACK_WAIT = 15.0
STEPS = (1, 2, 4)
"""Workers."""
SLOTS = 4
"""Of each worker."""
RUNS = 48
"""In flight at once; three times the slots of four workers, so that there always is a backlog."""
STARTING = 9.0
"""Seconds that a worker may take to start on a busy machine; the work has to last as long."""
SETTLING = 2.0
"""Seconds after a change that are not measured."""
PATIENCE = 300.0

LOADS = {"waiting 250 ms": Drill(wait_seconds=0.25), "30 ms of processor": Drill(cpu_seconds=0.03)}


class Window(NamedTuple):
    """A stretch of time with a number of workers; Unix seconds."""

    workers: int
    began: float
    ended: float


class Level(msgspec.Struct, frozen=True):
    """What a number of workers did; milliseconds from being queued to being taken."""

    workers: int
    rate: float
    """Sub-tasks a second."""
    efficiency: float
    """Share of so many times what one worker does."""
    p50: float
    p99: float
    first: float
    """Seconds from starting the newest worker's process to the first sub-task it takes."""


class Outcome(msgspec.Struct, frozen=True):
    """One load: how it grew, and how it shrank."""

    load: str
    levels: list[Level]
    draining: float
    """Seconds until three workers had stopped, each after what it had in hand."""
    runs: int
    failed: int
    repeated: int
    """Sub-tasks that were begun more than once."""
    others: float
    """Share of the machine that other processes used meanwhile."""

    @property
    def met(self) -> bool:
        """Whether the goal is met, as far as it is one for this load."""
        grown = self.levels[-1].efficiency >= GOAL or not self.load.startswith("waiting")
        return grown and not self.failed


def done_in(steps: list[Step], window: Window) -> int:
    """Return how many sub-tasks were finished within a stretch of time. Pure."""
    return sum(isinstance(step.entry, Finished) and window.began <= step.at < window.ended for step in steps)


def waits_in(steps: list[Step], window: Window) -> list[float]:
    """Return the milliseconds that the sub-tasks taken within a stretch of time had waited. Pure."""
    taken = ((step.at, step.entry.at) for step in steps if isinstance(step.entry, Taken))
    return [(at - queued) * 1e3 for at, queued in taken if window.began <= at < window.ended]


def level(steps: list[Step], window: Window, alone: float, first: float) -> Level:
    """Return what was done in a stretch of time; `alone` is one worker's rate, 0 for its own stretch. Pure."""
    rate, waits = done_in(steps, window) / (window.ended - window.began), waits_in(steps, window)
    efficiency = rate / (alone * window.workers) if alone else 1.0
    return Level(window.workers, rate, efficiency, quantile(waits, 0.5), quantile(waits, 0.99), first)


class Clock:
    """What the processors do meanwhile: ours, and others'."""

    def __init__(self, group: Fleet) -> None:
        self._group = group
        self._wall, self._machine = time.perf_counter(), machine_seconds()
        self._ended = 0.0

    def note_end(self, pid: int) -> None:
        """Take note of what a process has used that is about to end."""
        self._ended += processor_seconds(pid)

    def others(self) -> float:
        """Return the share of the machine that other processes used since the beginning."""
        pids = [self._group.server.pid, *(one.pid for one in self._group.running)]
        ours = sum(map(processor_seconds, pids)) + time.process_time() + self._ended
        room = (time.perf_counter() - self._wall) * (os.cpu_count() or 1)
        return max(0.0, (machine_seconds() - self._machine - ours) / room)


async def measured(load: str, seconds: float, orchestrators: int) -> Outcome:
    """Grow a fleet from one worker to four under a load, shrink it to one, and return what came of it."""
    drill = LOADS[load]
    async with fleet(ACK_WAIT, THINK_SLOTS=str(SLOTS), SHUTDOWN_SECONDS="20") as group:
        clock = Clock(group)
        for _ in range(orchestrators):
            await group.start("orchestrator")
        chain = math.ceil(expected(drill, seconds + SETTLING) / RUNS)
        await begin(group.bus, RUNS, msgspec.structs.replace(drill, count=chain), rate=50.0)
        windows, started = await grown(group, seconds)
        draining = await drained(group, clock)
        failed = await not_passed(group.bus)
        others = clock.others()
        found = steps_by_run(await seen(group.bus, "JOURNAL", group.bus.names.journal("*.*.*")))
    steps = [step for run in found.values() for step in run]
    alone = done_in(steps, windows[0]) / seconds
    firsts = [first_taken(steps, at, known) for at, known in started]
    levels = [level(steps, w, alone if n else 0.0, firsts[n]) for n, w in enumerate(windows)]
    begun = sum(isinstance(step.entry, Taken) for step in steps)
    ended = sum(isinstance(step.entry, Finished) for step in steps)
    print(f"{load}: {levels[-1].efficiency:.2f} with {levels[-1].workers}, {failed} failed", file=sys.stderr)
    return Outcome(load, levels, draining, RUNS, failed, begun - ended, others)


def expected(drill: Drill, seconds: float) -> float:
    """Return about how many sub-tasks are done in all, so that the drills last as long as is measured. Pure."""
    measuring, starting = sum(STEPS) * seconds, sum(range(STEPS[-1])) * STARTING
    if drill.wait_seconds:
        return SLOTS / drill.wait_seconds * (measuring + starting)
    return (os.cpu_count() or 1) * 0.5 / drill.cpu_seconds * len(STEPS) * (seconds + STARTING)


async def grown(group: Fleet, seconds: float) -> tuple[list[Window], list[tuple[float, frozenset[str]]]]:
    """Start workers until there are 1, 2, 4; return the stretches measured, and when the newest of each was started."""
    windows: list[Window] = []
    started: list[tuple[float, frozenset[str]]] = []
    for wanted in STEPS:
        known = frozenset(await workers(group))
        started.append((time.time(), known))
        while len(group.of("subagent")) < wanted:
            await group.start("subagent")
        await asyncio.sleep(SETTLING)
        began = time.time()
        await asyncio.sleep(seconds)
        windows.append(Window(wanted, began, time.time()))
        left = (await group.bus.js.stream_info(group.bus.names.stream("REQUESTS"))).state.messages
        assert left == RUNS, f"only {left} of {RUNS} drills are left: starting took too long, measure again"
    return windows, started


async def workers(group: Fleet) -> list[str]:
    """Return the ids of the workers that have told the fleet that they are there."""
    return [row.id for row in await group.rows() if row.service == "subagent"]


def first_taken(steps: list[Step], started: float, known: frozenset[str]) -> float:
    """Return the seconds from a moment to the first sub-task taken by a worker that was not there before. Pure."""
    taken = [s.at for s in steps if isinstance(s.entry, Taken) and s.at >= started and s.entry.worker not in known]
    return min(taken, default=math.nan) - started


async def drained(group: Fleet, clock: Clock) -> float:
    """Stop all workers but one, and return the seconds until they have ended."""
    began = time.monotonic()
    going = group.of("subagent")[1:]
    for process in going:
        clock.note_end(process.pid)
        process.terminate()
    codes = await asyncio.gather(*(asyncio.wait_for(process.wait(), 60) for process in going))
    assert codes == [0] * len(going), f"workers ended with {codes}"
    return time.monotonic() - began


async def not_passed(bus: Bus) -> int:
    """Wait until no run is queued or under way, and return how many have not passed."""

    async def over() -> bool:
        return (await bus.js.stream_info(bus.names.stream("REQUESTS"))).state.messages == 0

    await eventually(over, "all runs have ended", PATIENCE)
    info = await bus.js.stream_info(bus.names.stream("RUNS"), bus.names.events("*"))
    runs = [subject.split(".")[2] for subject in info.state.subjects or ()]
    verdicts = [find_verdict(await read_entries(bus, run)) for run in runs]
    return RUNS - Counter(verdict.status for verdict in verdicts if verdict)["pass"]


def table(outcomes: list[Outcome]) -> str:
    """Return what was measured, and how the goals stand."""
    columns = "{:<20}{:>9}{:>9}{:>12}{:>10}{:>10}{:>14}"
    lines = [f"{RUNS} drills in flight, {SLOTS} slots a worker"]
    lines.append(columns.format("sub-tasks", "workers", "per s", "efficiency", "p50 ms", "p99 ms", "first after s"))
    for outcome in outcomes:
        for it in outcome.levels:
            told = (f"{it.rate:.1f}", f"{it.efficiency:.2f}", f"{it.p50:.0f}", f"{it.p99:.0f}", f"{it.first:.1f}")
            lines.append(columns.format(outcome.load, it.workers, *told))
    for it in outcomes:
        lines.append(
            f"{it.load}: 4 to 1 drained in {it.draining:.1f} s; of {it.runs} runs {it.failed} failed,"
            f" {it.repeated} sub-tasks begun anew; others used {it.others:.0%} of the machine"
        )
    lines.append(f"goals: efficiency of four at least {GOAL} where sub-tasks wait; no run fails")
    return "\n".join(lines)


async def work(asked: argparse.Namespace) -> list[Outcome]:
    """Measure what is asked for."""
    wanted = [load for load in LOADS if asked.only in load]
    return [await measured(load, asked.seconds, asked.orchestrators) for load in wanted]


def main() -> None:
    """Print the table, or JSON; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=12.0, help="of measuring with each number of workers")
    parser.add_argument("--orchestrators", type=int, default=1)
    parser.add_argument("--only", default="", help="loads with this in their names")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    outcomes = asyncio.run(work(asked))
    print(msgspec.json.encode(outcomes).decode() if asked.json else table(outcomes))
    if not all(outcome.met for outcome in outcomes):
        sys.exit(1)


if __name__ == "__main__":
    main()
