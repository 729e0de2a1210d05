"""Acts on an element that was found in a picture, where names still do not find it and nothing was sent."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ReadPoint, Wait
from muster_evidence.action_demands import demands
from muster_protocol.detector_work import Located
from muster_protocol.tool_calls import Box, ToolCall
from muster_subagent.agent.pictured_target import POINTING, describe, find_misfit, pointing_demand
from muster_subagent.results import Made
from muster_subagent.task_log import Lines
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import declared
from muster_subagent.tools.device_calls import touched_of
from muster_subagent.tools.pointer_tools import browser_right_click, click, double_click, long_press

MOVED = 2.0
"""How many pixels an element may have moved since it was found in the picture."""
_TOOLS = {"point": click, "double": double_click, "secondary": browser_right_click, "hold": long_press}


def nothing_sent(made: Sequence[Made]) -> bool:
    """Return whether no call has sent anything to the product: none was to, or its target could not be used. Pure."""
    return all(not it.changes or (it.outcome.unsent and it.tool.does in POINTING) for it in made)


async def act_by_picture(executor: ToolExecutor, lines: Lines, missed: ToolCall | None) -> Made | None:
    """Make the call for the element that was found in a picture; None: there is none, or it may not be used now.

    `missed` is the phrase's call that did not find its target; without it the step's words say what to do.
    """
    located = executor.task.step.located
    if located is None or not nothing_sent(executor.made):
        return None
    call = _begun(executor) or await _call_for(executor, lines, located, missed)
    if call is None:
        return None
    lines.tell("decision", f"the element was found in a picture: {describe(located)}")
    executor.context.located = located
    try:
        return await executor.make(call, by_model=True)
    finally:
        executor.context.located = None


def _begun(executor: ToolExecutor) -> ToolCall | None:
    """Return the call if a holder before has begun it."""
    call = executor.announced()
    ours = call is not None and declared(executor.tools, call.tool).does in POINTING and call.arguments.get("ref")
    return call if ours else None


async def _call_for(executor: ToolExecutor, lines: Lines, located: Located, missed: ToolCall | None) -> ToolCall | None:
    """Return the call, after another look at what is there now."""
    task = executor.task
    tool = _tool_for(executor, missed)
    why = find_misfit(task.description, located, executor.values) or ("" if tool else "the step says more than that")
    device = await executor.context.session.device()
    ref = "" if why else await _ref_now(device, located, executor.context.action_timeout)
    if not ref:
        lines.tell("decision", f"what was found in a picture is not used: {why or 'it is not there any more'}")
        return None
    name = located.known.names[0] if located.known and not located.known.unnamed else ""
    kept = missed.arguments if missed else {}
    options = {key: value for key, value in kept.items() if key not in ("role", "within")}
    return ToolCall(tool=tool, arguments={**options, "element": name, "ref": ref})


def _tool_for(executor: ToolExecutor, missed: ToolCall | None) -> str:
    """Return the tool that carries the step out; empty: it is not done by one act of pointing."""
    if missed is not None:
        return missed.tool if declared(executor.tools, missed.tool).does in POINTING else ""
    demand = pointing_demand(executor.task.description)
    if demand is None or len(demands(executor.task.description)) > 1:
        return ""
    ways = demand.verb.does or POINTING
    return next(tool.name for does, tool in _TOOLS.items() if does in ways)


async def _ref_now(device: Device, located: Located, settle: float) -> str:
    """Return by which ref the element can be used, or "" if something else is there now, or it has moved."""
    box = located.seen.box
    x, y = round(box.x + box.width / 2), round(box.y + box.height / 2)
    try:
        there = await device.look(ReadPoint(x=x, y=y), Wait(settle=settle))
    except DeviceRefused:
        return ""
    now = touched_of(there.element) if there.element else None
    under = there.element.box if there.element else there.drawn
    same = (now is None) == (located.known is None) and (
        now is None or located.known is None or replace(now, beside=()) == replace(located.known, beside=())
    )
    if not same or not _stays(located.under, under):
        return ""
    return (there.element.ref if there.element else "") or f"@{x},{y}"


def _stays(before: Box | None, now: Box | None) -> bool:
    if before is None or now is None:
        return False
    pairs = ((before.x, now.x), (before.y, now.y), (before.width, now.width), (before.height, now.height))
    return all(abs(one - other) <= MOVED for one, other in pairs)
