"""Turns YAML nodes into plain values by msgspec types, and notes all that does not fit, with its node. Pure."""

import difflib
from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import msgspec
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Path = tuple[str | int, ...]
_NUMBERS = {"tag:yaml.org,2002:int": int, "tag:yaml.org,2002:float": float}
_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"


class TypedYaml:
    """Reads one file; reading goes on after what is wrong, so that all of it can be told at once."""

    def __init__(self) -> None:
        self.wrong: list[tuple[Node, str]] = []
        self.nodes: dict[Path, Node] = {}
        """The node of each value that was read."""

    def value(self, node: Node, kind: Any, path: Path = ()) -> object:  # noqa: ANN401 - a type of any form
        """Return what stands at a node, for `msgspec.convert`; None where it is wrong."""
        self.nodes[path] = node
        kind = _fitting(kind, node)
        origin = get_origin(kind)
        if isinstance(node, MappingNode) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self._struct(node, kind, path)
        if isinstance(node, MappingNode) and origin is dict:
            return self._dict(node, get_args(kind), path)
        if isinstance(node, SequenceNode) and origin is tuple:
            return self._tuple(node, get_args(kind), path)
        if isinstance(node, ScalarNode) and origin not in (dict, tuple):
            return self._converted(node, _plain(node, kind), kind)
        self.wrong.append((node, f"{_expected(kind)} must stand here, not {_shown(node)}"))
        return None

    def _struct(self, node: MappingNode, kind: type[msgspec.Struct], path: Path) -> dict[str, object]:
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        found: dict[str, object] = {}
        for name, key, value in self._pairs(node):
            if name in fields:
                found[name] = self.value(value, fields[name].type, (*path, name))
            else:
                self.wrong.append((key, f"unknown key {name!r}{nearest(name, fields)}"))
        missing = (name for name, field in fields.items() if field.required and name not in found)
        self.wrong += [(node, f"the key {name!r} is missing here") for name in missing]
        return found

    def _dict(self, node: MappingNode, kinds: tuple[Any, ...], path: Path) -> dict[str, object]:
        of_keys, of_values = kinds
        return {
            name: self.value(value, of_values, (*path, name))
            for name, key, value in self._pairs(node)
            if self._converted(key, name, of_keys) is not None
        }

    def _tuple(self, node: SequenceNode, kinds: tuple[Any, ...], path: Path) -> list[object]:
        if kinds[-1] is Ellipsis:
            return [self.value(item, kinds[0], (*path, at)) for at, item in enumerate(node.value)]
        if len(node.value) != len(kinds):
            self.wrong.append((node, f"a list of {len(kinds)} must stand here, not of {len(node.value)}"))
            return []
        return [self.value(item, kind, (*path, at)) for at, (item, kind) in enumerate(zip(node.value, kinds))]  # noqa: B905

    def _pairs(self, node: MappingNode) -> Iterator[tuple[str, Node, Node]]:
        seen: set[str] = set()
        for key, value in cast("list[tuple[Node, Node]]", node.value):
            name = str(key.value) if isinstance(key, ScalarNode) else ""
            if not name or name in seen:
                self.wrong.append((key, f"the key {name!r} is there twice" if name else "a key must be a text"))
                continue
            seen.add(name)
            yield name, key, value

    def _converted(self, node: Node, plain: object, kind: Any) -> object:  # noqa: ANN401 - a type of any form
        try:
            return msgspec.convert(plain, kind)
        except msgspec.ValidationError as error:
            self.wrong.append((node, _problem(error, plain, kind)))
            return None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return, to follow `unknown …`, the name most like it, or all that there are."""
    names = list(known)
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {', '.join(names)}" if names else "; there are none"


def _fitting(kind: Any, node: Node) -> Any:  # noqa: ANN401 - a type of any form
    """Return of several types those that a node of this shape can be."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    members = [one for one in get_args(kind) if one is not type(None)]
    fitting = [one for one in members if _shape(one) is type(node)]
    return Union[tuple(fitting or members)]  # noqa: UP007 - of types that are known at run time alone


def _shape(kind: Any) -> type[Node]:  # noqa: ANN401 - a type of any form
    if get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return MappingNode
    return SequenceNode if get_origin(kind) is tuple else ScalarNode


def _plain(node: ScalarNode, kind: Any) -> object:  # noqa: ANN401 - a type of any form
    """Return a scalar as it is written; as a number or truth value where the type is not a text."""
    text = str(node.value)
    if node.tag == _NULL:
        return None
    if kind is str or (get_origin(kind) in (Annotated, Literal) and _is_text(kind)):
        return text
    if node.tag == _BOOL:
        return text.lower() in ("true", "yes", "on")
    try:
        return _NUMBERS.get(node.tag, str)(text)
    except ValueError:  # YAML's own ways to write a number, such as 0x1F or 1:30
        return text


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - a type of any form
    return get_origin(kind) is Literal or get_args(kind)[0] is str


def _problem(error: msgspec.ValidationError, plain: object, kind: Any) -> str:  # noqa: ANN401 - a type of any form
    if get_origin(kind) is Literal:
        return f"unknown {plain!r}{nearest(str(plain), get_args(kind))}"
    if "regex" in str(error):
        return f"{plain!r} must begin with a letter and go on with letters, digits, '_' or '-'"
    return f"{_expected(kind)} must stand here, not {'nothing' if plain is None else repr(plain)}{_bounds(error)}"


def _bounds(error: msgspec.ValidationError) -> str:
    limit = str(error).partition("` ")[2].partition(" - ")[0]
    return f" ({limit})" if limit[:1] in "<>" else ""


def _expected(kind: Any) -> str:  # noqa: ANN401 - a type of any form
    """Return a type in words."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _expected(get_args(kind)[0])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_expected, get_args(kind))))
    if origin is Literal:
        return " or ".join(map(repr, get_args(kind)))
    if origin is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return "keys with values"
    words: dict[Any, str] = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    return "a list" if origin is tuple else words.get(kind, "something else")


def _shown(node: Node) -> str:
    match node:
        case ScalarNode():
            return repr(str(node.value)) if node.tag != _NULL else "nothing"
        case SequenceNode():
            return "a list"
        case _:
            return "keys with values"
