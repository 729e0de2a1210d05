"""Whether the page that is there is a page of the product at all: what its document answered. Mostly pure."""

import asyncio
import re

import msgspec
from msgspec import Struct
from playwright.async_api import Error

from muster_protocol.causes import Failure
from muster_protocol.sessions import DocumentSeen, NetworkSeen
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import GRACE, ask
from muster_subagent.tools.tool import ToolError

BROKEN = 500
NOT_THERE = (404, 410)
"""Statuses of a page that is not there; other statuses from 400 up come with a page that tells of a mistake."""
_ERROR_PAGE = "chrome-error:"
_ANSWERED = re.compile(r"ERR_(?:TOO_MANY_REDIRECTS|INVALID_REDIRECT|INVALID_HTTP_RESPONSE)")
"""Errors of the browser for an answer that there was, but that leads nowhere."""


class Health(Struct, frozen=True):
    """What is known of the current page's document."""

    url: str
    status: int
    """HTTP status; 0: there was no answer, or it is no page of the web."""
    empty: bool = False
    reason: str = ""
    """The request that should have brought the document, and what became of it."""

    @property
    def failure(self) -> Failure | None:
        """Whose fault it is that this is no page of the product; None if it may be one."""
        if self.url.startswith(_ERROR_PAGE):
            return Failure.SERVER_ERROR if answered(self.reason) else Failure.UNREACHABLE
        return Failure.SERVER_ERROR if self.status >= BROKEN else None

    @property
    def words(self) -> str:
        """What the document answered."""
        if self.url.startswith(_ERROR_PAGE):
            return f"the browser's own page of an error ({self.reason or 'nothing answers at that address'})"
        return f"the page answered HTTP {self.status}" if self.status else f"the page is empty ({self.url})"


def answered(error: str) -> bool:
    """Return whether an error of the browser says that there was an answer, though not one that leads anywhere."""
    return _ANSWERED.search(error) is not None


async def health(ctx: ToolContext) -> Health:
    """Return how the current page's document came about; one that does not answer is judged by what the host saw."""
    page = await ctx.session.page()
    try:
        async with asyncio.timeout(GRACE):  # a dialog that opens just now would hold the answer back
            found = await ask(ctx, page.main_frame, "health", {}, Health, seconds=0)
    except (Error, ToolError, TimeoutError):
        found = Health(page.url, 0)
    if found.failure == Failure.UNREACHABLE:
        return msgspec.structs.replace(found, reason=_reason(await requests(ctx)))
    if found.status:
        return found
    document = await last_document(ctx)
    if document is None or document.url != found.url:
        return found
    return msgspec.structs.replace(found, status=document.status)


def _reason(sent: list[NetworkSeen]) -> str:
    lost = [entry for entry in sent if entry.kind == "document" and entry.failure]
    return f"{lost[-1].method} {lost[-1].url}: {lost[-1].failure}" if lost else ""


async def last_document(ctx: ToolContext) -> DocumentSeen | None:
    """Return the last document that the browser was given, if there was one."""
    text = await ctx.session.recall("document")
    return msgspec.json.decode(text, type=DocumentSeen) if text else None


async def requests(ctx: ToolContext) -> list[NetworkSeen]:
    """Return the requests that the host has seen, newest last."""
    text = await ctx.session.recall("network")
    return msgspec.json.decode(text, type=list[NetworkSeen]) if text else []
