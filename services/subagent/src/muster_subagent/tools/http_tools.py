"""HTTP without the browser, and checks of the last response: of a page or of such a request, whichever is newer."""

import asyncio
import re
from typing import Annotated, Literal, cast

import httpx
import msgspec
from msgspec import Struct

from muster_devices.domains import address, checked, refuse_untrusted
from muster_devices.observations import ReadPlace, ReadText, Wait
from muster_devices.web.page_health import answered
from muster_protocol.causes import Failure
from muster_protocol.sessions import DocumentSeen
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import Match, begins_to, compares, says, undecided
from muster_subagent.tools.http_bodies import ENCODINGS, read_body
from muster_subagent.tools.long_texts import kept
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, NETWORK, NOTHING, Argument, Denied, Entered, Wanted
from muster_text.text_match import quote

TIMEOUT = 30.0
"""Seconds until an answer has to be there in full."""
BODY_LIMIT = 200_000
"""Characters of a response that are kept for checks."""
KEY = "http"


class HttpSeen(Struct, frozen=True):
    """The last response to `http_request`, as the session keeps it."""

    method: str
    url: str
    status: int
    body: str
    document_at: float = 0.0
    """When the last page had come by then, as the session's host says; 0: none had."""
    location: str = ""
    cut: bool = False
    """Whether `body` is only the beginning."""
    headers: dict[str, str] = {}
    """Names in small letters."""


@tool(effect="act", group="web", needs=NETWORK, page=False, does="request", verbose=True, offer=offers.WEB)
async def http_request(
    ctx: ToolContext,
    method: Entered,
    url: Annotated[str, Argument.ADDRESS],
    body: Entered = "",
    headers: Annotated[tuple[str, ...], Argument.ENTERED] = (),
) -> ToolOutcome:
    """Send an HTTP request (not through the browser); headers are written as "Name: value". It follows no redirect."""
    base = "" if "://" in url else await _base(ctx)
    full = checked(address(url, base), ctx.domains)
    if ctx.entrusted is not None:
        refuse_untrusted(full, ctx.entrusted)
    fields = {"Accept-Encoding": ENCODINGS} | _headers(headers, body)
    if not method.isascii() or not method.isalpha():
        raise ToolError(f"{method!r} is no method of HTTP, such as GET", failure=Failure.INVALID_CALL)
    try:
        request = ctx.http.build_request(
            method.upper(), full, content=body.encode(errors="replace") or None, headers=fields
        )
    except httpx.InvalidURL as error:
        raise _unreachable(full, str(error)) from error
    seen = await _answer(ctx, request)
    await ctx.session.keep(KEY, msgspec.json.encode(seen).decode())
    return _told(ctx, seen)


async def _answer(ctx: ToolContext, request: httpx.Request) -> HttpSeen:
    where = str(request.url)
    try:
        async with asyncio.timeout(TIMEOUT):
            answer = await ctx.http.send(request, stream=True, follow_redirects=False)
            try:
                body = await read_body(answer)
            finally:
                await answer.aclose()
    except TimeoutError as error:
        raise _unreachable(where, f"it did not answer in full within {TIMEOUT:g} s") from error
    except httpx.RequestError as error:
        raise _unreachable(where, str(error) or type(error).__name__) from error
    text, document = ctx.secrets.mask(body.text), await _document(ctx)
    return HttpSeen(
        method=request.method,
        url=where,
        status=answer.status_code,
        body=text[:BODY_LIMIT],
        document_at=document.at if document else 0.0,
        location=answer.headers.get("location", ""),
        cut=body.cut or len(text) > BODY_LIMIT,
        headers={name.lower(): ctx.secrets.mask(value) for name, value in answer.headers.items()},
    )


def _unreachable(where: str, reason: str) -> ToolError:
    return ToolError(f"{where} cannot be reached: {reason}", failure=Failure.UNREACHABLE, where=where)


def _told(ctx: ToolContext, seen: HttpSeen) -> ToolOutcome:
    to = f", to {seen.location}" if seen.location else ""
    only = f"the first {len(seen.body):,} characters" if seen.cut else ""
    body, stored = kept(ctx, "response", seen.body, only)
    text = f"{seen.method} {seen.url} answered HTTP {seen.status}{to}.\n{body}".strip()
    return ToolOutcome(status="ok", text=text, where=seen.url, confirmed=seen.status < 400, artifacts=stored)


def _headers(lines: tuple[str, ...], body: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not line.isascii():
            text = f'{line!r} is no header: write it as "Name: value", in ASCII'
            raise ToolError(text, failure=Failure.INVALID_CALL)
        fields[name.strip()] = value.strip()
    named = {name.lower() for name in fields}
    if body and "content-type" not in named:
        fields["Content-Type"] = _content_type(body)
    return fields


def _content_type(body: str) -> str:
    if body.lstrip()[:1] in ("{", "["):
        return "application/json"
    form = re.fullmatch(r"[\w.\[\]-]+=[^\s&]*(&[\w.\[\]-]+=[^\s&]*)*", body)
    return "application/x-www-form-urlencoded" if form else "text/plain; charset=utf-8"


async def last_response(ctx: ToolContext, *, body: bool = False) -> HttpSeen:
    """Return the last response of a page or of `http_request`, whichever is newer; a page's body is the text it shows.

    Raises:
        ToolError: there was none yet, or none came where the newest page should be.
    """
    text = await ctx.session.recall(KEY)
    asked = msgspec.json.decode(text, type=HttpSeen) if text else None
    document = await _document(ctx)
    if document is None and asked is None:
        raise ToolError("no page was opened and no request was sent yet", failure=Failure.INVALID_CALL)
    if document is None or (asked is not None and asked.document_at == document.at):
        return cast("HttpSeen", asked)
    if not document.status:
        failure = Failure.SERVER_ERROR if answered(document.failure) else Failure.UNREACHABLE
        raise ToolError(f"no page was loaded: {document.failure}", failure=failure, where=document.url)
    shown = HttpSeen(method="GET", url=document.url, status=document.status, body="", document_at=document.at)
    return await _with_text(ctx, shown) if body else shown


async def _document(ctx: ToolContext) -> DocumentSeen | None:
    last = await ctx.session.recall("document")
    return msgspec.json.decode(last, type=DocumentSeen) if last else None


async def _with_text(ctx: ToolContext, shown: HttpSeen) -> HttpSeen:
    device = await ctx.session.device()
    seen = await device.look(ReadText(), Wait(settle=ctx.action_timeout))
    return msgspec.structs.replace(shown, body="\n".join(seen.lines), cut=seen.cut)


def how_cut(seen: HttpSeen) -> str:
    """Return the words for how much of a response was read."""
    return f"of the response only the first {len(seen.body):,} characters were read"


async def _base(ctx: ToolContext) -> str:
    """Return the address that a path is meant on: the current page's."""
    device = await ctx.session.device()
    return (await device.look(ReadPlace(), Wait())).place.address


@tool(effect="check", group="checks", needs=NOTHING, page=False, about="status", partial=True, offer=offers.WEB_CHECKS)
async def check_response(
    ctx: ToolContext,
    status: Annotated[int, Argument.WANTED],
    match: Annotated[Literal["is", "class"], Argument.RELATION] = "is",
) -> ToolOutcome:
    """Check the HTTP status of the last page or request: exactly, or by its class (2 stands for 200 to 299)."""
    seen = await last_response(ctx)
    holds = seen.status == status if match == "is" else seen.status // 100 == status
    wanted = str(status) if match == "is" else f"{status}xx"
    found = verdict(holds, f"the response status is {wanted}", f"{seen.status} from {seen.method} {seen.url}", seen.url)
    if holds or seen.status < 500:
        return found
    return msgspec.structs.replace(found, failure=Failure.SERVER_ERROR)


@tool(effect="check", group="checks", needs=DEVICE, about="response", partial=True, offer=offers.WEB_CHECKS)
async def check_response_text(
    ctx: ToolContext, text: Wanted, match: Match = "contains", *, negate: Denied = False
) -> ToolOutcome:
    """Check the body of the last response: of an HTTP request, or the text that the page shows."""
    seen = await last_response(ctx, body=True)
    expected = f"the response {says(match, text, negate=negate)}"
    body, wanted = ctx.secrets.mask(seen.body), ctx.secrets.mask(text)  # bodies are kept masked
    found = begins_to(body, wanted, match) if seen.cut else compares(body, wanted, match, denied=negate)
    if seen.cut and not found:
        raise undecided(f"{how_cut(seen)}: they do not show whether it {says(match, text)}", seen.url)
    holds = found != negate
    return verdict(holds, expected, f"HTTP {seen.status}: {quote(seen.body, 500)}", seen.url)
