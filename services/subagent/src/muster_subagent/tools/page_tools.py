"""Tools that look at the page without changing it: wait, snapshot, find, screenshot, console and network."""

import asyncio
import re

import msgspec
from playwright.async_api import Locator, Page

from muster_protocol.causes import Failure
from muster_protocol.sessions import ConsoleSeen, NetworkSeen
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.long_texts import call_stem
from muster_subagent.tools.outline import cut, masked, matching, part, wanted
from muster_subagent.tools.page_access import GRACE, bounded, current
from muster_subagent.tools.page_actions import settle
from muster_subagent.tools.page_survey import Look, Reading, read, until
from muster_subagent.tools.target_errors import closest_part
from muster_subagent.tools.text_matching import count_whole, has_whole, lines_like, listed, quote, squash
from muster_subagent.tools.tool import ToolError, tool
from muster_text.masking import MASK

WAIT_LIMIT = 120.0
"""Seconds one call may wait."""
SNAPSHOT_TIMEOUT = 15.0


@tool(effect="read")
async def browser_wait_for(ctx: ToolContext, text: str = "", gone: str = "", seconds: float = 10) -> ToolOutcome:
    """Wait until a text is on the page, or another is gone from it; with neither, wait that many seconds."""
    patience = min(max(seconds, 0.0), WAIT_LIMIT)
    page = await current(ctx)
    if not text and not gone:
        await asyncio.sleep(patience)  # a tester asked for this very pause
        return ToolOutcome(status="ok", text=f"Waited {patience:g} s.", where=page.url)

    def holds(seen: Reading) -> bool:
        return (not text or shows(seen, text)) and (not gone or not shows(seen, gone))

    seen = await until(ctx, lambda look: _either(ctx, page, look, text, gone), holds, patience)
    if holds(seen):
        return ToolOutcome(status="ok", text=f"{_awaited(text, gone)}.", where=seen.url)
    like = lines_like(text, seen.lines) if text and not shows(seen, text) else []
    found = f"closest: {listed(like)}" if like else f"the page {quote(seen.title)}"
    said = f"waited {patience:g} s, but not yet: {_awaited(text, gone)}; {found}"
    raise ToolError(said, failure=Failure.ELEMENT_MISSING, expected=_awaited(text, gone), seen=found, where=seen.url)


async def _either(ctx: ToolContext, page: Page, look: Look, text: str, gone: str) -> Reading:
    return await read(ctx, page, look, text=text or gone)


def shows(seen: Reading, text: str) -> bool:
    """Return whether a text is among what can be read: as it is drawn, or as the document spells it."""
    want = squash(text)
    drawn, unseen = squash(" ".join(seen.lines)), (squash(text) for text in seen.unseen)
    if count_whole(drawn, want) > sum(count_whole(text, want) for text in unseen):
        return True
    return any(has_whole(squash(source), want) for source in seen.sources)


def _awaited(text: str, gone: str) -> str:
    parts = [f"the text {quote(text)} is there" if text else "", f"the text {quote(gone)} is gone" if gone else ""]
    return " and ".join(part for part in parts if part)


async def _outline(ctx: ToolContext, depth: int = 0) -> tuple[Page, list[str]]:
    """Return the settled page's tree of roles, names and refs, one element a line, without any password."""
    page = await current(ctx)
    await settle(ctx, page)
    taken = page.aria_snapshot(mode="ai", depth=depth) if depth > 0 else page.aria_snapshot(mode="ai")
    text = await bounded(ctx, taken, SNAPSHOT_TIMEOUT)
    hidden: list[str] = []
    for frame in page.frames:
        passwords = frame.locator("input[type=password]").evaluate_all("fields => fields.map((f) => f.value)")
        hidden += await bounded(ctx, passwords, GRACE)
    return page, masked(text.splitlines(), [value for value in hidden if value], MASK)


@tool(effect="read")
async def browser_snapshot(ctx: ToolContext, within: str = "", depth: int = 0) -> ToolOutcome:
    """Show the page as a tree of roles, names and refs; of one part only, or only so many levels deep."""
    page, lines = await _outline(ctx, depth)
    if within:
        chosen = part(lines, within)
        if not chosen:
            closest = closest_part(within, [wanted(line) for line in lines])
            text = f"there is no part of the page named {quote(within)}{closest}"
            raise ToolError(text, failure=Failure.ELEMENT_MISSING, where=page.url)
        lines = chosen
    head = f"{quote(await page.title())} {page.url}\n"
    return ToolOutcome(status="ok", text=head + cut(lines), where=page.url)


@tool(effect="read")
async def browser_find(ctx: ToolContext, text: str) -> ToolOutcome:
    """Find the elements whose name or text has some words; shows each with its ref and what it is in."""
    page, lines = await _outline(ctx)
    found = matching(lines, text)
    if found:
        return ToolOutcome(status="ok", text=cut(found, 60), where=page.url)
    like = lines_like(text, [wanted(line) for line in lines])
    closest = f"; closest: {listed(like)}" if like else ""
    return ToolOutcome(status="ok", text=f"Nothing on the page has {quote(text)}{closest}.", where=page.url)


async def outline_text(ctx: ToolContext) -> str:
    """Return the page as `browser_snapshot` shows it."""
    page, lines = await _outline(ctx)
    return f"{quote(await page.title())} {page.url}\n{cut(lines)}"


async def picture_of(ctx: ToolContext) -> bytes:
    """Return a PNG of what the window shows, with fields and texts that hold secrets blacked out."""
    page = await current(ctx)
    await settle(ctx, page)
    return await page.screenshot(mask=await _secret_places(ctx, page), mask_color="#000000", animations="disabled")


@tool(effect="read")
async def browser_take_screenshot(ctx: ToolContext, name: str = "", question: str = "") -> ToolOutcome:
    """Take a picture of what the window shows, and have a question about it answered; secrets are blacked out."""
    image = await picture_of(ctx)
    page = await current(ctx)
    stem = re.sub(r"[^\w.-]+", "-", name).strip("-") or f"screenshot-{call_stem(ctx)}"
    stored = ctx.store(f"{stem.removesuffix('.png')}.png", image, "image/png")
    told = f"Stored a picture of {page.url} as {stored.name}."
    if not question:
        return ToolOutcome(status="ok", text=told, where=page.url, artifacts=(stored,))
    if ctx.looker is None or not ctx.looker.sees:
        raise ToolError("no model can look at pictures: set VISION_MODEL", failure=Failure.INVALID_CALL)
    looked = await ctx.looker.answer(question, image)
    text = f"{looked.answer}\n{told}"
    return ToolOutcome(status="ok", text=text, where=page.url, artifacts=(stored,), usage=looked.usage)


async def _secret_places(ctx: ToolContext, page: Page) -> list[Locator]:
    """Return what a picture must not show: password fields, fields that hold a secret, and texts that do."""
    secrets = [value for value in ctx.secrets.values().values() if value]
    places: list[Locator] = []
    for frame in page.frames:
        places.append(frame.locator("input[type=password]"))
        fields = frame.locator("input, textarea")
        reading = fields.evaluate_all("fields => fields.map((f) => String(f.value))")
        values: list[str] = await bounded(ctx, reading, GRACE)
        holding = (index for index, value in enumerate(values) if any(secret in value for secret in secrets))
        places += [fields.nth(index) for index in holding]
        places += [frame.get_by_text(secret) for secret in secrets]
    return places


@tool(effect="read")
async def browser_console(ctx: ToolContext, level: str = "") -> ToolOutcome:
    """Read the page's console messages and uncaught errors, newest last; of one level (error, warning, info, log)."""
    seen = msgspec.json.decode(await ctx.session.recall("console") or "[]", type=list[ConsoleSeen])
    chosen = [entry for entry in seen if not level or entry.level.startswith(level.lower())]
    lines = [f"{entry.level}: {squash(entry.text)[:500]}" for entry in chosen]
    return ToolOutcome(status="ok", text=_newest(lines, "The console is empty."))


@tool(effect="read")
async def browser_network(ctx: ToolContext, contains: str = "", failed: bool = False) -> ToolOutcome:
    """Read the page's requests, newest last: whose URL has a text, or that failed (no answer, or 400 and up)."""
    seen = msgspec.json.decode(await ctx.session.recall("network") or "[]", type=list[NetworkSeen])
    chosen = [entry for entry in seen if contains.lower() in entry.url.lower() and (not failed or _failed(entry))]
    lines = [f"{entry.method} {entry.url} {entry.status or entry.failure or 'no answer'}" for entry in chosen]
    return ToolOutcome(status="ok", text=_newest(lines, "There were no such requests."))


def _failed(entry: NetworkSeen) -> bool:
    return entry.status == 0 or entry.status >= 400


def _newest(lines: list[str], none: str, limit: int = 60) -> str:
    left = f"… {len(lines) - limit} older ones left out …\n" if len(lines) > limit else ""
    return left + "\n".join(lines[-limit:]) if lines else none
