"""An exploration of any length is taken over in seconds: its snapshot has no size at which it is not written."""

import asyncio
import time
from asyncio.subprocess import Process
from pathlib import Path

import msgspec
import pytest
from fleet import ACK_WAIT, Fleet, fleet
from imagined_app import HOST, ImaginedApp
from imagined_workers import Gate, imagined_workers, linked_pages
from played import played_host

from muster_bus import Rows
from muster_bus.artifact_store import get_artifact
from muster_client.runs import submit
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.events import Entry, OwnerChanged, SubTaskEnded
from muster_protocol.logs import RunRow
from muster_protocol.requests import Exploration, Limits, RunRequest

SLOTS = 4
PATIENCE = 900.0


async def owner_of(group: Fleet, run: str) -> Process:
    """Return the process that has the run."""
    row = await Rows(group.bus, "RUN_LIST", RunRow).get(run)
    assert row is not None
    pid = {worker.id: worker.pid for worker in await group.rows()}[row.owner]
    return next(process for process in group.running if process.pid == pid)


async def explore_with_a_kill(folder: Path, pages: int, links: int, kill_at: int) -> tuple[MapFile, list[Entry], float]:
    """Return the map, the log and the seconds from the kill of the owner until the next one had the run."""
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
            gate.opened.set()
            entries = await group.closed(run, PATIENCE)
            data = await get_artifact(group.bus, f"{run}/{MAP_FILE}")
        assert data is not None
        changes = [entry.at for entry in entries for event in entry.events if isinstance(event, OwnerChanged)]
        assert len(changes) == 1
        return msgspec.json.decode(data, type=MapFile), entries, changes[0] - killed


def seconds_of_quarters(entries: list[Entry]) -> tuple[float, float]:
    """Return the seconds that the second and the last quarter of the tours took."""
    ended = [entry.at for entry in entries for event in entry.events if isinstance(event, SubTaskEnded)]
    quarter = len(ended) // 4
    return ended[2 * quarter] - ended[quarter], ended[-1] - ended[-quarter]


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_2000_states_and_20000_moves_stay_flat_and_are_taken_over_in_seconds(tmp_path: Path) -> None:
    file, entries, taken = await explore_with_a_kill(tmp_path, 2000, 10, kill_at=14_000)
    assert (len(file.map.states), len(file.map.edges), file.over) == (
        2000,
        20_000,
        "everything that was found was tried",
    )
    assert taken <= ACK_WAIT + 10.0
    early, late = seconds_of_quarters(entries)
    assert late <= 3.0 * early


async def test_an_exploration_whose_owner_is_killed_leaves_the_same_map(tmp_path: Path) -> None:
    file, _, _ = await explore_with_a_kill(tmp_path, 60, 8, kill_at=100)
    assert (len(file.map.states), len(file.map.edges)) == (60, 480)
