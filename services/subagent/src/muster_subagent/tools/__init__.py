"""What a sub-agent can do: typed tools for the browser, checks, the shell, HTTP and values."""

from muster_subagent.tools.call import call, command_of, describe, effect_of
from muster_subagent.tools.catalogue import BROWSER, CHECKS, END, GROUPS, SHELL, TOOLS, TOOLS_BY_NAME, VALUES, WEB
from muster_subagent.tools.settle import SETTLE_SCRIPT, prepare, register
from muster_subagent.tools.tool import Tool, ToolError, tool

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
