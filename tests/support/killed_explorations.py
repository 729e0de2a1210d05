"""An exploration of an imagined app by a real fleet whose orchestrator is killed on the way."""

import asyncio
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
from fleet import Fleet, fleet
from fork_server import Process
from imagined_app import HOST, ImaginedApp
from imagined_workers import Gate, imagined_workers, linked_pages
from played import played_host

from muster_bus import Rows
from muster_bus.artifact_store import get_artifact, list_subjects
from muster_client.runs import submit
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_orchestrator.snapshot_store import Snapshot
from muster_protocol import codec
from muster_protocol.events import Entry, OwnerChanged, SubTaskEnded
from muster_protocol.logs import RunRow
from muster_protocol.requests import Exploration, Limits, RunRequest

SLOTS = 4
PATIENCE = 900.0


class Killed(NamedTuple):
    """What became of it."""

    file: MapFile
    entries: list[Entry]
    taken: float
    """Seconds from the kill of the owner until the next one had the run."""
    log_bytes: int
    snapshot_bytes: int
    """Of all its messages, as they are stored at the end."""

    @property
    def quarters(self) -> tuple[float, float]:
        """The seconds that the second and the last quarter of the tours took."""
        ended = [entry.at for entry in self.entries for event in entry.events if isinstance(event, SubTaskEnded)]
        quarter = len(ended) // 4
        return ended[2 * quarter] - ended[quarter], ended[-1] - ended[-quarter]


async def owner_of(group: Fleet, run: str) -> Process:
    """Return the process that has the run."""
    row = await Rows(group.bus, "RUN_LIST", RunRow).get(run)
    assert row is not None
    pid = {worker.id: worker.pid for worker in await group.rows()}[row.owner]
    return next(process for process in group.running if process.pid == pid)


async def explore_with_a_kill(folder: Path, pages: int, links: int, kill_at: int, *, forget: bool = False) -> Killed:
    """Explore an app of so many pages, and kill the owner after so many moves; `forget`: its snapshot is lost, too."""
    app, gate = ImaginedApp(linked_pages(pages, links)), Gate(kill_at)
    async with fleet(folder, ORCHESTRATOR_UNSERVED_SECONDS="3600") as group, played_host(group.bus):
        await group.start("orchestrator")
        await group.start("orchestrator")
        async with imagined_workers(group.bus, app, SLOTS, gate):
            job = Exploration(url=HOST, max_steps=1_000_000, instances=10_000, sessions=SLOTS)
            run = (await submit(group.bus, RunRequest(job=job, limits=Limits(timeout_seconds=3600)))).run
            await asyncio.wait_for(gate.reached.wait(), PATIENCE)
            owner, killed = await owner_of(group, run), time.time()
            owner.kill()
            if forget:
                await Rows(group.bus, "SNAPSHOTS", Snapshot).delete(run)
            gate.opened.set()
            entries = await group.closed(run, PATIENCE)
            data = await get_artifact(group.bus, f"{run}/{MAP_FILE}")
        assert data is not None
        changes = [entry.at - killed for entry in entries for event in entry.events if isinstance(event, OwnerChanged)]
        assert len(changes) == 1, f"owners changed at {changes} s, counted from the kill"
        stored = await list_subjects(group.bus, "KV_SNAPSHOTS", f"$KV.SNAPSHOTS.{run}.>")
        log_bytes = sum(len(codec.encode(entry)) for entry in entries)
        return Killed(msgspec.json.decode(data, type=MapFile), entries, changes[0], log_bytes, stored.size)
