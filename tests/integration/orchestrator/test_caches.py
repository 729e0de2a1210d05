"""Rows and snapshots are caches: they follow the log, never lead it, and a run goes on without them."""

import asyncio

import pytest
from driven import Driven, a_case
from fleet import Fleet
from played import PlayedWorker, events_of
from structlog.testing import capture_logs
from waiting import eventually

from muster_bus import Bus, Rows
from muster_client.runs import submit
from muster_orchestrator.snapshots import RunCache, Snapshot, build_row, build_snapshot, read_snapshot, shorten_row
from muster_protocol.control import Cancel
from muster_protocol.events import OwnerChanged
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest


async def row(bus: Bus) -> RunRow | None:
    return await Rows(bus, "RUN_LIST", RunRow).get("run-1")


async def test_the_newest_state_offered_is_what_is_stored_in_the_end(bus: Bus):
    driven, caches = Driven(Drill(count=50)), RunCache(bus)
    for sequence in range(1, 51):
        caches.offer(driven.run, sequence)
        driven.ends(driven.open(), evidence=(), unverified=True)
        if sequence % 10 == 0:
            await asyncio.sleep(0)
    caches.offer(driven.run, 51)
    await caches.finish()

    stored, snapshot = await row(bus), await read_snapshot(bus, "run-1")
    assert stored == build_row(driven.run, 51)
    assert snapshot == build_snapshot(driven.run, 51)


async def test_a_state_is_stored_without_anybody_waiting_for_it(bus: Bus):
    driven, caches = Driven(Drill(count=2)), RunCache(bus)
    caches.offer(driven.run, 1)

    async def look() -> bool:
        return await row(bus) == build_row(driven.run, 1)

    await eventually(look, "the row is there")
    await caches.stop()


async def test_finishing_in_the_middle_of_a_write_loses_nothing(bus: Bus):
    driven, caches = Driven(Drill(count=2)), RunCache(bus)
    caches.offer(driven.run, 1)
    await asyncio.sleep(0)  # the write is on its way
    await caches.finish()

    assert await row(bus) == build_row(driven.run, 1)


async def test_an_older_row_never_replaces_a_newer_one(bus: Bus):
    old, new = Driven(Drill(count=2)), Driven(Drill(count=2))
    new.ends(new.open(), evidence=(), unverified=True)
    mine, theirs = RunCache(bus), RunCache(bus)
    mine.offer(old.run, 1)
    await mine.finish()
    theirs.offer(new.run, 2)
    await theirs.finish()
    mine.offer(old.run, 1)
    await mine.finish()

    assert await row(bus) == build_row(new.run, 2)


async def test_a_run_too_large_for_a_snapshot_still_has_its_row(bus: Bus):
    driven, caches = Driven(a_case(*[f"Thing {n} {'x' * 200_000} is seen" for n in range(6)])), RunCache(bus)
    caches.offer(driven.run, 3)
    await caches.finish()

    assert await row(bus) == build_row(driven.run, 3)
    assert await read_snapshot(bus, "run-1") is None


async def test_that_a_run_is_too_large_for_a_snapshot_is_said_once(bus: Bus):
    driven, caches = Driven(a_case(*[f"Thing {n} {'x' * 200_000} is seen" for n in range(6)])), RunCache(bus)
    with capture_logs() as logged:
        for sequence in (3, 4, 5):
            caches.offer(driven.run, sequence)
            await caches.finish()

    assert [line["event"].split(";")[0] for line in logged] == ["run too large for a snapshot"]
    assert await row(bus) == build_row(driven.run, 5)


async def test_a_row_too_large_for_a_message_is_stored_shorter(bus: Bus):
    driven, caches = Driven(Drill(count=2), labels={"a": "x" * 1_100_000}), RunCache(bus)
    driven.asked(Cancel(id="c", reason="y" * 500_000))
    caches.offer(driven.run, 3)
    await caches.finish()

    stored = await row(bus)
    assert stored is not None
    assert (stored.status, stored.cause, stored.labels, len(stored.summary)) == ("fail", "cancelled", {}, 999)
    assert stored == shorten_row(build_row(driven.run, 3), bus.nc.max_payload - 4096) != build_row(driven.run, 3)


@pytest.mark.parametrize("snapshot", ["nonsense", "of another log", "none"])
async def test_a_run_is_taken_over_whatever_its_snapshot_says(
    team: Fleet, bus: Bus, worker: PlayedWorker, snapshot: str
):
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", evidence=(), unverified=True)
    await worker.given("run-1", "drill-2")
    first.kill()
    await first.wait()
    match snapshot:
        case "nonsense":
            await bus.store("$KV.SNAPSHOTS.run-1", b'{"sequence": "x"}')
        case "of another log":
            other = Driven(Drill(count=9), run="other")
            await Rows(bus, "SNAPSHOTS", Snapshot).put("run-1", build_snapshot(other.run, 4711))
        case _:
            await Rows(bus, "SNAPSHOTS", Snapshot).delete("run-1")
    await team.start("orchestrator")
    await worker.does("run-1", 2, evidence=(), unverified=True)

    entries = await team.closed("run-1")
    assert len(events_of(entries, OwnerChanged)) == 1
    assert (await team.verdict("run-1")).summary == "3 of 3 sub-tasks passed"


async def test_a_takeover_folds_on_from_the_snapshot(team: Fleet, bus: Bus, worker: PlayedWorker):
    first = await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", evidence=(), unverified=True)
    found: list[Snapshot] = []

    async def stored() -> bool:
        snapshot = await read_snapshot(bus, "run-1")
        found[:] = [snapshot] if snapshot is not None and snapshot.run.graph["drill-1"].status == "passed" else []
        return bool(found)

    await eventually(stored, "there is a snapshot of the first sub-task's end")
    first.kill()
    await team.start("orchestrator")
    await worker.does("run-1", 2, evidence=(), unverified=True)

    await team.closed("run-1")
    assert (await team.verdict("run-1")).status == "pass"
