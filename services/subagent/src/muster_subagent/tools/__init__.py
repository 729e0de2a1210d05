"""What a sub-agent can do: typed tools for the browser, checks, the shell, HTTP and values."""

from muster_devices.web.page_script import SETTLE_SCRIPT, prepare, register
from muster_subagent.tools.invocation import call, describe
from muster_subagent.tools.tool import Tool, ToolError, tool
from muster_subagent.tools.tool_catalogue import TOOLS, Tools, declared, permitted, served

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
    "served",
    "tool",
]
