"""The check of what axe-core finds wrong with a page."""

from typing import Annotated

from muster_devices.device import Device
from muster_devices.observations import ReadPlace, Wait
from muster_devices.screen import Record
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import AUDITS, DEVICE, Argument
from muster_text.text_match import quote

TRIES = 2
"""Audits: what is found while something still fades in is gone the second time."""
SHOWN = 5


@tool(
    effect="check", group="checks", needs=DEVICE | AUDITS, about="page", relation="at_most", offer=offers.ACCESSIBILITY
)
async def check_accessibility(ctx: ToolContext, rule: Annotated[str, Argument.OBJECT] = "") -> ToolOutcome:
    """Check that the page breaks no accessibility rule of WCAG 2.2 A and AA, or not this one (its axe-core id)."""
    device = await ctx.session.device()
    expected = f"the page to keep the accessibility rule {quote(rule)}" if rule else "the page to keep all of them"
    found = await _broken(device, rule)
    for _ in range(TRIES - 1):
        found = found and await _broken(device, rule)
    place = (await device.look(ReadPlace(), Wait())).place
    if place.empty:
        return verdict(False, expected, "the page shows nothing", place.address)
    said = "; ".join(one.text for one in found[:SHOWN])
    return verdict(not found, expected, said or "no broken rule", place.address)


async def _broken(device: Device, rule: str) -> tuple[Record, ...]:
    return tuple(one for one in await device.feed("accessibility") if rule in ("", one.method))
