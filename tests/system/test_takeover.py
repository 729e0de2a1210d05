"""The proofs that the shape is right: workers and orchestrators are killed and stopped in the middle of a run."""

import asyncio
import json
import signal
from pathlib import Path

import pytest
from controlled_page import ControlledPage, controlled_page
from counted import COUNTS, counted_by
from fleet import Fleet, fleet
from waiting import eventually

from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol.events import OwnerChanged
from muster_protocol.journal import CallFinished, CallStarted, Finished, Taken
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import SubTaskResult

WAITING = "step-2"


def counting_case(page: ControlledPage) -> TestCase:
    """Count once, then wait within the same sub-task for what only the test can bring about."""
    return TestCase(
        name="Counting",
        steps=(
            Step(action=f'Open "{page.url}"', expected='The page title is "Counter"'),
            Step(
                action='Click the "Count" button and wait up to 60 seconds for the text "Go on" to be visible',
                expected='The text "Count: 1" is visible',
            ),
            Step(action='Click the "Count" button', expected='The text "Count: 2" is visible'),
        ),
    )


async def counted(group: Fleet, run: str) -> str:
    """Wait until the click of the second step is over and the wait is under way; return the holder's worker id."""
    task = f"{run}.{WAITING}.1"

    async def look() -> str | None:
        entries = await group.journal(task)
        done = any(isinstance(entry, CallFinished) and entry.index == 0 for entry in entries)
        return next((entry.worker for entry in entries if isinstance(entry, Taken)), None) if done else None

    return await eventually(look, "the first click is journalled")


@pytest.mark.slow
async def test_a_killed_workers_sub_task_goes_on_from_the_same_page_and_repeats_nothing(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            await group.start("orchestrator")
            await group.start("sessions")
            first = await group.start("subagent")
            run = (await submit(group.bus, RunRequest(job=counting_case(page)))).run
            await counted(group, run)

            first.kill()
            await group.start("subagent", **COUNTS)
            page.open.set()
            entries = await group.closed(run)

            verdict = await group.verdict(run)
            journal = await group.journal(f"{run}.{WAITING}.1")
            assert (verdict.status, verdict.summary) == ("pass", "3 of 3 sub-tasks passed")
            assert page.counted == 2
            assert len([entry for entry in journal if isinstance(entry, Taken)]) == 2
            assert len([entry for entry in journal if isinstance(entry, CallStarted) and entry.index == 0]) == 1
            assert len([entry for entry in journal if isinstance(entry, Finished)]) == 1
            assert not any(isinstance(event, OwnerChanged) for entry in entries for event in entry.events)
            second = tmp_path / "subagent-3.log"
            assert await counted_by(second, "muster_subtask_takeovers_total", kind="step") == 1
            assert await counted_by(second, "muster_redeliveries_total", queue="TASKS/act") == 1
            assert await counted_by(second, "muster_subtasks_total", kind="step", status="pass") == 2
            assert await counted_by(second, "muster_subtask_schedule_to_start_seconds_count", pool="act") == 1
            assert await counted_by(second, "muster_tool_calls_total", tool="click", status="ok") == 1
            assert await counted_by(second, "muster_slots", queue="TASKS/act") > 0


@pytest.mark.slow
async def test_a_worker_that_was_stopped_until_another_took_over_can_do_nothing_any_more(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            await group.start("orchestrator")
            await group.start("sessions")
            first = await group.start("subagent", **COUNTS)
            run = (await submit(group.bus, RunRequest(job=counting_case(page)))).run
            zombie = await counted(group, run)
            task = f"{run}.{WAITING}.1"

            first.send_signal(signal.SIGSTOP)
            await group.start("subagent")

            async def taken_over() -> bool:
                entries = await group.journal(task)
                return len([entry for entry in entries if isinstance(entry, Taken)]) == 2

            await eventually(taken_over, "another worker took the sub-task")
            first.send_signal(signal.SIGCONT)
            page.open.set()
            verdict = await group.verdict(run)

            results = {result.node: result for result in verdict.results}
            assert verdict.status == "pass"
            assert page.counted == 2
            assert results[WAITING].worker != zombie
            journal = await group.journal(task)
            assert next(entry.worker for entry in journal if isinstance(entry, Taken)) == zombie
            assert len([entry for entry in journal if isinstance(entry, Finished)]) == 1
            assert first.returncode is None  # it lives, and goes on to serve as a worker like any other
            log = tmp_path / "subagent-2.log"
            assert await counted_by(log, "muster_claims_lost_total", queue="TASKS/act") >= 1
            assert await counted_by(log, "muster_subtasks_fenced_total", kind="step") == 1


@pytest.mark.slow
async def test_two_workers_share_one_run_and_the_page_survives(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            await group.start("orchestrator")
            await group.start("sessions")
            await group.start("subagent")
            await group.start("subagent")
            steps = [Step(action=f'Open "{page.url}"', expected='The page title is "Counter"')]
            steps += [
                Step(action='Click the "Count" button', expected=f'The text "Count: {number}" is visible')
                for number in range(1, 9)
            ]
            case = TestCase(name="Taking turns", steps=tuple(steps))
            run = (await submit(group.bus, RunRequest(job=case))).run

            verdict = await group.verdict(run)

            assert verdict.status == "pass", verdict.summary
            assert page.counted == 8
            assert len({result.worker for result in verdict.results}) == 2


@pytest.mark.slow
async def test_an_orchestrator_that_was_stopped_until_another_took_over_can_do_nothing_any_more(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            first = await group.start("orchestrator")
            await group.start("sessions")
            await group.start("subagent")
            run = (await submit(group.bus, RunRequest(job=counting_case(page)))).run
            await counted(group, run)

            first.send_signal(signal.SIGSTOP)
            await group.start("orchestrator")

            async def taken_over() -> str | None:
                events = [event for entry in await read_entries(group.bus, run) for event in entry.events]
                return next((event.owner for event in events if isinstance(event, OwnerChanged)), None)

            heir = await eventually(taken_over, "another orchestrator took the run")
            first.send_signal(signal.SIGCONT)
            page.open.set()
            entries = await group.closed(run)

            verdict = await group.verdict(run)
            assert verdict.status == "pass", verdict.summary
            assert page.counted == 2
            epochs = [entry.epoch for entry in entries]
            assert epochs == sorted(epochs)
            assert max(epochs) == 2
            owners = [event.owner for entry in entries for event in entry.events if isinstance(event, OwnerChanged)]
            assert owners == [heir]
            attempts = [result.task for result in verdict.results]
            assert len(attempts) == len(set(attempts)) == 3


async def test_an_outside_system_needs_nothing_but_nats_and_json(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await group.start("orchestrator")
        await group.start("sessions")
        await group.start("subagent")
        nc = group.bus.nc
        case = {
            "type": "test_case",
            "name": "From outside",
            "steps": [{"action": 'Run the command "echo hello"', "expected": 'The output contains "hello"'}],
        }

        told = await nc.subscribe("ci.verdicts")
        request = {"job": case, "reply_to": "ci.verdicts"}
        asked = await nc.request("muster.submit", json.dumps(request).encode(), timeout=10)
        accepted = json.loads(asked.data)
        assert accepted["type"] == "accepted"
        first = json.loads((await told.next_msg(timeout=30)).data)
        assert (first["run"], first["status"]) == (accepted["run"], "pass")

        await nc.jetstream().publish("muster.requests.nightly-17", json.dumps(request).encode())
        second = json.loads((await told.next_msg(timeout=30)).data)
        assert (second["run"], second["status"]) == ("nightly-17", "pass")

        hopeless = {"job": {**case, "steps": [{"action": "Look around"}]}}
        refused = json.loads((await nc.request("muster.submit", json.dumps(hopeless).encode(), timeout=10)).data)
        assert refused["type"] == "rejected"
        assert "expects nothing" in refused["reasons"][0]


@pytest.mark.slow
async def test_a_fleet_without_browser_steps_passes_and_a_wrong_expectation_is_the_products(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await asyncio.gather(*(group.start(service) for service in ("orchestrator", "sessions", "subagent")))
        case = TestCase(
            name="Wrong",
            steps=(Step(action='Run the command "echo one"', expected='The output contains "two"'),),
        )
        run = (await submit(group.bus, RunRequest(job=case))).run

        verdict = await group.verdict(run)

        assert (verdict.status, verdict.cause) == ("fail", "product")
        assert "two" in verdict.expected
        assert "one" in verdict.seen
        assert isinstance(verdict.results[0], SubTaskResult)
