"""Hands verdicts to the gateways, which tell them over HTTP: one message a run, however often it is queued."""

import asyncio

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.webhook_messages import WebhookTask

log = structlog.get_logger("muster.orchestrator")

PAUSES = (0.0, 0.5, 2.0)
"""Before each try; a run does not wait longer for it, as its verdict is in the log."""


async def queue_webhook(bus: Bus, run: str) -> str:
    """Queue that a run has its verdict, and return why it could not be, or ""; the same again is harmless."""
    reason = ""
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            await bus.store(
                bus.names.webhook(run), codec.encode(WebhookTask(run=run)), {"Nats-Msg-Id": f"{run}+verdict"}
            )
        except (BusError, NatsError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
        else:
            return ""
    log.error("a verdict cannot be queued for webhooks", run=run, reason=reason)
    return reason
