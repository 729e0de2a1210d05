"""The catalogue of tools: every tool in one of these modules is in it."""

from collections.abc import Collection, Iterable, Mapping
from types import ModuleType

import msgspec

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import (
    capture_tool,
    checkout_changes,
    checkout_reading,
    console_checks,
    count_checks,
    delegation_tools,
    dialog_tools,
    element_checks,
    end,
    fleet_tools,
    form_tools,
    group_checks,
    http_tools,
    look_tool,
    navigation_tools,
    order_checks,
    page_checks,
    page_health_checks,
    page_tools,
    person_tools,
    phone_tools,
    picture_checks,
    pointer_tools,
    response_checks,
    search_tools,
    shell_tools,
    skill_tools,
    transfer_tools,
    value_tools,
)
from muster_subagent.tools.tool import Tool, ToolError
from muster_subagent.tools.traits import FEATURES
from muster_text.text_match import nearest

MODULES = (
    navigation_tools,
    order_checks,
    pointer_tools,
    phone_tools,
    form_tools,
    transfer_tools,
    dialog_tools,
    page_tools,
    page_checks,
    element_checks,
    count_checks,
    console_checks,
    group_checks,
    picture_checks,
    page_health_checks,
    http_tools,
    response_checks,
    shell_tools,
    checkout_reading,
    checkout_changes,
    search_tools,
    capture_tool,
    value_tools,
    person_tools,
    look_tool,
    delegation_tools,
    fleet_tools,
    skill_tools,
    end,
)
"""In the order in which models are told of their tools."""

Tools = Mapping[str, Tool]
"""Tools by name."""


def tools_in(modules: Iterable[ModuleType]) -> Tools:
    """Return the tools that stand in modules."""
    found = (it for module in modules for it in vars(module).values() if isinstance(it, Tool))
    return {tool.name: tool for tool in found}


TOOLS = tools_in(MODULES)


def permitted(tools: Tools, groups: Collection[str]) -> Tools:
    """Return the tools of some groups, in their order; a single tool may be named as well."""
    return {name: tool for group in groups for name, tool in tools.items() if group in (tool.group, name)}


def served(tools: Tools, features: Collection[str]) -> Tools:
    """Return the tools that a device with these features can serve."""
    return {name: tool for name, tool in tools.items() if (tool.needs & FEATURES) <= set(features)}


def declared(tools: Tools, name: str) -> Tool:
    """Return the tool of a name; if there is none, one that declares nothing and so counts as the worst."""
    return tools.get(name) or Tool(
        name=name, description="", effect="act", parameters=_Nothing, marks={}, function=_refuse
    )


class _Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """No parameters."""


async def _refuse(_ctx: ToolContext) -> ToolOutcome:
    raise ToolError("there is no such tool", failure=Failure.INVALID_CALL)


def found(tools: Tools, name: str) -> Tool:
    """Return the tool of a name.

    Raises:
        ToolError: there is none; names those that are most like it.
    """
    if name in tools:
        return tools[name]
    like = nearest(name, tools) or list(tools)[:1]
    raise ToolError(f"there is no tool {name!r}; the nearest: {', '.join(like)}", failure=Failure.INVALID_CALL)
