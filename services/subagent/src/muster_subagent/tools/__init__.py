"""What a sub-agent can do: typed tools for the browser, checks, the shell, HTTP and values."""

from muster_subagent.tools.invocation import call, describe
from muster_subagent.tools.tool import Tool, ToolError, tool
from muster_subagent.tools.tool_catalogue import TOOLS, Tools, declared, permitted, served

__all__ = [
    "TOOLS",
    "Tool",
    "ToolError",
    "Tools",
    "call",
    "declared",
    "describe",
    "permitted",
    "served",
    "tool",
]
