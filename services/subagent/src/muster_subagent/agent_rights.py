"""The rights of an agent in a sub-task: those of its file, limited to those of its requester. Pure."""

from collections.abc import Iterable

from muster_agents import Agent, AgentBudget, Paths, Permissions
from muster_agents.permissions import Devices, covers
from muster_protocol.assignments import Rights
from muster_protocol.tasks import Budget, SubTask
from muster_protocol.tool_calls import CHANGING
from muster_subagent.tools.tool import Tool
from muster_subagent.tools.tool_catalogue import Tools
from muster_subagent.tools.traits import CHECKOUT, DEVICE, SHELL, WORKSPACE

_OF_A_SESSION = DEVICE | SHELL | WORKSPACE | CHECKOUT


def permissions_of(task: SubTask, agent: Agent, tools: Tools) -> Permissions:
    """Return what is left of the agent's file and of the rights that it was given with its goal."""
    approvals = tool_names(agent.approval_required_for, tools)
    if task.assigned.may_start is not None:  # nobody reads along
        approvals = tuple(dict.fromkeys((*approvals, *(name for name, tool in tools.items() if _is_asked(tool)))))
    if not task.by_rights:
        return agent.permissions(approvals=approvals)  # which tools others have is decided by their steps' words
    return agent.permissions(tool_names(agent.tools, tools), approvals) & _permissions(task.assigned.rights, tools)


def _is_asked(tool: Tool) -> bool:
    """Return whether the agent of a trigger asks a person before it makes such a call."""
    return tool.effect in CHANGING and not tool.unattended and not tool.skill


def usable(tools: Tools, allowed: Permissions, *, in_session: bool, skilled: bool = False) -> Tools:
    """Return the tools that may be called, in the order of the catalogue; without a session those that need none.

    Whoever is `skilled` always has the tools that load skills, as these only narrow, and nobody else has them. A tool
    that delegates is not held to the agent's effects: what is delegated has no more of them.
    """
    return {
        name: tool
        for name, tool in tools.items()
        if (skilled if tool.skill else _allows(allowed, tool)) and (in_session or not tool.needs & _OF_A_SESSION)
    }


def _allows(allowed: Permissions, tool: Tool) -> bool:
    return covers(allowed.tools, tool.name) and (tool.delegates or covers(allowed.effects, tool.effect))


def rights_from(allowed: Permissions, tools: Iterable[str] | None, known: Tools) -> Rights:
    """Return the rights of a sub-agent: all that its parent has, narrowed to some tools or groups."""
    if tools is not None:
        allowed = allowed & Permissions(tools=tool_names(tools, known))
    return Rights(
        tools=allowed.tools,
        effects=allowed.effects,
        read=allowed.paths.read,
        write=allowed.paths.write,
        domains=allowed.domains,
        look=allowed.devices.read,
        control=allowed.devices.control,
        secrets=allowed.secrets,
        approvals=allowed.approvals,
    )


def _permissions(rights: Rights, tools: Tools) -> Permissions:
    return Permissions(
        tools=None if rights.tools is None else tool_names(rights.tools, tools),
        effects=rights.effects,
        paths=Paths(read=rights.read, write=rights.write),
        domains=rights.domains,
        devices=Devices(read=rights.look, control=rights.control),
        secrets=rights.secrets,
        approvals=rights.approvals,
    )


def tool_names(wanted: Iterable[str], tools: Tools) -> tuple[str, ...]:
    """Return the names of tools in place of the names of their groups."""
    named = set(wanted)
    return tuple(name for name, tool in tools.items() if name in named or tool.group in named)


def bounded(given: Budget, own: AgentBudget) -> Budget:
    """Return what is left of a budget for an agent whose file says how much it may spend."""
    return Budget(
        iterations=_least(given.iterations, own.iterations),
        calls=_least(given.calls, own.calls),
        tokens=min(given.tokens or own.tokens or 0, own.tokens or given.tokens),  # 0: no bound
        cost=given.cost,
        seconds=min(given.seconds, own.seconds or given.seconds),
    )


def _least(given: int, own: int | None) -> int:
    return given if own is None else min(given, own)
