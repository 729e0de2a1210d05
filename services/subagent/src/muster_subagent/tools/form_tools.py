"""Tools for fields and lists: type, clear, select, check, uncheck. Each reads back what it did."""

from typing import Annotated, Literal

from muster_devices.actions import Choose, Done, Enter, Target, Toggle
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import act, said, words_of
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE, Argument
from muster_text.text_match import listed, quote, squash


@tool(name="type", effect="idempotent", group="device", needs=DEVICE, does="enter", brief="", offer=offers.TYPING)
async def type_text(
    ctx: ToolContext,
    element: Element = "",
    *,
    text: Annotated[str, Argument.ENTERED],
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    how: Annotated[Literal["replace", "keys", "append"], Argument.DETAIL] = "replace",
) -> ToolOutcome:
    """Type a text into a field. It replaces what the field holds, and is read back.

    `how`: `keys` presses a key for each letter, `append` types behind what is there. Without an element the keys go to
    whatever has the focus.
    """
    if not (element or role or ref):
        return await act(ctx, Enter(target=None, text=text), lambda done: said(f"Typed {quote(text)}", done))
    target = target_of(element, role, within, ref)

    def told(done: Done) -> ToolOutcome:
        field = done.target
        shown = "" if field is None or field.secret else f" {quote(text)}"
        typed = f"Typed{shown} into {words_of(done, target)}"
        masked = field is not None and field.secret and done.confirmed  # phones show a dot for each letter
        if field is None or how == "append" or masked or squash(field.content) == squash(text):
            return said(typed, done)
        has = "something else" if field.secret else quote(field.content)
        return said(f"{typed}, but the field holds {has}", done)

    return await act(ctx, Enter(target=target, text=text, how=how), told)


@tool(effect="idempotent", group="device", needs=DEVICE, does="enter", offer=offers.FORMS)
async def clear(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Empty a field."""
    target = target_of(element, role, within, ref)

    def told(done: Done) -> ToolOutcome:
        field = done.target
        kept = "" if field is None or field.secret else squash(field.content)  # an editor may keep an empty line
        left = f", but it still holds {quote(kept)}" if kept else ""
        return said(f"Cleared {target.words()}{left}", done)

    return await act(ctx, Enter(target=target, text=""), told)


@tool(effect="idempotent", group="device", needs=DEVICE, does="choose", brief="", offer=offers.LISTS)
async def select(
    ctx: ToolContext,
    element: Element,
    options: Annotated[list[str], Argument.ENTERED],
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Choose options of a list by their visible text (or value). Waits for options that are loaded late."""
    target = target_of(element, role, within, ref)

    def told(done: Done) -> ToolOutcome:
        has = done.target.content if done.target is not None else ""
        holds = f"; it shows {quote(has)}" if has else ""
        return said(f"Chose {listed(options)} in {target.words()}{holds}", done)

    return await act(ctx, Choose(target=target, options=tuple(options)), told)


@tool(effect="idempotent", group="device", needs=DEVICE, does="choose", offer=offers.FORMS)
async def check(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check a checkbox, choose a radio button or turn a switch on; nothing happens if it is so already."""
    return await _toggled(ctx, target_of(element, role, within, ref), on=True)


@tool(effect="idempotent", group="device", needs=DEVICE, does="choose", offer=offers.FORMS)
async def uncheck(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Uncheck a checkbox or turn a switch off; nothing happens if it is so already."""
    return await _toggled(ctx, target_of(element, role, within, ref), on=False)


async def _toggled(ctx: ToolContext, target: Target, *, on: bool) -> ToolOutcome:
    verb = "Checked" if on else "Unchecked"
    return await act(ctx, Toggle(target=target, on=on), lambda done: said(f"{verb} {words_of(done, target)}", done))
