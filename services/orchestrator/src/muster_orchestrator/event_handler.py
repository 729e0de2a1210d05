"""Takes events from their queue and offers each to the triggers that wait for it."""

import asyncio

import structlog

from muster_bus import Bus, Claim
from muster_bus.dead_letter_store import build_letter, bury
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_client.event_rules import read_event
from muster_orchestrator import metrics
from muster_orchestrator.trigger_clock import TriggerClock
from muster_protocol.cloud_events import OWN, CloudEvent
from muster_protocol.errors import ClaimLost, InvalidRequest
from muster_service.task_cleanup import finish

log = structlog.get_logger("muster.orchestrator")

PAUSE_SECONDS = 5.0
"""Delay before an event is offered again that a trigger could not decide."""


class EventHandler:
    """Handles the messages of the queue EVENTS; any client may publish there, so nothing in one is trusted."""

    def __init__(self, bus: Bus, triggers: TriggerClock) -> None:
        self._bus, self._triggers = bus, triggers

    def _refuse_forged(self, subject: str, event: CloudEvent) -> None:
        """Refuse an event that says it is the fleet's own, unless it came where only the fleet may publish.

        Raises:
            InvalidRequest: it did not.
        """
        if event.type.startswith(OWN) and subject != self._bus.names.cloud_event(event.type):
            raise InvalidRequest([f"type {event.type!r} is the fleet's own, and {subject} is not where it publishes"])

    async def handle(self, claim: Claim) -> None:
        """Offer an event to the triggers; it stays in the queue until each has decided it."""
        try:
            event = read_event(claim.data, claim.headers)
            self._refuse_forged(claim.subject, event)
            decided = await self._triggers.take_event(event)
            claim.check()
            await (claim.ack() if decided else claim.nak(PAUSE_SECONDS))
            metrics.EVENTS.labels("taken" if decided else "delayed").inc()
        except InvalidRequest as error:
            metrics.EVENTS.labels("refused").inc()
            await bury(self._bus, build_letter("EVENTS", claim, "; ".join(error.reasons)))
            await claim.term("no CloudEvent")
        except ClaimLost:
            log.warning("another orchestrator took the event over", subject=claim.subject)
        except BUS_ERRORS as error:
            log.warning(
                "NATS unavailable; event returned to the queue", subject=claim.subject, error=describe_error(error)
            )
            await claim.nak(PAUSE_SECONDS)
        except asyncio.CancelledError:
            await finish(claim.nak())
            raise
