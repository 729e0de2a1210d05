"""What a sub-agent can do: typed tools for the browser, checks, the shell, HTTP and values."""

from muster_subagent.tools.call import call, describe
from muster_subagent.tools.catalogue import TOOLS, Tools, declared, permitted
from muster_subagent.tools.settle import SETTLE_SCRIPT, prepare, register
from muster_subagent.tools.tool import Tool, ToolError, tool

__all__ = [
    "SETTLE_SCRIPT",
    "TOOLS",
    "Tool",
    "ToolError",
    "Tools",
    "call",
    "declared",
    "describe",
    "permitted",
    "prepare",
    "register",
    "tool",
]
