"""Tools that look at the page without changing it: wait, snapshot, find, screenshot, console and network."""

import asyncio
import re
from typing import Annotated

from muster_devices.observations import ReadPlace, ReadText, TextSeen, Wait
from muster_devices.outline import cut, matching, wanted
from muster_devices.screen import Record, Screen
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.long_texts import call_stem
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, FEEDS, Argument, Denies
from muster_text.text_match import (
    begins_negative,
    count_words,
    has_words,
    lines_like,
    listed,
    other_form,
    quote,
    signed_form,
    squash,
)

WAIT_LIMIT = 120.0
"""Seconds one call may wait."""


@tool(effect="read", group="device", needs=DEVICE, waits=True, offer=offers.HISTORY)
async def wait_for(
    ctx: ToolContext,
    text: Annotated[str, Argument.WANTED] = "",
    gone: Annotated[str, Argument.WANTED, Denies()] = "",
    seconds: Annotated[float, Argument.OPTION] = 10,
    settled: Annotated[bool, Argument.DETAIL] = False,
) -> ToolOutcome:
    """Wait until a text is on the page, or another is gone from it; with neither, wait that many seconds.

    `settled`: wait until the page is loaded and nothing is under way.
    """
    if settled:
        at = (await (await ctx.session.device()).look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
        return ToolOutcome(status="ok", text="The page is loaded.", where=at.address)
    patience = min(max(seconds, 0.0), WAIT_LIMIT)
    if not text and not gone:
        await asyncio.sleep(patience)  # a tester asked for this very pause
        return ToolOutcome(status="ok", text=f"Waited {patience:g} s.")

    def holds(seen: TextSeen) -> bool:
        return (not text or shows(seen, text)) and (not gone or not shows(seen, gone, denied=True))

    seen = await look_until(ctx, ReadText(text=text or gone), holds, patience)
    if holds(seen):
        return ToolOutcome(status="ok", text=f"{_awaited(text, gone)}.", where=seen.place.address)
    like = lines_like(text, seen.lines) if text and not shows(seen, text) else []
    found = f"closest: {listed(like)}" if like else f"the page {quote(seen.place.title)}"
    said = f"waited {patience:g} s, but not yet: {_awaited(text, gone)}; {found}"
    where = seen.place.address
    raise ToolError(said, failure=Failure.ELEMENT_MISSING, expected=_awaited(text, gone), seen=found, where=where)


def no_proof(seen: TextSeen, *, denied: bool) -> tuple[str, ...]:
    """Return what proves nothing: what nobody can see and, unless `denied`, what is cut off, pale or typed by us."""
    return seen.unseen if denied else (*seen.unseen, *seen.curtailed, *seen.typed)


def shows(seen: TextSeen, text: str, *, denied: bool = False) -> bool:
    """Return whether a text is among what can be read: as it is drawn, or as the document spells it.

    To deny a text that is in small letters denies it in capitals, and in the field that this run typed it into; to deny
    any text denies that a part of it is drawn, before it is cut off.
    """
    want, drawn = squash(text), spelled(" ".join(seen.lines), text, denied=denied)
    others = (spelled(one, text, denied=denied) for one in no_proof(seen, denied=denied))
    negative = sum(begins_negative(line, want) for line in seen.lines)
    if count_words(drawn, want) > sum(count_words(other, want) for other in others) + negative:
        return True
    sources = (*seen.sources, *seen.curtailed, *seen.typed) if denied else seen.sources
    return any(has_words(spelled(source, text, denied=denied), want) for source in sources)


def spelled(seen: str, text: str, *, denied: bool) -> str:
    """Return a text as the wanted one is looked for in it: where that is denied in small letters, in small letters."""
    return squash(seen).lower() if denied and squash(text).islower() else squash(seen)


def form_shown(seen: TextSeen, text: str, *, denied: bool) -> str:
    """Return, in quotes, what can be read and may be the wanted text in another form; "" if there is nothing.

    For texts that `shows` did not find: a word with another ending, or a number with a sign before it, as in the badge
    "-25 %", neither proves nor disproves them.
    """
    lines, want = [spelled(line, text, denied=denied) for line in seen.lines], squash(text)
    form = other_form(" ".join(lines), want) or next(filter(None, (signed_form(line, want) for line in lines)), "")
    return quote(form) if form else ""


def _awaited(text: str, gone: str) -> str:
    parts = [f"the text {quote(text)} is there" if text else "", f"the text {quote(gone)} is gone" if gone else ""]
    return " and ".join(part for part in parts if part)


def outline_text(screen: Screen) -> str:
    """Return what the device shows as models read it."""
    return f"{quote(screen.place.title)} {screen.place.address}\n{cut(screen.lines)}"


@tool(
    effect="read",
    group="device",
    needs=DEVICE,
    outline="whole",
    brief="Show the page, or a part of it.",
    offer=offers.ALWAYS,
)
async def snapshot(
    ctx: ToolContext, within: Annotated[str, Argument.OBJECT] = "", depth: Annotated[int, Argument.DETAIL] = 0
) -> ToolOutcome:
    """Show the page as a tree of roles, names and refs; of one part only, or only so many levels deep."""
    device = await ctx.session.device()
    screen = await device.screen(within, depth)
    return ToolOutcome(status="ok", text=outline_text(screen), where=screen.place.address)


@tool(
    effect="read",
    group="device",
    needs=DEVICE,
    outline="part",
    brief="Find elements by their words.",
    offer=offers.INSPECT,
)
async def find(ctx: ToolContext, text: Annotated[str, Argument.WANTED]) -> ToolOutcome:
    """Find the elements whose name or text has some words; shows each with its ref and what it is in."""
    device = await ctx.session.device()
    screen = await device.screen()
    where, found = screen.place.address, matching(screen.lines, text)
    if found:
        return ToolOutcome(status="ok", text=cut(found, 60), where=where)
    like = lines_like(text, [wanted(line) for line in screen.lines])
    closest = f"; closest: {listed(like)}" if like else ""
    return ToolOutcome(status="ok", text=f"Nothing on the page has {quote(text)}{closest}.", where=where)


async def picture_of(ctx: ToolContext) -> bytes:
    """Return a PNG of what is shown, with fields and texts that hold secrets blacked out."""
    device = await ctx.session.device()
    return await device.picture([value for value in ctx.secrets.values().values() if value])


@tool(effect="read", group="device", needs=DEVICE, offer=offers.INSPECT)
async def take_screenshot(
    ctx: ToolContext, name: Annotated[str, Argument.OPTION] = "", question: Annotated[str, Argument.OPTION] = ""
) -> ToolOutcome:
    """Take a picture of what the window shows, and have a question about it answered; secrets are blacked out."""
    image = await picture_of(ctx)
    stem = re.sub(r"[^\w.-]+", "-", name).strip("-") or f"screenshot-{call_stem(ctx)}"
    stored = ctx.store(f"{stem.removesuffix('.png')}.png", image, "image/png")
    told = f"Stored a picture as {stored.name}."
    if not question:
        return ToolOutcome(status="ok", text=told, artifacts=(stored,))
    if ctx.looker is None or not ctx.looker.sees:
        raise ToolError("no model can look at pictures: set VISION_MODEL", failure=Failure.INVALID_CALL)
    looked = await ctx.looker.answer(question, image)
    text = f"{looked.answer}\n{told}"
    return ToolOutcome(status="ok", text=text, artifacts=(stored,), usage=looked.usage)


@tool(effect="read", group="device", needs=DEVICE | FEEDS, offer=offers.INSPECT)
async def browser_console(ctx: ToolContext, level: Annotated[str, Argument.OPTION] = "") -> ToolOutcome:
    """Read the page's console messages and uncaught errors, newest last; of one level (error, warning, info, log)."""
    device = await ctx.session.device()
    chosen = [one for one in await device.feed("console") if not level or one.level.startswith(level.lower())]
    lines = [f"{one.level}: {squash(one.text)[:500]}" for one in chosen]
    return ToolOutcome(status="ok", text=_newest(lines, "The console is empty."))


@tool(effect="read", group="device", needs=DEVICE | FEEDS, offer=offers.INSPECT)
async def browser_network(
    ctx: ToolContext, contains: Annotated[str, Argument.WANTED] = "", failed: Annotated[bool, Argument.OPTION] = False
) -> ToolOutcome:
    """Read the page's requests, newest last: whose URL has a text, or that failed (no answer, or 400 and up)."""
    device = await ctx.session.device()
    sent = await device.feed("network")
    chosen = [one for one in sent if contains.lower() in one.address.lower() and (not failed or _failed(one))]
    lines = [f"{one.method} {one.address} {one.status or one.failure or 'no answer'}" for one in chosen]
    return ToolOutcome(status="ok", text=_newest(lines, "There were no such requests."))


def _failed(request: Record) -> bool:
    return request.status == 0 or request.status >= 400


def _newest(lines: list[str], none: str, limit: int = 60) -> str:
    left = f"… {len(lines) - limit} older ones left out …\n" if len(lines) > limit else ""
    return left + "\n".join(lines[-limit:]) if lines else none
