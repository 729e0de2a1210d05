"""Values read from the nodes of a YAML text: strictly, with every problem named by file, line and column."""

import re

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from muster_cases.case_problems import Problem, nearest, note
from muster_yaml.bounded_yaml import YamlTooLarge

NULL = "tag:yaml.org,2002:null"
"""PyYAML's tag for a missing value, `null` or `~`."""


class NodeReader:
    """Reads the nodes of one file; a problem is added to `problems` and reading continues."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def text_map(self, node: Node, key: str) -> dict[str, str]:
        """Return texts by name."""
        pairs = self.mapping(node, f"'{key}'", None)
        return {name: self.text(value, name, blank=True) for name, value in pairs.items()}

    def texts(self, node: Node, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(self.text(item, key) for item in self.items(node, key))

    def text(self, node: Node, key: str, *, blank: bool = False) -> str:
        """Return a text exactly as written: `yes`, `1.10` and `2024-01-31` are texts too."""
        if not isinstance(node, ScalarNode):
            remedy = ": write one text; several lines follow '|'" if isinstance(node, SequenceNode) else ""
            self.add(node, f"'{key}' must be a text, not {shown(node)}{remedy}")
        elif is_null(node):
            self.add(node, f"'{key}' has no value: add a text or remove the key")
        elif not blank and not node.value.strip():
            self.add(node, f"'{key}' is blank")
        elif surprise := _misread(node):
            self.add(node, f"'{key}' {surprise}")
        else:
            return str(node.value)
        return ""

    def items(self, node: Node, key: str) -> list[Node]:
        """Return the items of a list; anything else is a problem."""
        if isinstance(node, SequenceNode):
            return list(node.value)
        self.add(node, f"'{key}' must be a list (each line starts with '- '), not {shown(node)}")
        return []

    def mapping(
        self, node: Node, what: str, keys: tuple[str, ...] | None, needed: tuple[str, ...] = ()
    ) -> dict[str, Node]:
        """Return the values by key; report unknown, duplicate and missing keys. `keys` None: any key is valid."""
        if not isinstance(node, MappingNode):
            self.add(node, f"{what} must have keys ({', '.join(keys or ('name: value',))}), not {shown(node)}")
            return {}
        fields: dict[str, Node] = {}
        first: dict[str, int] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, ScalarNode) else ""
            if name in first:
                self.add(key, f"duplicate key '{name}', first used in line {first[name]}")
            elif not name:
                self.add(key, f"a key must be a text, not {shown(key)}")
            elif keys is not None and name not in keys:
                self.add(key, f"unknown key '{name}' in {what}{nearest(name, keys)}")
            else:
                fields[name] = value
            first.setdefault(name, key.start_mark.line + 1)
        for name in needed:
            if name not in first:
                self.add(node, f"{what} needs the key '{name}'")
        return fields

    def add(self, node: Node, text: str) -> None:
        """Note what is wrong at a node."""
        mark = node.start_mark
        note(self.problems, Problem(self.source, mark.line + 1, mark.column + 1, text))


def is_null(node: Node) -> bool:
    """Return whether a node is null."""
    return isinstance(node, ScalarNode) and node.tag == NULL


def shown(node: Node) -> str:
    """Return a short description of a node's content."""
    match node:
        case SequenceNode():
            return "a list"
        case MappingNode():
            keys = [str(key.value) for key, _ in node.value[:1] if isinstance(key, ScalarNode)]
            return f"keys and values ('{keys[0]}: …')" if keys else "keys and values"
        case _:
            return "nothing" if is_null(node) else repr(str(node.value))


def _misread(node: ScalarNode) -> str:
    """Return why YAML misreads a text, and the fix; empty if it does not."""
    if not node.tag.startswith("tag:yaml.org,"):
        return f"starts with '{node.tag}', which is a tag in YAML: put the text in quotes"
    rest = (node.end_mark.buffer or "")[node.end_mark.pointer :].partition("\n")[0]
    if node.style is None and node.value.count('"') % 2 and rest.lstrip().startswith("#"):
        return "is cut off at ' #', which starts a comment in YAML: put the text in single quotes"
    return ""


def syntax_problem(source: str, text: str, error: yaml.YAMLError) -> Problem:
    """Return a syntax error as a problem with its place."""
    if isinstance(error, ReaderError):
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return Problem(source, line, column, f"the character U+{error.character:04X} is not allowed in YAML")
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None:
        return Problem(source, 0, 0, f"invalid YAML: {error}")
    said = str(getattr(error, "problem", ""))
    if not isinstance(error, YamlTooLarge):
        said = f"invalid YAML: {said}{_hint(text.splitlines()[mark.line : mark.line + 1]) or _advice(said)}"
    return Problem(source, mark.line + 1, mark.column + 1, said)


def _advice(said: str) -> str:
    """Return what to look for where a line itself is fine, and does not fit to those above it."""
    unfit = said.startswith("expected <block end>")
    return "; begin the keys of a step in the same column, and close each quote above" if unfit else ""


def _hint(lines: list[str]) -> str:
    """Return the fix for a common mistake in a line: tabs, or a sentence with unquoted quotes or colons."""
    line = lines[0] if lines else ""
    value = re.sub(r"^\s*(- )?\s*(\w+:\s)?\s*", "", line)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "; indent with spaces, not with tabs"
    if value[:1] in ("'", '"') or ": " in value:
        return "; put a sentence that starts with a quote or contains ': ' in single quotes"
    return ""
