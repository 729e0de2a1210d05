"""The tool with which a model ends a sub-task."""

from typing import Literal

from muster_protocol.tools import ToolOutcome
from muster_subagent.context import ToolContext
from muster_subagent.tools.tool import tool


@tool(effect="read", page=False)
async def finish(_ctx: ToolContext, status: Literal["pass", "fail"], summary: str) -> ToolOutcome:
    """End the sub-task: say whether it passed, and in one sentence what was seen."""
    return ToolOutcome(status="ok", text=f"{status}: {summary}")
