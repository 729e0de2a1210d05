"""Workers are told to stop in the middle of their work: they finish it or give it back, and no run notices."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from controlled_page import controlled_page
from fleet import Fleet
from model_server import Answer, Asked, does, gives, passes
from thinking import Play, stage
from waiting import eventually

from muster_bus import Rows, replay
from muster_bus.testing import connected, provisioned_server
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.journal import CallStarted, Released, Taken
from muster_protocol.logs import LogRecord, WorkerRow
from muster_protocol.requests import Drill, RunRequest, Step, TestCase

LONG_WAIT = 60.0
"""Seconds for which a claim lasts unless it is given back."""


@asynccontextmanager
async def patient_fleet(folder: Path, shutdown_seconds: str) -> AsyncGenerator[Fleet]:
    """A fleet whose queues hand out again late what a worker was lost with, but at once what it gives back."""
    async with (
        provisioned_server(ack_wait_seconds=LONG_WAIT) as server,
        connected(server, ack_wait_seconds=LONG_WAIT) as bus,
    ):
        settings = {
            "NATS_URL": server.url,
            "ACK_WAIT_SECONDS": str(LONG_WAIT),
            "LOG_FORMAT": "console",
            "SHUTDOWN_SECONDS": shutdown_seconds,
            "SESSION_DRAIN_SECONDS": "0",
        }
        made = Fleet(server, bus, folder, {**os.environ, **settings})
        try:
            yield made
        finally:
            await made.stop()


async def lines_of(group: Fleet, run: str) -> list[str]:
    """Return the lines of a run's log, all sources."""
    stored = replay(group.bus, "LOGS", group.bus.names.log(run, "*"))
    return [codec.decode(message.data, LogRecord).text async for message in stored]


@pytest.mark.slow
async def test_what_a_stopping_worker_cannot_finish_goes_on_elsewhere_at_once_and_repeats_nothing(tmp_path: Path):
    async with patient_fleet(tmp_path, "0.5") as group:
        with controlled_page() as page:
            for service in ("orchestrator", "sessions"):
                await group.start(service)
            first = await group.start("subagent")
            wait = 'wait up to 60 seconds for the text "Go on" to be visible'
            step = Step(
                action=f'Open "{page.url}", click the "Count" button and {wait}',
                expected='The text "Count: 1" is visible',
            )
            run = (await submit(group.bus, RunRequest(job=TestCase(name="Waiting", steps=(step,))))).run
            task = f"{run}.step-1.1"

            async def waiting() -> bool:
                return any(isinstance(it, CallStarted) and it.index == 2 for it in await group.journal(task))

            await eventually(waiting, "the wait is under way")
            await group.start("subagent")
            first.terminate()

            async def taken_over() -> bool:
                return len([it for it in await group.journal(task) if isinstance(it, Taken)]) == 2

            await eventually(taken_over, "the other worker has it", seconds=LONG_WAIT / 3)
            await asyncio.wait_for(first.wait(), 10.0)
            page.open.set()
            verdict = await group.verdict(run)

            assert verdict.status == "pass", verdict.summary
            assert page.counted == 1
            journal = await group.journal(task)
            kinds = [type(entry) for entry in journal]
            assert kinds.index(Released) == kinds.index(Taken, 1) - 1
            assert first.returncode == 0
            told = [line for line in await lines_of(group, run) if "told to stop" in line]
            assert len(told) == 1


@pytest.mark.slow
async def test_a_reply_that_a_model_is_about_to_give_is_waited_for_and_not_asked_for_again(tmp_path: Path):
    thinking, go_on = threading.Event(), threading.Event()

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return gives({"sub_tasks": [{"covers": [1], "description": "step 1", "why": ""}]})
        thinking.set()
        command = ("execute_command", {"command": "ls"})
        return does(command, passes())._replace(wait=go_on)

    async with stage(tmp_path, workers=0, SHUTDOWN_SECONDS="30") as on_stage:
        first = await on_stage.fleet.start("subagent")
        steps = [("In the terminal, list the files for @", "The exit code is 0")]
        running = asyncio.ensure_future(on_stage.run(Play({}, steps, script)))
        assert await asyncio.to_thread(thinking.wait, 60.0)
        await on_stage.fleet.start("subagent")
        first.terminate()

        async def leaving() -> bool:
            return first.pid not in {row.pid for row in await Rows(on_stage.fleet.bus, "WORKERS", WorkerRow).all()}

        await eventually(leaving, "the worker has begun to stop")
        go_on.set()
        verdict, _ = await running

        assert verdict.status == "pass", verdict.summary
        assert verdict.results[0].iterations == 1
        assert len([it for it in on_stage.model.asked if it.role == "executor"]) == 1
        assert await asyncio.wait_for(first.wait(), 10.0) == 0


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_rolling_restart_of_all_workers_during_twenty_runs_fails_none(tmp_path: Path):
    async with patient_fleet(tmp_path, "0.5") as group:
        with controlled_page() as page:
            services = ("orchestrator", "sessions", "subagent", "subagent")
            _, _, *workers = await asyncio.gather(*(group.start(service) for service in services))
            clicks = tuple(
                Step(action='Click the "Count" button', expected=f'The text "Count: {number}" is visible')
                for number in range(1, 6)
            )
            opens = Step(action=f'Open "{page.url}"', expected='The page title is "Counter"')
            case = TestCase(name="Counting", steps=(opens, *clicks))
            jobs = [case] * 4 + [Drill(count=3, wait_seconds=6.0)] * 16
            runs = [(await submit(group.bus, RunRequest(job=job))).run for job in jobs]

            for worker in workers:
                await group.start("subagent")
                worker.terminate()
                assert await asyncio.wait_for(worker.wait(), 60.0) == 0
            verdicts = [await group.verdict(run, seconds=240.0) for run in runs]

            assert [verdict.status for verdict in verdicts] == ["pass"] * 20
            assert page.counted == 4 * 5
            assert {result.attempt for verdict in verdicts for result in verdict.results} == {1}
            released = 0
            for run in runs[4:]:
                for number in range(1, 4):
                    released += any(isinstance(it, Released) for it in await group.journal(f"{run}.drill-{number}.1"))
            assert released > 0
