"""A run that is cancelled: whatever it was doing, within two seconds nothing of it runs any more."""

import asyncio
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from fleet import Fleet, fleet
from model_server import Answer, Asked, gives, says
from needed import sandbox_problem
from pages import Site, site
from session_stage import processes_with
from thinking import Play, stage
from waiting import eventually

from muster_bus import Rows
from muster_bus.artifact_store import list_artifacts
from muster_client.runs import send_control, submit
from muster_protocol.control import Cancel
from muster_protocol.journal import CallStarted
from muster_protocol.logs import RunRow
from muster_protocol.requests import DeviceSpec, RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow

SECONDS = 2.0
"""Within which nothing runs any more, on a machine that has processors to spare."""
MARKER = f"41{time.time_ns() % 10**9}"


@contextmanager
def slow_site() -> Generator[tuple[Site, threading.Event, threading.Event]]:
    """Serve a page that keeps its browser busy for ever, and an address that does not answer until told to.

    With the events that it is told to, and that it was asked.
    """
    with site() as made:
        late, asked = threading.Event(), threading.Event()

        def never() -> str:
            asked.set()
            return "late" if late.wait(60) else "later"

        made.pages |= {
            "/": "<title>Shop</title><button onclick='while (true) {}'>Spin</button>",
            "/late": lambda _: never(),
        }
        try:
            yield made, late, asked
        finally:
            late.set()


def marked(run: str) -> list[int]:
    """Return the processes of this machine that belong to a session of the run."""
    return [pid for pid in _pids() if f"\0MUSTER_SESSION={run}.".encode() in b"\0" + _environment(pid)]


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""  # it has just ended


async def cancelled(group: Fleet, run: str) -> float:
    """Cancel a run and return how many seconds passed from then until no process of it was left."""
    await send_control(group.bus, run, Cancel(id="1", by="a test"))
    asked_at = time.monotonic()

    async def nothing_runs() -> bool:
        return not marked(run) and not processes_with(MARKER)

    await eventually(nothing_runs, "no process of the run is left", 20)
    seconds = time.monotonic() - asked_at
    verdict = await group.verdict(run)
    assert (verdict.status, verdict.cause) == ("fail", "cancelled")
    await group.closed(run)
    assert not marked(run)
    return seconds


def patience() -> float:
    """Return the bound for this machine now: longer where more wants to run than there are processors for it."""
    return SECONDS * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


async def recorded(group: Fleet, run: str) -> bool:
    """Return whether the trace is there; of a run that was cancelled it is stored after the session has ended."""
    return f"{run}/session/main-trace.zip" in await list_artifacts(group.bus, f"{run}/session/")


async def begun(group: Fleet, run: str, call: int) -> None:
    async def look() -> bool:
        entries = await group.journal(f"{run}.step-1.1")
        started = any(isinstance(entry, CallStarted) and entry.index == call for entry in entries)
        return started and bool(marked(run))

    await eventually(look, f"call {call} is under way")


async def ready(group: Fleet) -> None:
    for service in ("orchestrator", "sessions", "subagent"):
        await group.start(service)


async def submitted(group: Fleet, action: str) -> str:
    step = Step(action=action, expected="The exit code is 0")
    case = TestCase(name="Cancelled", steps=(step,), device=DeviceSpec(kind="web"))
    return (await submit(group.bus, RunRequest(job=case))).run


async def test_a_cancelled_run_leaves_no_browser_and_no_command_whatever_it_was_doing(tmp_path: Path) -> None:
    async with fleet(tmp_path, RECORD_TRACE="on-failure") as group:
        await ready(group)
        with slow_site() as (shop, late, asked):
            wait = 'wait up to 60 seconds for the text "Never" to be visible'
            # what has shed its session's mark as well as its process group is ended by a sandbox alone
            unmarked = "" if sandbox_problem() else f"env -i setsid sleep {MARKER}2 & "
            children = f"sleep {MARKER} & setsid sleep {MARKER}1 & {unmarked}sleep {MARKER}3"
            stages = {
                "a wait": (f'Open "{shop.url}/" and {wait}', 1),
                "a click on a page that never comes to rest": (f'Open "{shop.url}/" and click "Spin"', 1),
                "a page that does not answer": (f'Open "{shop.url}/late"', 0),
                "a command with children": (f"Run the command '{children}'", 0),
            }
            took: dict[str, float] = {}
            for stage_name, (action, call) in stages.items():
                run = await submitted(group, action)
                await begun(group, run, call)
                if "does not answer" in stage_name:
                    await eventually(asked.is_set, "the page is asked for")
                if "command" in stage_name:
                    await eventually(
                        lambda: len(processes_with(MARKER)) >= children.count("sleep"), "all its children run"
                    )
                took[stage_name] = await cancelled(group, run)
                await eventually(partial(recorded, group, run), f"its recordings are stored after {stage_name}")
            assert not late.is_set()
        assert max(took.values()) < patience(), took


@pytest.mark.slow
async def test_a_run_cancelled_while_its_session_is_being_opened_leaves_no_browser(tmp_path: Path) -> None:
    async with fleet(tmp_path, RECORD_TRACE="on-failure") as group:
        await ready(group)
        run = await submitted(group, 'Run the command "true"')

        async def opening() -> bool:
            return await Rows(group.bus, "SESSIONS", SessionRow).get(f"{run}.main") is not None

        await eventually(opening, "a session is being opened")
        await send_control(group.bus, run, Cancel(id="1"))
        await group.closed(run)
        assert (await group.verdict(run)).cause == "cancelled"
        assert not marked(run)
        assert await Rows(group.bus, "SESSIONS", SessionRow).get(f"{run}.main") is None


@pytest.mark.slow
@pytest.mark.parametrize("role", ["planner", "executor"])
async def test_a_run_cancelled_while_a_model_is_thinking_leaves_nothing(tmp_path: Path, role: str) -> None:
    silent, asking = threading.Event(), threading.Event()

    def script(asked: Asked) -> Answer:
        if asked.role == "planner" and role != "planner":
            parts = [{"covers": [number], "description": f"step {number}", "why": ""} for number in (1, 2)]
            return gives({"sub_tasks": parts})
        asking.set()
        return says("too late")._replace(wait=silent)

    async with stage(tmp_path) as on_stage:
        group = on_stage.fleet
        steps = [('Open "@/"', 'The page title is "Page"'), ("Have a look around", 'The text "Welcome" is visible')]
        try:
            running = asyncio.create_task(on_stage.run(Play({"": "<p>Hello</p>"}, steps, script)))
            assert await asyncio.to_thread(asking.wait, 60)
            [row] = await Rows(group.bus, "RUN_LIST", RunRow).all()
            assert await cancelled(group, row.run) < patience()
            await running
        finally:
            silent.set()
