"""Runs are cancelled while they run, while they wait in the queue, and when it is too late."""

import asyncio
import time
from contextlib import suppress
from typing import Any

import pytest
from driven import a_case, fails, plan_of
from fleet import Fleet
from nats.aio.msg import Msg
from played import PlayedHost, PlayedWorker, events_of, kinds_of
from waiting import eventually

from muster_bus import Bus, Log, Rows
from muster_bus.run_store import read_entries
from muster_client.runs import send_control, submit
from muster_orchestrator.control_handler import cancel_queued
from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.errors import Fenced
from muster_protocol.events import ControlApplied, Parked, SubTaskDispatched
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}
CANCEL = Cancel(id="c1", by="Ada", reason="wrong build")


async def told_on(bus: Bus, subject: str) -> list[Verdict]:
    told: list[Verdict] = []

    async def note(message: Msg) -> None:
        told.append(codec.decode(message.data, Verdict))

    await bus.nc.subscribe(subject, cb=note)
    await bus.nc.flush()
    return told


async def row_says(bus: Bus, run: str, status: str) -> None:
    async def look() -> bool:
        row = await Rows(bus, "RUN_LIST", RunRow).get(run)
        return row is not None and row.status == status

    await eventually(look, f"the list says {status} for {run}")


async def queue_is_empty(bus: Bus) -> None:
    async def look() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(look, "the queue is empty")


async def is_cancelled(team: Fleet, run: str) -> None:
    verdict = await team.verdict(run)
    assert (verdict.status, verdict.cause) == ("fail", Cause.CANCELLED)
    assert verdict.summary == "cancelled by Ada: wrong build"


async def test_a_run_that_is_at_work_is_cancelled_at_once_and_its_session_closed(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    told = await told_on(bus, "answers")
    await submit(bus, RunRequest(job=a_case(), id="run-1", reply_to="answers"))
    await eventually(lambda: host.opened, "its session is opened")
    await worker.given("run-1", "plan")
    await send_control(bus, "run-1", CANCEL)

    await is_cancelled(team, "run-1")
    await team.closed("run-1")
    assert host.closed == ["main"]
    await eventually(lambda: told, "the verdict is told")
    await row_says(bus, "run-1", "fail")
    await queue_is_empty(bus)


async def test_a_worker_that_was_faster_than_the_orchestrator_does_not_change_what_is_said(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    task = await worker.given("run-1")
    cancelled = fails(task, Failure.CANCELLED, status="cancelled", summary="the run was cancelled")

    async def finish() -> None:
        with suppress(Fenced):  # the owner was faster, and has taken the sub-task back
            await worker.finishes(task, cancelled)

    await asyncio.gather(send_control(bus, "run-1", CANCEL), finish())

    assert (await team.verdict("run-1")).cause == Cause.CANCELLED
    await team.closed("run-1")


async def test_a_queued_run_is_cancelled_although_nobody_has_room_for_it(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator", ORCHESTRATOR_RUNS="1")
    told = await told_on(bus, "answers")
    await submit(bus, RunRequest(job=Drill(count=1), id="busy"))
    await worker.given("busy")
    await submit(bus, RunRequest(job=Drill(count=1), id="waits", reply_to="answers"))
    await send_control(bus, "waits", CANCEL)

    await is_cancelled(team, "waits")
    entries = await team.closed("waits")
    assert kinds_of(entries) == ["RunOpened", "ControlApplied", "VerdictReached", "RunClosed"]
    await eventually(lambda: told, "the verdict is told")
    await row_says(bus, "waits", "fail")
    assert await worker.queued("waits") == []
    await worker.does("busy", **NOTHING)
    await team.closed("busy")
    await queue_is_empty(bus)
    assert kinds_of(await read_entries(bus, "waits")) == kinds_of(entries)


async def test_a_run_cancelled_while_no_orchestrator_is_there_ends_as_cancelled_when_one_comes(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await bus.store("muster.requests.early", codec.encode(RunRequest(job=Drill(count=1))))
    await send_control(bus, "early", CANCEL)
    await team.start("orchestrator")

    await is_cancelled(team, "early")
    entries = await team.closed("early")
    assert events_of(entries, SubTaskDispatched) == []
    await queue_is_empty(bus)


async def test_a_run_whose_canceller_died_before_it_could_say_so_is_put_right(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    request = RunRequest(job=Drill(count=1), id="run-1")
    await bus.store("muster.requests.run-1", codec.encode(request))
    await Rows(bus, "RUN_LIST", RunRow).put("run-1", RunRow(run="run-1", name="drill", status="queued"))
    _, entry = cancel_queued(request, CANCEL, "orchestrator-dead", time.time())
    await Log(bus, "RUNS", "muster.runs.run-1.events").append(entry)
    await team.start("orchestrator")

    await row_says(bus, "run-1", "fail")
    await queue_is_empty(bus)
    assert len(await read_entries(bus, "run-1")) == 1


async def test_with_several_orchestrators_a_cancelled_run_has_one_verdict(team: Fleet, bus: Bus):
    await asyncio.gather(*(team.start("orchestrator", ORCHESTRATOR_RUNS="1") for _ in range(2)))
    runs = [f"run-{number}" for number in range(6)]
    for run in runs:
        await submit(bus, RunRequest(job=Drill(count=1), id=run))
    await asyncio.gather(*(send_control(bus, run, CANCEL) for run in runs))

    for run in runs:
        await is_cancelled(team, run)
        await team.closed(run)
    await queue_is_empty(bus)


async def test_cancelling_twice_is_cancelling_once(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.given("run-1")
    await asyncio.gather(*(send_control(bus, "run-1", CANCEL) for _ in range(3)))
    await send_control(bus, "run-1", Cancel(id="c2", by="Bob"))

    await is_cancelled(team, "run-1")
    applied = [event.control.id for event in events_of(await team.closed("run-1"), ControlApplied)]
    assert applied[0] == "c1"
    assert len(applied) == len(set(applied))


async def test_cancelling_a_run_that_is_over_changes_nothing(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.does("run-1", **NOTHING)
    entries = await team.closed("run-1")
    await queue_is_empty(bus)
    await send_control(bus, "run-1", CANCEL)
    await submit(bus, RunRequest(job=Drill(count=1), id="run-2"))
    await worker.does("run-2", **NOTHING)
    await team.closed("run-2")

    assert await read_entries(bus, "run-1") == entries
    await row_says(bus, "run-1", "pass")


async def test_cancelling_a_run_that_never_was_makes_none(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await send_control(bus, "nobody", CANCEL)
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.does("run-1", **NOTHING)
    await team.closed("run-1")

    assert await read_entries(bus, "nobody") == []
    assert await Rows(bus, "RUN_LIST", RunRow).get("nobody") is None


@pytest.mark.parametrize("control", [b"not json", b'{"type":"of a later version","id":"x"}'])
async def test_what_is_asked_in_words_nobody_knows_is_ignored(
    team: Fleet, bus: Bus, worker: PlayedWorker, control: bytes
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await worker.given("run-1")
    await bus.store("muster.control.run-1", control)
    await worker.does("run-1", **NOTHING)

    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"


async def test_a_paused_run_waits_and_goes_on_when_it_is_resumed(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    await worker.given("run-1")
    await send_control(bus, "run-1", Pause(id="p1"))
    await row_says(bus, "run-1", "paused")
    await worker.does("run-1", **NOTHING)
    assert len(await worker.queued()) == 1
    await send_control(bus, "run-1", Resume(id="r1"))
    await worker.does("run-1", **NOTHING)

    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"


@pytest.mark.slow
async def test_a_session_that_opens_while_its_run_changes_hands_is_closed_by_the_next_owner(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    host.held = []
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))
    await eventually(lambda: host.held, "the session is asked for")
    first.kill()
    await first.wait()
    await send_control(bus, "run-1", CANCEL)
    await host.let_in()  # nobody is there any more who would hear of it
    await team.start("orchestrator")

    await is_cancelled(team, "run-1")
    await team.closed("run-1")
    assert host.closed == ["main"]


async def test_a_run_that_was_parked_while_its_session_opened_has_it_closed_when_it_is_cancelled(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    host.held = []
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))
    await eventually(lambda: host.held, "the session is asked for")
    await send_control(bus, "run-1", Pause(id="p"))
    task = await worker.given("run-1", "plan")
    await worker.finishes(task, plan=plan_of(a_case()))

    async def parked() -> bool:
        return bool(events_of(await read_entries(bus, "run-1"), Parked))

    await eventually(parked, "it is parked")
    await host.let_in()
    await send_control(bus, "run-1", CANCEL)

    await is_cancelled(team, "run-1")
    await team.closed("run-1")
    assert host.closed == ["main"]
