"""Turns a check's finding into an outcome, and decides whether the page it read can prove anything."""

import msgspec

from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ReadPlace, Wait
from muster_devices.screen import Place, Record
from muster_protocol.causes import Failure
from muster_protocol.facts import Evidence
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_text.text_match import quote

RECENT = 30.0
"""Seconds before the newest request in which a failed one may explain what a check sees."""
BROKEN = 500
NOT_THERE = (404, 410)
"""Statuses of a page that is not there; other statuses from 400 up come with a page that tells of a mistake."""
_MISTAKEN = 400
_PLACES = ("address", "title")
"""What may be on the error page of a server as it is on the page that was meant."""


def verdict(holds: bool, expected: str, seen: str, where: str = "") -> ToolOutcome:
    """Return the outcome of a check that was evaluated."""
    if holds:
        return ToolOutcome(status="ok", text=f"{expected}: yes", expected=expected, seen=seen, where=where)
    text = f"expected {expected}; seen: {seen}"
    failure = Failure.EXPECTATION_FALSE
    return ToolOutcome(status="failed", text=text, failure=failure, expected=expected, seen=seen, where=where)


def denies(check: Evidence) -> bool:
    """Return whether a check holds because something is not there, as it never is on a page that is broken. Pure."""
    return (check.denied and check.relation != "state") or check.relation == "at_most"


def refusal(check: Evidence, page: Place) -> Failure | None:
    """Return why what holds on a page proves nothing: nothing is missing from a page that is none. Pure."""
    if check.about == "response":  # it may be of an HTTP request, not of the page
        return None
    if page.failure is not None and not page.status:
        return page.failure
    if page.failure is not None:
        return page.failure if denies(check) or check.about in _PLACES else None
    if not denies(check):
        return None
    if page.address.startswith("about:blank") and page.empty:
        return Failure.UNREACHABLE
    return Failure.EXPECTATION_FALSE if page.status in NOT_THERE else None


async def proven(ctx: ToolContext, check: Evidence, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome of a check that holds; as failed, if the page it looked at cannot prove it."""
    page = await _place_looked_at(ctx)
    failure = refusal(check, page) if page is not None else None
    if page is None or failure is None:
        return outcome
    expected = outcome.expected or outcome.text.rstrip(".")
    words = _words(page)
    text = f"expected {expected}; seen: {words}, which proves nothing of the kind"
    return msgspec.structs.replace(
        outcome, status="failed", failure=failure, text=text, expected=expected, seen=words, confirmed=False
    )


async def blamed(ctx: ToolContext, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome with what went wrong around it: a broken document makes it the server's error, one that did
    not come that of who should have answered."""
    failure = outcome.failure
    if failure is None or not (failure.is_absence or failure is Failure.EXPECTATION_FALSE):
        return outcome
    device = await ctx.session.device()
    page = await _place(device)
    if page is None:
        return outcome
    documents = await device.feed("document")
    notes = [_words(page)] if page.failure is not None or page.status >= _MISTAKEN else []
    notes += failed_requests(await device.feed("network"), documents[-1].at if documents else 0.0)
    notes += [f"{request} is not answered yet" for request in page.unanswered]
    if page.unleft:
        field = f"the {quote(page.unleft)} field"
        notes.append(f"{field} still has the focus; if the page reacts when it is left, write before: Leave {field}")
    if not notes:
        return outcome
    note = "; ".join(notes)
    return msgspec.structs.replace(
        outcome,
        text=f"{outcome.text}; {note}",
        seen=f"{outcome.seen}; {note}" if outcome.seen else note,
        failure=page.failure or outcome.failure,
    )


async def _place_looked_at(ctx: ToolContext) -> Place | None:
    """Return where the screen was that the check looked at; a place that cannot say by itself is asked for anew."""
    if ctx.place is not None and ctx.place.status:
        return ctx.place
    return await _place(await ctx.session.device())


async def _place(device: Device) -> Place | None:
    """Return where the device is now; None where a dialog hides that, or it is no place one may look at."""
    try:
        return (await device.look(ReadPlace(), Wait())).place
    except DeviceRefused:
        return None


def _words(page: Place) -> str:
    """Return what the page is, where it is none that proves anything."""
    return page.problem or f"the page is empty ({page.address})"


def failed_requests(sent: tuple[Record, ...], document_at: float) -> list[str]:
    """Return the newest failed requests of a document that began at that moment. Pure."""
    newest = max((one.at for one in sent), default=0.0)  # by the clock of who heard them, not of this machine
    since = max(newest - RECENT, document_at)
    recent = [one for one in sent if one.at >= since and one.status >= BROKEN and one.level != "document"]
    return [f"{one.method} {one.address} answered HTTP {one.status}" for one in recent[-2:]]
