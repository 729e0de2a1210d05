"""Reads agent files strictly. Errors name the file, the line and the closest valid word."""

import difflib
import re
from collections.abc import Collection, Iterator
from pathlib import PurePath
from typing import Annotated, NamedTuple, cast

import msgspec
import yaml
from msgspec import Meta, Struct
from yaml.nodes import MappingNode, Node, SequenceNode

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

ID = r"^[a-z0-9][a-z0-9-]{0,62}$"
_AT = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]*)`")
_FRONT_MATTER = re.compile(r"---\r?\n(?P<fields>.*?\n)---[ \t]*(?:\r?\n(?P<body>.*))?\Z", re.DOTALL)


class AgentError(Exception):
    """An agent file cannot be used; says where and why."""


Count = Annotated[int, Meta(ge=1)] | None


class AgentBudget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of one sub-task of the agent; without one, only the run's limits apply."""

    iterations: Annotated[Count, Meta(description="Most requests to the model.")] = None
    calls: Annotated[Count, Meta(description="Most tool calls.")] = None
    tokens: Annotated[Count, Meta(description="Most tokens, of questions and answers together.")] = None
    seconds: Annotated[Annotated[float, Meta(gt=0)] | None, Meta(description="Most seconds.")] = None


class AgentPaths(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Folders and files of a workspace, each with all below it."""

    read: Annotated[Names, Meta(description="What it may read; empty: all of the workspace.")] = None
    write: Annotated[Names, Meta(description="What it may also write; empty: what it may read.")] = None


class AgentDevices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kinds of device."""

    read: Annotated[Names, Meta(description="What it may look at; empty: any.")] = None
    control: Annotated[Names, Meta(description="What it may also act on; empty: what it may look at.")] = None


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How sub-tasks of one kind are worked on: instructions, model, tools and limits."""

    id: Annotated[str, Meta(pattern=ID, description="The file's name without extension; may be left out.")]
    kind: Annotated[str, Meta(description="The kind of sub-task it works on.")]
    instructions: Annotated[str, Meta(min_length=1, description="System prompt of each request to its model.")]
    description: Annotated[str, Meta(description="Its purpose, in one sentence.")] = ""
    tier: Annotated[str, Meta(description="Its model tier; empty: the tier of its kind.")] = ""
    tools: Annotated[tuple[str, ...], Meta(description="The groups of tools, or single tools, that it may use.")] = ()
    effects: Annotated[Names, Meta(description="The effects that its calls may have; empty: any.")] = None
    paths: Annotated[AgentPaths, Meta(description="The paths of a workspace that it may use.")] = AgentPaths()
    domains: Annotated[Names, Meta(description="The hosts that it may reach; empty: those of its job.")] = None
    devices: Annotated[AgentDevices, Meta(description="The kinds of device that it may use.")] = AgentDevices()
    secrets: Annotated[Names, Meta(description="The secrets that it may use; empty: those of its job.")] = None
    budget: AgentBudget = AgentBudget()
    temperature: Annotated[
        Annotated[float, Meta(ge=0, le=2)] | None, Meta(description="Sampling temperature; empty: the tier's setting.")
    ] = None

    def permissions(self, tools: Names = None) -> Permissions:
        """Return what its file allows it, with the names of its tools, which the file may name by their groups."""
        return Permissions(
            tools=tools,
            effects=self.effects,
            paths=Paths(read=self.paths.read, write=self.paths.write),
            domains=self.domains,
            devices=Devices(read=self.devices.read, control=self.devices.control),
            secrets=self.secrets,
        )


_PARTS: dict[tuple[str, ...], type[Struct]] = {
    ("budget",): AgentBudget,
    ("paths",): AgentPaths,
    ("devices",): AgentDevices,
}
"""What stands in the fields of a file that have fields of their own."""


class Known(NamedTuple):
    """The names that agent files may use."""

    kinds: Collection[str]
    tiers: Collection[str]
    tools: Collection[str]
    """Groups of tools."""
    effects: Collection[str] = ()
    devices: Collection[str] = ()
    """Kinds of device."""
    single_tools: Collection[str] = ()
    """Names of tools."""


def read_agent(text: str, source: str, known: Known) -> Agent:
    """Return the agent described by a file; `source` is its path, whose name without extension is the agent's id.

    A `.md` file has its fields between two lines `---` and its instructions below; any other file is YAML.

    Raises:
        AgentError: the file cannot be parsed, lacks a field, uses an unknown name, or states another id.
    """
    path, node = PurePath(source), cast("Node | None", None)
    try:
        fields, body = _front_matter(text) if path.suffix == ".md" else (text, None)
        node = cast("Node | None", yaml.compose(fields, Loader=yaml.SafeLoader))
        agent = msgspec.convert(_with_defaults(yaml.safe_load(fields), path.stem, body), Agent, strict=False)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        raise AgentError(f"{place}: invalid YAML: {getattr(error, 'problem', error)}") from error
    except msgspec.ValidationError as error:
        raise AgentError(_explained(str(error), source, node)) from error
    if agent.id != path.stem:
        line = _line(node, ("id",) if "id" in _keys(node) else ("name",))
        raise AgentError(f"{source}:{line}: the id {agent.id!r} is not the file's name; rename one of them")
    for place, name, names in _names_used(agent, known):
        if name not in names:
            what = place[0].removesuffix("s")
            told = _nearest(name, names, known.tools if what == "tool" else names)
            raise AgentError(f"{source}:{_line(node, place)}: unknown {what} {name!r}{told}")
    for place, problem in _ill_formed(agent):
        raise AgentError(f"{source}:{_line(node, place)}: {problem}")
    return agent


def _front_matter(text: str) -> tuple[str, str]:
    """Split a Markdown file into its fields, on the lines that they have in the file, and its instructions."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        raise msgspec.ValidationError("Expected fields between two lines `---` at the beginning of the file")
    return f"\n{found['fields']}", (found["body"] or "").strip()


def _with_defaults(fields: object, id: str, body: str | None) -> object:
    """Return the fields of a file with the id that its name gives it and, of Markdown, its body as instructions.

    In Markdown, `name` is the id and `tools` may be a text with commas, as other programs write agents.
    """
    if not isinstance(fields, dict):
        return fields
    found = {"id": id, **cast("dict[str, object]", fields)}
    if body is None:
        return found
    if "instructions" in found:
        raise msgspec.ValidationError("Expected the instructions below the fields, not in them - at `$.instructions`")
    found["id"] = found.pop("name", found["id"])
    if isinstance(tools := found.get("tools"), str):
        found["tools"] = [name.strip() for name in tools.split(",")]
    return {**found, "instructions": body}


def _names_used(agent: Agent, known: Known) -> Iterator[tuple[tuple[str, ...], str, Collection[str]]]:
    """Yield each name the agent uses, with its path in the file and the valid names."""
    yield ("kind",), agent.kind, known.kinds
    yield from ((("tier",), agent.tier, known.tiers),) if agent.tier else ()
    yield from _listed(("tools",), agent.tools, (*known.tools, *known.single_tools))
    yield from _listed(("effects",), agent.effects, known.effects)
    yield from _listed(("devices", "read"), agent.devices.read, known.devices)
    yield from _listed(("devices", "control"), agent.devices.control, known.devices)


def _listed(
    place: tuple[str, ...], names: Names, known: Collection[str]
) -> Iterator[tuple[tuple[str, ...], str, Collection[str]]]:
    yield from (((*place, str(index)), name, known) for index, name in enumerate(names or ()))


def _ill_formed(agent: Agent) -> Iterator[tuple[tuple[str, ...], str]]:
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
    yield from _blind(("paths", "write"), agent.paths.read, agent.paths.write, path_overlap)
    yield from _blind(("devices", "control"), agent.devices.read, agent.devices.control, None)


def _blind(
    place: tuple[str, str], seen: Names, used: Names, overlap: Overlap | None
) -> Iterator[tuple[tuple[str, ...], str]]:
    for index, name in enumerate(used or ()):
        if not covers(seen, name, overlap):
            yield (*place, str(index)), f"{name!r} is not in {place[0]}.read: add it there"


def _explained(said: str, source: str, node: Node | None) -> str:
    """Return an error of msgspec with the file, the line and, for an unknown field, the closest valid one."""
    found, unknown = _AT.search(said), _UNKNOWN.search(said)
    path = tuple(part for part in re.split(r"[.\[\]]+", found.group("path")) if part) if found else ()
    if not unknown:
        return f"{source}:{_line(node, path)}: {_AT.sub('', said)}" + (f" at '{'.'.join(path)}'" if path else "")
    name = unknown.group("name")
    fields = (_PARTS.get(path) or Agent).__struct_fields__
    return f"{source}:{_line(node, (*path, name))}: unknown field {name!r}{_nearest(name, fields)}"


def _keys(node: Node | None) -> set[str]:
    return {str(key.value) for key, _ in node.value} if isinstance(node, MappingNode) else set()


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


def _nearest(name: str, names: Collection[str], told: Collection[str] = ()) -> str:
    """Return the name that is most like another, or else those that are `told`, by default all."""
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; valid: {', '.join(sorted(told or names))}"
