"""Rows and snapshots are caches: they follow the log, never lead it, and a run goes on without them."""

import asyncio
import random

import pytest
from driven import Driven, a_case
from fleet import Fleet
from played import PlayedWorker, events_of
from structlog.testing import capture_logs
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.artifact_store import list_subjects
from muster_client.runs import submit
from muster_orchestrator.snapshot_store import Snapshot, SnapshotWriter, build_snapshot, read_snapshot
from muster_orchestrator.snapshots import RunCache, build_row, shorten_row
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.events import OwnerChanged
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest


async def row(bus: Bus) -> RunRow | None:
    return await Rows(bus, "RUN_LIST", RunRow).get("run-1")


async def bucket_keys(bus: Bus) -> set[str]:
    return set((await list_subjects(bus, "KV_SNAPSHOTS", "$KV.SNAPSHOTS.>")).subjects)


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


def large(mark: str = "x") -> Driven:
    """Return a run that does not fit into one message, even compressed."""
    dice = random.Random(mark)
    noise = (dice.randbytes(130_000).hex() for _ in range(12))
    return Driven(a_case(*[f"Thing {n} {text} is seen" for n, text in enumerate(noise)]))


async def test_the_snapshot_of_a_large_run_is_stored_in_parts(bus: Bus):
    driven, caches = large(), RunCache(bus)
    assert len(codec.encode(driven.run)) > 2 * bus.nc.max_payload
    caches.offer(driven.run, 3)
    await caches.finish()

    assert await row(bus) == build_row(driven.run, 3)
    assert await read_snapshot(bus, "run-1") == build_snapshot(driven.run, 3)
    assert len(await bucket_keys(bus)) > 2  # its head and several parts


async def test_parts_are_written_in_turns_in_two_places(bus: Bus):
    writer = SnapshotWriter(bus)
    for sequence, mark in enumerate("abcde"):
        await writer.write("run-1", build_snapshot(large(mark).run, sequence))
    kept = await bucket_keys(bus)
    await SnapshotWriter(bus).write("run-1", build_snapshot(large("f").run, 6))

    assert await bucket_keys(bus) == kept
    assert await read_snapshot(bus, "run-1") == build_snapshot(large("f").run, 6)


@pytest.mark.parametrize("owner", ["the same", "the next"])
async def test_a_snapshot_that_was_never_finished_leaves_the_one_before_in_force(bus: Bus, owner: str):
    first, broken = SnapshotWriter(bus), RuntimeError("killed here")
    await first.write("run-1", build_snapshot(large("a").run, 1))
    writer = first if owner == "the same" else SnapshotWriter(bus)

    async def killed(*_: object) -> int:
        raise broken

    writer._heads.put = killed  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    with pytest.raises(RuntimeError, match="killed here"):
        await writer.write("run-1", build_snapshot(large("b").run, 2))

    assert await read_snapshot(bus, "run-1") == build_snapshot(large("a").run, 1)


async def test_a_snapshot_with_a_part_of_another_one_is_ignored(bus: Bus):
    await SnapshotWriter(bus).write("run-1", build_snapshot(large("a").run, 1))
    other = SnapshotWriter(bus)
    await other.write("run-2", build_snapshot(large("b").run, 1))
    strange = (await bus.js.get_last_msg("KV_SNAPSHOTS", "$KV.SNAPSHOTS.run-2.a0")).data or b""
    await bus.store("$KV.SNAPSHOTS.run-1.a0", strange)

    with capture_logs() as logged:
        assert await read_snapshot(bus, "run-1") is None
    assert [line["event"] for line in logged] == ["incomplete snapshot ignored"]


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
