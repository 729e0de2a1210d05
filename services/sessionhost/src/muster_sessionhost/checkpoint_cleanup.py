"""Removes the checkpoints of runs that are over: they hold cookies."""

import structlog

from muster_bus import Bus
from muster_bus.artifact_store import remove_artifact
from muster_bus.store_answers import BUS_ERRORS
from muster_sessionhost.checkpoint import artifact_name

log = structlog.get_logger("muster.sessions")


async def remove_checkpoint(bus: Bus, run: str, name: str) -> None:
    """Remove a session's checkpoint, if it has one; if NATS fails, it stays until it expires."""
    try:
        await remove_artifact(bus, artifact_name(run, name))
    except (OSError, *BUS_ERRORS) as error:
        log.warning("checkpoint not removed", run=run, error=str(error))
