"""Reads agent files strictly. Errors name the file, the line and the closest valid word."""

import re
from collections.abc import Collection, Iterator
from pathlib import PurePath
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from muster_agents.definition_text import (
    ID,
    DeviceRules,
    Parts,
    Place,
    convert_definition,
    nearest_hint,
    parse_definition,
)
from muster_agents.permissions import (
    Devices,
    Names,
    Overlap,
    Paths,
    Permissions,
    covers,
    domain_name,
    path_name,
    path_overlap,
)

FOREIGN = re.compile(r"mcp_[A-Za-z0-9_-]+")
"""Names of tools, and of groups of them, that MCP servers serve to workers."""
Count = Annotated[int, Meta(ge=1)] | None


class AgentBudget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of one sub-task of the agent; without one, only the run's limits apply."""

    iterations: Annotated[Count, Meta(description="Most requests to the model.")] = None
    calls: Annotated[Count, Meta(description="Most tool calls.")] = None
    tokens: Annotated[Count, Meta(description="Most tokens, of questions and answers together.")] = None
    seconds: Annotated[Annotated[float, Meta(gt=0)] | None, Meta(description="Most seconds.")] = None
    context: Annotated[Count, Meta(description="Most characters of one request to the model.")] = None


class AgentPaths(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Folders and files of a workspace, each with all below it."""

    read: Annotated[Names, Meta(description="What it may read; empty: all of the workspace.")] = None
    write: Annotated[Names, Meta(description="What it may also write; empty: what it may read.")] = None


class AgentWorkflow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Work that is laid down, in place of a model of its own; the instructions go to whoever plans."""

    do: Annotated[
        Literal["plan_for_goal", "execute_plan"],
        Meta(description="Only plan the goal, or have the plan carried out, reviewed and reworked as well."),
    ]
    planner: Annotated[str, Meta(description="The agent that plans.")] = "planner"
    reviewer: Annotated[str, Meta(description="The agent that reviews.")] = "reviewer"
    mender: Annotated[str, Meta(description="The agent of steps that name none, and of what has to be mended.")] = (
        "executor"
    )
    rounds: Annotated[int, Meta(ge=0, le=2, description="Most rounds of rework.")] = 2


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How sub-tasks of one kind are worked on: instructions, model, tools and limits."""

    id: Annotated[str, Meta(pattern=ID, description="The file's name without extension; may be left out.")]
    kind: Annotated[str, Meta(description="The kind of sub-task it works on.")]
    instructions: Annotated[str, Meta(min_length=1, description="System prompt of each request to its model.")]
    description: Annotated[str, Meta(description="Its purpose, in one sentence.")] = ""
    nickname: Annotated[str, Meta(max_length=60, description="What people see in place of its id.")] = ""
    version: Annotated[str, Meta(max_length=60, description="For people; lists show it.")] = ""
    tags: Annotated[tuple[str, ...], Meta(description="Words by which lists are narrowed.")] = ()
    default: Annotated[
        bool, Meta(description="Of a conversation's agent: whether it is the one that is proposed to people.")
    ] = False
    tier: Annotated[str, Meta(description="Its model tier; empty: the tier of its kind.")] = ""
    tools: Annotated[tuple[str, ...], Meta(description="The groups of tools, or single tools, that it may use.")] = ()
    effects: Annotated[Names, Meta(description="The effects that its calls may have; empty: any.")] = None
    paths: Annotated[AgentPaths, Meta(description="The paths of a workspace that it may use.")] = AgentPaths()
    domains: Annotated[Names, Meta(description="The hosts that it may reach; empty: those of its job.")] = None
    devices: Annotated[DeviceRules, Meta(description="The kinds of device that it may use.")] = DeviceRules()
    secrets: Annotated[Names, Meta(description="The secrets that it may use; empty: those of its job.")] = None
    skills: Annotated[tuple[str, ...], Meta(description="The skills that it may load.")] = ()
    router_tools: Annotated[
        Names, Meta(description="Of its tools, those that it has while no skill is loaded; empty: all.")
    ] = None
    budget: AgentBudget = AgentBudget()
    spawns: Annotated[tuple[str, ...], Meta(description="The agents that it may give tasks to; empty: none.")] = ()
    max_children: Annotated[Count, Meta(description="How many of these may work at once; empty: 3.")] = None
    workflow: Annotated[AgentWorkflow | None, Meta(description="Work that is laid down; empty: its model leads.")] = (
        None
    )
    enabled: Annotated[bool, Meta(description="Whether it is given any work.")] = True
    requires_device: Annotated[bool, Meta(description="It only works where there is a device to look at.")] = False
    max_parallel_tasks: Annotated[Count, Meta(description="Most sub-tasks of it at one worker at a time.")] = None
    event_pools: Annotated[
        Names, Meta(description="The queues that it serves: `act` has what works in a session; empty: all.")
    ] = None
    auto_retry: Annotated[
        bool, Meta(description="Whether what infrastructure failed is tried again; what has acted never is.")
    ] = True
    approval_required_for: Annotated[
        tuple[str, ...], Meta(description="Tools or groups whose calls a person has to allow first.")
    ] = ()
    selectable: Annotated[bool, Meta(description="Of a conversation's agent: whether people may choose it.")] = True
    suggestions: Annotated[
        tuple[str, ...], Meta(description="Messages that are proposed where a conversation with it begins.")
    ] = ()
    temperature: Annotated[
        Annotated[float, Meta(ge=0, le=2)] | None, Meta(description="Sampling temperature; empty: the tier's setting.")
    ] = None

    def permissions(self, tools: Names = None, approvals: tuple[str, ...] = ()) -> Permissions:
        """Return what its file allows it, with the names of tools, which the file may name by their groups."""
        return Permissions(
            tools=tools,
            effects=self.effects,
            paths=Paths(read=self.paths.read, write=self.paths.write),
            domains=self.domains,
            devices=Devices(read=self.devices.read, control=self.devices.control),
            secrets=self.secrets,
            approvals=approvals,
        )


PARTS: Parts = {
    ("workflow",): AgentWorkflow,
    ("budget",): AgentBudget,
    ("paths",): AgentPaths,
    ("devices",): DeviceRules,
}


class Known(NamedTuple):
    """The names that agent and skill files may use."""

    kinds: Collection[str]
    tiers: Collection[str]
    tools: Collection[str]
    """Groups of tools."""
    effects: Collection[str] = ()
    devices: Collection[str] = ()
    """Kinds of device."""
    single_tools: Collection[str] = ()
    """Names of tools."""
    skills: Collection[str] = ()
    skilled: Collection[str] = ()
    """Kinds whose agents load skills."""
    pools: Collection[str] = ()
    """Queues of sub-tasks."""
    delegating: Collection[str] = ()
    """Tools that give tasks to other agents, and their groups."""


def read_agent(text: str, source: str, known: Known) -> Agent:
    """Return the agent described by a file; `source` is its path, whose name without extension is the agent's id.

    A `.md` file has its fields between two lines `---` and its instructions below; any other file is YAML.

    Raises:
        DefinitionError: the file cannot be parsed, lacks a field, uses an unknown name, or states another id.
    """
    written = parse_definition(text, source)
    agent = convert_definition(written, PurePath(source).stem, Agent, PARTS)
    for place, name, names in _names_used(agent, known):
        if name not in names:
            raise written.error(place, unknown_name(place, name, names, known))
    if agent.skills and agent.kind not in known.skilled:
        raise written.error(("skills",), f"only agents of kind {', '.join(known.skilled) or 'none'} load skills")
    if _cannot_ask(agent, known):
        told = f"it has no tool to ask them with: add {' or '.join(sorted(known.delegating))} to its tools"
        raise written.error(("spawns",), told)
    for place, problem in _ill_formed(agent):
        raise written.error(place, problem)
    return agent


def _cannot_ask(agent: Agent, known: Known) -> bool:
    """Return whether an agent may ask others, and has no tool for that; one whose work is laid down needs none."""
    asks = bool(agent.spawns) and agent.workflow is None
    return asks and bool(known.delegating) and not set(agent.tools) & set(known.delegating)


def _names_used(agent: Agent, known: Known) -> Iterator[tuple[Place, str, Collection[str]]]:
    """Yield each name the agent uses, with its path in the file and the valid names."""
    yield ("kind",), agent.kind, known.kinds
    yield from ((("tier",), agent.tier, known.tiers),) if agent.tier else ()
    tools = (*known.tools, *known.single_tools)
    yield from listed(("tools",), agent.tools, tools)
    yield from listed(("router_tools",), agent.router_tools, tools)
    yield from listed(("approval_required_for",), agent.approval_required_for, tools)
    yield from listed(("effects",), agent.effects, known.effects)
    yield from listed(("skills",), agent.skills, known.skills)
    yield from listed(("event_pools",), agent.event_pools, known.pools)
    yield from listed(("devices", "read"), agent.devices.read, known.devices)
    yield from listed(("devices", "control"), agent.devices.control, known.devices)


def unknown_name(place: Place, name: str, names: Collection[str], known: Known) -> str:
    """Return that there is no such name, with the closest one; of tools, with their groups."""
    tools = place[0] in ("tools", "router_tools", "approval_required_for")
    what = "tool" if tools else place[0].removesuffix("s")
    return f"unknown {what} {name!r}{nearest_hint(name, names, known.tools if tools else names)}"


def listed(place: Place, names: Names, known: Collection[str]) -> Iterator[tuple[Place, str, Collection[str]]]:
    """Yield each name of a list, with its place in the file and the valid names; only workers know foreign tools."""
    for index, name in enumerate(names or ()):
        if not FOREIGN.fullmatch(name):
            yield (*place, str(index)), name, known


def _ill_formed(agent: Agent) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong with each path and host, and what may be written or acted on but not looked at."""
    for place, names, form in (
        (("paths", "read"), agent.paths.read, path_name),
        (("paths", "write"), agent.paths.write, path_name),
        (("domains",), agent.domains, domain_name),
    ):
        for index, name in enumerate(names or ()):
            try:
                form(name)
            except ValueError as error:
                yield (*place, str(index)), str(error)
    yield from _unasked(agent)
    yield from _unowned(agent)
    yield from blind(("paths", "write"), agent.paths.read, agent.paths.write, path_overlap)
    yield from blind(("devices", "control"), agent.devices.read, agent.devices.control, None)


def _unowned(agent: Agent) -> Iterator[tuple[Place, str]]:
    """Yield rules for tools of MCP servers that hold for none of its tools; only workers know which names there are."""
    for field in ("approval_required_for", "router_tools"):
        for index, name in enumerate(getattr(agent, field) or ()):
            owned = any(name == tool or name.startswith(f"{tool}_") for tool in agent.tools)
            if FOREIGN.fullmatch(name) and not owned:
                why = "nobody would ever be asked" if field == "approval_required_for" else "it would never have it"
                yield (field, str(index)), f"{name!r} is none of its tools, so {why}: add it there, or mend the name"


def _unasked(agent: Agent) -> Iterator[tuple[Place, str]]:
    """Yield who is needed for the workflow of an agent and may not be asked by it."""
    flow = agent.workflow
    if flow is None:
        return
    needed = ("planner",) if flow.do == "plan_for_goal" else ("planner", "reviewer", "mender")
    for field in needed:
        if (name := getattr(flow, field)) not in agent.spawns:
            yield ("workflow", field), f"its {field} {name!r} is not in spawns: add it there"


def blind(place: tuple[str, str], seen: Names, used: Names, overlap: Overlap | None) -> Iterator[tuple[Place, str]]:
    """Yield what may be written or acted on but not looked at."""
    for index, name in enumerate(used or ()):
        if not covers(seen, name, overlap):
            yield (*place, str(index)), f"{name!r} is not in {place[0]}.read: add it there"
