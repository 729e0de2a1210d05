"""Parses untrusted YAML into a tree of nodes, with limits on size (aliases expanded) and depth. Pure."""

from collections.abc import Iterator
from typing import Any, cast

import yaml
from yaml.composer import Composer
from yaml.events import AliasEvent
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MOST_NODES = 50_000
"""Values and keys per text."""
DEEPEST = 30
"""Nested lists and mappings."""


class YamlTooLarge(yaml.MarkedYAMLError):
    """A text exceeds a limit; `problem` says which."""


def compose_all(text: str) -> Iterator[Node]:
    """Yield the documents of a text; an empty one is a null node.

    Raises:
        YamlTooLarge: the text has too many nodes or is nested too deeply; yaml.YAMLError: it is not YAML.
    """
    yield from _compose(_Loader(text))


def _compose(loader: "_FastLoader | _Loader") -> Iterator[Node]:
    try:
        while loader.check_node():
            yield cast("Node", loader.get_node())
    finally:
        loader.dispose()


class YamlFault(ValueError):
    """A text is not usable YAML; the message has line, column and reason in one line."""


def load(text: str) -> object:
    """Return the value of a text with one document, None for an empty text.

    Raises:
        YamlFault: it cannot be read, or has a key twice, of which the first would not count.
    """
    try:
        root = compose_one(text)
        refuse_doubled_keys(root)
        return construct(root)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlFault(describe_fault(error)) from error


def compose_one(text: str) -> Node | None:
    """Return the only document of a text, None for an empty text; for callers that need no styles or marked text.

    Raises:
        YamlTooLarge: as `compose_all`, or there is a second document; yaml.YAMLError: it is not YAML.
    """
    try:
        documents = list(_compose(_FastLoader(text)))
    except (yaml.YAMLError, UnicodeEncodeError):  # the slow one says more about what is wrong
        documents = list(compose_all(text))
    for node in documents[1:]:
        raise YamlTooLarge(problem="there is a second document; one is read", problem_mark=node.start_mark)
    return documents[0] if documents else None


def construct(root: Node | None) -> object:
    """Return the value of a document.

    Raises:
        yaml.YAMLError, ValueError: a value is not of its type.
    """
    return cast("object", yaml.SafeLoader("").construct_document(root)) if root else None


def describe_fault(error: Exception) -> str:
    """Return what is wrong with a text in one line, with line and column where they are known."""
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if not isinstance(error, yaml.MarkedYAMLError) or mark is None:
        return " ".join(str(error).split())
    return f"{mark.line + 1}:{mark.column + 1}: {error.problem or error.context}"


def refuse_doubled_keys(root: Node | None) -> None:
    """Refuse a tree in which a mapping has a key twice.

    Raises:
        yaml.MarkedYAMLError: one has; names it.
    """
    for key, first in doubled_keys(root):
        why = f"the key {key.value!r} is there twice, first in line {first}"
        raise yaml.MarkedYAMLError(problem=why, problem_mark=key.start_mark)


def doubled_keys(root: Node | None) -> Iterator[tuple[ScalarNode, int]]:
    """Yield each key that its mapping has twice, with the line of the first one."""
    left, seen = [root] if root else [], set[int]()
    while left:
        node = left.pop()
        if id(node) in seen:  # named by an alias
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            left += cast("list[Node]", node.value)
        elif isinstance(node, MappingNode):
            pairs = cast("list[tuple[Node, Node]]", node.value)
            left += [value for _, value in pairs]
            yield from _doubled_in([key for key, _ in pairs if isinstance(key, ScalarNode)])


def _doubled_in(keys: list[ScalarNode]) -> Iterator[tuple[ScalarNode, int]]:
    lines: dict[str, int] = {}
    for key in keys:
        name = str(key.value)
        if name in lines:
            yield key, lines[name]
        lines.setdefault(name, key.start_mark.line + 1)


class _CountingComposer(Composer):
    """Counts nodes while composing them."""

    def __init__(self) -> None:
        Composer.__init__(self)  # `super` would call the parser
        self._count = self._depth = 0
        self._sizes: dict[int, int] = {}
        """Nodes in the tree of each anchored node, by `id(node)`; PyYAML's `anchors` keeps the node alive."""

    def compose_node(self, parent: Node | None, index: Any) -> Node:  # noqa: ANN401 - PyYAML's own
        """Return the next node with its children."""
        event = cast("Any", self).peek_event()
        named, before = bool(getattr(event, "anchor", None)), self._count
        self._count, self._depth = before + 1, self._depth + 1
        self._check(event)
        node = cast("Node", super().compose_node(parent, index))
        self._depth -= 1
        if isinstance(event, AliasEvent):
            if id(node) not in self._sizes:
                raise _refusal("contains an alias that refers to itself", event)
            self._count += self._sizes[id(node)]
        elif named:
            self._sizes[id(node)] = self._count - before
        if isinstance(node, ScalarNode):
            node.value = _whole_letters(str(node.value), event)
        self._check(event)
        return node

    def _check(self, event: Any) -> None:  # noqa: ANN401 - PyYAML has no types
        if self._count > MOST_NODES:
            raise _refusal(f"has more than {MOST_NODES:,} values with aliases expanded", event)
        if self._depth > DEEPEST:
            raise _refusal(f"is nested too deeply: more than {DEEPEST} levels", event)


class _Loader(_CountingComposer, yaml.SafeLoader):
    """Composes with PyYAML's own parser."""

    def __init__(self, text: str) -> None:
        _CountingComposer.__init__(self)
        yaml.SafeLoader.__init__(self, text)


_LibYaml: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # nearly every build of PyYAML has it


class _FastLoader(_CountingComposer, _LibYaml):
    """Composes with the parser of libyaml, in an eighth of the time."""

    def __init__(self, text: str) -> None:
        _CountingComposer.__init__(self)
        _LibYaml.__init__(self, text)


def _whole_letters(text: str, event: Any) -> str:  # noqa: ANN401 - PyYAML has no types
    """Return a text with letters in place of the pairs of surrogates that JSON writes for them; refuse halves."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise _refusal("contains half of a letter (a surrogate without the other): write the letter", event) from error


def _refusal(problem: str, event: Any) -> YamlTooLarge:  # noqa: ANN401 - PyYAML has no types
    return YamlTooLarge(problem=problem, problem_mark=event.start_mark)
