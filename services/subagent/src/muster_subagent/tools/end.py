"""The tool with which a model ends a sub-task."""

from typing import Annotated, Literal

from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import NOTHING, Argument


@tool(effect="read", group="end", needs=NOTHING, page=False, brief="")
async def finish(
    _ctx: ToolContext,
    status: Annotated[Literal["pass", "fail"], Argument.OPTION],
    summary: Annotated[str, Argument.OPTION] = "",
    blocked: Annotated[bool, Argument.OPTION] = False,
) -> ToolOutcome:
    """End the step: pass or fail, in one sentence what was seen, and whether its action could not be carried out."""
    return ToolOutcome(status="ok", text=f"{status}: {summary}" + (" (blocked)" if blocked else ""))
