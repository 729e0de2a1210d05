"""What a check found, as an outcome; and whether the server is to blame for what it found."""

import time

import msgspec

from muster_protocol.causes import Failure
from muster_protocol.sessions import DocumentSeen, NetworkSeen
from muster_protocol.tools import ToolOutcome
from muster_subagent.context import ToolContext

RECENT = 30.0
"""Seconds for which a failed request may explain what a check sees."""
_BROKEN = 500
_EXPLAINABLE = (Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING)


def verdict(holds: bool, expected: str, seen: str, where: str = "") -> ToolOutcome:
    """Return the outcome of a check that was evaluated."""
    if holds:
        return ToolOutcome(status="ok", text=f"{expected}: yes", expected=expected, seen=seen, where=where)
    text = f"expected {expected}; seen: {seen}"
    failure = Failure.EXPECTATION_FALSE
    return ToolOutcome(status="failed", text=text, failure=failure, expected=expected, seen=seen, where=where)


async def blamed(ctx: ToolContext, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome with what the server did wrong around it; a broken document makes it the server's error."""
    if outcome.failure not in _EXPLAINABLE:
        return outcome
    document = await last_document(ctx)
    broken = document is not None and document.status >= _BROKEN
    notes = [f"the page answered HTTP {document.status}"] if document is not None and broken else []
    notes += await _failed_requests(ctx, document)
    if not notes:
        return outcome
    note = "; ".join(notes)
    return msgspec.structs.replace(
        outcome,
        text=f"{outcome.text}; {note}",
        seen=f"{outcome.seen}; {note}" if outcome.seen else note,
        failure=Failure.SERVER_ERROR if broken else outcome.failure,
    )


async def last_document(ctx: ToolContext) -> DocumentSeen | None:
    """Return the last document that the browser was given, if there was one."""
    text = await ctx.session.recall("document")
    return msgspec.json.decode(text, type=DocumentSeen) if text else None


async def _failed_requests(ctx: ToolContext, document: DocumentSeen | None) -> list[str]:
    text = await ctx.session.recall("network")
    seen = msgspec.json.decode(text, type=list[NetworkSeen]) if text else []
    since = max(time.time() - RECENT, document.at if document is not None else 0.0)
    recent = [entry for entry in seen if entry.at >= since and entry.status >= _BROKEN and entry.kind != "document"]
    return [f"{entry.method} {entry.url} answered HTTP {entry.status}" for entry in recent[-2:]]
