"""Whether the current page belongs to the product at all, judged by the answer to its document. Mostly pure."""

import re
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from muster_devices.actions import Done
from muster_devices.observations import ElementsSeen, PlaceSeen, PointSeen, TextSeen, ValuesSeen
from muster_devices.screen import Place
from muster_devices.web.page_access import BrowserSession
from muster_protocol.causes import Failure
from muster_protocol.sessions import DocumentSeen, NetworkSeen

BROKEN = 500
MISTAKEN = 400
"""From here up a page tells of a mistake, which need not be the product's."""
_ERROR_PAGE = "chrome-error:"
_ANSWERED = re.compile(r"ERR_(?:TOO_MANY_REDIRECTS|INVALID_REDIRECT|INVALID_HTTP_RESPONSE)")
"""Errors of the browser for an answer that there was, but that leads nowhere."""

P = TypeVar("P", Done, ElementsSeen, PlaceSeen, PointSeen, TextSeen, ValuesSeen)


def answered(error: str) -> bool:
    """Return whether an error of the browser says that there was an answer, though not one that leads anywhere."""
    return _ANSWERED.search(error) is not None


def judged(place: Place, reason: str = "") -> Place:
    """Return a place with what is wrong with it; `reason` is the request that should have brought it, and its error."""
    if place.address.startswith(_ERROR_PAGE):
        failure = Failure.SERVER_ERROR if answered(reason) else Failure.UNREACHABLE
        problem = f"the browser's own page of an error ({reason or 'nothing answers at that address'})"
        return replace(place, failure=failure, problem=problem)
    failure = Failure.SERVER_ERROR if place.status >= BROKEN else None
    problem = f"the page answered HTTP {place.status}" if place.status >= MISTAKEN else ""
    return replace(place, failure=failure, problem=problem)


async def explained(browser: BrowserSession, place: Place) -> Place:
    """Return a place with what is wrong with it, from what the host has seen where the page itself does not say."""
    if place.address.startswith(_ERROR_PAGE):
        return judged(place, _reason(await requests(browser)))
    if not place.status:
        document = await _last_document(browser)
        if document is not None and document.url == place.address:
            place = replace(place, status=document.status)
    return judged(place)


def with_judged_place(seen: P) -> P:
    """Return what was seen, with what is wrong with its place."""
    return replace(seen, place=judged(seen.place))


def _reason(sent: list[NetworkSeen]) -> str:
    lost = [entry for entry in sent if entry.kind == "document" and entry.failure]
    return f"{lost[-1].method} {lost[-1].url}: {lost[-1].failure}" if lost else ""


async def _last_document(browser: BrowserSession) -> DocumentSeen | None:
    """Return the last document that the browser was given, if there was one."""
    text = await browser.recall("document")
    return msgspec.json.decode(text, type=DocumentSeen) if text else None


async def requests(browser: BrowserSession) -> list[NetworkSeen]:
    """Return the requests that the host has seen, newest last."""
    text = await browser.recall("network")
    return msgspec.json.decode(text, type=list[NetworkSeen]) if text else []
