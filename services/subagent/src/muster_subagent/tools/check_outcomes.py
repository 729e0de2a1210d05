"""What a check found, as an outcome; and whether the page it looked at can prove anything."""

import time

import msgspec

from muster_protocol.causes import Failure
from muster_protocol.sessions import NetworkSeen
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_health import BROKEN, NOT_THERE, Health, health, last_document, requests

RECENT = 30.0
"""Seconds for which a failed request may explain what a check sees."""
_MISTAKEN = 400
_EXPLAINABLE = (Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING)
_OWN = ("check_response_text",)
"""Checks that may be of something else than the page."""
_PLACES = ("check_url", "check_title")
"""Checks that hold on the error page of a server as they do on the page that was meant."""


def verdict(holds: bool, expected: str, seen: str, where: str = "") -> ToolOutcome:
    """Return the outcome of a check that was evaluated."""
    if holds:
        return ToolOutcome(status="ok", text=f"{expected}: yes", expected=expected, seen=seen, where=where)
    text = f"expected {expected}; seen: {seen}"
    failure = Failure.EXPECTATION_FALSE
    return ToolOutcome(status="failed", text=text, failure=failure, expected=expected, seen=seen, where=where)


def denies(call: ToolCall) -> bool:
    """Return whether a call holds because something is not there, as it never is on a page that is broken. Pure."""
    given = call.arguments
    few = str(given.get("count", "")) == "0" or given.get("comparison") == "at_most"
    return bool(given.get("absent") or given.get("negate") or given.get("gone")) or (call.tool == "check_count" and few)


def refusal(call: ToolCall, page: Health) -> Failure | None:
    """Return why what holds on a page proves nothing: nothing is missing from a page that is none. Pure."""
    if call.tool in _OWN:
        return None
    if page.failure is not None and not page.status:
        return page.failure
    if page.failure is not None:
        return page.failure if denies(call) or call.tool in _PLACES else None
    if not denies(call):
        return None
    if page.url.startswith("about:blank") and page.empty:
        return Failure.UNREACHABLE
    return Failure.EXPECTATION_FALSE if page.status in NOT_THERE else None


async def proven(ctx: ToolContext, call: ToolCall, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome of a check that holds; as failed, if the page it looked at cannot prove it."""
    page = await health(ctx)
    failure = refusal(call, page)
    if failure is None:
        return outcome
    expected = outcome.expected or outcome.text.rstrip(".")
    text = f"expected {expected}; seen: {page.words}, which proves nothing of the kind"
    return msgspec.structs.replace(
        outcome, status="failed", failure=failure, text=text, expected=expected, seen=page.words, confirmed=False
    )


async def blamed(ctx: ToolContext, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome with what went wrong around it: a broken document makes it the server's error, one that did
    not come that of who should have answered."""
    if outcome.failure not in _EXPLAINABLE:
        return await _led_nowhere(ctx, outcome)
    page, sent = await health(ctx), await requests(ctx)
    document = await last_document(ctx)
    notes = [page.words] if page.failure is not None or page.status >= _MISTAKEN else []
    notes += _failed(sent, document.at if document is not None else 0.0)
    if not notes:
        return outcome
    note = "; ".join(notes)
    return msgspec.structs.replace(
        outcome,
        text=f"{outcome.text}; {note}",
        seen=f"{outcome.seen}; {note}" if outcome.seen else note,
        failure=page.failure or outcome.failure,
    )


async def _led_nowhere(ctx: ToolContext, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome of an action; if the page it led to did not come, with the reason for that."""
    if outcome.status != "ok" or outcome.failure != Failure.UNREACHABLE:
        return outcome
    page = await health(ctx)
    text = f"{outcome.text} {page.reason}".strip()
    return msgspec.structs.replace(outcome, text=text, failure=page.failure or outcome.failure)


def _failed(sent: list[NetworkSeen], document_at: float) -> list[str]:
    since = max(time.time() - RECENT, document_at)
    recent = [entry for entry in sent if entry.at >= since and entry.status >= BROKEN and entry.kind != "document"]
    return [f"{entry.method} {entry.url} answered HTTP {entry.status}" for entry in recent[-2:]]
