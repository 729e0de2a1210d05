"""Reads agent files strictly: an error names the file, the line and what was most likely meant."""

import difflib
import re
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, NamedTuple, cast

import msgspec
import yaml
from msgspec import Meta, Struct
from yaml.nodes import MappingNode, Node, SequenceNode

ID = r"^[a-z0-9][a-z0-9-]{0,62}$"
_AT = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]*)`")


class AgentError(Exception):
    """An agent file cannot be used; says where and why."""


class AgentBudget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most one sub-task of the agent may spend; None: whatever its run leaves it."""

    iterations: Annotated[int, Meta(ge=1)] | None = None
    """Turns of a model."""
    calls: Annotated[int, Meta(ge=1)] | None = None
    tokens: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One agent: who does the sub-tasks of a kind, and how."""

    id: Annotated[str, Meta(pattern=ID)]
    kind: str
    """The kind of sub-task it works on."""
    instructions: Annotated[str, Meta(min_length=1)]
    """What its model is told first, with every question."""
    description: str = ""
    """What it is good for, in a sentence."""
    tier: str = ""
    """The model it asks; empty: that of its kind."""
    tools: tuple[str, ...] = ()
    """Groups of tools it may use."""
    budget: AgentBudget = AgentBudget()
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """Of its model; None: as the tier is set."""


class Known(NamedTuple):
    """The names that files may use."""

    kinds: Collection[str]
    tiers: Collection[str]
    tools: Collection[str]
    """Groups of tools."""


def load_agents(folder: Path | None, known: Known) -> dict[str, Agent]:
    """Return all agents by id: the built-in ones, and those of a folder, which replace built-in ones of the same id.

    Raises:
        AgentError: a file cannot be used, or two files of the folder have the same id.
    """
    own: dict[str, Agent] = {}
    for path in sorted(folder.glob("*.yaml")) if folder else ():
        agent = read_agent(path.read_text(encoding="utf-8"), str(path), known)
        if agent.id in own:
            raise AgentError(f"{path}: another file of this folder has the agent {agent.id!r}, too")
        own[agent.id] = agent
    return built_in(known) | own


def built_in(known: Known) -> dict[str, Agent]:
    """Return the agents that come with Muster, by id."""
    found = (file for file in files("muster_agents").joinpath("agents").iterdir() if file.name.endswith(".yaml"))
    agents = [read_agent(file.read_text(encoding="utf-8"), file.name, known) for file in found]
    return {agent.id: agent for agent in agents}


def read_agent(text: str, source: str, known: Known) -> Agent:
    """Return the agent that a YAML text describes; `source` names the file in errors.

    Raises:
        AgentError: it is no YAML, lacks something, or names what there is not.
    """
    node: Node | None = None
    try:
        node = cast("Node | None", yaml.compose(text, Loader=yaml.SafeLoader))
        agent = msgspec.convert(yaml.safe_load(text), Agent, strict=False)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        raise AgentError(f"{place}: it is no YAML: {getattr(error, 'problem', error)}") from error
    except msgspec.ValidationError as error:
        raise AgentError(_explained(str(error), source, node)) from error
    for path, name, names in _named(agent, known):
        if name not in names:
            what = path[0].removesuffix("s")
            raise AgentError(f"{source}:{_line(node, path)}: there is no {what} {name!r}{_nearest(name, names)}")
    return agent


def _named(agent: Agent, known: Known) -> Iterator[tuple[tuple[str, ...], str, Collection[str]]]:
    """Yield each name that must be known, with its place in the file and the names there are."""
    yield ("kind",), agent.kind, known.kinds
    yield from ((("tier",), agent.tier, known.tiers),) if agent.tier else ()
    yield from ((("tools", str(index)), name, known.tools) for index, name in enumerate(agent.tools))


def _explained(said: str, source: str, node: Node | None) -> str:
    """Return what msgspec says of a file, with the line it is about and the field that was most likely meant."""
    found, unknown = _AT.search(said), _UNKNOWN.search(said)
    path = tuple(part for part in re.split(r"[.\[\]]+", found.group("path")) if part) if found else ()
    if not unknown:
        return f"{source}:{_line(node, path)}: {_AT.sub('', said)}" + (f" at '{'.'.join(path)}'" if path else "")
    name = unknown.group("name")
    fields = (AgentBudget if path == ("budget",) else Agent).__struct_fields__
    return f"{source}:{_line(node, (*path, name))}: there is no field {name!r}{_nearest(name, fields)}"


def _line(node: Node | None, path: tuple[str, ...]) -> int:
    """Return the line (from 1) where something stands, or where the nearest thing around it does."""
    line = node.start_mark.line + 1 if node else 1
    for part in path:
        if isinstance(node, MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == part), None)
            if found is None:
                return line
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, SequenceNode) and part.isdecimal():
            item = cast("list[Node]", node.value)[int(part)]
            line, node = item.start_mark.line + 1, item
    return line


def _nearest(name: str, names: Collection[str]) -> str:
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(sorted(names))}"
