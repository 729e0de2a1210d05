"""Keeps a row of each map, so that people find it by its app."""

import asyncio

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_protocol.errors import BusError
from muster_protocol.graphs import GraphRow

log = structlog.get_logger("muster.orchestrator")

PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each try; without its row, the map is still an artefact of its run."""


async def keep_graph(bus: Bus, row: GraphRow) -> None:
    """Write the row of a map; calling again is harmless. A fleet without the bucket is told of in the service's log."""
    reason = ""
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            await Rows(bus, "GRAPHS", GraphRow).create(row.run, row)  # one that is there may have been added to
        except (BusError, NatsError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
        else:
            return
    log.error("the row of a map was not kept", run=row.run, reason=reason)
