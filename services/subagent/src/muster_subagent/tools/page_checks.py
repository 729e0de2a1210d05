"""Checks of the page as a whole: its texts, title and address, and the browser's dialog."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.async_api import Page

from muster_protocol import codec
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.page_access import current
from muster_subagent.tools.page_survey import Glance, Look, Reading, glance, read, until
from muster_subagent.tools.page_tools import shows
from muster_subagent.tools.target_errors import missing_part
from muster_subagent.tools.targets import Within
from muster_subagent.tools.text_matching import (
    Match,
    compares,
    has_whole,
    lines_like,
    listed,
    quote,
    refuse_empty,
    says,
    squash,
)
from muster_subagent.tools.tool import tool


@tool(effect="check")
async def check_text(
    ctx: ToolContext, text: str, *, within: Within = "", absent: bool = False, exact: bool = False
) -> ToolOutcome:
    """Check that a text is visible on the page or in one part of it; with `exact`, as the whole text of something."""
    refuse_empty(text)
    page = await current(ctx)

    def there(seen: Reading) -> bool:
        return (_alone if exact else shows)(seen, text)

    def holds(seen: Reading) -> bool:
        return there(seen) != absent and not seen.unknown_part

    seen = await until(ctx, lambda look: read(ctx, page, look, text=text, within=within), holds, denied=absent)
    if seen.unknown_part:
        raise missing_part(within, seen.near, seen.url)
    place = f" in {quote(within)}" if within else ""
    expected = f"the {'exact ' if exact else ''}text {quote(text)} is {'not ' if absent else ''}visible{place}"
    return verdict(holds(seen), expected, _seen(seen, text, there=there(seen)), seen.url)


def _alone(seen: Reading, text: str) -> bool:
    want = squash(text)
    lines, unseen = ([squash(text) for text in texts].count(want) for texts in (seen.lines, seen.unseen))
    return lines > unseen or any(squash(source) == want for source in seen.sources)


def _seen(seen: Reading, text: str, *, there: bool) -> str:
    """Return what there is: the lines with the text, else those that are most like it."""
    if not there and any(has_whole(squash(one), squash(text)) for one in seen.unseen):
        return f"{quote(text)} is on the page, but cannot be seen: transparent, cut off or out of reach"
    want = squash(text)
    lines = [line for line in seen.lines if has_whole(squash(line), want)] if there else lines_like(text, seen.lines)
    if lines:
        return listed(lines, 3)
    return quote(text) if there else f"no such text on the page {quote(seen.title)}"


@tool(effect="check")
async def check_title(ctx: ToolContext, title: str, match: Match = "is", negate: bool = False) -> ToolOutcome:
    """Check the title of the page."""
    page = await current(ctx)
    seen = await _glanced(ctx, page, lambda at: compares(at.title, title, match) != negate, denied=negate)
    expected = f"the page title {says(match, title, negate=negate)}"
    return verdict(compares(seen.title, title, match) != negate, expected, quote(seen.title), seen.url)


@tool(effect="check")
async def check_url(ctx: ToolContext, url: str, match: Match = "is", negate: bool = False) -> ToolOutcome:
    """Check the address of the page."""
    page = await current(ctx)

    def holds(at: Glance) -> bool:
        return _same_address(at.url, url, match) != negate

    seen = await _glanced(ctx, page, holds, denied=negate)
    return verdict(holds(seen), f"the URL {says(match, url, negate=negate)}", quote(seen.url), seen.url)


def _same_address(seen: str, url: str, match: Match) -> bool:
    """Compare addresses; the slash of an empty path makes no difference."""
    bare = urlsplit(seen)
    shorter = seen.removesuffix("/") if bare.path == "/" and not bare.query and not bare.fragment else seen
    return compares(seen, url, match) or (match in ("is", "ends") and compares(shorter, url, match))


async def _glanced(ctx: ToolContext, page: Page, holds: Callable[[Glance], bool], *, denied: bool) -> Glance:
    async def look(how: Look) -> Glance:
        return await glance(ctx, page, how)

    return await until(ctx, look, holds, denied=denied)


@tool(effect="check", page=False)
async def check_dialog(ctx: ToolContext, text: str, match: Match = "is") -> ToolOutcome:
    """Check what the dialog (alert, confirm, prompt) says that is open now, or was answered in this sub-task."""
    expected = f"a dialog whose text {says(match, text)}"
    dialog = ctx.session.dialog or await _answered_dialog(ctx)
    try:
        dialog = dialog or await asyncio.wait_for(ctx.session.dialog_opened(), ctx.action_timeout)
    except TimeoutError:
        return verdict(False, expected, "no dialog has opened")
    return verdict(
        compares(dialog.message, text, match), expected, f"{dialog.kind}: {quote(dialog.message)}", dialog.url
    )


async def _answered_dialog(ctx: ToolContext) -> OpenDialog | None:
    """Return the newest dialog of this sub-task; one of an earlier sub-task proves nothing."""
    kept = await ctx.session.recall("dialog")
    return codec.decode(kept, OpenDialog) if kept else None
