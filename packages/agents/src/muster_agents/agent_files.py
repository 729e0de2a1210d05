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


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How sub-tasks of one kind are worked on: instructions, model, tools and limits."""

    id: Annotated[str, Meta(pattern=ID, description="The file's name without extension; may be left out.")]
    kind: Annotated[str, Meta(description="The kind of sub-task it works on.")]
    instructions: Annotated[str, Meta(min_length=1, description="System prompt of each request to its model.")]
    description: Annotated[str, Meta(description="Its purpose, in one sentence.")] = ""
    tier: Annotated[str, Meta(description="Its model tier; empty: the tier of its kind.")] = ""
    tools: Annotated[tuple[str, ...], Meta(description="The groups of tools that it may use.")] = ()
    budget: AgentBudget = AgentBudget()
    temperature: Annotated[
        Annotated[float, Meta(ge=0, le=2)] | None, Meta(description="Sampling temperature; empty: the tier's setting.")
    ] = None


class Known(NamedTuple):
    """The names that agent files may use."""

    kinds: Collection[str]
    tiers: Collection[str]
    tools: Collection[str]
    """Groups of tools."""


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
            raise AgentError(f"{source}:{_line(node, place)}: unknown {what} {name!r}{_nearest(name, names)}")
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


def _nearest(name: str, names: Collection[str]) -> str:
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; valid: {', '.join(sorted(names))}"
