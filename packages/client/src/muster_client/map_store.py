"""Reads the stored maps of explorations, and adds to them."""

import msgspec
from msgspec.structs import replace

from muster_bus import Bus, Rows
from muster_bus.artifact_store import get_artifact
from muster_bus.store_answers import NotAvailable
from muster_exploration.map_edits import edit_problem, edited
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.errors import InvalidRequest
from muster_protocol.graphs import MOST_EDITS, GraphRow, MapEdit, NewEdge, NewNode

TRIES = 5


async def list_maps(bus: Bus, app: str) -> tuple[GraphRow, ...]:
    """Return the maps of an app, or of all, newest first; none in a fleet that an earlier version has provisioned.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    try:
        found = await Rows(bus, "GRAPHS", GraphRow).all()
    except NotAvailable:
        return ()
    wanted = (row for row in found if app in ("", row.app))
    return tuple(sorted(wanted, key=lambda row: (-row.at, row.run)))


async def fetch_map(bus: Bus, run: str) -> MapFile | None:
    """Return the map that a run has made; None if it has made none, or it was removed with the run.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
        msgspec.DecodeError: another version has written it.
    """
    data = await get_artifact(bus, f"{run}/{MAP_FILE}")
    if data is None:
        return None
    file = msgspec.json.decode(data, type=MapFile)
    try:
        row = await Rows(bus, "GRAPHS", GraphRow).get(run)
    except NotAvailable:
        row = None
    return replace(file, map=edited(file.map, row.edits)) if row and row.edits else file


async def create_node(bus: Bus, run: str, node: NewNode) -> None:
    """Add a state to the map of a run.

    Raises:
        InvalidRequest: there is no such map, or the state cannot be added; it says why.
        BusError, NatsError, TimeoutError: the map cannot be read or written now.
    """
    await _add(bus, run, node)


async def create_edge(bus: Bus, run: str, edge: NewEdge) -> None:
    """Add a way between two states to the map of a run; raises what `create_node` does."""
    await _add(bus, run, edge)


async def _add(bus: Bus, run: str, edit: MapEdit) -> None:
    rows = Rows(bus, "GRAPHS", GraphRow)
    for _ in range(TRIES):
        file, found = await fetch_map(bus, run), await rows.entry(run)
        if file is None or found is None:
            raise InvalidRequest([f"the run {run!r} has no map; GET /maps lists all maps"])
        row, revision = found
        if edit in row.edits:
            return
        problem = edit_problem(file.map, edit)
        if problem or len(row.edits) >= MOST_EDITS:
            raise InvalidRequest([problem or f"a map can have at most {MOST_EDITS} additions; explore the app again"])
        if await rows.update(run, replace(row, edits=(*row.edits, edit)), revision) is not None:
            return
    raise InvalidRequest([f"others are adding to the map of {run!r} at this moment; try again"])
