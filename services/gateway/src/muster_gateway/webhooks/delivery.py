"""Sends webhooks from a queue that all gateways share, one message per receiver, with retries."""

import asyncio

import httpx
import structlog

from muster_bus import Bus, Claim, Intake, LogLine, RunLogLines
from muster_bus.dead_letter_store import build_letter, bury
from muster_bus.run_store import find_request, find_verdict, read_entries
from muster_bus.streams import WEBHOOKS_CONSUMER
from muster_gateway import metrics
from muster_gateway.webhooks.webhook_rules import (
    Outcome,
    Receiver,
    Rules,
    build_delivery,
    delivery_id,
    find_host_refusal,
    list_receivers,
    retry_delay,
)
from muster_protocol import __version__, codec
from muster_protocol.errors import NewerVersion
from muster_protocol.logs import Level
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import WebhookTask, parse_webhook_subject

log = structlog.get_logger("muster.gateway")

CONCURRENT_SENDS = 16
LINE_SECONDS = 2.0
"""Time limit for storing a line in a run's log."""


class WebhookSender:
    """Takes webhooks from the queue and sends them."""

    def __init__(self, bus: Bus, rules: Rules, id: str) -> None:
        self._bus, self._rules = bus, rules
        self._started = False
        self._lines = RunLogLines(bus, id)
        self._intake = Intake(bus, "WEBHOOKS", [WEBHOOKS_CONSUMER], slots=CONCURRENT_SENDS, handler=self._handle)
        self._http = httpx.AsyncClient(
            follow_redirects=False, timeout=rules.timeout, headers={"User-Agent": f"muster/{__version__}"}
        )

    async def start(self) -> None:
        """Start sending."""
        self._started = True
        await self._intake.start()

    async def stop(self, grace: float) -> None:
        """Stop taking webhooks; those in progress get `grace` seconds, then another gateway sends them."""
        if self._started:
            await self._intake.stop(grace)
        await self._http.aclose()

    async def _handle(self, claim: Claim) -> None:
        try:
            claim.check_version()
        except NewerVersion as error:
            if await claim.leave_to_newer(error):
                return
        task = parse_webhook_subject(claim.subject, self._bus.names)
        if task is None:
            await self._bury(claim, "invalid subject: no run and receiver")
        elif task.target:
            await self._deliver(claim, task)
        else:
            await self._split(claim, task.run)

    async def _split(self, claim: Claim, run: str) -> None:
        """Queue a message for each receiver, so that each has its own retries."""
        request = await find_request(self._bus, run)
        asked = request.webhook if request else ""
        for key in list_receivers(self._rules, asked):
            claim.check()
            message = codec.encode(WebhookTask(run=run, target=key))
            await self._bus.store(self._bus.names.webhook(run, key), message, {"Nats-Msg-Id": delivery_id(run, key)})
        if reason := find_host_refusal(self._rules, asked):
            await self._record(run, f"Not sent: {reason}", "warning", "refused")
        await claim.ack()

    async def _deliver(self, claim: Claim, task: WebhookTask) -> None:
        """Post to one receiver and settle the message by the outcome."""
        request = await find_request(self._bus, task.run)
        known = list_receivers(self._rules, request.webhook if request else "")
        verdict = find_verdict(await read_entries(self._bus, task.run))
        to = known.get(task.target)
        claim.check()
        if verdict is None:
            await self._bury(claim, "the run's log no longer exists")
        elif to is None:  # another gateway may have newer settings
            await self._settle(claim, task.run, "a receiver", Outcome(0, "not in this gateway's settings"))
        else:
            await self._settle(claim, task.run, to.shown, await self._post(to, verdict, claim.delivery))

    async def _post(self, to: Receiver, verdict: Verdict, attempt: int) -> Outcome:
        """Make one attempt; only the status of the response counts, its body is not read."""
        sent = build_delivery(verdict, to, self._rules, attempt, self._bus.clock.now())
        try:
            with metrics.WEBHOOK_SECONDS.time():
                async with asyncio.timeout(self._rules.timeout):
                    async with self._http.stream("POST", to.url, content=sent.body, headers=sent.headers) as answer:
                        return Outcome(answer.status_code)
        except (TimeoutError, httpx.TimeoutException):
            return Outcome(0, f"no answer within {self._rules.timeout:g} s")
        except httpx.ConnectError:
            return Outcome(0, "no connection")
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:  # its text may contain the address
            return Outcome(0, f"failed ({type(error).__name__})")

    async def _settle(self, claim: Claim, run: str, to: str, outcome: Outcome) -> None:
        attempt, attempts = claim.delivery, self._rules.attempts
        wait = retry_delay(self._rules, attempt, outcome)
        if outcome.taken:
            metrics.WEBHOOKS.labels("taken").inc()
            await claim.ack()
            await self._record(run, f"Verdict sent to {to}: {outcome.description}", "info", "taken")
        elif wait is not None:
            metrics.WEBHOOKS.labels("failed").inc()
            await claim.nak(wait)
            text = (
                f"Verdict not sent to {to}: {outcome.description}; attempt {attempt} of {attempts}, next in {wait:g} s"
            )
            await self._record(run, text, "warning", "failed")
        else:
            metrics.WEBHOOKS.labels("given up").inc()
            await self._bury(claim, f"{to} {outcome.description}")
            text = f"Verdict not sent to {to}: {outcome.description}; given up after {attempt} attempts"
            await self._record(run, text, "error", "given up")

    async def _bury(self, claim: Claim, reason: str) -> None:
        claim.check()
        await bury(self._bus, build_letter("WEBHOOKS", claim, reason, (f"{claim.delivery} attempts",)))
        await claim.term("given up")

    async def _record(self, run: str, text: str, level: Level, status: str) -> None:
        """Write a line into the run's log; it may be lost while NATS is unreachable."""
        kind = "message" if level == "info" else "error"
        lines = self._lines.of(run)
        lines.publish(LogLine(kind=kind, text=f"[Webhook] {text}", level=level, status=status))
        await lines.flush(LINE_SECONDS)
