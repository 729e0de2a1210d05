"""Acting on the page: find the target, act once, wait until the page is settled, and see what changed."""

from collections.abc import Awaitable, Callable

from playwright.async_api import Error, Locator, Page, TimeoutError

from muster_protocol.causes import Failure
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.domains import allowed, outside
from muster_subagent.tools.locator import locate, refusal
from muster_subagent.tools.page_access import PATIENCE, Unanswered, ask, current
from muster_subagent.tools.page_changes import Acted, After
from muster_subagent.tools.targets import Kind, Target
from muster_subagent.tools.tool import ToolError

POPUP_TIMEOUT = 3000
"""Milliseconds a tab may take to show up after the page asked for it."""

Action = Callable[[Locator, float], Awaitable[object]]
"""Acts on the located target; the number is its timeout in milliseconds."""


async def act(ctx: ToolContext, target: Target, kind: Kind, action: Action, *, waited: bool = False) -> Acted:
    """Do an action to a target once, and return what it did.

    `waited` says that the driver sees navigations through that this kind of action starts.

    Raises:
        ToolError: the target is missing, unclear or cannot be used; nothing was done then.
    """
    page = await current(ctx)
    url, tabs = page.url, ctx.session.pages
    locator = await locate(ctx, page, target, kind)
    late = False
    try:
        await action(locator, ctx.action_timeout * 1000)
    except Error as error:
        if page.is_closed():
            return await _closed(ctx, error, url)
        late = was_sent(error)
        if not late:
            raise await _why(ctx, page, target, kind, error) from error
    return await seen(ctx, page, url, tabs, waited=waited and not late, late=late)


async def seen(
    ctx: ToolContext, page: Page, url: str, tabs: list[Page], *, waited: bool = False, late: bool = False
) -> Acted:
    """Wait until the page is settled and return what an action did to it; a tab that it opened becomes the current one.

    Raises:
        ToolError: the page has gone to a host that is not allowed.
    """
    try:
        after = await settle(ctx, page, waited=waited)
        tab = await _new_tab(ctx, page, tabs, expected=after.popups > 0)
    except Unanswered as error:
        if not late:
            raise
        text = "it was done, once, and is not repeated; but the page that it led to does not answer"
        raise ToolError(text, failure=Failure.UNREACHABLE, where=url) from error
    except Error as error:
        if page.is_closed():
            return await _closed(ctx, error, url)
        raise
    if tab is None:
        ctx.touched = after.target.box if after.target else None
        _stay_inside(ctx, after.url)
        return Acted(after, url, sent_late=late)
    ctx.session.use(tab)
    opened = await settle(ctx, tab)
    _stay_inside(ctx, opened.url)
    return Acted(opened, url, tab=opened.title or opened.url, sent_late=late)


async def settle(ctx: ToolContext, page: Page, *, waited: bool = False) -> After:
    """Wait until nothing is pending on the page, and return how it is then and what the action changed."""
    timeout = round(ctx.action_timeout * 1000)
    question = {"timeout": timeout, "patience": timeout * PATIENCE, "waited": waited}
    return await ask(ctx, page.main_frame, "after", question, After, seconds=ctx.action_timeout * PATIENCE)


async def _new_tab(ctx: ToolContext, page: Page, tabs: list[Page], *, expected: bool) -> Page | None:
    def fresh() -> list[Page]:
        return [tab for tab in ctx.session.pages if tab not in tabs and not tab.is_closed()]

    if expected and not fresh():
        try:
            await page.context.wait_for_event("page", timeout=POPUP_TIMEOUT)
        except Error:
            return None  # a blocked pop-up never comes
    return fresh()[-1] if fresh() else None


async def _closed(ctx: ToolContext, error: Error, url: str) -> Acted:
    """Return what is left after an action closed its own tab; the last of the other tabs becomes the current one."""
    others = [page for page in ctx.session.pages if not page.is_closed()]
    if not others:
        raise error
    ctx.session.use(others[-1])
    after = await settle(ctx, others[-1])
    _stay_inside(ctx, after.url)
    return Acted(after, url, closed=True)


def _stay_inside(ctx: ToolContext, url: str) -> None:
    if not allowed(url, ctx.domains):
        text = f"the action was done, but it led outside: {outside(url, ctx.domains)}; go back or navigate elsewhere"
        raise ToolError(text, failure=Failure.INVALID_CALL, where=url)


def was_sent(error: Error) -> bool:
    """Return whether the driver had already acted when it gave up, so that acting again would do it twice."""
    signs = ("performing click action", "performing dblclick action", "elementHandle.press(")
    return isinstance(error, TimeoutError) and any(sign in error.message for sign in signs)


async def _why(ctx: ToolContext, page: Page, target: Target, kind: Kind, error: Error) -> Exception:
    """Return the error to raise for a target that could not be used; what is not about the target stays as it is."""
    about = ("Timeout", "strict mode violation", "not attached", "is not an <", "Not a checkbox")
    if not any(sign in error.message for sign in about) or "waiting for event" in error.message:
        return error
    return await refusal(ctx, page, target, kind)
