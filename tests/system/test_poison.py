"""What kills whoever holds it, or cannot be worked on at all, is put aside with its history; the rest goes on."""

import signal
from pathlib import Path

import pytest
from fleet import Fleet, fleet
from pages import site
from waiting import eventually

from muster_bus.dead_letter_store import DeadLetter, newest_dead, read_dead, replay_dead
from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.events import GivenUp, OwnerChanged, RunOpened
from muster_protocol.journal import Finished, Taken
from muster_protocol.requests import Drill, RunRequest, Step, TestCase
from muster_protocol.tasks import SubTask, SubTaskResult

LONG = Drill(count=1, wait_seconds=120.0)
SHORT = Drill(count=1)
BIG = f"<!doctype html><title>Big</title><label>Log <textarea>{'x' * 2_000_000}</textarea></label>"
"""A page with a field that holds more than a message does."""


async def letters(group: Fleet) -> list[DeadLetter]:
    return [letter async for letter in newest_dead(group.bus)]


async def _end(group: Fleet, task: str) -> SubTaskResult | None:
    return next((entry.outcome for entry in await group.journal(task) if isinstance(entry, Finished)), None)


async def takers(group: Fleet, task: str) -> list[str]:
    return [entry.worker for entry in await group.journal(task) if isinstance(entry, Taken)]


async def test_a_sub_task_that_costs_its_workers_is_dead_with_its_history_and_its_run_fails(tmp_path: Path) -> None:
    async with fleet(tmp_path, POISON_TAKEOVERS="2", ACT_SLOTS="1", THINK_SLOTS="1") as group:
        await group.start("orchestrator")
        run = (await submit(group.bus, RunRequest(job=LONG))).run
        task = f"{run}.drill-1.1"
        for lost in (1, 2):
            worker = await group.start("subagent")
            await eventually(lambda lost=lost: _taken(group, task, lost), f"worker {lost} has taken it")
            worker.kill()
        behind = (await submit(group.bus, RunRequest(job=SHORT))).run
        await group.start("subagent")

        verdict = await group.verdict(run)
        assert (verdict.status, verdict.cause) == ("fail", "agent")
        assert "2 workers in a row were lost while they held it" in verdict.summary
        await group.closed(run)
        assert (await group.verdict(behind)).status == "pass"

        [letter] = await letters(group)
        holders = await takers(group, task)
        assert (letter.stream, letter.run, letter.task) == ("TASKS", run, task)
        assert codec.decode(letter.data, SubTask).id == task
        assert len(holders) == 3
        assert len(letter.history) == 2
        assert all(holder in line for holder, line in zip(holders, letter.history, strict=False))
        await eventually(lambda: _empty(group), "the queues are empty")


@pytest.mark.slow
async def test_workers_that_are_slow_and_live_do_not_make_a_sub_task_poison(tmp_path: Path) -> None:
    async with fleet(tmp_path, POISON_TAKEOVERS="2", ACT_SLOTS="1", THINK_SLOTS="1") as group:
        await group.start("orchestrator")
        run = (await submit(group.bus, RunRequest(job=LONG))).run
        task = f"{run}.drill-1.1"
        first = await group.start("subagent")
        await eventually(lambda: _taken(group, task, 1), "a worker has taken it")
        first.send_signal(signal.SIGSTOP)
        second = await group.start("subagent")
        await eventually(lambda: _taken(group, task, 2), "the next worker has taken it")
        second.send_signal(signal.SIGSTOP)
        first.send_signal(signal.SIGCONT)

        ended = await eventually(lambda: _end(group, task), "the sub-task has ended")

        assert (ended.failure, ended.cause) == (Failure.INFRASTRUCTURE, "environment")
        assert "2 workers in a row did not keep it, and 1 of them live" in ended.summary
        assert await letters(group) == []
        second.send_signal(signal.SIGCONT)


@pytest.mark.slow
async def test_a_run_that_costs_its_orchestrators_is_dead_with_its_history_and_fails(tmp_path: Path) -> None:
    async with fleet(tmp_path, ORCHESTRATOR_MAX_TAKEOVERS="2") as group:
        first = await group.start("orchestrator")
        run = (await submit(group.bus, RunRequest(job=LONG))).run
        await eventually(lambda: _owned(group, run, 1), "it has an owner")
        first.kill()
        second = await group.start("orchestrator")
        await eventually(lambda: _owned(group, run, 2), "it has its second owner")
        second.kill()
        await group.start("orchestrator")

        verdict = await group.verdict(run)
        assert (verdict.status, verdict.cause) == ("fail", "agent")
        assert verdict.summary.startswith("given up: 2 orchestrators in a row were lost")
        entries = await group.closed(run)
        assert sum(isinstance(event, GivenUp) for entry in entries for event in entry.events) == 1
        [letter] = await letters(group)
        assert (letter.stream, letter.run) == ("REQUESTS", run)
        assert codec.decode(letter.data, RunRequest).job == LONG
        assert "2 orchestrators in a row were lost" in letter.reason
        assert len(letter.history) == 3
        assert all(owner in line for owner, line in zip(await owners(group, run), letter.history, strict=True))
        assert (await submit(group.bus, RunRequest(job=SHORT))).run  # the queue takes what comes


@pytest.mark.slow
async def test_a_request_that_could_not_be_read_runs_when_it_is_put_back_by_hand_once_it_can(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        names = group.bus.names
        await group.start("orchestrator")
        await group.start("subagent")
        await group.bus.store(names.request("bad"), b"no request at all")
        await group.bus.store(names.request("good"), codec.encode(RunRequest(job=SHORT)))
        assert (await group.verdict("good")).status == "pass"
        await eventually(lambda: _empty(group), "the queues are empty")
        [letter] = await letters(group)
        assert (letter.run, letter.data) == ("bad", b"no request at all")

        await group.bus.js.delete_msg(names.stream("DEAD"), letter.sequence)
        mended = {"Muster-Subject": names.request("bad"), "Muster-Reason": "read by a later version"}
        await group.bus.store(names.dead("REQUESTS"), codec.encode(RunRequest(job=SHORT)), mended)
        await replay_dead(group.bus, await read_dead(group.bus, letter.sequence + 1))

        assert (await group.verdict("bad")).status == "pass"
        assert await letters(group) == []


@pytest.mark.slow
async def test_a_result_that_is_larger_than_a_message_is_a_fail_that_says_so_and_costs_no_worker(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path) as group:
        with site() as served:
            served.pages["/"] = BIG
            for service in ("orchestrator", "sessions", "subagent"):
                await group.start(service)
            action = f'Open "{served.url}/" and remember the "Log" as ${{log}}'
            step = Step(action=action, expected='The page title is "Big"')
            run = (await submit(group.bus, RunRequest(job=TestCase(name="Big", steps=(step,))))).run
            verdict = await group.verdict(run)

        assert (verdict.status, verdict.cause) == ("fail", "agent")
        assert "its result is too large to be stored" in verdict.summary
        assert "the values it remembered: remember a smaller part" in verdict.summary
        assert len(await takers(group, f"{run}.step-1.1")) == 1
        await group.closed(run)
        assert await letters(group) == []


async def _taken(group: Fleet, task: str, times: int) -> bool:
    return len(await takers(group, task)) >= times


async def owners(group: Fleet, run: str) -> list[str]:
    """Return the owners of a run, oldest first."""
    events = [event for entry in await read_entries(group.bus, run) for event in entry.events]
    return [event.owner for event in events if isinstance(event, RunOpened | OwnerChanged)]


async def _owned(group: Fleet, run: str, times: int) -> bool:
    return len(await owners(group, run)) >= times


async def _empty(group: Fleet) -> bool:
    counts = [(await group.bus.js.stream_info(name)).state.messages for name in ("REQUESTS", "TASKS")]
    return not any(counts)
