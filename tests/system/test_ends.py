"""Ends that are no pass: cancelled, lost with its session host, out of time; each with its cause, and nothing left at work."""

from pathlib import Path

import pytest
from controlled_page import controlled_page
from fleet import Fleet, fleet
from waiting import eventually

from muster_bus import Rows
from muster_client.runs import send_control, submit
from muster_protocol.control import Cancel
from muster_protocol.journal import CallFinished, Finished
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import Drill, Limits, RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow
from muster_protocol.tasks import SubTaskResult

WAIT = 'wait up to 60 seconds for the text "Go on" to be visible'


async def waiting_run(group: Fleet, url: str, limits: Limits | None = None) -> str:
    """Start a run that has clicked and now waits for what never comes; return its id."""
    step = Step(action=f'Open "{url}" and click the "Count" button and {WAIT}', expected='The text "Go on" is visible')
    request = RunRequest(job=TestCase(name="Waiting", steps=(step,)), limits=limits or Limits())
    run = (await submit(group.bus, request)).run

    async def clicked() -> bool:
        entries = await group.journal(f"{run}.step-1.1")
        return any(isinstance(entry, CallFinished) and entry.index == 1 for entry in entries)

    await eventually(clicked, "the click is journalled")
    return run


async def idle(group: Fleet) -> bool:
    """Return whether no worker is busy, no session is open, and nothing is queued."""
    busy = [row.busy for row in await Rows(group.bus, "WORKERS", WorkerRow).all() if row.service == "subagent"]
    sessions = await Rows(group.bus, "SESSIONS", SessionRow).all()
    queued = [(await group.bus.js.stream_info(name)).state.messages for name in ("REQUESTS", "TASKS")]
    return not sessions and not any(queued) and not any(count for pools in busy for count in pools.values())


@pytest.mark.slow
async def test_a_cancelled_run_ends_at_once_and_leaves_nothing_at_work(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            for service in ("orchestrator", "sessions", "subagent"):
                await group.start(service)
            run = await waiting_run(group, page.url)

            await send_control(group.bus, run, Cancel(id="1", reason="no longer needed", by="a test"))
            verdict = await group.verdict(run, seconds=2.0)

            assert (verdict.status, verdict.cause) == ("fail", "cancelled")
            assert "no longer needed" in verdict.summary
            await group.closed(run)
            await eventually(lambda: idle(group), "nothing is at work any more")
            row = await Rows(group.bus, "RUN_LIST", RunRow).get(run)
            assert row is not None
            assert (row.status, row.cause) == ("fail", "cancelled")


@pytest.mark.slow
async def test_a_run_that_is_cancelled_while_queued_never_begins(tmp_path: Path) -> None:
    async with fleet(tmp_path, ORCHESTRATOR_RUNS="1") as group:
        with controlled_page() as page:
            for service in ("orchestrator", "sessions", "subagent"):
                await group.start(service)
            await waiting_run(group, page.url)
            case = TestCase(name="Queued", steps=(Step(action='Run "true"', expected="The exit code is 0"),))
            queued = (await submit(group.bus, RunRequest(job=case))).run

            await send_control(group.bus, queued, Cancel(id="1"))
            verdict = await group.verdict(queued, seconds=5.0)

            assert (verdict.status, verdict.cause, verdict.results) == ("fail", "cancelled", ())


@pytest.mark.slow
async def test_a_lost_session_host_is_the_environments_fault_and_no_action_is_done_twice(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            await group.start("orchestrator")
            host = await group.start("sessions")
            await group.start("subagent")
            run = await waiting_run(group, page.url)

            host.kill()
            await group.start("sessions")
            verdict = await group.verdict(run)

            assert (verdict.status, verdict.cause) == ("fail", "environment")
            assert page.counted == 1


@pytest.mark.slow
async def test_a_run_ends_at_its_wall_time_with_what_it_has(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            for service in ("orchestrator", "sessions", "subagent"):
                await group.start(service)
            run = await waiting_run(group, page.url, Limits(timeout_seconds=12))

            verdict = await group.verdict(run, seconds=30)

            assert (verdict.status, verdict.cause) == ("fail", "agent")
            assert "12 s" in verdict.summary
            await group.closed(run)


async def test_a_sub_task_that_no_worker_can_read_ends_at_once_and_is_kept_aside(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await group.start("subagent")
        names, id = group.bus.names, "run-1.step-1.1"
        await group.bus.store(names.tasks("act", "normal"), b'{"role": "wizard"}', {"Nats-Msg-Id": id})

        async def finished() -> Finished | None:
            entries = await group.journal(id)
            return next((entry for entry in entries if isinstance(entry, Finished)), None)

        ended = await eventually(finished, "the sub-task is ended")
        assert isinstance(ended.outcome, SubTaskResult)
        assert (ended.outcome.status, ended.outcome.failure) == ("fail", "poison")
        assert "cannot be worked on by this version" in ended.outcome.summary
        letter = await group.bus.js.get_last_msg(names.stream("DEAD"), names.dead("TASKS"))
        assert letter.data == b'{"role": "wizard"}'
        await eventually(lambda: idle(group), "the queue is empty")


@pytest.mark.slow
async def test_a_sub_task_whose_journal_is_damaged_ends_its_run_in_a_fail(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await group.start("orchestrator")
        run = (await submit(group.bus, RunRequest(job=Drill(count=1)))).run
        names = group.bus.names
        await group.bus.store(names.journal(f"{run}.drill-1.1"), b"no journal")
        await group.start("subagent")

        verdict = await group.verdict(run)
        assert (verdict.status, verdict.cause) == ("fail", "agent")
        assert "has a journal that cannot be read" in verdict.summary
        letter = await group.bus.js.get_last_msg(names.stream("DEAD"), names.dead("TASKS"))
        assert b"drill-1" in (letter.data or b"")
        await eventually(lambda: idle(group), "the queue is empty")
