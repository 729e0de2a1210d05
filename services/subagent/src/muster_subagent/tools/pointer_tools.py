"""Tools of mouse and keyboard: click, hover, scroll, press."""

from typing import Literal

from playwright.async_api import Error, Locator

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import GRACE, PATIENCE, bounded, current
from muster_subagent.tools.page_actions import Action, act, seen
from muster_subagent.tools.page_changes import Acted
from muster_subagent.tools.targets import Element, Ref, Role, Target, Within
from muster_subagent.tools.text_matching import key_name
from muster_subagent.tools.tool import ToolError, tool


def told(done: str, acted: Acted, *, confirmed: bool | None = None) -> ToolOutcome:
    """Return the outcome of an action: what was done and what changed; confirmed if anything was seen to change,
    and the page it led to is none of an error."""
    text = f"{done}. {acted.words()}".strip()
    sure = acted.changed if confirmed is None else confirmed
    sure = sure and acted.failure is None
    return ToolOutcome(status="ok", text=text, where=acted.after.url, confirmed=sure, failure=acted.failure)


async def _clicked(ctx: ToolContext, verb: str, target: Target, action: Action) -> ToolOutcome:
    acted = await act(ctx, target, "click", action, waited=True)
    control = acted.target
    return told(f"{verb} {control.words() if control is not None else target.words()}", acted)


@tool(effect="act")
async def browser_click(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Click an element. Waits for it to be there and usable, and reports what changed on the page."""
    return await _clicked(ctx, "Clicked", Target(element, role, within, ref), lambda it, ms: it.click(timeout=ms))


@tool(effect="act")
async def browser_double_click(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Double-click an element."""
    target = Target(element, role, within, ref)
    return await _clicked(ctx, "Double-clicked", target, lambda it, ms: it.dblclick(timeout=ms))


@tool(effect="act")
async def browser_right_click(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Click an element with the right mouse button, to open its context menu."""
    target = Target(element, role, within, ref)
    return await _clicked(ctx, "Right-clicked", target, lambda it, ms: it.click(button="right", timeout=ms))


@tool(effect="idempotent")
async def browser_hover(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Move the mouse over an element, to show its menu or tooltip."""
    target = Target(element, role, within, ref)
    acted = await act(ctx, target, "click", lambda it, ms: it.hover(timeout=ms))
    return told(f"The mouse is over {target.words()}", acted, confirmed=True)


@tool(effect="act")
async def browser_press(
    ctx: ToolContext, key: str, element: Element = "", *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Press a key or chord (Enter, Escape, Tab, ArrowDown, Control+a): on an element, or on whatever has the focus."""
    name = key_name(key)
    target = Target(element, role, within, ref)
    try:
        if element or role or ref:
            acted = await act(ctx, target, "value", lambda it, ms: it.press(name, timeout=ms), waited=True)
        else:
            acted = await _pressed(ctx, name)
    except Error as error:
        if "Unknown key" not in error.message:
            raise
        text = f"there is no key {key!r}: use names such as Enter, Escape, Tab, ArrowDown, F5, a or Control+a"
        raise ToolError(text, failure=Failure.INVALID_CALL) from error
    place = f" on {target.words()}" if element or role or ref else ""
    return told(f"Pressed {name}{place}", acted)


async def _pressed(ctx: ToolContext, name: str) -> Acted:
    """Press a key on whatever has the focus."""
    page = await current(ctx)
    url, tabs = page.url, ctx.session.pages
    await bounded(ctx, page.evaluate("() => window.__muster?.begin(document.activeElement)"), GRACE)
    await bounded(ctx, page.keyboard.press(name), ctx.action_timeout * PATIENCE)
    return await seen(ctx, page, url, tabs)


_SCROLL = {
    "up": "window.scrollBy(0, -innerHeight * 0.8)",
    "down": "window.scrollBy(0, innerHeight * 0.8)",
    "top": "window.scrollTo(0, 0)",
    "bottom": "window.scrollTo(0, document.documentElement.scrollHeight)",
}


@tool(effect="idempotent")
async def browser_scroll(
    ctx: ToolContext,
    direction: Literal["up", "down", "top", "bottom"] = "down",
    *,
    element: Element = "",
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Scroll the page by most of a screen, to its top or bottom; or scroll an element into view, if one is named."""
    target = Target(element, role, within, ref)
    if element or role or ref:
        acted = await act(ctx, target, "read", _into_view)
        return told(f"Scrolled to {target.words()}", acted, confirmed=True)
    page = await current(ctx)
    url, tabs = page.url, ctx.session.pages
    await bounded(ctx, page.evaluate(f"() => {{ window.__muster?.begin(); {_SCROLL[direction]}; }}"), GRACE)
    acted = await seen(ctx, page, url, tabs)
    moved = acted.after.changes is not None and acted.after.changes.scrolled
    return told(f"Scrolled {direction}" if moved else f"Scrolled {direction}: there was nothing more to scroll", acted)


async def _into_view(locator: Locator, timeout: float) -> None:
    await locator.scroll_into_view_if_needed(timeout=timeout)
