"""Tools for fields: type, clear, check, uncheck. Each reads back what it did."""

from playwright.async_api import Error

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import current
from muster_subagent.tools.page_actions import act
from muster_subagent.tools.page_changes import Acted
from muster_subagent.tools.page_survey import settled, survey
from muster_subagent.tools.pointer_tools import told
from muster_subagent.tools.targets import Control, Element, Kind, Ref, Role, Target, Within, query_of
from muster_subagent.tools.text_matching import quote, squash
from muster_subagent.tools.tool import ToolError, tool


@tool(effect="idempotent")
async def browser_type(
    ctx: ToolContext, element: Element, text: str, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Type a text into a field. It replaces what the field holds, and is read back."""
    target = Target(element, role, within, ref)
    acted = await _filled(ctx, target, text)
    control = await as_it_is(ctx, target, "type", acted)
    if control is not None and control.type in _STRICT and text and not control.content:
        raise _unfit(target)
    shown = "" if control is None or control.secret else f" {quote(text)}"
    done = f"Typed{shown} into {control.words() if control else target.words()}"
    if control is None or _holds(control, text):
        return told(done, acted, confirmed=control is not None)
    has = "something else" if control.secret else quote(control.content)
    return told(f"{done}, but the field holds {has}", acted, confirmed=_same_but_format(control.content, text))


async def _filled(ctx: ToolContext, target: Target, text: str) -> Acted:
    try:
        return await act(ctx, target, "type", lambda it, ms: it.fill(text, timeout=ms))
    except Error as error:
        if "Malformed value" in error.message or "Cannot type text into" in error.message:
            raise _unfit(target) from error
        raise


_STRICT = ("date", "time", "month", "week", "datetime-local", "number", "color", "range")
"""Types of fields that hold nothing at all instead of a text that does not fit."""


def _unfit(target: Target) -> ToolError:
    text = f"{target.words()} does not take such a text: a date is written 2026-01-31, a time 13:45, a number 12.5"
    return ToolError(text, failure=Failure.INVALID_CALL)


def _holds(control: Control, text: str) -> bool:
    return squash(control.content) == squash(text)


def _same_but_format(seen: str, typed: str) -> bool:
    """Return whether a field has only put a text into a form of its own, such as `1234` into `12 34`."""

    def essence(text: str) -> str:
        return "".join(char for char in text.lower() if char.isalnum())

    return essence(seen) == essence(typed) != ""


async def as_it_is(ctx: ToolContext, target: Target, kind: Kind, acted: Acted) -> Control | None:
    """Return the element as it is now; it is looked for anew if the page has put another one in its place."""
    changes = acted.after.changes
    replaced = changes is not None and changes.detached
    if acted.target is not None and not replaced:
        return acted.target
    if target.ref or (acted.after.fresh and acted.after.url != acted.before_url):
        return None
    found = await survey(ctx, await current(ctx), query_of(target, kind), settled(ctx))
    return found.matches[0] if found.total == 1 else None


@tool(effect="idempotent")
async def browser_clear(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Empty a field."""
    target = Target(element, role, within, ref)
    acted = await _filled(ctx, target, "")
    control = await as_it_is(ctx, target, "type", acted)
    empty = control is not None and control.content == ""
    kept = "" if control is None or empty or control.secret else f", but it still holds {quote(control.content)}"
    return told(f"Cleared {target.words()}{kept}", acted, confirmed=empty)


@tool(effect="idempotent")
async def browser_check(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check a checkbox, choose a radio button or turn a switch on; nothing happens if it is so already."""
    return await _toggled(ctx, Target(element, role, within, ref), on=True)


@tool(effect="idempotent")
async def browser_uncheck(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Uncheck a checkbox or turn a switch off; nothing happens if it is so already."""
    return await _toggled(ctx, Target(element, role, within, ref), on=False)


async def _toggled(ctx: ToolContext, target: Target, *, on: bool) -> ToolOutcome:
    try:
        acted = await act(ctx, target, "check", lambda it, ms: it.set_checked(on, timeout=ms), waited=True)
    except Error as error:
        if "did not change its state" in error.message or "Cannot uncheck radio" in error.message:
            text = f"{target.words()} was clicked, but did not become {'checked' if on else 'unchecked'}"
            raise ToolError(text, failure=Failure.ELEMENT_MISSING) from error
        raise
    control = await as_it_is(ctx, target, "check", acted)
    sure = control is not None and control.states.checked == on
    return told(
        f"{'Checked' if on else 'Unchecked'} {control.words() if control else target.words()}", acted, confirmed=sure
    )
