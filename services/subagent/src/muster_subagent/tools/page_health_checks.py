"""Checks of what can be wrong with any page: it shows nothing, it is slow, it breaks accessibility rules."""

from typing import Annotated

from muster_devices.device import Device
from muster_devices.observations import ReadPlace, Wait
from muster_devices.screen import Place, Record
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.answer_times import answer_seconds, is_busy
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import AUDITS, DEVICE, Argument
from muster_text.text_match import quote

TRIES = 3
"""Audits: what is found while something still fades in is gone the next time, and what is drawn meanwhile is found."""
STILL_SECONDS = 1.0
"""How long a page stands still after a clean audit: it may be a skeleton that waits for what it shows."""
SHOWN = 5
"""Broken rules that are told."""


@tool(
    effect="check", group="checks", needs=DEVICE | AUDITS, about="page", relation="at_most", offer=offers.ACCESSIBILITY
)
async def check_accessibility(ctx: ToolContext, rule: Annotated[str, Argument.OBJECT] = "") -> ToolOutcome:
    """Check that the page breaks no accessibility rule of WCAG 2.2 A and AA, or not this one (its axe-core id)."""
    device = await ctx.session.device()
    expected = f"the page to keep the accessibility rule {quote(rule)}" if rule else "the page to keep all of them"
    found, place = await audited(device, rule)
    if place.empty:
        return verdict(False, expected, "the page shows nothing", place.address)
    said = "; ".join(one.text for one in found[:SHOWN])
    return verdict(not found, expected, said or "no broken rule", place.address)


async def audited(device: Device, rule: str) -> tuple[tuple[Record, ...], Place]:
    """Return what is broken at two looks in a row, or nothing, once the page stood still meanwhile; and the page."""
    seen, broken = await device.look(ReadPlace(), Wait()), tuple[Record, ...]()
    for _ in range(TRIES):
        before, earlier, broken = seen, broken, await _broken(device, rule)
        seen = await device.look(ReadPlace(), Wait() if broken else Wait(since=before.version, change=STILL_SECONDS))
        stood = seen.version == before.version and not seen.place.empty
        if (broken and earlier) or (not broken and stood):
            break
    return broken, seen.place


async def _broken(device: Device, rule: str) -> tuple[Record, ...]:
    return tuple(one for one in await device.feed("accessibility") if rule in ("", one.method))


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


@tool(effect="check", group="checks", needs=DEVICE, about="page", relation="at_least", offer=offers.PAGE_HEALTH)
async def check_shown(ctx: ToolContext) -> ToolOutcome:
    """Check that the page shows anything at all."""
    device = await ctx.session.device()
    place = (await device.look(ReadPlace(), Wait(settle=ctx.action_timeout))).place
    screen = await device.screen()
    shown = bool(screen.lines or any(not element.hidden for element in screen.elements))
    seen = "something" if shown else "an empty page"
    return verdict(shown, "the page to show something", seen, place.address)
