"""Checks of what is wrong with a page whatever it is about: errors in its console, nothing to see."""

from typing import Annotated

from muster_devices.observations import ReadPlace, Wait
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE, FEEDS, Argument
from muster_text.text_match import quote, squash

SHOWN = 3


@tool(effect="check", group="checks", needs=DEVICE | FEEDS, about="page", relation="at_most", offer=offers.CONSOLE)
async def check_console(ctx: ToolContext, text: Annotated[str, Argument.OBJECT] = "") -> ToolOutcome:
    """Check that the pages have logged no error and thrown no exception, or none with this text or address."""
    device = await ctx.session.device()
    place = (await device.look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
    expected = f"no error with {quote(text)} in the console" if text else "no errors in the console"
    if place.empty:
        return verdict(False, expected, "the page shows nothing", place.address)
    errors = [squash(f"{one.text} {one.address}") for one in await device.feed("console") if one.level == "error"]
    found = [error for error in errors if squash(text) in error]
    return verdict(not found, expected, "; ".join(error[:300] for error in found[-SHOWN:]) or "none", place.address)


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="at_least", offer=offers.CONSOLE)
async def check_shown(ctx: ToolContext) -> ToolOutcome:
    """Check that the page shows anything at all."""
    device = await ctx.session.device()
    place = (await device.look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
    screen = await device.screen()
    shown = bool(screen.lines or any(not element.hidden for element in screen.elements))
    seen = "something" if shown else "an empty page"
    return verdict(shown, "the page to show something", seen, place.address)
