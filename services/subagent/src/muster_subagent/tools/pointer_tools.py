"""Tools of fingers, mouse and keyboard: click, press and hold, hover, swipe, scroll, press a key."""

from typing import Annotated, Literal

from muster_devices.actions import ClickOutside, Direction, Done, Drag, Point, Press, Scroll, Swipe
from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import act, said, words_of
from muster_subagent.tools.dialog_tools import answer_dialog, button_pressed
from muster_subagent.tools.targets import Element, Ref, Role, Within, target_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, TOUCH, Argument
from muster_text.key_names import MODIFIERS, key_name

HELD = sorted(set(MODIFIERS.values()))
"""Keys that can be held during a click."""


async def _pointed(ctx: ToolContext, verb: str, action: Point) -> ToolOutcome:
    return await act(ctx, action, lambda done: said(f"{verb} {words_of(done, action.target)}", done))


@tool(effect="act", group="device", needs=DEVICE, does="point", brief="", offer=offers.ALWAYS)
async def click(
    ctx: ToolContext,
    element: Element,
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    holding: Annotated[str, Argument.DETAIL] = "",
) -> ToolOutcome:
    """Click or tap an element. Waits for it to be there and usable, and reports what changed on the page.

    `holding` names keys that are held meanwhile: Control, Shift, Alt, Meta, joined by +.
    """
    keys = tuple(key for key in holding.split("+") if key)
    if wrong := next((key for key in keys if key not in MODIFIERS.values()), ""):
        raise ToolError(f"{wrong!r} is not a key to hold: {', '.join(HELD)}", failure=Failure.INVALID_CALL)
    target = target_of(element, role, within, ref)
    try:
        return await _pointed(ctx, "Clicked", Point(target=target, holding=keys))
    except DeviceRefused:  # perhaps for a dialog that is open
        device = await ctx.session.device()
        accept = None if keys or ctx.author == "model" else button_pressed(await device.dialog(), target)
        if accept is None:
            raise
        return await answer_dialog.function(ctx, accept=accept)


@tool(effect="act", group="device", needs=DEVICE, does="point", offer=offers.POINTER)
async def click_outside(
    ctx: ToolContext, element: Annotated[str, Argument.PLACE] = "", *, role: Role = "", within: Within = ""
) -> ToolOutcome:
    """Click where nothing is: outside of a dialog or menu, or beside a field, which then loses the focus."""
    target = target_of(element, role, within) if element or role else None
    place = target.words() if target is not None else "what was open or had the focus"
    return await act(ctx, ClickOutside(target=target), lambda done: said(f"Clicked outside of {place}", done))


@tool(effect="act", group="device", needs=DEVICE, does="drag", offer=offers.POINTER)
async def drag(
    ctx: ToolContext,
    element: Element,
    to: Annotated[str, Argument.OBJECT],
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    to_role: Role = "",
    to_within: Within = "",
) -> ToolOutcome:
    """Drag an element onto another one and drop it there."""
    target, end = target_of(element, role, within, ref), target_of(to, to_role, to_within)
    action = Drag(target=target, to=end)
    return await act(ctx, action, lambda done: said(f"Dragged {target.words()} to {end.words()}", done))


@tool(effect="act", group="device", needs=DEVICE, does="double", offer=offers.POINTER)
async def double_click(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Double-click or double-tap an element."""
    action = Point(target=target_of(element, role, within, ref), gesture="double_tap")
    return await _pointed(ctx, "Double-clicked", action)


@tool(effect="act", group="device", needs=DEVICE, does="hold", offer=offers.POINTER)
async def long_press(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Press an element and hold it for a moment."""
    action = Point(target=target_of(element, role, within, ref), gesture="long_press")
    return await _pointed(ctx, "Pressed and held", action)


@tool(effect="act", group="device", needs=DEVICE, does="secondary", offer=offers.POINTER)
async def browser_right_click(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Click an element with the right mouse button, to open its context menu."""
    action = Point(target=target_of(element, role, within, ref), gesture="secondary")
    return await _pointed(ctx, "Right-clicked", action)


@tool(effect="idempotent", group="device", needs=DEVICE, does="hover", offer=offers.POINTER)
async def hover(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Move the mouse over an element, to show its menu or tooltip."""
    target = target_of(element, role, within, ref)
    action = Point(target=target, gesture="hover")
    return await act(ctx, action, lambda done: said(f"The mouse is over {target.words()}", done))


@tool(effect="act", group="device", needs=DEVICE, does="key", brief="Such as Enter or Control+a.", offer=offers.KEYS)
async def press(
    ctx: ToolContext,
    key: Annotated[str, Argument.ENTERED],
    element: Element = "",
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Press a key or chord (Enter, Escape, Tab, ArrowDown, Control+a): on an element, or on whatever has the focus."""
    name = key_name(key)
    target = target_of(element, role, within, ref) if element or role or ref else None
    place = f" on {target.words()}" if target is not None else ""
    return await act(ctx, Press(key=name, target=target), lambda done: said(f"Pressed {name}{place}", done))


@tool(effect="act", group="device", needs=DEVICE | TOUCH, does="drag", offer=offers.POINTER)
async def swipe(
    ctx: ToolContext,
    direction: Annotated[Direction, Argument.OPTION],
    element: Element = "",
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Move a finger over the screen, or over an element, in a direction; the content moves along."""
    target = target_of(element, role, within, ref) if element or role or ref else None
    place = f" over {target.words()}" if target is not None else ""
    action = Swipe(direction=direction, target=target)
    return await act(ctx, action, lambda done: said(f"Swiped {direction}{place}", done))


@tool(effect="idempotent", group="device", needs=DEVICE, does="scroll", offer=offers.POINTER)
async def scroll(
    ctx: ToolContext,
    direction: Annotated[Literal["up", "down", "top", "bottom"], Argument.OPTION] = "down",
    *,
    element: Element = "",
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
) -> ToolOutcome:
    """Scroll the page by most of a screen, to its top or bottom; or scroll an element into view, if one is named."""
    if element or role or ref:
        target = target_of(element, role, within, ref)
        return await act(ctx, Scroll(target=target), lambda done: said(f"Scrolled to {target.words()}", done))

    def told(done: Done) -> ToolOutcome:
        moved = done.changes is not None and done.changes.scrolled
        return said(
            f"Scrolled {direction}" if moved else f"Scrolled {direction}: there was nothing more to scroll", done
        )

    return await act(ctx, Scroll(to=direction), told)
