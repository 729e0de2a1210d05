"""Delivers verdicts: publishes them on NATS, and queues them for the gateways, which send webhooks."""

from contextlib import suppress

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.run_store import find_request, find_verdict, read_entries
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_client.event_sending import send_event
from muster_orchestrator.bounded_tries import try_to_store
from muster_orchestrator.run_events import run_ended
from muster_protocol import codec
from muster_protocol.requests import RunRequest
from muster_protocol.submit_replies import correlation_headers
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import WebhookTask
from muster_text.request_rules import may_hear

log = structlog.get_logger("muster.orchestrator")


async def publish_verdict(bus: Bus, verdict: Verdict, reply_to: str) -> None:
    """Publish a verdict on its run's subject and on `reply_to`, if any; a failure is logged."""
    for subject in (bus.names.verdict(verdict.run), reply_to):
        if subject:
            try:
                await bus.publish(subject, verdict, correlation_headers(verdict.correlation_id))
            except NatsError as error:
                log.error("verdict not published; the run's log has it", subject=subject, error=describe_error(error))


async def deliver_verdict(bus: Bus, verdict: Verdict, reply_to: str) -> None:
    """Publish a verdict, and queue it for webhooks and triggers; failures are logged."""
    await publish_verdict(bus, verdict, reply_to)
    await queue_webhook(bus, verdict.run)
    await tell_triggers(bus, verdict)


async def resend_verdict(bus: Bus, request: RunRequest) -> None:
    """Publish a verdict again for a sender who submits its run again; only to subjects that may have it."""
    with suppress(*BUS_ERRORS):
        known = await find_request(bus, request.id)
        if known is not None and may_hear(known, request, bus.names.prefix):
            verdict = find_verdict(await read_entries(bus, request.id))
            if verdict is not None:
                await bus.publish(request.reply_to, verdict, correlation_headers(verdict.correlation_id))


async def queue_webhook(bus: Bus, run: str) -> str:
    """Queue a run's verdict for webhooks; return why that failed, or "". Calling again is harmless."""
    task, once = codec.encode(WebhookTask(run=run)), {"Nats-Msg-Id": f"{run}+verdict"}
    return await try_to_store(
        lambda: bus.store(bus.names.webhook(run), task, once), "verdict not queued for webhooks", run
    )


async def tell_triggers(bus: Bus, verdict: Verdict) -> None:
    """Send the event of a run's end; a failure is logged. Calling again is harmless."""
    await try_to_store(lambda: send_event(bus, run_ended(verdict)), "no event of a run's end", verdict.run)
