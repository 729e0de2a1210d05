"""Whether an agent may make a call: its file, its skills and its requester must all allow it."""

import os
from collections.abc import Iterable, Iterator, Mapping

from muster_agents.permissions import Names, Permissions, both, covers, domain_overlap, path_overlap
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall
from muster_subagent.step_permissions import reaches_only
from muster_subagent.tools.tool import Tool
from muster_subagent.tools.traits import Argument

NOWHERE = "nowhere.invalid"
"""A host that no name server knows."""


def find_excess(
    may: Permissions, tool: Tool, call: ToolCall, device: str, secrets: Iterable[str]
) -> tuple[str, str] | None:
    """Return why a call is more than an agent may, as (reason, text); None if it is not. Pure.

    `device`: the kind of the session's device; `secrets`: the names of those that the call uses. `reason` is one of
    `REFUSALS` of `metrics`.
    """
    if tool.skill:
        return None
    if not covers(may.tools, tool.name):
        return "tool", f"this agent may not use {tool.name}{_instead(may.tools)}"
    if not tool.delegates and not covers(may.effects, tool.effect):
        return (
            "effect",
            f"{tool.name} has the effect {tool.effect!r}, which this agent may not have{_instead(may.effects)}",
        )
    if found := _excess_of_device(may, tool, device):
        return "device", found
    if found := _excess_of_paths(may, tool, call.arguments):
        return "path", found
    if found := _excess_of_domains(may.domains, tool, call.arguments):
        return "domain", found
    if found := _excess_of_foreign(may.domains, tool):
        return "domain", found
    if tool.served_by is not None and tuple(secrets):
        return "secret", f"{tool.name} belongs to others, who are given no secrets of a run"
    strange = sorted(name for name in secrets if not covers(may.secrets, name))
    return ("secret", f"this agent may not use ${{secret:{strange[0]}}}") if strange else None


def domains_within(domains: tuple[str, ...], allowed: Names) -> tuple[str, ...]:
    """Return the hosts that a job names (none: any) and an agent may reach; never none, as that means any. Pure."""
    if allowed is None:
        return domains
    return both(domains or None, allowed, domain_overlap) or (NOWHERE,)


def _instead(names: Names) -> str:
    return f"; it may: {', '.join(names)}" if names else "; it may use none"


def _excess_of_device(may: Permissions, tool: Tool, device: str) -> str:
    if "device" not in tool.needs:
        return ""
    changes = tool.effect in CHANGING
    allowed = may.devices.control if changes else may.devices.read
    done = "act on" if changes else "look at"
    return "" if covers(allowed, device) else f"this agent may not {done} a device of kind {device}"


def _excess_of_paths(may: Permissions, tool: Tool, arguments: Mapping[str, ArgumentValue]) -> str:
    """Return which path of the workspace is not allowed; one that leads outside is left for the host to refuse."""
    if "checkout" not in tool.needs:
        return ""
    rules, done = (may.paths.write, "written") if tool.does == "write" else (may.paths.read, "read")
    for path in _texts(tool, arguments, Argument.OBJECT):
        name = os.path.normpath(path.partition("::")[0] or ".")
        if not name.startswith(("/", "..")) and not covers(rules, name, path_overlap):
            return f"{path!r} may not be {done} by this agent; what may be: {', '.join(rules or ()) or 'nothing'}"
    return ""


def _excess_of_domains(domains: Names, tool: Tool, arguments: Mapping[str, ArgumentValue]) -> str:
    if domains is None:
        return ""
    if tool.command:
        return f"{tool.name} is not kept to the hosts that this agent may reach ({', '.join(domains) or 'none'})"
    for address in _texts(tool, arguments, Argument.ADDRESS):
        if not reaches_only(address, domains):
            return f"{address!r} is not a host that this agent may reach; it may reach: {', '.join(domains) or 'none'}"
    return ""


def _excess_of_foreign(domains: Names, tool: Tool) -> str:
    """Return that a tool of others reaches hosts that the agent may not; nobody knows what a program reaches."""
    if domains is None or tool.served_by is None or (tool.served_by and reaches_only(tool.served_by, domains)):
        return ""
    where = tool.served_by or "a program of others"
    return f"{tool.name} is served by {where}, and this agent may reach: {', '.join(domains) or 'none'}"


def _texts(tool: Tool, arguments: Mapping[str, ArgumentValue], wanted: Argument) -> Iterator[str]:
    for name, value in arguments.items():
        if wanted in tool.marks.get(name, ()) and isinstance(value, str):
            yield value
