"""Reads test cases in YAML, strictly: each problem comes with file, line and column."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from muster_cases.case_fields import (
    LIMIT_KEYS,
    MOST_CASES,
    Fields,
    LoadedCase,
    Reading,
    device,
    limit,
    name_problem,
    priority,
)
from muster_cases.case_problems import EnoughFound, Problem, nearest, note
from muster_protocol.requests import MAIN, DeviceKind, Limits, Priority, Step
from muster_text.request_rules import find_problems
from muster_yaml.bounded_yaml import YamlTooLarge, compose_all

STEP_KEYS = ("action", "expected", "session")
SHARED_KEYS = (
    "suite",
    "labels",
    "priority",
    "variables",
    "limits",
    "tags",
    "secrets",
    "domains",
    "preconditions",
    "device",
    "app",
    "faults",
)
"""Keys of a case, or, next to `cases:`, of all cases in the file."""
CASE_KEYS = ("name", *SHARED_KEYS, "steps")
GROUP_KEYS = (*SHARED_KEYS, "cases")
NULL = "tag:yaml.org,2002:null"
"""PyYAML's tag for a missing value, `null` or `~`."""

T = TypeVar("T")


def read_yaml(text: str, source: str, suite: str) -> Reading:
    """Return the cases in a YAML text; `suite` is the default suite."""
    reader = _Reader(source, suite)
    return Reading(reader.documents(text), reader.problems)


class _Reader:
    """Reads the nodes of one file; a problem is added to `problems` and reading continues."""

    def __init__(self, source: str, suite: str) -> None:
        self.source, self.suite = source, suite
        self.problems: list[Problem] = []
        self._count = 0

    def documents(self, text: str) -> list[LoadedCase]:
        """Return the cases of all documents up to the first syntax error."""
        cases: list[LoadedCase] = []
        try:
            for node in compose_all(text):
                if not _is_null(node):
                    cases += self._document(node)
        except yaml.YAMLError as error:
            self.problems.append(_syntax_problem(self.source, text, error))
        except EnoughFound:
            pass
        self.problems.sort(key=lambda problem: problem[1:3])
        return cases

    def _document(self, node: Node) -> list[LoadedCase]:
        if isinstance(node, SequenceNode):
            self._add(node, "unexpected list; put several cases under the key 'cases'")
            return []
        if not isinstance(node, MappingNode) or all(key.value != "cases" for key, _ in node.value):
            return self._case(node, Fields())
        fields = self._mapping(node, "a file with 'cases'", GROUP_KEYS)
        shared = self._shared(fields)
        return [case for item in self._items(fields["cases"], "cases") for case in self._case(item, shared)]

    def _case(self, node: Node, outer: Fields) -> list[LoadedCase]:
        """Return the case of a node in a list; an empty list if it is invalid."""
        known = len(self.problems)
        fields = self._mapping(node, "a case", CASE_KEYS, needed=("name", "steps"))
        name = self._name(fields["name"]) if "name" in fields else ""
        own = self._over(node, self._shared(fields), outer)
        step_nodes = self._items(fields["steps"], "steps") if "steps" in fields else []
        if "steps" in fields and not step_nodes and len(self.problems) == known:
            self._add(fields["steps"], "'steps' is empty: a case needs at least one step")
        steps = tuple(self._step(step) for step in step_nodes)
        if len(self.problems) > known:
            return []
        self._count += 1
        if self._count > MOST_CASES:
            self._add(node, f"a file can have at most {MOST_CASES:,} cases")
            raise EnoughFound
        request = own.request(name, steps, self.suite)
        for reason in find_problems(request):
            self._add(node, reason)
        lines = tuple(step.start_mark.line + 1 for step in step_nodes)
        return [LoadedCase(request, self.source, node.start_mark.line + 1, lines)]

    def _over(self, node: Node, own: Fields, outer: Fields) -> Fields:
        try:
            return own.over(outer)
        except ValueError as error:
            self._add(node, str(error))
            return own

    def _shared(self, fields: Mapping[str, Node]) -> Fields:
        def read(key: str, reading: Callable[[Node, str], T], default: T) -> T:
            return reading(fields[key], key) if key in fields else default

        return Fields(
            suite=read("suite", self._text, ""),
            labels=read("labels", self._text_map, {}),
            priority=read("priority", self._priority, None),
            tags=read("tags", self._texts, ()),
            variables=read("variables", self._text_map, {}),
            secrets=read("secrets", self._texts, ()),
            domains=read("domains", self._texts, ()),
            preconditions=read("preconditions", self._texts, ()),
            limits=read("limits", self._limits, Limits()),
            device=read("device", self._device, None),
            app=read("app", self._text, ""),
            faults=read("faults", self._texts, ()),
        )

    def _step(self, node: Node) -> Step:
        if isinstance(node, ScalarNode):
            return Step(action=self._text(node, "step") or "-")
        known = len(self.problems)
        fields = self._mapping(node, "a step", STEP_KEYS, needed=("action",))
        if isinstance(node, MappingNode) and len(self.problems) > known and not fields:
            self._add(node, "if this is a sentence that contains ':', put the whole sentence in single quotes")
        action = self._text(fields["action"], "action") if "action" in fields else ""
        expected = self._text(fields["expected"], "expected", blank=True) if "expected" in fields else ""
        session = self._text(fields["session"], "session") if "session" in fields else ""
        return Step(action=action or "-", expected=expected, session=session or MAIN)

    def _name(self, node: Node) -> str:
        name = self._text(node, "name")
        if name and (wrong := name_problem(name)):
            self._add(node, wrong)
        return name

    def _priority(self, node: Node, key: str) -> Priority | None:
        return self._known(node, key, priority)

    def _device(self, node: Node, key: str) -> DeviceKind | None:
        return self._known(node, key, device)

    def _known(self, node: Node, key: str, named: Callable[[str], T]) -> T | None:
        given = self._text(node, key)
        try:
            return named(given) if given else None
        except ValueError as error:
            self._add(node, str(error))
            return None

    def _limits(self, node: Node, key: str) -> Limits:
        given = Fields()
        for name, value in self._mapping(node, f"'{key}'", LIMIT_KEYS).items():
            if not isinstance(value, ScalarNode) or value.style is not None or _is_null(value):
                self._add(value, f"'{name}' must be a number, not {_shown(value)}")
                continue
            try:
                given = Fields(limits=limit(name, value.value)).over(given)
            except ValueError as error:
                self._add(value, str(error))
        return given.limits

    def _text_map(self, node: Node, key: str) -> dict[str, str]:
        pairs = self._mapping(node, f"'{key}'", None)
        return {name: self._text(value, name, blank=True) for name, value in pairs.items()}

    def _texts(self, node: Node, key: str) -> tuple[str, ...]:
        return tuple(self._text(item, key) for item in self._items(node, key))

    def _text(self, node: Node, key: str, *, blank: bool = False) -> str:
        """Return a text exactly as written: `yes`, `1.10` and `2024-01-31` are texts too."""
        if not isinstance(node, ScalarNode):
            self._add(node, f"'{key}' must be a text, not {_shown(node)}")
        elif _is_null(node):
            self._add(node, f"'{key}' has no value: add a text or remove the key")
        elif not blank and not node.value.strip():
            self._add(node, f"'{key}' is blank")
        elif surprise := _misread(node):
            self._add(node, f"'{key}' {surprise}")
        else:
            return str(node.value)
        return ""

    def _items(self, node: Node, key: str) -> list[Node]:
        if isinstance(node, SequenceNode):
            return list(node.value)
        self._add(node, f"'{key}' must be a list (each line starts with '- '), not {_shown(node)}")
        return []

    def _mapping(
        self, node: Node, what: str, keys: tuple[str, ...] | None, needed: tuple[str, ...] = ()
    ) -> dict[str, Node]:
        """Return the values by key; report unknown, duplicate and missing keys. `keys` None: any key is valid."""
        if not isinstance(node, MappingNode):
            self._add(node, f"{what} must have keys ({', '.join(keys or ('name: value',))}), not {_shown(node)}")
            return {}
        fields: dict[str, Node] = {}
        first: dict[str, int] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, ScalarNode) else ""
            if name in first:
                self._add(key, f"duplicate key '{name}', first used in line {first[name]}")
            elif not name:
                self._add(key, f"a key must be a text, not {_shown(key)}")
            elif keys is not None and name not in keys:
                self._add(key, f"unknown key '{name}' in {what}{nearest(name, keys)}")
            else:
                fields[name] = value
            first.setdefault(name, key.start_mark.line + 1)
        for name in needed:
            if name not in first:
                self._add(node, f"{what} needs the key '{name}'")
        return fields

    def _add(self, node: Node, text: str) -> None:
        mark = node.start_mark
        note(self.problems, Problem(self.source, mark.line + 1, mark.column + 1, text))


def _is_null(node: Node) -> bool:
    """Return whether a node is null."""
    return isinstance(node, ScalarNode) and node.tag == NULL


def _shown(node: Node) -> str:
    """Return a short description of a node's content."""
    match node:
        case SequenceNode():
            return "a list"
        case MappingNode():
            keys = [str(key.value) for key, _ in node.value[:1] if isinstance(key, ScalarNode)]
            return f"keys and values ('{keys[0]}: …')" if keys else "keys and values"
        case _:
            return "nothing" if _is_null(node) else repr(str(node.value))


def _misread(node: ScalarNode) -> str:
    """Return why YAML misreads a text, and the fix; empty if it does not."""
    if not node.tag.startswith("tag:yaml.org,"):
        return f"starts with '{node.tag}', which is a tag in YAML: put the text in quotes"
    rest = (node.end_mark.buffer or "")[node.end_mark.pointer :].partition("\n")[0]
    if node.style is None and node.value.count('"') % 2 and rest.lstrip().startswith("#"):
        return "is cut off at ' #', which starts a comment in YAML: put the text in single quotes"
    return ""


def _syntax_problem(source: str, text: str, error: yaml.YAMLError) -> Problem:
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
        said = f"invalid YAML: {said}{_hint(text.splitlines()[mark.line : mark.line + 1])}"
    return Problem(source, mark.line + 1, mark.column + 1, said)


def _hint(lines: list[str]) -> str:
    """Return the fix for a common mistake in a line: tabs, or a sentence with unquoted quotes or colons."""
    line = lines[0] if lines else ""
    value = re.sub(r"^\s*(- )?\s*(\w+:\s)?\s*", "", line)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "; indent with spaces, not with tabs"
    if value[:1] in ("'", '"') or ": " in value:
        return "; put a sentence that starts with a quote or contains ': ' in single quotes"
    return ""
