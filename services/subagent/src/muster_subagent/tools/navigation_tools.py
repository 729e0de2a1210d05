"""Tools to go somewhere: navigate, back, forward, reload, and tabs."""

import re
from collections.abc import Awaitable, Callable
from functools import partial

from playwright.async_api import Error, Page, Response

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.domains import address, checked
from muster_subagent.tools.page_access import bounded
from muster_subagent.tools.page_actions import seen, settle
from muster_subagent.tools.page_health import answered
from muster_subagent.tools.text_matching import listed, quote
from muster_subagent.tools.tool import ToolError, tool

TIMEOUT = 30.0
"""Seconds a page may take to answer a navigation."""


@tool(effect="idempotent")
async def browser_navigate(ctx: ToolContext, url: str) -> ToolOutcome:
    """Open a web address in the current tab."""
    page = await ctx.session.page()
    full = checked(address(url, page.url), ctx.domains)
    return await _go(
        ctx, page, f"Opened {full}", lambda: page.goto(full, wait_until="commit", timeout=TIMEOUT * 1000), named=True
    )


@tool(effect="act")
async def browser_back(ctx: ToolContext) -> ToolOutcome:
    """Go back to the page before, as the browser's back button does."""
    page = await ctx.session.page()
    return await _go(ctx, page, "Went back", lambda: page.go_back(wait_until="commit", timeout=TIMEOUT * 1000))


@tool(effect="act")
async def browser_forward(ctx: ToolContext) -> ToolOutcome:
    """Go forward again after going back."""
    page = await ctx.session.page()
    return await _go(ctx, page, "Went forward", lambda: page.go_forward(wait_until="commit", timeout=TIMEOUT * 1000))


@tool(effect="act")
async def browser_reload(ctx: ToolContext) -> ToolOutcome:
    """Load the current page again."""
    page = await ctx.session.page()
    return await _go(ctx, page, "Reloaded", lambda: page.reload(wait_until="commit", timeout=TIMEOUT * 1000))


async def _go(
    ctx: ToolContext, page: Page, done: str, go: Callable[[], Awaitable[Response | None]], *, named: bool = False
) -> ToolOutcome:
    """Go somewhere and tell where that led; `named` says that it was to a certain address."""
    url, tabs = page.url, ctx.session.pages
    try:
        response = await bounded(ctx, _gone(go, named=named), TIMEOUT + 5)
    except Error as error:
        raise unreachable(error, url) or error from error
    acted = await seen(ctx, page, url, tabs)
    status = response.status if response is not None else 0
    moved = named or response is not None or acted.after.url != url
    answered = f" The server answered HTTP {status}." if status >= 400 else ""
    text = f"{done}. {acted.words() if moved else 'There was no other page to go to.'}{answered}"
    sure = moved and status < 400 and acted.failure is None
    return ToolOutcome(status="ok", text=text, where=acted.after.url, confirmed=sure, failure=acted.failure)


async def _gone(go: Callable[[], Awaitable[Response | None]], *, named: bool) -> Response | None:
    """Go; to an address again, if the page was just going elsewhere by itself, as to the browser's page of an error."""
    for _ in range(2 if named else 0):
        try:
            return await go()
        except Error as error:
            ways = _INTERRUPTED.search(error.message)
            if ways is None:
                raise
            if ways.group(1) == ways.group(2):
                return None  # it is the earlier of two ways to the same page that got there
    return await go()


_INTERRUPTED = re.compile(r'Navigation to "(.*?)" is interrupted by another navigation to "(.*?)"')


def unreachable(error: Error, url: str) -> ToolError | None:
    """Return what to tell the caller about a navigation that failed; None if that was not the network's doing."""
    code = re.search(r"net::(ERR_[A-Z_]+)(?: at (\S+))?", error.message)
    if "Download is starting" in error.message:
        text = "this address is a download, not a page: use browser_download on the link to it"
        return ToolError(text, failure=Failure.INVALID_CALL, where=url)
    if code:
        where = code.group(2) or url
        reason = code.group(1).removeprefix("ERR_").replace("_", " ").lower()
        failure = Failure.SERVER_ERROR if answered(error.message) else Failure.UNREACHABLE
        return ToolError(f"{where} cannot be reached: {reason}", failure=failure, seen=reason, where=where)
    if "Timeout" in error.message:
        text = f"{url} did not answer within {TIMEOUT:.0f} s"
        return ToolError(text, failure=Failure.UNREACHABLE, seen=text, where=url)
    if "invalid URL" in error.message:
        return ToolError(f"{url!r} is no web address", failure=Failure.INVALID_CALL, where=url)
    return None


@tool(effect="read")
async def browser_tabs(ctx: ToolContext) -> ToolOutcome:
    """List the open tabs; the current one is marked."""
    current = await ctx.session.page()
    marked = [f"{'*' if page == current else ' '} {await _tab(number, page)}" for number, page in _tabs(ctx)]
    return ToolOutcome(status="ok", text="\n".join(marked), where=current.url)


def _tabs(ctx: ToolContext) -> list[tuple[int, Page]]:
    return list(enumerate((page for page in ctx.session.pages if not page.is_closed()), 1))


async def _tab(number: int, page: Page) -> str:
    return f"{number}. {quote(await page.title())} {page.url}"


async def _find(ctx: ToolContext, tab: str) -> Page:
    """Return the tab with a number, or whose title or URL has a text.

    Raises:
        ToolError: there is none, or more than one.
    """
    tabs = _tabs(ctx)
    names = {number: await _tab(number, page) for number, page in tabs}
    found = [page for number, page in tabs if str(number) == tab.strip()]
    found = found or [page for number, page in tabs if tab.lower() in names[number].lower()]
    if len(found) == 1:
        return found[0]
    problem = "no tab is" if not found else "more than one tab is"
    failure = Failure.ELEMENT_MISSING if not found else Failure.TARGET_UNCLEAR
    raise ToolError(f"{problem} {quote(tab)}; open tabs: {'; '.join(names.values())}", failure=failure)


@tool(effect="idempotent")
async def browser_tab_switch(ctx: ToolContext, tab: str) -> ToolOutcome:
    """Make another tab the current one: by its number in browser_tabs, or by part of its title or URL."""
    page = await _find(ctx, tab)
    await page.bring_to_front()
    ctx.session.use(page)
    after = await settle(ctx, page)
    return ToolOutcome(status="ok", text=f"The current tab is {quote(after.title)} at {after.url}.", where=after.url)


@tool(effect="act")
async def browser_tab_new(ctx: ToolContext, url: str = "") -> ToolOutcome:
    """Open a new tab, and an address in it; it becomes the current one."""
    before = await ctx.session.page()
    full = checked(address(url, before.url), ctx.domains) if url else ""
    page = await before.context.new_page()
    ctx.session.use(page)
    if not full:
        return ToolOutcome(status="ok", text="A new, empty tab is the current one.", where=page.url)
    go = partial(page.goto, full, wait_until="commit", timeout=TIMEOUT * 1000)
    return await _go(ctx, page, f"Opened {full} in a new tab", go, named=True)


@tool(effect="act")
async def browser_tab_close(ctx: ToolContext, tab: str = "") -> ToolOutcome:
    """Close a tab (the current one unless another is named); the last of the others becomes the current one."""
    page = await _find(ctx, tab) if tab else await ctx.session.page()
    if len(_tabs(ctx)) < 2:
        raise ToolError("this is the last tab: navigate it elsewhere instead", failure=Failure.INVALID_CALL)
    was_current = page == await ctx.session.page()
    name = await page.title()
    await page.close()
    others = [other for _, other in _tabs(ctx) if other != page]
    if was_current:
        ctx.session.use(others[-1])
    left = listed([await other.title() for other in others])
    return ToolOutcome(status="ok", text=f"Closed {quote(name)}; open: {left}.", where=(await ctx.session.page()).url)
