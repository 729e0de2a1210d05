"""What is wrong with a screen, and with what happened on the way to it. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_devices.domains import allowed
from muster_devices.screen import Record
from muster_exploration.possible_moves import Possible
from muster_protocol.explorations import Finding, FindingKind
from muster_subagent.exploring.perception import Perceived
from muster_text.text_match import squash

BROKEN, MISSING = 500, 400
"""HTTP statuses from which on a server, or a link, is at fault."""
ERROR_PAGE = "chrome-error:"
"""Begins the address of what the browser shows where no page comes."""
LOST = ("net::ERR_ABORTED", "net::ERR_BLOCKED")
"""Failures of requests that the browser gave up, or was not allowed to make."""
_LOADED = "Failed to load resource"
"""Said by the browser of each failed request, which is a finding of its own."""
_UNCAUGHT = ("Error:", "Uncaught", "TypeError", "ReferenceError", "SyntaxError", "RangeError")
LONGEST = 300


def screen_findings(seen: Perceived, seconds: float, slow: float) -> list[Finding]:
    """Return what is wrong with a screen at first sight."""
    place = seen.place
    found: list[Finding] = []
    if (
        place.problem
        and not place.status
        and place.failure is not None
        and not place.address.startswith(("http", ERROR_PAGE))
    ):
        found.append(_finding("crash", place.problem, seen))
    elif not seen.parts and place.status < MISSING and not place.problem:
        found.append(_finding("blank_page", f"the page {place.address} shows nothing", seen))
    if seconds:
        found.append(_finding("slow", f"it took longer than {slow:g} s until the page was there", seen))
    return found


def access_findings(seen: Perceived, possible: Possible, audited: Sequence[Record] | None) -> list[Finding]:
    """Return what keeps people with disabilities from using a screen, by an audit where the device has one."""
    if audited is not None:
        return [replace(_finding("access", one.text, seen), rule=one.method, elements=one.elements) for one in audited]
    found: list[Finding] = []
    for role in sorted(set(possible.unnamed) - {"link"}):
        number = possible.unnamed.count(role)
        text = f"{number} {role} without a name" if number == 1 else f"{number} of role {role} without a name"
        found.append(_finding("access", text, seen))
    return found


def request_findings(
    seen: Perceived, requests: Sequence[Record], said: Sequence[Record], domains: Sequence[str]
) -> list[Finding]:
    """Return what is wrong with what a page has requested and said since the last look.

    Where no answer comes from a host outside of the app's, that may as well be the network of this machine.
    """
    found: list[Finding] = []
    lost = {one.address for one in requests if one.failure and not one.status and not allowed(one.address, domains)}
    for one in requests:
        kind = _request_kind(one) if one.address not in lost else None
        if kind is not None:
            answer = str(one.status or one.failure)
            request = f"{one.method} {one.address}: {answer}"
            found.append(_finding(kind, f"{one.method} {one.address} answered {answer}", seen, request))
    for line in said:
        text = squash(line.text)[:LONGEST]
        if line.level == "error" and not text.startswith(_LOADED) and not any(address in text for address in lost):
            found.append(_finding("exception" if text.startswith(_UNCAUGHT) else "console_error", text, seen))
    return found


def _request_kind(one: Record) -> FindingKind | None:
    """Return what a request shows to be wrong, if anything."""
    if one.status >= BROKEN:
        return "server_error"
    failed = bool(one.failure) and not one.failure.startswith(LOST)
    if one.level == "image" and (one.status >= MISSING or failed):
        return "broken_image"
    if one.level == "document" and (one.status in (404, 410) or failed):
        return "dead_link"
    return None


def _finding(kind: FindingKind, text: str, seen: Perceived, request: str = "") -> Finding:
    return Finding(kind=kind, text=text[:LONGEST], state=seen.shape.id, address=seen.place.address, request=request)
