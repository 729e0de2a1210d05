"""Tools with which an agent loads a skill: its instructions, and of the agent's own tools those that it leaves."""

from typing import Annotated

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NOTHING, Argument

NONE_THERE = "this agent has no skills: its file names none"


@tool(effect="read", group="skills", needs=NOTHING, page=False, skill="load")
async def load_skill(ctx: ToolContext, name: Annotated[str, Argument.OPTION]) -> ToolOutcome:
    """Load a skill for work of its sort: its instructions and its tools, in place of the skill before."""
    if ctx.skills is None:
        raise ToolError(NONE_THERE, failure=Failure.INVALID_CALL)
    return ToolOutcome(status="ok", text=ctx.skills.describe_loading(name, ctx.session.kind))


@tool(effect="read", group="skills", needs=NOTHING, page=False, skill="unload")
async def unload_skill(ctx: ToolContext) -> ToolOutcome:
    """Unload the skill when its work is done."""
    if ctx.skills is None or not ctx.skills.loaded:
        raise ToolError("no skill is loaded", failure=Failure.INVALID_CALL)
    return ToolOutcome(status="ok", text=f"the skill {ctx.skills.loaded} is unloaded")
