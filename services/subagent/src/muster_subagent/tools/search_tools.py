"""Tools that search the web through a SearXNG-compatible service and read pages as text, without the browser."""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple
from urllib.parse import urlencode, urljoin

import httpx
import msgspec
from msgspec import Meta, Struct

from muster_devices.domains import address, allowed, checked
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.http_bodies import ENCODINGS, LARGEST, read_body
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NETWORK, Argument
from muster_text.text_match import quote

SECONDS = 20.0
"""How long a service or a page may take until it is there in full."""
SHOWN = 4000
"""Characters of a page that are shown at once."""
REDIRECTS = 5
SNIPPET = 300
HEADERS = {
    "Accept": "text/html, application/json, text/*;q=0.9",
    "Accept-Encoding": ENCODINGS,
    "User-Agent": "Muster",
}

Count = Annotated[int, Meta(ge=1, le=20, description="How many results"), Argument.OPTION]
Part = Annotated[
    str,
    Meta(description="Where to read on in a long page: a heading, words of it, or the number of the next part"),
    Argument.OPTION,
]


class Got(NamedTuple):
    """An answer to a GET request; of a very long one, its beginning."""

    url: str
    status: int
    kind: str
    text: str
    location: str
    cut: bool


class Hit(Struct, frozen=True):
    """A result as SearXNG writes it."""

    url: str = ""
    title: str | None = None
    content: str | None = None


class Found(Struct, frozen=True):
    """What SearXNG answers."""

    results: tuple[Hit, ...]
    unresponsive_engines: tuple[tuple[str | bool | None, ...], ...] = ()


@tool(effect="read", group="search", needs=NETWORK, page=False, offer=offers.WEB)
async def web_search(ctx: ToolContext, query: Annotated[str, Argument.OPTION], count: Count = 5) -> ToolOutcome:
    """Search the web (not the page under test); web_fetch reads a result."""
    if not ctx.search_url:
        text = "there is no search service: set SEARCH_URL, for the workers, to a SearXNG-compatible one"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    _refuse_secrets(ctx, query)
    base = ctx.search_url.rstrip("/").removesuffix("/search")
    got = await get(ctx, f"{base}/search?{urlencode({'q': query, 'format': 'json'})}", follow=True)
    found = hits(got)
    if not found.results:
        return ToolOutcome(status="ok", text=f"Nothing was found for {quote(query)}{_silent(found)}.", confirmed=False)
    shown = [_result(number, hit, ctx.domains) for number, hit in enumerate(found.results[:count], 1)]
    return ToolOutcome(status="ok", text="\n".join(shown))


def hits(got: Got) -> Found:
    """Return the results in an answer. Pure.

    Raises:
        ToolError: it holds none that can be read; says what to change.
    """
    said = f"the search service at SEARCH_URL answered HTTP {got.status}"
    if got.status == 429:
        raise ToolError(f"{said}: too many searches in a short time; try again later", failure=Failure.UNREACHABLE)
    if got.status == 403 or (got.status < 400 and got.kind == "text/html"):
        text = f"{said} and no JSON: allow the format json in its settings (search.formats of SearXNG)"
        raise ToolError(text, failure=Failure.UNREACHABLE)
    if got.status >= 400:
        raise ToolError(f"{said}: {quote(got.text, 200)}", failure=Failure.UNREACHABLE)
    try:
        return msgspec.json.decode(got.text, type=Found)
    except msgspec.DecodeError as error:
        text = f"{said}, but not as SearXNG does ({error}); it must answer /search?q=…&format=json"
        raise ToolError(text, failure=Failure.UNREACHABLE) from error


def _result(number: int, hit: Hit, domains: Sequence[str]) -> str:
    snippet = " ".join((hit.content or "").split())
    snippet = f"{snippet[:SNIPPET]}…" if len(snippet) > SNIPPET else snippet
    outside = "" if _allowed(hit.url, domains) else " (not among the allowed hosts)"
    title = " ".join((hit.title or hit.url).split())
    return "\n   ".join(line for line in (f"{number}. {title}", f"{hit.url}{outside}", snippet) if line)


def _allowed(url: str, domains: Sequence[str]) -> bool:
    try:
        return allowed(url, domains)
    except ValueError:
        return False


def _silent(found: Found) -> str:
    names = ", ".join(str(engine[0]) for engine in found.unresponsive_engines if engine)
    return f" (these engines did not answer: {names})" if names else ""


@tool(effect="read", group="search", needs=NETWORK, page=False, verbose=True, offer=offers.WEB)
async def web_fetch(ctx: ToolContext, url: Annotated[str, Argument.ADDRESS], part: Part = "") -> ToolOutcome:
    """Read a page of the web as text (not in the browser, and without running its scripts)."""
    _refuse_secrets(ctx, url)
    got = await _followed(ctx, url)
    if got.status >= 400:
        raise ToolError(f"{got.url} answered HTTP {got.status}", failure=Failure.UNREACHABLE, where=got.url)
    title, lines = await asyncio.to_thread(_lines, got)
    head = f"{quote(title)} {got.url}" if title else got.url
    note = f"\n(only the first {LARGEST:,} bytes of it were read)" if got.cut else ""
    return ToolOutcome(status="ok", text=f"{head}\n\n{_excerpt(lines, part)}{note}", where=got.url)


async def _followed(ctx: ToolContext, url: str) -> Got:
    """Return the answer at the end of the redirects, each of which must lead to an allowed host."""
    target = _target(ctx, url)
    for _ in range(REDIRECTS + 1):
        got = await get(ctx, target)
        if not (300 <= got.status < 400 and got.location):
            return got
        target = _target(ctx, got.location, got.url)
    raise ToolError(f"{url} redirects more than {REDIRECTS} times", failure=Failure.UNREACHABLE, where=url)


def _target(ctx: ToolContext, url: str, base: str = "") -> str:
    try:
        full = checked(urljoin(base, url) if base else address(url), ctx.domains)
    except ValueError as error:
        raise ToolError(f"{url!r} is not a web address: {error}", failure=Failure.INVALID_CALL, where=url) from error
    if full == "about:blank":
        raise ToolError("about:blank is not a page of the web", failure=Failure.INVALID_CALL, where=url)
    return full


def _lines(got: Got) -> tuple[str, tuple[str, ...]]:
    """Return title and lines of what is text.

    Raises:
        ToolError: it is something else.
    """
    if got.kind in ("text/html", "application/xhtml+xml"):
        from muster_subagent.tools.readable_text import readable  # noqa: PLC0415 - workers start sooner; few read HTML

        return readable(got.text, got.url)
    if got.kind.startswith("text/") or re.fullmatch(r"application/([\w.-]+\+)?(json|xml)", got.kind):
        return "", tuple(got.text.splitlines())
    of = f"is of the type {got.kind}, which" if got.kind else "does not say of which type it is, so that it"
    text = f"{got.url} {of} cannot be read as text"
    raise ToolError(text, failure=Failure.INVALID_CALL, where=got.url)


def _excerpt(lines: Sequence[str], part: str) -> str:
    """Return as much of a text as is shown at once, from the part that was asked for, and what comes further down.

    Raises:
        ToolError: there is no such part; names those there are.
    """
    text = "\n".join(lines)
    start = _start(lines, text, part)
    shown = text[start : start + SHOWN]
    rest = text[start + len(shown) :]
    if not rest:
        return shown or "(there is no text on it)"
    headings = "".join(f"\n{heading}" for heading in _headings(rest.splitlines())[:12])
    further = f" Headings further down:{headings}" if headings else ""
    number = start // SHOWN + 2
    return f"{shown}\n… {len(rest):,} more characters: ask for part {number}, or for a heading.{further}"


def _start(lines: Sequence[str], text: str, part: str) -> int:
    wanted = " ".join(part.lstrip("# ").lower().split())
    if not wanted:
        return 0
    if wanted.isdecimal() and len(wanted) < 6 and 0 < int(wanted) <= -(-len(text) // SHOWN):
        return (int(wanted) - 1) * SHOWN
    places = [at for at, line in enumerate(lines) if wanted in line.lower()]
    if not places:
        there = "; ".join(_headings(lines)[:20]) or "none"
        raise ToolError(f"there is no {quote(part)} on it. Headings: {there}", failure=Failure.INVALID_CALL)
    best = next((at for at in places if lines[at].startswith("#")), places[0])
    return sum(len(line) + 1 for line in lines[:best])


def _headings(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if re.match(r"#{1,6} ", line)]


def _refuse_secrets(ctx: ToolContext, text: str) -> None:
    if ctx.secrets.mask(text) != text:
        raise ToolError("a secret may not be sent to other services", failure=Failure.INVALID_CALL)


async def get(ctx: ToolContext, url: str, *, follow: bool = False, seconds: float = SECONDS) -> Got:
    """Return what is at a URL. Nothing of earlier requests (cookies) goes with it.

    Raises:
        ToolError: there is no answer, or not in time.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _got(ctx.http, httpx.Request("GET", url, headers=HEADERS), REDIRECTS if follow else 0)
    except TimeoutError as error:
        text = f"{url} was not there in full after {seconds:g} s"
        raise ToolError(text, failure=Failure.UNREACHABLE, where=url) from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        reason = str(error) or type(error).__name__
        raise ToolError(f"{url} cannot be reached: {reason}", failure=Failure.UNREACHABLE, where=url) from error


async def _got(http: httpx.AsyncClient, request: httpx.Request, redirects: int) -> Got:
    """Return the answer to a request, or to the last one that it is redirected to; bodies on the way are not read."""
    answer = await http.send(request, stream=True, follow_redirects=False)
    try:
        if redirects and answer.next_request is not None:
            return await _got(http, answer.next_request, redirects - 1)
        body = await read_body(answer)
    finally:
        await answer.aclose()
    return Got(
        url=str(answer.url),
        status=answer.status_code,
        kind=answer.headers.get("content-type", "").partition(";")[0].strip().lower(),
        text=body.text,
        location=answer.headers.get("location", ""),
        cut=body.cut,
    )
