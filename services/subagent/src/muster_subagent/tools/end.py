"""The tool with which a model ends a sub-task."""

from typing import Literal

from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.tool import tool


@tool(effect="read", page=False)
async def finish(
    _ctx: ToolContext, status: Literal["pass", "fail"], summary: str = "", blocked: bool = False
) -> ToolOutcome:
    """End the step: pass or fail, in one sentence what was seen, and whether its action could not be carried out."""
    return ToolOutcome(status="ok", text=f"{status}: {summary}" + (" (blocked)" if blocked else ""))
