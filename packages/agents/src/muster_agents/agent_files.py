"""Reads agent files strictly. Errors name the file, the line and the closest valid word."""

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
    """Limits of one sub-task of the agent; None: only the run's limits apply."""

    iterations: Annotated[int, Meta(ge=1)] | None = None
    """Requests to the model."""
    calls: Annotated[int, Meta(ge=1)] | None = None
    tokens: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How sub-tasks of one kind are worked on: instructions, model, tools and limits."""

    id: Annotated[str, Meta(pattern=ID)]
    kind: str
    """Kind of sub-task it works on."""
    instructions: Annotated[str, Meta(min_length=1)]
    """System prompt of each request to its model."""
    description: str = ""
    """Its purpose, in one sentence."""
    tier: str = ""
    """Model tier; empty: the tier of its kind."""
    tools: tuple[str, ...] = ()
    """Groups of tools it may use."""
    budget: AgentBudget = AgentBudget()
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """Sampling temperature; None: the setting of the tier."""


class Known(NamedTuple):
    """The names that agent files may use."""

    kinds: Collection[str]
    tiers: Collection[str]
    tools: Collection[str]
    """Groups of tools."""


def load_agents(folder: Path | None, known: Known) -> dict[str, Agent]:
    """Return all agents by id. An agent in `folder` replaces the built-in one with the same id.

    Raises:
        AgentError: a file is invalid, or two files in the folder share an id.
    """
    own: dict[str, Agent] = {}
    for path in sorted(folder.glob("*.yaml")) if folder else ():
        agent = read_agent(path.read_text(encoding="utf-8"), str(path), known)
        if agent.id in own:
            raise AgentError(f"{path}: another file in this folder already defines agent {agent.id!r}")
        own[agent.id] = agent
    return built_in(known) | own


def built_in(known: Known) -> dict[str, Agent]:
    """Return the built-in agents by id."""
    found = (file for file in files("muster_agents").joinpath("agents").iterdir() if file.name.endswith(".yaml"))
    agents = [read_agent(file.read_text(encoding="utf-8"), file.name, known) for file in found]
    return {agent.id: agent for agent in agents}


def read_agent(text: str, source: str, known: Known) -> Agent:
    """Return the agent described by a YAML text; `source` names the file in errors.

    Raises:
        AgentError: the text is not YAML, lacks a field, or uses an unknown name.
    """
    node: Node | None = None
    try:
        node = cast("Node | None", yaml.compose(text, Loader=yaml.SafeLoader))
        agent = msgspec.convert(yaml.safe_load(text), Agent, strict=False)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        raise AgentError(f"{place}: invalid YAML: {getattr(error, 'problem', error)}") from error
    except msgspec.ValidationError as error:
        raise AgentError(_explained(str(error), source, node)) from error
    for path, name, names in _names_used(agent, known):
        if name not in names:
            what = path[0].removesuffix("s")
            raise AgentError(f"{source}:{_line(node, path)}: unknown {what} {name!r}{_nearest(name, names)}")
    return agent


def _names_used(agent: Agent, known: Known) -> Iterator[tuple[tuple[str, ...], str, Collection[str]]]:
    """Yield each name the agent uses, with its path in the file and the valid names."""
    yield ("kind",), agent.kind, known.kinds
    yield from ((("tier",), agent.tier, known.tiers),) if agent.tier else ()
    yield from ((("tools", str(index)), name, known.tools) for index, name in enumerate(agent.tools))


def _explained(said: str, source: str, node: Node | None) -> str:
    """Return an error of msgspec with the file, the line and, for an unknown field, the closest valid one."""
    found, unknown = _AT.search(said), _UNKNOWN.search(said)
    path = tuple(part for part in re.split(r"[.\[\]]+", found.group("path")) if part) if found else ()
    if not unknown:
        return f"{source}:{_line(node, path)}: {_AT.sub('', said)}" + (f" at '{'.'.join(path)}'" if path else "")
    name = unknown.group("name")
    fields = (AgentBudget if path == ("budget",) else Agent).__struct_fields__
    return f"{source}:{_line(node, (*path, name))}: unknown field {name!r}{_nearest(name, fields)}"


def _line(node: Node | None, path: tuple[str, ...]) -> int:
    """Return the line (from 1) of a path in the file, or of its closest existing parent."""
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
    return f"; did you mean {close[0]!r}?" if close else f"; valid: {', '.join(sorted(names))}"
