"""YAML of strangers as a tree of nodes, as large as can be read: aliases count with all that they stand for. Pure."""

from collections.abc import Iterator
from typing import Any, cast

import yaml
from yaml.events import AliasEvent
from yaml.nodes import Node

MOST_NODES = 50_000
"""Values and keys of a text; reading as many takes about a second."""
DEEPEST = 30
"""How deep lists and mappings may stand in each other."""


class YamlTooLarge(yaml.MarkedYAMLError):
    """A text has more than is read; `problem` says of what."""


def compose_all(text: str) -> Iterator[Node]:
    """Yield the documents of a text; one that is empty is a null.

    Raises:
        YamlTooLarge: it has more nodes, or is nested deeper, than is read; yaml.YAMLError: it is no YAML.
    """
    loader = _Loader(text)
    try:
        while loader.check_node():
            yield cast("Node", loader.get_node())
    finally:
        loader.dispose()


class _Loader(yaml.SafeLoader):
    """Counts nodes as it makes them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._count = self._depth = 0
        self._sizes: dict[int, int] = {}
        """How many nodes stand at and below each that an anchor names, by its identity; it is kept by `anchors`."""

    def compose_node(self, parent: Node | None, index: Any) -> Node:  # noqa: ANN401 - PyYAML's own
        """Return the next node with all below it."""
        event = cast("Any", self.peek_event())
        named, before = bool(getattr(event, "anchor", None)), self._count
        self._count, self._depth = before + 1, self._depth + 1
        self._check(event)
        node = cast("Node", super().compose_node(parent, index))
        self._depth -= 1
        if isinstance(event, AliasEvent):
            if id(node) not in self._sizes:
                raise _refusal("holds an alias within what it stands for", event)
            self._count += self._sizes[id(node)]
        elif named:
            self._sizes[id(node)] = self._count - before
        self._check(event)
        return node

    def _check(self, event: Any) -> None:  # noqa: ANN401 - PyYAML has no types
        if self._count > MOST_NODES:
            raise _refusal(f"comes to more than {MOST_NODES:,} values, those that aliases stand for included", event)
        if self._depth > DEEPEST:
            raise _refusal(f"is nested too deeply to be read: more than {DEEPEST} deep", event)


def _refusal(problem: str, event: Any) -> YamlTooLarge:  # noqa: ANN401 - PyYAML has no types
    return YamlTooLarge(problem=problem, problem_mark=event.start_mark)
