"""A fleet played by the test: it answers requests and writes real logs over a real bus, without any worker."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from browsing import launch_chromium
from cli_jobs import make_job
from envelopes import a_task, result_of
from nats.aio.msg import Msg
from playwright.async_api import Page, async_playwright

from muster_bus import Bus, Log, tail
from muster_bus.artifact_store import put_artifact
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import store_request
from muster_bus.testing import connected
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.control import Answer, Cancel, Control, Pause
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import (
    Answered,
    Asked,
    ControlApplied,
    Entry,
    Event,
    OwnerChanged,
    Parked,
    PlanMade,
    RunClosed,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.logs import LogRecord
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.submit_replies import Rejected
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_text.request_rules import decode_request, with_id_and_time

__all__ = ["make_job"]

ENDINGS = {"product": Cause.PRODUCT, "environment": Cause.ENVIRONMENT, "agent": Cause.AGENT}
QUESTION = "Which code is in the mail?"
CASE = """\
name: {name}
tags: [{play}]
variables: {{play: {play}}}
steps:
  - action: Open the "${{play}}" page
    expected: The text "Hello" is visible
  - action: Click "Buy"
    expected: The text "Thanks" is visible
"""


class Player:
    """Plays the runs that are handed in; the variable `play` of a case says how it ends (or that it hangs, or asks)."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.playing: set[asyncio.Task[None]] = set()
        self._lines = 0

    async def take(self, message: Msg) -> None:
        """Answer a request, and play its run if it is valid."""
        try:
            request = with_id_and_time(decode_request(message.data), time.time())
            accepted = await store_request(self.bus, request)
        except InvalidRequest as error:
            await self.bus.respond(message, Rejected(reasons=error.reasons))
            return
        await self.bus.respond(message, accepted)
        task = asyncio.create_task(self.play(request))
        self.playing.add(task)
        task.add_done_callback(self.playing.discard)

    async def play(self, request: RunRequest) -> None:
        """Write the log of the run."""
        job = cast("TestCase", request.job)
        how = job.variables["play"]
        log = Log(self.bus, "RUNS", self.bus.names.events(request.id))
        nodes = tuple(
            PlanNode(id=f"s{index}", covers=(index,), description=step.action, expected_result=step.expected)
            for index, step in enumerate(job.steps)
        )
        plan = PlanMade(plan=Plan(nodes=nodes))
        await write(log, RunOpened(request=request, owner="player", message=1, delivery=1), plan)
        results: list[SubTaskResult] = []
        for index, node in enumerate(nodes):
            await self._begin(log, request.id, node, index + 1, len(nodes))
            if how == "hang":
                await self._until_cancelled(log, request, results)
                return
            if how == "ask" and index == 0:
                await self._ask(log, request.id, node.id)
            last = index == len(nodes) - 1
            results.append(result(request.id, node.id, "fail" if last and how != "pass" else "pass"))
            await write(log, SubTaskEnded(outcome=results[-1]))
        cause = ENDINGS.get(how)
        name = f"{request.id}/main/../page \x1b[31m.txt"
        await put_artifact(self.bus, name, b"what was seen", "text/plain")
        await self._say(request.id, f"[Orchestrator] VERDICT of {job.name}\x1b[0m\n[Orchestrator] forged")
        await write(log, VerdictReached(verdict=verdict(request, cause, results)))
        await write(log, RunClosed())

    async def _begin(self, log: Log, run: str, node: PlanNode, position: int, total: int) -> None:
        sub_task = a_task(
            id=f"{run}.{node.id}.1",
            run=run,
            node=node.id,
            attempt=1,
            dispatch=position,
            description=node.description,
            position=position,
            total=total,
        )
        await write(log, SubTaskDispatched(sub_task=sub_task))
        await self._say(run, f"[Orchestrator] Sub-task {position}/{total}: {node.description}", node.id)
        await self._say(run, '  [Sub-agent] click("Buy")', node.id, "tool_call")

    async def _until_cancelled(self, log: Log, request: RunRequest, results: list[SubTaskResult]) -> None:
        """Take note of what is asked of the run, and end it when that is to cancel it."""
        async for control in self._asked_of(request.id):
            await write(log, ControlApplied(control=control))
            if isinstance(control, Pause):
                await write(log, Parked(reason="it is paused"))
            if isinstance(control, Cancel):
                await write(log, VerdictReached(verdict=verdict(request, Cause.CANCELLED, results)))
                await write(log, RunClosed())
                return

    async def _ask(self, log: Log, run: str, node: str) -> None:
        """Ask which code is in the mail, and go on when the answer is there."""
        question = f"{run}.{node}.1:0"
        await write(log, Asked(question=question, text=QUESTION, task=f"{run}.{node}.1"), Parked(reason="it asks"))
        async for control in self._asked_of(run):
            if isinstance(control, Answer):
                taken = OwnerChanged(owner="player", epoch=2, message=2, delivery=1)
                answered = Answered(question=control.question, text=control.text)
                await write(log, taken, ControlApplied(control=control), answered)
                await self._say(run, f"[Orchestrator] Answered: {control.text}", node)
                return

    async def _asked_of(self, run: str) -> AsyncGenerator[Control]:
        async with aclosing(cast("Any", tail(self.bus, "CONTROL", self.bus.names.control(run)))) as messages:
            async for message in messages:
                yield cast("Control", codec.decode(message.data, cast("Any", Control)))

    async def _say(self, run: str, text: str, node: str = "", kind: Any = "progress") -> None:
        self._lines += 1
        task = f"{run}.{node}.1" if node else ""
        record = LogRecord(
            run=run, source="player", number=self._lines, at=time.time(), kind=kind, text=text, node=node, task=task
        )
        await self.bus.store(self.bus.names.log(run, "player"), codec.encode(record))


async def write(log: Log, *events: Event) -> None:
    """Append events as one entry."""
    await log.append(Entry(epoch=1, at=time.time(), events=events))


def result(run: str, node: str, status: Any) -> SubTaskResult:
    """Return the result of a played sub-task."""
    return result_of(task=f"{run}.{node}.1", status=status, summary=f"{node} was played")


def verdict(request: RunRequest, cause: Cause | None, results: list[SubTaskResult]) -> Verdict:
    """Return the verdict of a played run."""
    failing = next((found.node for found in results if found.status == "fail"), "")
    return Verdict(
        run=request.id,
        name=request.job.name,
        status="fail" if cause else "pass",
        cause=cause,
        summary=f"ended by {cause}" if cause else "all was seen",
        suite=request.suite,
        failed_node=failing,
        expected='the text "Thanks"' if failing else "",
        seen='the text "Sorry"' if failing else "",
        where="http://127.0.0.1/cart" if failing else "",
        results=tuple(results),
        duration=1.5,
    )


@asynccontextmanager
async def playing(server: NatsServer) -> AsyncGenerator[Player]:
    """Play the fleet of a server until left."""
    async with connected(server) as bus:
        player = Player(bus)
        subscription = await bus.nc.subscribe(bus.names.submit, queue="player", cb=player.take)
        try:
            await bus.nc.flush()
            yield player
        finally:
            await subscription.unsubscribe()
            for task in list(player.playing):
                task.cancel()
            await asyncio.gather(*player.playing, return_exceptions=True)


@pytest.fixture
async def player(server: NatsServer) -> AsyncGenerator[Player]:
    """A played fleet on it."""
    async with playing(server) as player:
        yield player


@pytest.fixture
async def browser_page() -> AsyncGenerator[Page]:
    """A page of a real Chromium, for what the command writes."""
    async with async_playwright() as playwright:
        browser = await launch_chromium(playwright)
        yield await browser.new_page()
        await browser.close()


@pytest.fixture
def write_cases(tmp_path: Path) -> Callable[..., Path]:
    """Return a writer of a folder of cases, by name and how each is played."""

    def written(**plays: str) -> Path:
        folder = tmp_path / "cases"
        folder.mkdir(exist_ok=True)
        for name, play in plays.items():
            (folder / f"{name}.yaml").write_text(CASE.format(name=name, play=play))
        return folder

    return written


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def muster() -> Callable[..., Awaitable[Ended]]:
    """Return the `muster` command as a process of its own: arguments in, exit code and output out."""

    async def run(*arguments: object, **env: str) -> Ended:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "muster_cli", *map(str, arguments)),
            env=clean_env(**env),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(90):
            out, err = await process.communicate()
        return Ended(process.returncode or 0, out.decode(), err.decode())

    return run


def clean_env(**env: str) -> dict[str, str]:
    """Return this process's environment without settings of a fleet, and with what is given."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("NATS_", "MUSTER_"))} | env
