"""Stores data beside a run. Gives up after a few tries, because the run's log holds the same data."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from nats.errors import Error as NatsError

from muster_protocol.errors import MusterError

log = structlog.get_logger("muster.orchestrator")

PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each try."""


async def try_to_store(store: Callable[[], Awaitable[object]], failed: str, run: str) -> str:
    """Store something, in a few tries; return why that failed, after an entry in the service's log, or ""."""
    reason = ""
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            await store()
        except (MusterError, NatsError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
        else:
            return ""
    log.error(failed, run=run, reason=reason)
    return reason
