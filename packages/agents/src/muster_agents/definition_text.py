"""The text of agent and skill files: fields with their lines, so that errors name file, line and the closest name."""

import difflib
import re
from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Annotated, NamedTuple, TypeVar, cast

import msgspec
import yaml
from msgspec import Meta, Struct
from yaml.nodes import MappingNode, Node, SequenceNode

from muster_agents.permissions import Names
from muster_yaml.bounded_yaml import compose_one, construct, doubled_keys

ID = r"^[a-z0-9][a-z0-9-]{0,62}$"
LARGEST = 200_000
"""Characters of a file."""
Place = tuple[str, ...]
"""Where something stands in a file: `("paths", "read", "0")`."""
Parts = Mapping[Place, type[Struct]]
"""What stands in the fields of a file that have fields of their own."""
_AT = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]*)`")
_FRONT_MATTER = re.compile(r"---\r?\n(?P<fields>.*?\n)---[ \t]*(?:\r?\n(?P<body>.*))?\Z", re.DOTALL)
S = TypeVar("S", bound=Struct)


class DefinitionError(Exception):
    """An agent or skill file cannot be used; says where and why."""


class DeviceRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kinds of device."""

    read: Annotated[Names, Meta(description="What it may look at; empty: any.")] = None
    control: Annotated[Names, Meta(description="What it may also act on; empty: what it may look at.")] = None


class Written(NamedTuple):
    """A file as it is written, before it is checked."""

    source: str
    node: Node | None
    fields: object
    body: str | None
    """The text below the fields; None: the file has none."""

    def error(self, place: Place, text: str) -> DefinitionError:
        """Return an error about a place in the file."""
        return DefinitionError(f"{self.source}:{_line(self.node, place)}: {text}")

    def has(self, field: str) -> bool:
        """Return whether the file has a field."""
        return isinstance(self.fields, dict) and field in self.fields


def parse_definition(text: str, source: str) -> Written:
    """Return what stands in a file. A `.md` file has its fields between two lines `---`; any other file is YAML.

    Raises:
        DefinitionError: it cannot be parsed, or has a field twice, of which the later one could allow more.
    """
    if len(text) > LARGEST:
        raise DefinitionError(f"{source}: it has {len(text):,} characters; the limit is {LARGEST:,}")
    fields, body = text, None
    if PurePath(source).suffix == ".md":
        found = _FRONT_MATTER.match(text)
        if found is None:
            raise DefinitionError(f"{source}:1: Expected fields between two lines `---` at the beginning of the file")
        fields, body = f"\n{found['fields']}", (found["body"] or "").strip()
    try:
        node = compose_one(fields)
        written = Written(source, node, construct(node), body)
    except (yaml.YAMLError, ValueError) as error:  # a date that is none, say, is a ValueError
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        raise DefinitionError(f"{place}: invalid YAML: {getattr(error, 'problem', error)}") from error
    for key, first in doubled_keys(node):
        line = key.start_mark.line + 1
        raise DefinitionError(f"{source}:{line}: {key.value!r} appears twice, first in line {first}")
    return written


def convert_definition(written: Written, id: str, kind: type[S], parts: Parts) -> S:
    """Return the definition in a file whose name gives it an id; of Markdown, the body is its instructions.

    In Markdown, `name` is the id, and `tools` may be a text with commas, as other programs write agents.

    Raises:
        DefinitionError: a field is missing, unknown or of the wrong type, or the file states another id.
    """
    try:
        found = msgspec.convert(_with_defaults(written, id), kind, strict=False)
    except msgspec.ValidationError as error:
        raise _explained(str(error), written, kind, parts) from error
    if (stated := str(getattr(found, "id", id))) != id:
        field = "id" if written.has("id") else "name"
        raise written.error((field,), f"the id {stated!r} is not the file's name; rename one of them")
    return found


def nearest_hint(name: str, names: Collection[str], told: Collection[str] = ()) -> str:
    """Return the name that is most like another, or else those that are `told`, by default all."""
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    listed = ", ".join(sorted(told or names))
    return f"; did you mean {close[0]!r}?" if close else f"; valid: {listed or 'none'}"


def _with_defaults(written: Written, id: str) -> object:
    if not isinstance(written.fields, dict):
        return written.fields
    found = {"id": id, **cast("dict[str, object]", written.fields)}
    if written.body is None:
        return found
    if "instructions" in found:
        raise msgspec.ValidationError("Expected the instructions below the fields, not in them - at `$.instructions`")
    found["id"] = found.pop("name", found["id"])
    if isinstance(tools := found.get("tools"), str):
        found["tools"] = [name.strip() for name in tools.split(",")]
    return {**found, "instructions": written.body}


def _explained(said: str, written: Written, kind: type[Struct], parts: Parts) -> DefinitionError:
    """Return an error of msgspec with the file, the line and, for an unknown field, the closest valid one."""
    found, unknown = _AT.search(said), _UNKNOWN.search(said)
    path = tuple(part for part in re.split(r"[.\[\]]+", found.group("path")) if part) if found else ()
    if not unknown:
        return written.error(path, _AT.sub("", said) + (f" at '{'.'.join(path)}'" if path else ""))
    name = unknown.group("name")
    fields = (parts.get(path) or kind).__struct_fields__
    return written.error((*path, name), f"unknown field {name!r}{nearest_hint(name, fields)}")


def _line(node: Node | None, path: Place) -> int:
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
