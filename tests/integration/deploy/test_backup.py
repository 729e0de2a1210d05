"""Backup and restore, as docs/operations.md says: live through the server, or the files of a server that is stopped."""

import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from deployed import Deployed, identity
from fleet import Fleet
from programs import ran
from waiting import eventually

from muster_bus import Bus, Rows, provision
from muster_bus.artifact_store import get_artifact, list_artifacts, put_artifact
from muster_bus.run_store import store_request
from muster_client.runs import send_control, submit
from muster_client.trigger_store import get_trigger, put_trigger
from muster_protocol.control import Pause, Resume
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.triggers import Schedule, Trigger
from muster_protocol.verdicts import Verdict

pytestmark = pytest.mark.timeout(240)


async def lived(fleet: Fleet, server: Deployed) -> tuple[Verdict, str]:
    """Let a fleet end one run and begin another; return the verdict of the first and the id of the second."""
    for service in ("orchestrator", "subagent"):
        await fleet.start(service, **identity(service))
    done = await submit(fleet.bus, RunRequest(job=Drill(count=3)))
    verdict = await fleet.verdict(done.run)
    async with server.bus("subagent") as worker:
        await put_artifact(worker, f"{done.run}/note.txt", b"kept", "text/plain")
    under_way = await submit(fleet.bus, RunRequest(job=Drill(count=40, wait_seconds=0.2)))
    return verdict, under_way.run


async def continues(server: Deployed, folder: Path, verdict: Verdict, under_way: str) -> None:
    """Check that a fleet on what was brought back knows what was, and goes on with what was under way."""
    settings = {"NATS_URL": server.url, "LOG_FORMAT": "json", "SHUTDOWN_SECONDS": "3", "SESSION_DRAIN_SECONDS": "0"}
    folder.mkdir()
    async with server.bus("provisioner") as bus:
        assert await provision(bus) == ()
    async with server.bus("admin") as bus:
        fleet = Fleet(server, bus, folder, {**os.environ, **settings})
        try:
            for service in ("orchestrator", "subagent"):
                await fleet.start(service, **identity(service))
            assert await fleet.verdict(verdict.run) == verdict
            assert await note(bus, verdict.run) == b"kept"
            assert (await fleet.verdict(under_way, 120)).summary == "40 of 40 sub-tasks passed"
            rows = {row.run: row.status for row in await Rows(bus, "RUN_LIST", RunRow).all()}
            assert rows[verdict.run] == "pass"
        finally:
            await fleet.stop()


async def note(bus: Bus, run: str) -> bytes | None:
    """Return the one file of a run."""
    (name,) = await list_artifacts(bus, f"{run}/")
    return await get_artifact(bus, name)


async def muster(server: Deployed, *arguments: str, cwd: Path) -> str:
    """Run a command as admin and return what it says."""
    ended = await ran(
        *(sys.executable, "-m", "muster_cli", *arguments), cwd=cwd, NATS_URL=server.url, **identity("admin")
    )
    assert ended.code == 0, ended.said
    return ended.said


@pytest.mark.slow
async def test_a_backup_taken_while_the_fleet_works_is_restored_on_an_empty_server(
    fleet: Fleet, server: Deployed, tmp_path: Path
) -> None:
    verdict, under_way = await lived(fleet, server)
    said = await muster(server, "backup", "saved", cwd=tmp_path)
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "saved").iterdir()} == {0o600}
    assert (tmp_path / "saved").stat().st_mode & 0o777 == 0o700
    await fleet.stop()
    await fleet.bus.close()
    await server.stop()
    (tmp_path / "new").mkdir()
    other = Deployed(tmp_path / "new")
    await other.start()
    try:
        restored = await muster(other, "restore", "saved", cwd=tmp_path)
        await continues(other, tmp_path / "again", verdict, under_way)
    finally:
        await other.stop()

    assert "RUNS: " in said
    assert "OBJ_ARTIFACTS: " in restored


class Kept(NamedTuple):
    """What a fleet left behind: a run that was paused, one that nobody has begun, and who repeats what."""

    paused: str
    queued: str
    fired: int
    """How often the trigger had fired."""


RECORDING = RecordingRow(key="plan-one", run="run-1", made_at=5.0)


async def left_behind(fleet: Fleet, server: Deployed) -> Kept:
    """Let a fleet have what waits and what is remembered."""
    running = [await fleet.start(service, **identity(service)) for service in ("orchestrator", "subagent")]
    paused = (await submit(fleet.bus, RunRequest(job=Drill(count=20, wait_seconds=0.3)))).run
    await send_control(fleet.bus, paused, Pause(id="pause-1", by="me"))
    await eventually(lambda: stands(fleet.bus, paused, "paused"), "it is paused", 60.0)
    again = RunRequest(job=Drill(count=1))
    await put_trigger(fleet.bus, Trigger(id="often", schedule=Schedule(every_seconds=1.0), runs=(again,)))
    await eventually(lambda: fired(fleet.bus), "it has fired", 60.0)
    async with server.bus("orchestrator") as owner:
        await Rows(owner, "RECORDINGS", RecordingRow).put(RECORDING.key, RECORDING)
    for process in running:
        process.terminate()
        await process.wait()
    queued = (await store_request(fleet.bus, RunRequest(id="run-queued", job=Drill(count=2)))).run
    return Kept(paused, queued, await fired(fleet.bus))


async def stands(bus: Bus, run: str, status: str) -> bool:
    row = await Rows(bus, "RUN_LIST", RunRow).get(run)
    return row is not None and row.status == status


async def fired(bus: Bus) -> int:
    return len([fire for fire in (await get_trigger(bus, "often")).fires if fire.outcome == "fired"])


@pytest.mark.slow
async def test_what_waits_goes_on_and_what_is_remembered_is_there_after_a_restore(
    fleet: Fleet, server: Deployed, tmp_path: Path
) -> None:
    kept = await left_behind(fleet, server)
    await muster(server, "backup", "saved", cwd=tmp_path)
    await fleet.stop()
    await fleet.bus.close()
    await server.stop()
    (tmp_path / "new").mkdir()
    other = Deployed(tmp_path / "new")
    await other.start()
    try:
        await muster(other, "restore", "saved", cwd=tmp_path)
        await goes_on(other, tmp_path, kept)
    finally:
        await other.stop()


async def goes_on(server: Deployed, folder: Path, kept: Kept) -> None:
    """Check that a fleet on a restored server goes on with what was left behind."""
    settings = {"NATS_URL": server.url, "LOG_FORMAT": "json", "SHUTDOWN_SECONDS": "3"}
    async with server.bus("admin") as bus:
        again = Fleet(server, bus, folder, {**os.environ, **settings})
        try:
            assert await fired(bus) == kept.fired
            assert await Rows(bus, "RECORDINGS", RecordingRow).all() == [RECORDING]
            for service in ("orchestrator", "subagent"):
                await again.start(service, **identity(service))
            assert (await again.verdict(kept.queued)).status == "pass"
            assert await stands(bus, kept.paused, "paused")
            await send_control(bus, kept.paused, Resume(id="resume-1", by="me"))
            assert (await again.verdict(kept.paused, 120)).summary == "20 of 20 sub-tasks passed"
            await eventually(lambda: fired_more(bus, kept.fired), "the trigger fires on", 60.0)
        finally:
            await again.stop()


async def fired_more(bus: Bus, before: int) -> bool:
    return await fired(bus) > before


@pytest.mark.slow
async def test_the_files_of_a_stopped_server_are_a_backup(fleet: Fleet, server: Deployed, tmp_path: Path) -> None:
    verdict, under_way = await lived(fleet, server)
    await fleet.stop()
    await fleet.bus.close()
    await server.stop()
    (tmp_path / "new").mkdir()
    shutil.copytree(tmp_path / "js", tmp_path / "new/js")
    other = Deployed(tmp_path / "new")
    await other.start()
    try:
        await continues(other, tmp_path / "again", verdict, under_way)
    finally:
        await other.stop()


@pytest.mark.slow
async def test_a_restore_over_what_is_there_is_refused(fleet: Fleet, server: Deployed, tmp_path: Path) -> None:
    await muster(server, "backup", "saved", cwd=tmp_path)

    again = await ran(
        *(sys.executable, "-m", "muster_cli", "restore", "saved"),
        cwd=tmp_path,
        NATS_URL=server.url,
        **identity("admin"),
    )
    full = await ran(
        *(sys.executable, "-m", "muster_cli", "backup", "saved"), cwd=tmp_path, NATS_URL=server.url, **identity("admin")
    )

    assert (again.code, full.code) == (2, 2)
    assert "nothing was restored" in again.said
    assert "REQUESTS" in again.said
    assert "is not empty" in full.said
