"""Checks of what is wrong with a page whatever it is about: that there is nothing to see."""

from muster_devices.observations import ReadPlace, Wait
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import DEVICE


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="at_least", offer=offers.PAGE_HEALTH)
async def check_shown(ctx: ToolContext) -> ToolOutcome:
    """Check that the page shows anything at all."""
    device = await ctx.session.device()
    place = (await device.look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
    screen = await device.screen()
    shown = bool(screen.lines or any(not element.hidden for element in screen.elements))
    seen = "something" if shown else "an empty page"
    return verdict(shown, "the page to show something", seen, place.address)
