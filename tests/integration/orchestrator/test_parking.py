"""Runs that wait for a person are held by nobody, and go on as soon as they are told to, whoever is there by then."""

from typing import Any

import pytest
from driven import a_case, plan_of
from fleet import Fleet
from played import PlayedHost, PlayedWorker, events_of
from waiting import eventually

from muster_bus import Bus, Log, Rows, newest, replay
from muster_bus.run_store import read_entries
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Answer, Cancel, Pause, Rerun, Resume
from muster_protocol.events import Answered, OwnerChanged, Parked, RunOpened
from muster_protocol.journal import JournalBatch, Revoked
from muster_protocol.logs import LogRecord, RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.tasks import SubTask

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def is_parked(bus: Bus, run: str, times: int = 1) -> None:
    """Wait until the log says it and the queue holds nothing of the run."""

    async def look() -> bool:
        parked = len(events_of(await read_entries(bus, run), Parked)) == times
        return parked and await newest(bus, "REQUESTS", bus.names.request(run)) is None

    await eventually(look, f"{run} is parked")


async def asked(team: Fleet, bus: Bus, worker: PlayedWorker) -> SubTask:
    """Bring a run to its question, and return the sub-task that asks it."""
    case = a_case("One is seen", "Two is seen")
    await submit(bus, RunRequest(job=case, id="run-1"))
    await worker.does("run-1", plan=plan_of(case))
    task = await worker.given("run-1", "step-1")
    await worker.takes(task)
    await worker.asks(task, "What is the code?")
    await is_parked(bus, "run-1")
    return task


async def handed_out(bus: Bus, task: SubTask) -> SubTask:
    """Return the newest copy of a sub-task in the queue that holds an answer."""

    async def look() -> SubTask | None:
        stored = [codec.decode(m.data, SubTask) async for m in replay(bus, "TASKS", "muster.tasks.*.*")]
        found = [it for it in stored if it.id == task.id and it.answers]
        return found[-1] if found else None

    return await eventually(look, f"{task.id} is handed out with an answer")


async def test_a_run_that_asks_is_parked_and_goes_on_with_the_answer(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    task = await asked(team, bus, worker)
    lines = [codec.decode(m.data, LogRecord).text async for m in replay(bus, "LOGS", "muster.logs.run-1.*")]
    assert any('muster answer run-1 "…"' in line for line in lines)

    await send_control(bus, "run-1", Answer(id="a", question=f"{task.id}:0", text="4711", by="Ada"))
    again = await handed_out(bus, task)
    assert again.answers == {f"{task.id}:0": "4711"}
    await worker.finishes(again)
    await worker.does("run-1")

    entries = await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
    assert [event.text for event in events_of(entries, Answered)] == ["4711"]


async def test_an_answer_given_while_no_orchestrator_is_there_is_not_lost(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    first = await team.start("orchestrator")
    task = await asked(team, bus, worker)
    first.kill()
    await first.wait()
    await send_control(bus, "run-1", Answer(id="a", question="", text="4711"))

    await team.start("orchestrator")
    assert (await handed_out(bus, task)).answers == {f"{task.id}:0": "4711"}


async def test_a_wake_up_that_was_lost_is_made_good_by_the_sweep(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    first = await team.start("orchestrator")
    task = await asked(team, bus, worker)
    first.kill()
    await first.wait()
    await bus.js.delete_consumer("CONTROL", "controls")
    await send_control(bus, "run-1", Answer(id="a", question="", text="4711"))

    await team.start("orchestrator")
    assert (await handed_out(bus, task)).answers == {f"{task.id}:0": "4711"}


async def test_a_parked_run_is_not_woken_without_a_reason(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator", SWEEP_SECONDS="0.1")
    await asked(team, bus, worker)
    await submit(bus, RunRequest(job=Drill(count=20, wait_seconds=0.01), id="run-2"))
    await worker.does("run-2", 20)
    await team.closed("run-2")  # a time in which the sweep has looked again and again

    assert not events_of(await read_entries(bus, "run-1"), OwnerChanged)


async def test_a_paused_run_begins_nothing_more_and_goes_on_when_it_is_resumed(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1")
    second = await worker.given("run-1")
    await send_control(bus, "run-1", Pause(id="p"))
    await worker.takes(second)
    await worker.finishes(second)
    await is_parked(bus, "run-1")
    assert second.id not in await worker.queued("run-1") or len(await worker.queued("run-1")) == 2

    await send_control(bus, "run-1", Resume(id="r"))
    await worker.does("run-1")
    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"


async def test_pausing_and_resuming_again_and_again_loses_no_wake_up(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    for number in range(1, 8):
        await send_control(bus, "run-1", Pause(id=f"p{number}"))
        await send_control(bus, "run-1", Resume(id=f"r{number}"))
    await worker.does("run-1", 2)

    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"


async def test_a_run_that_is_paused_while_it_waits_in_the_queue_begins_paused(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await bus.store(bus.names.control("run-1"), codec.encode(Pause(id="p")))
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await is_parked(bus, "run-1")

    await send_control(bus, "run-1", Resume(id="r"))
    await worker.does("run-1")
    await team.closed("run-1")


async def test_a_parked_run_is_cancelled_at_once_and_its_question_taken_back(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    task = await asked(team, bus, worker)
    await send_control(bus, "run-1", Cancel(id="c"))

    await team.closed("run-1")
    stored = await Log(bus, "JOURNAL", bus.names.journal(task.id)).read()
    assert isinstance(codec.decode(stored[-1].data, JournalBatch).entries[-1], Revoked)
    assert host.closed == ["main"]


async def test_the_list_says_that_a_run_waits_and_until_when(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    await asked(team, bus, worker)

    async def look() -> RunRow | None:
        row = await Rows(bus, "RUN_LIST", RunRow).get("run-1")
        return row if row is not None and row.status == "parked" else None

    row = await eventually(look, "the list says parked")
    assert row.parked_until > row.started_at + 3600


@pytest.mark.parametrize("over", [True, False])
async def test_a_run_is_repeated_as_one_new_run_however_often_the_same_is_asked(
    team: Fleet, bus: Bus, worker: PlayedWorker, *, over: bool
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1", labels={"build": "7"}))
    if over:
        await worker.does("run-1")
        await team.closed("run-1")
    await send_control(bus, "run-1", Rerun(id="again", by="Ada"))
    await bus.store(bus.names.control("run-1"), codec.encode(Rerun(id="again", by="Ada")))

    async def look() -> list[RunRow]:
        rows = await Rows(bus, "RUN_LIST", RunRow).all()
        return [row for row in rows if row.run != "run-1" and row.status == "running"]

    (row,) = await eventually(look, "the new run is under way")
    await worker.does(row.run)
    opened = events_of(await team.closed(row.run), RunOpened)[0]
    assert (opened.request.rerun_of, opened.request.labels) == ("run-1", {"build": "7"})
    assert len(await Rows(bus, "RUN_LIST", RunRow).all()) == 2


@pytest.mark.slow
async def test_what_a_run_no_longer_wants_is_taken_back_before_anybody_begins_it(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    task = await worker.given("run-1")
    await send_control(bus, "run-1", Cancel(id="c"))
    await team.closed("run-1")

    await team.start("subagent")

    async def look() -> bool:
        return not await worker.queued("run-1")

    await eventually(look, "the queue holds nothing of it any more")
    stored = await Log(bus, "JOURNAL", bus.names.journal(task.id)).read()
    entries = [entry for message in stored for entry in codec.decode(message.data, JournalBatch).entries]
    assert [type(entry) for entry in entries] == [Revoked]
