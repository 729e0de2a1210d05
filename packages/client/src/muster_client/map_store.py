"""Reads the stored maps of explorations."""

import msgspec

from muster_bus import Bus, Rows
from muster_bus.artifact_store import get_artifact
from muster_bus.store_answers import NotAvailable
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.graphs import GraphRow


async def list_maps(bus: Bus, app: str = "") -> tuple[GraphRow, ...]:
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
    return msgspec.json.decode(data, type=MapFile) if data is not None else None
