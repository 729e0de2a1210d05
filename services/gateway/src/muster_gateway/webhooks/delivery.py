"""Sends webhooks from a queue that all gateways share, one message per receiver, with retries."""

import asyncio

import httpx
import structlog

from muster_bus import Bus, Claim, Intake, LogLine, RunLogLines
from muster_bus.dead_letter_store import build_letter, bury
from muster_bus.run_store import find_request, find_verdict, read_entries
from muster_bus.streams import WEBHOOKS_CONSUMER
from muster_gateway import metrics
from muster_gateway.webhooks.fair_slots import FairSlots
from muster_gateway.webhooks.webhook_rules import (
    Outcome,
    Receiver,
    Rules,
    build_delivery,
    delivery_id,
    find_host_refusal,
    list_receivers,
    may_retry,
    retry_delay,
    turn_delay,
)
from muster_protocol import __version__, codec
from muster_protocol.errors import NewerVersion
from muster_protocol.logs import Level
from muster_protocol.verdicts import Verdict
from muster_protocol.webhook_messages import WebhookTask, parse_webhook_subject

log = structlog.get_logger("muster.gateway")

CONCURRENT_SENDS = 32
"""Attempts at once; a receiver gets at most half of them."""
PATIENCE = 0.1
"""Seconds that a webhook waits for a slot of its receiver before it goes back into the queue: receivers that answer at
once free one by then, and those that do not must hold up no other."""
TRIED = "Muster-Tried"
"""Header of a queued message: how many attempts have failed. The queue's own count of deliveries is too high:
most deliveries for a receiver that does not answer end without an attempt."""
LINE_SECONDS = 2.0
"""Time limit for storing a line in a run's log."""


class WebhookSender:
    """Takes webhooks from the queue and sends them."""

    def __init__(self, bus: Bus, rules: Rules, id: str) -> None:
        self._bus, self._rules = bus, rules
        self._started = False
        self._lines = RunLogLines(bus, id)
        self._slots = FairSlots(CONCURRENT_SENDS)
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
        """Post to one receiver, once it is due and its receiver has a slot, and settle the message by the outcome."""
        age = self._bus.clock.now() - claim.stored_at
        if (early := retry_delay(self._rules, _tried(claim)) - age) > 0:
            await claim.nak(early)
            return
        request = await find_request(self._bus, task.run)
        to = list_receivers(self._rules, request.webhook if request else "").get(task.target)
        if to is None:  # another gateway may have newer settings
            await self._settle(claim, task, "a receiver", Outcome(0, "not in this gateway's settings"))
            return
        async with self._slots.use(to.host, PATIENCE) as granted:
            if granted:
                await self._attempt(claim, task, to)
            else:
                await claim.nak(turn_delay(age))

    async def _attempt(self, claim: Claim, task: WebhookTask, to: Receiver) -> None:
        verdict = find_verdict(await read_entries(self._bus, task.run))
        claim.check()
        if verdict is None:
            await self._bury(claim, "the run's log no longer exists")
        else:
            await self._settle(claim, task, to.shown, await self._post(to, verdict, _tried(claim) + 1))

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

    async def _settle(self, claim: Claim, task: WebhookTask, to: str, outcome: Outcome) -> None:
        run, attempt, attempts = task.run, _tried(claim) + 1, self._rules.attempts
        if outcome.taken:
            metrics.WEBHOOKS.labels("taken").inc()
            await claim.ack()
            await self._record(run, f"Verdict sent to {to}: {outcome.description}", "info", "taken")
        elif may_retry(self._rules, attempt, outcome):
            metrics.WEBHOOKS.labels("failed").inc()
            await self._queue_retry(claim, task, attempt)
            wait = retry_delay(self._rules, attempt)
            text = (
                f"Verdict not sent to {to}: {outcome.description}; attempt {attempt} of {attempts}, next in {wait:g} s"
            )
            await self._record(run, text, "warning", "failed")
        else:
            metrics.WEBHOOKS.labels("given up").inc()
            await self._bury(claim, f"{to} {outcome.description}")
            text = f"Verdict not sent to {to}: {outcome.description}; given up after {attempt} attempts"
            await self._record(run, text, "error", "given up")

    async def _queue_retry(self, claim: Claim, task: WebhookTask, tried: int) -> None:
        """Replace the message by one that counts its attempts; a gateway that handles it again adds no second one."""
        claim.check()
        headers = {"Nats-Msg-Id": f"{delivery_id(task.run, task.target)}.{claim.message}", TRIED: str(tried)}
        await self._bus.store(claim.subject, claim.data, headers)
        await claim.ack()

    async def _bury(self, claim: Claim, reason: str) -> None:
        claim.check()
        await bury(self._bus, build_letter("WEBHOOKS", claim, reason, (f"{_tried(claim) + 1} attempts",)))
        await claim.term("given up")

    async def _record(self, run: str, text: str, level: Level, status: str) -> None:
        """Write a line into the run's log; it may be lost while NATS is unreachable."""
        kind = "message" if level == "info" else "error"
        lines = self._lines.of(run)
        lines.publish(LogLine(kind=kind, text=f"[Webhook] {text}", level=level, status=status))
        await lines.flush(LINE_SECONDS)


def _tried(claim: Claim) -> int:
    """Return how many attempts to deliver a message have failed."""
    return int(claim.headers.get(TRIED, "0"))
