"""Whole runs through a real orchestrator process, with workers and session hosts played by the test."""

import asyncio
import signal
import time

import pytest
from driven import a_case, fails, faults, limits, plan_of
from fleet import Fleet
from msgspec.structs import replace
from nats.aio.msg import Msg
from played import PlayedHost, PlayedWorker, events_of, kinds_of
from waiting import eventually

from muster_bus import Bus, Rows, replay
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import RetryPlanned, RunClosed, SubTaskEnded
from muster_protocol.logs import LogRecord, RunRow
from muster_protocol.requests import DeviceSpec, Drill, RunRequest
from muster_protocol.session_requests import CloseSession, OpenSession
from muster_protocol.session_responses import SessionError
from muster_protocol.verdicts import Verdict


async def lines_of(bus: Bus, run: str) -> list[str]:
    return [codec.decode(m.data, LogRecord).text async for m in replay(bus, "LOGS", bus.names.log(run, "*"))]


async def queue_is_empty(bus: Bus) -> None:
    async def look() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(look, "the request is out of the queue")


async def test_a_drill_runs_from_request_to_close(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    told: list[Msg] = []

    async def note(message: Msg) -> None:
        told.append(message)

    for subject in ("answers", bus.names.live("muster.verdicts.*")):
        await bus.nc.subscribe(subject, cb=note)
    request = RunRequest(job=Drill(count=3), id="run-1", suite="s", labels={"a": "b"}, reply_to="answers")
    assert (await submit(bus, request)).run == "run-1"
    done = await worker.does("run-1", 3, evidence=(), unverified=True)
    entries = await team.closed("run-1")

    assert [task.id for task in done] == ["run-1.drill-1.1", "run-1.drill-2.1", "run-1.drill-3.1"]
    assert await worker.queued() == [task.id for task in done]
    assert [entry.epoch for entry in entries] == [1] * len(entries)
    ended = ["SubTaskEnded", "SubTaskDispatched"]
    first = ["RunOpened", "PlanMade", "SubTaskDispatched"]
    assert kinds_of(entries) == [*first, *ended, *ended, "SubTaskEnded", "VerdictReached", "RunClosed"]
    await queue_is_empty(bus)
    verdicts = [codec.decode(message.data, Verdict) for message in told]
    assert {message.subject for message in told} == {"answers", "muster.live.verdicts.run-1"}
    assert {(it.run, it.status, it.suite, it.summary) for it in verdicts} == {
        ("run-1", "pass", "s", "3 of 3 sub-tasks passed")
    }
    row = await Rows(bus, "RUN_LIST", RunRow).get("run-1")
    assert row is not None
    assert (row.status, row.done, row.total, row.suite, row.labels) == ("pass", 3, 3, "s", {"a": "b"})
    assert 0 < row.requested_at <= row.started_at <= row.ended_at


async def test_a_case_is_planned_works_in_its_session_and_closes_it(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    case = a_case('The page title is "Shop"', 'The text "${order}" is visible', domains=("shop.test",))
    await submit(bus, RunRequest(job=case, id="run-1", record="on"))
    await worker.does("run-1", plan=plan_of(case))
    [first] = await worker.does("run-1", captured={"order": "4711"})
    [second] = await worker.does("run-1")
    entries = await team.closed("run-1")

    assert (first.host, first.session, second.step.values) == (PlayedHost.NAME, "main", {"order": "4711"})
    opened = OpenSession(run="run-1", domains=("shop.test",), record="on")
    assert host.asked == [opened, CloseSession(run="run-1", passed=True)]
    assert (await team.verdict("run-1")).status == "pass"
    [closed] = events_of(entries, RunClosed)
    assert [artifact.name for artifact in closed.artifacts] == ["run-1/main/trace.zip"]
    told = await lines_of(bus, "run-1")
    assert told[0] == "[Orchestrator] Run run-1: A case, 2 steps"
    assert "[Orchestrator] Sub-task 1/2: Do thing 1" in told
    assert told[-1] == "[Orchestrator] VERDICT: PASS — 2 of 2 sub-tasks passed"


async def test_an_unproven_pass_fails_the_run_whatever_the_worker_claims(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    case = a_case('The page title is "Shop"')
    await submit(bus, RunRequest(job=case, id="run-1"))
    await worker.does("run-1", plan=plan_of(case))
    await worker.does("run-1", evidence=())

    verdict = await team.verdict("run-1")
    assert (verdict.status, verdict.cause, verdict.failed_node) == ("fail", Cause.AGENT, "step-1")
    await team.closed("run-1")
    assert host.asked[-1] == CloseSession(run="run-1")  # what is recorded for failures is kept
    assert host.closed == ["main"]


async def test_a_sub_task_that_infrastructure_fails_is_tried_again_after_its_pause(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    await team.start("orchestrator")
    case = a_case('The page title is "Shop"')
    await submit(bus, RunRequest(job=case, id="run-1"))
    await worker.does("run-1", plan=plan_of(case))
    task = await worker.given("run-1", "step-1")
    await worker.finishes(task, faults(task))
    again = await worker.given("run-1", "step-1")
    await worker.finishes(again)

    entries = await team.closed("run-1")
    assert (again.id, (await team.verdict("run-1")).status) == ("run-1.step-1.2", "pass")
    [planned] = events_of(entries, RetryPlanned)
    dispatched = next(entry.at for entry in entries if again.id in str(entry.events))
    assert planned.not_before - 0.05 <= dispatched < planned.not_before + 10.0


async def test_a_host_that_is_full_is_asked_again_until_there_is_room(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    host.refusals = [SessionError(reason="full", text="all 2 sessions are in use")] * 3
    await team.start("orchestrator")
    case = a_case('The page title is "Shop"')
    await submit(bus, RunRequest(job=case, id="run-1"))
    await worker.does("run-1", plan=plan_of(case))
    await worker.does("run-1")

    await team.closed("run-1")
    assert host.opened == ["main"] * 4
    waiting = [line for line in await lines_of(bus, "run-1") if "Waiting for a session host" in line]
    assert waiting == ["[Orchestrator] Waiting for a session host: all 2 sessions are in use"]


@pytest.mark.slow
async def test_without_any_session_host_the_environment_is_to_blame(team: Fleet, bus: Bus):
    await team.start("orchestrator", SESSION_WAIT_SECONDS="0.5")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))

    verdict = await team.verdict("run-1")
    assert (verdict.cause, verdict.summary) == (
        Cause.ENVIRONMENT,
        "no session host was running for 0.5 s: start one with `muster up`, or start more replicas of the service "
        "`sessions`",
    )


@pytest.mark.slow
async def test_where_no_host_can_keep_the_device_of_a_case_the_environment_is_to_blame_and_the_log_says_why(
    team: Fleet, bus: Bus, host: PlayedHost
):
    host.refusals = [SessionError(reason="no_device", text="no host can keep a device of kind web")] * 1000
    await team.start("orchestrator", SESSION_WAIT_SECONDS="0.5")
    await submit(bus, RunRequest(job=replace(a_case(), device=DeviceSpec(kind="web")), id="run-1"))

    verdict = await team.verdict("run-1")
    assert verdict.cause == Cause.ENVIRONMENT
    assert verdict.summary.startswith("no session host for web was running for 0.5 s")
    said = "[Orchestrator] Waiting for a session host: no host can keep a device of kind web"
    assert said in await lines_of(bus, "run-1")
    assert {asked.device for asked in host.asked if isinstance(asked, OpenSession)} == {DeviceSpec(kind="web")}


async def test_a_session_that_can_never_be_opened_ends_the_run_at_once(team: Fleet, bus: Bus, host: PlayedHost):
    host.refusals = [SessionError(reason="invalid", text="there is no kind 'web' here")]
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))

    verdict = await team.verdict("run-1")
    assert (verdict.cause, verdict.summary) == (
        Cause.ENVIRONMENT,
        "no session could be opened: there is no kind 'web' here",
    )


async def test_a_session_that_opens_only_after_the_verdict_is_closed_too(
    team: Fleet, bus: Bus, worker: PlayedWorker, host: PlayedHost
):
    host.held = []
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))
    await eventually(lambda: host.held, "the session is asked for")
    task = await worker.given("run-1", "plan")
    await worker.finishes(task, fails(task, Failure.UNKNOWN_PHRASE))
    assert (await team.verdict("run-1")).cause == Cause.AGENT
    await host.let_in()

    [closed] = events_of(await team.closed("run-1"), RunClosed)
    assert (host.opened, host.closed) == (["main"], ["main"])
    assert len(closed.artifacts) == 1


async def test_many_runs_go_on_side_by_side_in_one_process(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    runs = [f"run-{number}" for number in range(20)]
    for run in runs:
        await submit(bus, RunRequest(job=Drill(count=2), id=run))

    async def carry_out(run: str) -> str:
        await worker.does(run, 2, evidence=(), unverified=True)
        await team.closed(run)
        return (await team.verdict(run)).status

    assert await asyncio.gather(*(carry_out(run) for run in runs)) == ["pass"] * 20
    await queue_is_empty(bus)


async def test_a_run_that_nobody_works_on_ends_when_its_time_is_up(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1", limits=limits(timeout_seconds=0.7)))

    verdict = await team.verdict("run-1")
    assert (verdict.cause, verdict.summary) == (
        Cause.AGENT,
        "not finished within 0.7 s (limits: timeout_seconds); 0/2 sub-tasks passed",
    )


async def test_a_result_stored_before_the_time_was_up_counts_although_its_news_comes_with_the_timer(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    process = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1", limits=limits(timeout_seconds=1.0)))
    task = await worker.given("run-1")
    process.send_signal(signal.SIGSTOP)
    await worker.finishes(task, evidence=(), unverified=True)
    await eventually(lambda: time.time() > task.finish_by + 0.05, "its time is up")
    process.send_signal(signal.SIGCONT)

    assert (await team.verdict("run-1")).status == "pass"


async def test_a_result_stored_before_the_time_was_up_counts_for_an_owner_that_comes_after_it(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    process = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1", limits=limits(timeout_seconds=1.0)))
    task = await worker.given("run-1")
    process.kill()
    await worker.finishes(task, evidence=(), unverified=True)
    await eventually(lambda: time.time() > task.finish_by, "its time is up")
    await team.start("orchestrator")

    assert (await team.verdict("run-1")).status == "pass"


async def test_a_result_that_is_stored_while_the_server_restarts_is_found(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", evidence=(), unverified=True)
    await team.server.stop(signal.SIGKILL)
    await team.server.start()
    await eventually(lambda: bus.nc.is_connected, "the test is connected again")
    await worker.does("run-1", 2, evidence=(), unverified=True)

    entries = await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
    assert len(events_of(entries, SubTaskEnded)) == 3


async def test_results_of_attempts_that_are_not_open_are_left_alone(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    task = await worker.given("run-1")
    for node, attempt in ((task.node, 9), ("nowhere", 1)):
        await worker.finishes(replace(task, id=f"run-1.{node}.{attempt}", node=node, attempt=attempt))
    await worker.does("run-1", 2, evidence=(), unverified=True)

    entries = await team.closed("run-1")
    ended = [event.outcome.task for event in events_of(entries, SubTaskEnded)]
    assert ended == ["run-1.drill-1.1", "run-1.drill-2.1"]
