"""The check of how long the product took to answer."""

from typing import Annotated

from muster_devices.observations import ReadPlace, Wait
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.answer_times import answer_seconds, is_busy
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Argument


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="at_most", offer=offers.PACE)
async def check_pace(ctx: ToolContext, seconds: Annotated[float, Argument.WANTED]) -> ToolOutcome:
    """Check that the page had settled within so many seconds of the last action."""
    if seconds <= 0:
        raise ToolError("seconds must be above 0", failure=Failure.INVALID_CALL)
    expected = f"the last action to take less than {seconds:g} s"
    took = await answer_seconds(ctx.session, max(ctx.action_timeout, 2 * seconds))
    if took is None:
        text = "nothing was done in this step, so there is no time to check; say it in the step that acts"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    device = await ctx.session.device()
    place = (await device.look(ReadPlace(), Wait())).place
    if place.empty:
        return verdict(False, expected, "the page shows nothing", place.address)
    if took >= seconds and await is_busy(device, took):
        text = f"it took {took:.1f} s, but the machine is too busy to tell whether that was the product"
        return ToolOutcome(status="error", text=text, failure=Failure.INFRASTRUCTURE, expected=expected, seen=text)
    return verdict(took < seconds, expected, f"{took:.1f} s", place.address)
