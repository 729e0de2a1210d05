"""Tools of phones: apps, and turning the device."""

from typing import Annotated, Literal

from muster_devices.actions import Rotate, UseApp
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import act, said
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import APPS, DEVICE, ROTATION, Argument
from muster_text.text_match import quote

_DONE = {"open": "Opened", "close": "Closed", "background": "Put into the background:", "clear": "Reset"}


@tool(effect="act", group="device", needs=DEVICE | APPS, does="go", offer=offers.APPS)
async def use_app(
    ctx: ToolContext,
    to: Annotated[Literal["open", "close", "background", "clear", "notifications"], Argument.OPTION],
    app: Annotated[str, Argument.OBJECT] = "",
) -> ToolOutcome:
    """Open, close, put into the background or reset (clear) the app under test, or another one by its package name.

    `notifications` opens those of the phone.
    """
    if to == "notifications":
        return await act(ctx, UseApp(to=to), lambda done: said("Opened the notifications", done))
    name = f"the app {quote(app)}" if app else "the app"
    return await act(ctx, UseApp(to=to, app=app), lambda done: said(f"{_DONE[to]} {name}", done))


@tool(effect="idempotent", group="device", needs=DEVICE | ROTATION, does="go", offer=offers.APPS)
async def rotate(ctx: ToolContext, to: Annotated[Literal["portrait", "landscape"], Argument.OPTION]) -> ToolOutcome:
    """Turn the phone."""
    return await act(ctx, Rotate(to=to), lambda done: said(f"Turned to {to}", done))
