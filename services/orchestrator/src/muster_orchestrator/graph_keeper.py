"""Keeps a row of each map, so that people find it by its app."""

from muster_bus import Bus, Rows
from muster_orchestrator.bounded_tries import try_to_store
from muster_protocol.graphs import GraphRow


async def keep_graph(bus: Bus, row: GraphRow) -> None:
    """Write the row of a map; calling again is harmless. Without its row, the map is still an artifact of its run."""
    rows = Rows(bus, "GRAPHS", GraphRow)  # a row that is there may have been added to
    await try_to_store(lambda: rows.create(row.run, row), "the row of a map was not kept", row.run)
