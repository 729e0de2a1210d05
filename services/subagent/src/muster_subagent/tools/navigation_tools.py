"""Tools for navigation: addresses, back, forward, reload, and tabs."""

from typing import Annotated

from muster_devices.actions import CloseWindow, Done, Navigate, OpenWindow
from muster_devices.observations import ReadPlace, Wait
from muster_devices.screen import Window
from muster_protocol.causes import Failure
from muster_protocol.sessions import NEWEST_TAB
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import act
from muster_subagent.tools.offers import NO_PAGE
from muster_subagent.tools.page_changes import changes_in_words
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import ADDRESSES, DEVICE, WINDOWS, Argument
from muster_text.text_match import listed, quote


@tool(effect="idempotent", group="device", needs=DEVICE | ADDRESSES, does="go", brief="", offer=offers.ADDRESSES)
async def browser_navigate(ctx: ToolContext, url: Annotated[str, Argument.ADDRESS]) -> ToolOutcome:
    """Open a web address in the current tab."""
    return await act(ctx, Navigate(address=url), lambda done: _led(f"Opened {_full(url, done)}", done))


def _full(url: str, done: Done) -> str:
    """Return an address as it was opened, where that can be told: one without its scheme or host is made a full one."""
    return url if "://" in url or done.place.status == 0 else done.place.address


@tool(effect="act", group="device", needs=DEVICE, does="go", offer=offers.HISTORY)
async def back(ctx: ToolContext) -> ToolOutcome:
    """Go back to the page before, as the back button does."""
    return await _moved(ctx, Navigate(to="back"), "Went back")


@tool(effect="act", group="device", needs=DEVICE | ADDRESSES, does="go", offer=offers.HISTORY)
async def browser_forward(ctx: ToolContext) -> ToolOutcome:
    """Go forward again after going back."""
    return await _moved(ctx, Navigate(to="forward"), "Went forward")


@tool(effect="act", group="device", needs=DEVICE | ADDRESSES, does="go", offer=offers.HISTORY)
async def browser_reload(ctx: ToolContext) -> ToolOutcome:
    """Load the current page again."""
    return await _moved(ctx, Navigate(to="reload"), "Reloaded")


async def _moved(ctx: ToolContext, action: Navigate, verb: str) -> ToolOutcome:
    def told(done: Done) -> ToolOutcome:
        if done.changed:
            return _led(verb, done)
        text = f"{verb}. There was no other page to go to."
        return ToolOutcome(status="ok", text=text, where=done.place.address, confirmed=False)

    return await act(ctx, action, told)


def _led(verb: str, done: Done) -> ToolOutcome:
    """Return where an address, or a way back, led."""
    answered = f" The server answered HTTP {done.place.status}." if done.place.status >= 400 else ""
    text = f"{verb}. {changes_in_words(done)}{answered}"
    where, failure = done.place.address, done.failure
    return ToolOutcome(status="ok", text=text, where=where, confirmed=done.confirmed, failure=failure)


@tool(effect="read", group="device", needs=DEVICE | WINDOWS, offer=offers.TABS)
async def browser_tabs(ctx: ToolContext) -> ToolOutcome:
    """List the open tabs; the current one is marked."""
    device = await ctx.session.device()
    tabs = await device.windows()
    where = next((tab.address for tab in tabs if tab.current), "")
    marked = [f"{'*' if tab.current else ' '} {_named(tab)}" for tab in tabs]
    return ToolOutcome(status="ok", text="\n".join(marked), where=where)


def _named(tab: Window) -> str:
    return f"{tab.id}. {quote(tab.title)} {tab.address}"


def _find(tabs: tuple[Window, ...], wanted: str) -> Window:
    """Return the tab with a number, or whose title or URL has a text; a number is no part of a URL.

    Raises:
        ToolError: there is none, or more than one.
    """
    if wanted == NEWEST_TAB:
        wanted, found = "new", tabs[1:][-1:]
    elif wanted.strip().isdecimal():
        found = [tab for tab in tabs if tab.id == wanted.strip()]
    else:
        found = [tab for tab in tabs if wanted.lower() in f"{tab.title} {tab.address}".lower()]
    if len(found) == 1:
        return found[0]
    problem = "no tab is" if not found else "more than one tab is"
    failure = Failure.ELEMENT_MISSING if not found else Failure.TARGET_UNCLEAR
    raise ToolError(f"{problem} {quote(wanted)}; open tabs: {'; '.join(map(_named, tabs))}", failure=failure)


@tool(effect="idempotent", group="device", needs=DEVICE | WINDOWS, does="go", offer=offers.TABS)
async def browser_tab_switch(ctx: ToolContext, tab: Annotated[str, Argument.OBJECT]) -> ToolOutcome:
    """Make another tab the current one: by its number in browser_tabs (-1: the newest), or by part of title or URL."""
    device = await ctx.session.device()
    await device.use(_find(await device.windows(), tab).id)
    place = (await device.look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
    return ToolOutcome(
        status="ok", text=f"The current tab is {quote(place.title)} at {place.address}.", where=place.address
    )


@tool(effect="act", group="device", needs=DEVICE | WINDOWS, does="go", offer=offers.TABS)
async def browser_tab_new(ctx: ToolContext, url: Annotated[str, Argument.ADDRESS] = NO_PAGE) -> ToolOutcome:
    """Open a new tab, and an address in it; it becomes the current one."""
    if url in ("", NO_PAGE):
        empty = "A new, empty tab is the current one"
        return await act(
            ctx, OpenWindow(), lambda done: ToolOutcome(status="ok", text=f"{empty}.", where=done.place.address)
        )
    return await act(ctx, OpenWindow(address=url), lambda done: _led(f"Opened {_full(url, done)} in a new tab", done))


@tool(effect="act", group="device", needs=DEVICE | WINDOWS, does="go", offer=offers.TABS)
async def browser_tab_close(ctx: ToolContext, tab: Annotated[str, Argument.OBJECT] = "") -> ToolOutcome:
    """Close a tab (the current one unless another is named); the last of the others becomes the current one."""
    device = await ctx.session.device()
    tabs = await device.windows()
    closed = _find(tabs, tab) if tab else next(one for one in tabs if one.current)
    left = listed(one.title for one in tabs if one != closed)

    def told(done: Done) -> ToolOutcome:
        return ToolOutcome(status="ok", text=f"Closed {quote(closed.title)}; open: {left}.", where=done.place.address)

    return await act(ctx, CloseWindow(window=closed.id), told)
