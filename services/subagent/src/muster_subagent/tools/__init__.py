"""What a sub-agent can do: typed tools for the browser, checks, the shell, HTTP and values."""

from muster_devices.web.page_script import SETTLE_SCRIPT, prepare, register
from muster_subagent.tools.invocation import call, command_of, describe, effect_of
from muster_subagent.tools.tool import Tool, ToolError, tool
from muster_subagent.tools.tool_catalogue import BROWSER, CHECKS, END, GROUPS, SHELL, TOOLS, TOOLS_BY_NAME, VALUES, WEB

__all__ = [
    "BROWSER",
    "CHECKS",
    "END",
    "GROUPS",
    "SETTLE_SCRIPT",
    "SHELL",
    "TOOLS",
    "TOOLS_BY_NAME",
    "VALUES",
    "WEB",
    "Tool",
    "ToolError",
    "call",
    "command_of",
    "describe",
    "effect_of",
    "prepare",
    "register",
    "tool",
]
