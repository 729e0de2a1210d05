"""Logs, requests and snapshots that this version cannot or must not read: left alone, or ended, never misread."""

import time
from typing import Any

import pytest
from driven import passes
from fleet import Fleet
from msgspec.structs import replace
from played import PlayedWorker, events_of
from waiting import eventually

from muster_bus import Bus, Log, Rows, replay
from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_orchestrator.machine import Run, fold, settle
from muster_orchestrator.run_loader import read_run
from muster_orchestrator.snapshot_store import Snapshot, build_snapshot
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import OwnerChanged, RunOpened, SubTaskEnded
from muster_protocol.journal import Finished, JournalBatch
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest, Step, TestCase
from muster_text.request_rules import MAX_REQUEST_BYTES

HEADERS = 250
"""Bytes that the headers of a journal's message have at most."""
NEWER = {"v": str(codec.VERSION + 1)}
NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def finished(team: Fleet, bus: Bus, worker: PlayedWorker, run: str = "run-1", count: int = 3) -> None:
    await submit(bus, RunRequest(job=Drill(count=count), id=run))
    await worker.does(run, count, **NOTHING)
    await team.closed(run)


async def abandoned(team: Fleet, bus: Bus, worker: PlayedWorker) -> None:
    """Have a run begun by an orchestrator that is then killed; its queue message comes back."""
    process = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    await worker.does("run-1", **NOTHING)
    await worker.given("run-1", "drill-2")
    process.kill()
    await process.wait()


def log_of(bus: Bus, run: str = "run-1") -> Log:
    return Log(bus, "RUNS", bus.names.events(run))


async def said(team: Fleet, text: str) -> None:
    """Return once a process of the fleet has said something in its log."""

    async def look() -> bool:
        return any(text in path.read_text() for path in team.folder.glob("orchestrator-*.log"))

    await eventually(look, f"an orchestrator says {text!r}")


async def test_each_snapshot_and_the_rest_of_the_log_give_what_the_whole_log_gives(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await finished(team, bus, worker, "other", 1)
    await finished(team, bus, worker)
    stored, entries = await log_of(bus).read(), await read_entries(bus, "run-1")
    whole = fold(Run(), entries)
    for count, message in enumerate(stored, 1):
        await Rows(bus, "SNAPSHOTS", Snapshot).put("run-1", build_snapshot(fold(Run(), entries[:count]), message.seq))
        events = log_of(bus)
        assert await read_run(bus, events, "run-1") == whole
        assert events.last == stored[-1].seq


async def test_only_what_came_after_the_snapshot_is_read(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await finished(team, bus, worker)
    stored, whole = await log_of(bus).read(), fold(Run(), await read_entries(bus, "run-1"))
    await Rows(bus, "SNAPSHOTS", Snapshot).put("run-1", build_snapshot(whole, stored[-1].seq))
    for message in stored[:-1]:
        await bus.js.delete_msg("RUNS", message.seq)

    assert await read_run(bus, log_of(bus), "run-1") == whole


async def test_a_snapshot_that_does_not_fit_is_ignored(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await finished(team, bus, worker, "other", 1)
    await finished(team, bus, worker)
    entries, last = await read_entries(bus, "run-1"), (await log_of(bus).read())[-1].seq
    whole, other = fold(Run(), entries), fold(Run(), await read_entries(bus, "other"))
    wrong = fold(Run(), entries[:2])
    good = codec.encode(build_snapshot(whole, last))
    for data in (
        b"",
        good[:100],
        b'{"sequence":"x"}',
        codec.encode(build_snapshot(wrong, last + 1000)),  # newer than the log
        codec.encode(build_snapshot(other, 2)),  # of another run
        codec.encode(build_snapshot(wrong, last)),  # of an earlier moment than it says
        good.replace(b'"shape":"', b'"shape":"f'),  # made by another version
    ):
        await bus.store("$KV.SNAPSHOTS.run-1", data)
        assert await read_run(bus, log_of(bus), "run-1") == whole, data[:60]
    await Rows(bus, "SNAPSHOTS", Snapshot).delete("run-1")
    assert await read_run(bus, log_of(bus), "run-1") == whole


async def test_a_run_of_a_newer_version_is_left_alone_and_others_go_on(team: Fleet, bus: Bus, worker: PlayedWorker):
    await abandoned(team, bus, worker)
    future = await bus.store(bus.names.events("run-1"), b'{"epoch":2,"at":1,"events":[{"type":"danced"}]}', NEWER)
    await team.start("orchestrator")
    await said(team, "left to a newer orchestrator's sweep")
    await finished(team, bus, worker, "run-2", 1)

    async def none_is_left() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(none_is_left, "both runs are out of the queue")
    assert (await log_of(bus).read())[-1].seq == future.seq
    row = await Rows(bus, "RUN_LIST", RunRow).get("run-1")
    assert row is not None
    assert row.status == "running"  # by which the sweep of a newer orchestrator finds it


async def test_a_run_whose_log_is_damaged_ends_in_a_fail_that_names_the_message(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await abandoned(team, bus, worker)
    damaged = await bus.store(bus.names.events("run-1"), b"\x00\x01 nonsense")
    await team.start("orchestrator")

    verdict = await team.verdict("run-1")
    assert (verdict.status, verdict.cause) == ("fail", Cause.AGENT)
    assert verdict.summary.startswith(f"given up: message {damaged.seq} of the run's log cannot be read")
    entries = await team.closed("run-1")
    assert len(events_of(entries, OwnerChanged)) == 1


async def test_a_run_whose_very_first_entry_is_damaged_ends_too(team: Fleet, bus: Bus):
    await bus.store(bus.names.events("run-1"), b"nonsense")
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))

    assert (await team.verdict("run-1")).status == "fail"
    await team.closed("run-1")


async def test_what_is_too_large_for_one_entry_of_the_log_goes_into_several_and_the_run_goes_on(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    task = await worker.given("run-1")
    await worker.takes(task)
    batch = codec.encode(JournalBatch(entries=(Finished(outcome=passes(task, summary="", **NOTHING)),)))
    room = bus.nc.max_payload - len(batch) - HEADERS
    await worker.finishes(task, summary="x" * room, **NOTHING)  # a result may be as large as that, an entry with it not

    await worker.does("run-1", **NOTHING)
    assert (await team.verdict("run-1")).status == "pass"
    entries = await team.closed("run-1")
    assert [type(event) for event in entries[1].events] == [SubTaskEnded]


@pytest.mark.slow
async def test_sub_tasks_and_journals_of_a_newer_version_are_left_to_newer_workers(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=1), id="run-1"))
    task = await worker.given("run-1")
    await bus.store(bus.names.journal(task.id), b'{"entries":[{"type":"danced"}]}', NEWER)
    later = await bus.store("muster.tasks.think.normal", b'{"danced":true}', {**NEWER, "Nats-Msg-Id": "later"})
    await team.start("subagent", POOLS="think")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-2"))
    assert (await team.verdict("run-2")).status == "pass"

    async def left() -> bool:
        state = (await bus.js.stream_info("TASKS")).state
        return (state.messages, state.last_seq > later.seq) == (2, True)

    await eventually(left, "both are still in the queue")
    assert (await bus.js.stream_info("DEAD")).state.messages == 0
    assert len([message async for message in replay(bus, "JOURNAL", bus.names.journal(task.id))]) == 1


async def test_a_run_that_has_begun_goes_on_although_its_request_would_be_refused_by_now(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    request = RunRequest(job=Drill(count=1), id="run-1", labels={"notes": "x" * MAX_REQUEST_BYTES})
    opened = RunOpened(request=request, owner="orchestrator-old", message=0, delivery=0)
    await log_of(bus).append(settle(Run(), (opened,), time.time(), 1).entry)
    await bus.store(bus.names.request("run-1"), codec.encode(request))
    await team.start("orchestrator")

    await worker.does("run-1", **NOTHING)
    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
    assert (await bus.js.stream_info("DEAD")).state.messages == 0


async def test_a_request_that_is_too_large_with_its_id_is_refused_at_once(team: Fleet, bus: Bus):
    case = TestCase(
        name="Long", steps=(Step(action="Reload the page", expected="The page is shown"),), variables={"notes": ""}
    )
    left = MAX_REQUEST_BYTES - len(codec.encode(RunRequest(job=case)))
    request = RunRequest(job=replace(case, variables={"notes": "x" * left}))
    assert len(codec.encode(request)) == MAX_REQUEST_BYTES
    await team.start("orchestrator")

    with pytest.raises(InvalidRequest, match="the limit is 262144"):
        await submit(bus, request)
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 0
