"""What a `kill -9` costs: from the kill to the run's next stored event, beside the floor that the claim sets.

Each victim on a fleet of its own, with a spare of its kind. A holder that is gone is missed when its claim runs out:
`ack_wait` after it last said that it works, which it does each third of that. The runs are drills, and for the session
host a case in a real browser. Then false takeovers: all processors are kept busy by others, nobody is killed, and
nobody may be replaced. Times are the server's own of when it stored what. Exits 1 if a goal is missed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median
from typing import NamedTuple

import msgspec
import structlog
from fleets import Fleet, Seen, burners, controlled_page, fleet, pid_of, seen
from fork_server import Process
from waiting import eventually

from muster_bus.artifact_store import get_artifact
from muster_bus.store_answers import BUS_ERRORS
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.events import Entry, OwnerChanged, RunOpened, SessionOpened
from muster_protocol.journal import CallStarted, Finished, JournalBatch, Taken
from muster_protocol.requests import Drill, Job, RunRequest, Step, TestCase

GO_ON = 'The text "Go on" is visible'
PATIENCE = 60.0
"""Seconds, beside the claim's, after which a run that does not go on is given up."""


class Row(msgspec.Struct, frozen=True):
    """One victim: seconds from the kill (or from NATS being back) to the next event, per round."""

    victim: str
    seconds: list[float]
    floor: float
    goal: float

    @property
    def met(self) -> bool:
        """Whether no round took longer than the goal says."""
        return max(self.seconds) <= self.goal


class Report(msgspec.Struct, frozen=True):
    """All victims, and how often somebody was replaced who lived."""

    ack_wait: float
    rows: list[Row]
    false_takeovers: int
    sub_tasks: int
    """Sub-tasks that were worked on meanwhile."""

    @property
    def met(self) -> bool:
        """Whether every goal is met."""
        return all(row.met for row in self.rows) and self.false_takeovers == 0


class Stage(NamedTuple):
    """A fleet, with its processes by their ids."""

    group: Fleet
    processes: dict[int, Process]

    async def start(self, *services: str) -> None:
        """Start one process of each."""
        for service in services:
            process = await self.group.start(service)
            self.processes[process.pid] = process

    async def kill(self, id: str) -> float:
        """Kill the process of an id at once and return the moment."""
        process = self.processes[await pid_of(self.group.bus, id)]
        moment = time.time()
        process.kill()
        await process.wait()
        return moment

    async def begin(self, job: Job) -> str:
        """Submit a job and return its run."""
        return (await submit(self.group.bus, RunRequest(job=job))).run

    async def events(self, run: str) -> list[Seen]:
        """Return a run's log with the server's times."""
        return await seen(self.group.bus, "RUNS", self.group.bus.names.events(run))

    async def journals(self, run: str) -> list[Seen]:
        """Return the journals of a run with the server's times."""
        return await seen(self.group.bus, "JOURNAL", self.group.bus.names.journal(f"{run}.*.*"))

    async def end(self, run: str) -> None:
        """Cancel a run and wait until nothing of it is left."""
        await send_control(self.group.bus, run, Cancel(id="enough"))
        await self.group.closed(run)


def inside(message: Seen) -> Sequence[object]:
    """Return what a stored message of a run's log or of a journal holds."""
    if message.subject.endswith(".events"):
        return codec.decode(message.data, Entry).events
    return codec.decode(message.data, JournalBatch).entries


async def next_event(
    read: Callable[[], Awaitable[list[Seen]]], wanted: Callable[[object], bool], since: float, wait: float
) -> float:
    """Return the seconds from a moment to the first stored event after it that is wanted."""

    async def look() -> float | None:
        try:
            stored = await read()
        except BUS_ERRORS:
            return None
        found = (it.at - since for it in stored if it.at > since and any(wanted(event) for event in inside(it)))
        return next(found, None)

    return await eventually(look, "the run goes on", wait + PATIENCE)


async def a_worker(stage: Stage, wait: float) -> float:
    """Kill the worker that holds a sub-task; the next event is that another one takes it."""
    run = await stage.begin(Drill(count=100, wait_seconds=1.0))

    async def held() -> Taken | None:
        entries = [entry for message in await stage.journals(run) for entry in inside(message)]
        return entries[-1] if len(entries) > 2 and isinstance(entries[-1], Taken) else None

    killed = await stage.kill((await eventually(held, "a sub-task is held")).worker)
    again = await next_event(
        lambda: stage.journals(run), lambda it: isinstance(it, Taken) and it.delivery > 1, killed, wait
    )
    await stage.end(run)
    await stage.start("subagent")
    return again


async def an_orchestrator(stage: Stage, wait: float) -> float:
    """Kill the run's owner; the next event is that another one owns it."""
    run = await stage.begin(Drill(count=200, wait_seconds=0.5))

    async def owner() -> str | None:
        opened = [event for message in await stage.events(run) for event in inside(message)]
        return next((event.owner for event in opened if isinstance(event, RunOpened)), None)

    killed = await stage.kill(await eventually(owner, "the run has an owner"))
    again = await next_event(lambda: stage.events(run), lambda it: isinstance(it, OwnerChanged), killed, wait)
    await stage.end(run)
    await stage.start("orchestrator")
    return again


async def a_session_host(stage: Stage, wait: float) -> float:
    """Kill the host of a page that a sub-task looks at; the next event is that the session is open again."""
    with controlled_page() as page:
        waiting = Step(action='Wait up to 60 seconds for the text "Go on" to be visible', expected=GO_ON)
        opening = Step(action=f'Open "{page.url}"', expected='The page title is "Counter"')
        run = await stage.begin(TestCase(name="Waiting", steps=(opening, waiting)))

        async def host() -> str | None:
            opened = [event for message in await stage.events(run) for event in inside(message)]
            looked = [entry for message in await stage.journals(run) for entry in inside(message)]
            waits = any(isinstance(it, CallStarted) and it.call.tool == "wait_for" for it in looked)
            saved = await get_artifact(stage.group.bus, f"{run}/checkpoint/main.json")
            ready = waits and saved is not None
            return next((it.session.host for it in opened if isinstance(it, SessionOpened) and ready), None)

        killed = await stage.kill(await eventually(host, "the second step is under way", 120.0))
        again = await next_event(lambda: stage.events(run), lambda it: isinstance(it, SessionOpened), killed, wait)
        await stage.end(run)
    await stage.start("sessions")
    return again


async def the_nats_server(stage: Stage, wait: float) -> float:
    """Kill the nats-server and start it again; the next event is any, counted from when the server is back."""
    run = await stage.begin(Drill(count=1000, wait_seconds=0.05))

    async def under_way() -> bool:
        return len(await stage.events(run)) > 5

    await eventually(under_way, "the run is under way")
    await stage.group.server.stop(signal.SIGKILL)
    await stage.group.server.start()
    back = time.time()
    again = await next_event(lambda: stage.events(run), lambda _: True, back, wait)
    await stage.end(run)
    return again


SESSION_GOAL, NATS_GOAL, LATER = 5.0, 2.0, 1.0
"""Seconds; a killed holder is missed at most so much later than its claim runs out."""
Play = Callable[[Stage, float], Awaitable[float]]
ACTORS: dict[str, tuple[Play, tuple[str, ...]]] = {
    "worker": (a_worker, ("orchestrator", "subagent", "subagent")),
    "orchestrator": (an_orchestrator, ("orchestrator", "orchestrator", "subagent")),
    "session host": (a_session_host, ("orchestrator", "sessions", "sessions", "subagent")),
    "nats-server": (the_nats_server, ("orchestrator", "subagent")),
}


async def measured(victim: str, rounds: int, ack_wait: float) -> Row:
    """Kill a victim so many times and return what it took."""
    play, services = ACTORS[victim]
    floor = {"session host": 0.0, "nats-server": 0.0}.get(victim, ack_wait)
    goal = {"session host": SESSION_GOAL, "nats-server": NATS_GOAL}.get(victim, ack_wait + LATER)
    async with fleet(ack_wait) as group:
        stage = Stage(group, {})
        await stage.start(*services)
        row = Row(victim, [await play(stage, ack_wait) for _ in range(rounds)], floor, goal)
    print(f"{victim}: {', '.join(f'{each:.2f}' for each in row.seconds)} s", file=sys.stderr)
    return row


async def false_takeovers(seconds: float, ack_wait: float) -> tuple[int, int]:
    """Return how many holders were replaced while every processor was busy, and how many sub-tasks were done."""
    chain = int(seconds / 0.5) + 20
    async with fleet(ack_wait) as group:
        stage = Stage(group, {})
        await stage.start("orchestrator", "orchestrator", "subagent", "subagent")
        async with burners(2 * (os.cpu_count() or 1)):
            runs = [await stage.begin(Drill(count=chain, wait_seconds=0.5)) for _ in range(4)]
            await asyncio.sleep(seconds)
            found = [event for run in runs for it in await stage.events(run) for event in inside(it)]
            held = [entry for run in runs for it in await stage.journals(run) for entry in inside(it)]
        for run in runs:
            await stage.end(run)
    replaced = sum(isinstance(it, OwnerChanged) for it in found)
    replaced += sum(isinstance(it, Taken) and it.delivery > 1 for it in held)
    return replaced, sum(isinstance(it, Finished) for it in held)


def table(report: Report) -> str:
    """Return what each victim took, beside its floor and its goal."""
    columns = "{:<14}{:>8}{:>10}{:>8}{:>8}{:>12}{:>8}{:>8}"
    lines = [
        f"seconds from kill -9 to the run's next event; ack_wait {report.ack_wait:g} s",
        columns.format("victim", "rounds", "median", "max", "floor", "max - floor", "goal", "met"),
    ]
    for row in report.rows:
        told = (median(row.seconds), max(row.seconds), row.floor, max(row.seconds) - row.floor, row.goal)
        figures = [f"{it:.2f}" for it in told]
        lines.append(columns.format(row.victim, len(row.seconds), *figures, "yes" if row.met else "NO"))
    meanwhile = f"{report.sub_tasks} sub-tasks were done on busy processors"
    return "\n".join([*lines, f"false takeovers: {report.false_takeovers} while {meanwhile}; goal: 0"])


async def work(asked: argparse.Namespace) -> Report:
    """Measure what is asked for."""
    victims: list[str] = asked.only or list(ACTORS)
    rows = [await measured(victim, asked.rounds, asked.ack_wait) for victim in victims]
    replaced, done = await false_takeovers(asked.busy, asked.ack_wait) if asked.busy else (0, 0)
    return Report(asked.ack_wait, rows, replaced, done)


def main() -> None:
    """Print the table, or JSON; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ack-wait", type=float, default=3.0, help="seconds; 15 is what fleets have by default")
    parser.add_argument("--busy", type=float, default=45.0, help="seconds without kills on busy processors; 0: none")
    parser.add_argument("--only", action="append", choices=[*ACTORS], help="a victim; may be given again")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # of NATS that goes away
    report = asyncio.run(work(asked))
    print(msgspec.json.encode(report).decode() if asked.json else table(report))
    if not report.met:
        sys.exit(1)


if __name__ == "__main__":
    main()
