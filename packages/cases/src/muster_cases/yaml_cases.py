"""Reads test cases in YAML, strictly: each problem comes with file, line and column."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from muster_cases.case_fields import (
    LIMIT_KEYS,
    MOST_CASES,
    Fields,
    LoadedCase,
    Reading,
    checkers,
    device,
    limit,
    name_problem,
    on_fail,
    priority,
    quoted,
)
from muster_cases.case_problems import EnoughFound
from muster_cases.yaml_nodes import NodeReader, is_null, shown, syntax_problem
from muster_protocol.requests import MAIN, Checker, DeviceKind, Limits, OnFail, Priority, Step
from muster_text.request_rules import find_problems
from muster_yaml.bounded_yaml import compose_all

STEP_KEYS = ("action", "expected", "session", "as", "on_fail")
SHARED_KEYS = (
    "suite",
    "labels",
    "priority",
    "variables",
    "limits",
    "tags",
    "covers",
    "secrets",
    "domains",
    "preconditions",
    "on_fail",
    "checked_by",
    "device",
    "app",
    "faults",
    "phone",
)
"""Keys of a case, or, next to `cases:`, of all cases in the file."""
CASE_KEYS = ("name", *SHARED_KEYS, "steps")
GROUP_KEYS = (*SHARED_KEYS, "cases")

T = TypeVar("T")


def read_yaml(text: str, source: str, suite: str) -> Reading:
    """Return the cases in a YAML text; `suite` is the default suite."""
    reader = _Reader(source, suite)
    return Reading(reader.documents(text), reader.problems)


class _Reader:
    """Reads the nodes of one file; a problem is added to `problems` and reading continues."""

    def __init__(self, source: str, suite: str) -> None:
        self.source, self.suite = source, suite
        self._nodes = NodeReader(source)
        self.problems = self._nodes.problems
        self._count = 0
        self._lines: dict[str, int] = {}

    def documents(self, text: str) -> list[LoadedCase]:
        """Return the cases of all documents up to the first syntax error."""
        cases: list[LoadedCase] = []
        try:
            for node in compose_all(text):
                if not is_null(node):
                    cases += self._document(node)
        except yaml.YAMLError as error:
            self.problems.append(syntax_problem(self.source, text, error))
        except EnoughFound:
            pass
        self.problems.sort(key=lambda problem: problem[1:3])
        return cases

    def _document(self, node: Node) -> list[LoadedCase]:
        if isinstance(node, SequenceNode):
            self._nodes.add(node, "unexpected list; put several cases under the key 'cases'")
            return []
        if not isinstance(node, MappingNode) or all(key.value != "cases" for key, _ in node.value):
            return self._case(node, Fields())
        fields = self._nodes.mapping(node, "a file with 'cases'", GROUP_KEYS)
        shared = self._shared(fields)
        return [case for item in self._nodes.items(fields["cases"], "cases") for case in self._case(item, shared)]

    def _case(self, node: Node, outer: Fields) -> list[LoadedCase]:
        """Return the case of a node in a list; an empty list if it is invalid."""
        known = len(self.problems)
        fields = self._nodes.mapping(node, "a case", CASE_KEYS, needed=("name", "steps"))
        name = self._name(fields["name"]) if "name" in fields else ""
        own = self._over(node, self._shared(fields), outer)
        step_nodes = self._nodes.items(fields["steps"], "steps") if "steps" in fields else []
        if "steps" in fields and not step_nodes and len(self.problems) == known:
            self._nodes.add(fields["steps"], "'steps' is empty: a case needs at least one step")
        steps = tuple(self._step(step) for step in step_nodes)
        if len(self.problems) > known:
            return []
        self._count += 1
        if self._count > MOST_CASES:
            self._nodes.add(node, f"a file can have at most {MOST_CASES:,} cases")
            raise EnoughFound
        request = own.request(name, steps, self.suite)
        for reason in find_problems(request):
            self._nodes.add(node, reason)
        self._check_name(fields["name"], f"{own.suite}\n{name}", name)
        lines = tuple(step.start_mark.line + 1 for step in step_nodes)
        return [LoadedCase(request, self.source, node.start_mark.line + 1, lines)]

    def _check_name(self, node: Node, key: str, name: str) -> None:
        """Report a case that has the name of another in its file and suite: their results could not be told apart."""
        line = node.start_mark.line + 1
        first = self._lines.setdefault(key, line)
        if first != line:
            self._nodes.add(node, f"another case is called {quoted(name)}, in line {first}: give each its own name")

    def _over(self, node: Node, own: Fields, outer: Fields) -> Fields:
        try:
            return own.over(outer)
        except ValueError as error:
            self._nodes.add(node, str(error))
            return own

    def _shared(self, fields: Mapping[str, Node]) -> Fields:
        def read(key: str, reading: Callable[[Node, str], T], default: T) -> T:
            return reading(fields[key], key) if key in fields else default

        return Fields(
            suite=read("suite", self._nodes.text, ""),
            labels=read("labels", self._nodes.text_map, {}),
            priority=read("priority", self._priority, None),
            tags=read("tags", self._nodes.texts, ()),
            covers=read("covers", self._nodes.texts, ()),
            variables=read("variables", self._nodes.text_map, {}),
            secrets=read("secrets", self._nodes.texts, ()),
            domains=read("domains", self._nodes.texts, ()),
            preconditions=read("preconditions", self._nodes.texts, ()),
            limits=read("limits", self._limits, Limits()),
            on_fail=read("on_fail", self._on_fail, None),
            checked_by=read("checked_by", self._checkers, ()),
            device=read("device", self._device, None),
            app=read("app", self._nodes.text, ""),
            faults=read("faults", self._nodes.texts, ()),
            phone=read("phone", self._nodes.text, ""),
        )

    def _step(self, node: Node) -> Step:
        if isinstance(node, ScalarNode):
            return Step(action=self._nodes.text(node, "step") or "-")
        known = len(self.problems)
        fields = self._nodes.mapping(node, "a step", STEP_KEYS, needed=("action",))
        if isinstance(node, MappingNode) and len(self.problems) > known and not fields:
            self._nodes.add(node, "if this is a sentence that contains ':', put the whole sentence in single quotes")
        action = self._nodes.text(fields["action"], "action") if "action" in fields else ""
        expected = self._nodes.text(fields["expected"], "expected", blank=True) if "expected" in fields else ""
        session = self._session(fields)
        after = self._on_fail(fields["on_fail"], "on_fail") if "on_fail" in fields else None
        return Step(action=action or "-", expected=expected, session=session or MAIN, on_fail=after or "")

    def _session(self, fields: Mapping[str, Node]) -> str:
        """Return the session of a step: the one that it names, or that of the person as whom it is carried out."""
        if "session" in fields and "as" in fields:
            self._nodes.add(fields["as"], "a step has 'session' or 'as', not both: each person has her own session")
        key = "as" if "as" in fields else "session"
        return self._nodes.text(fields[key], key) if key in fields else ""

    def _name(self, node: Node) -> str:
        name = self._nodes.text(node, "name")
        if name and (wrong := name_problem(name)):
            self._nodes.add(node, wrong)
        return name

    def _priority(self, node: Node, key: str) -> Priority | None:
        return self._known(node, key, priority)

    def _checkers(self, node: Node, key: str) -> tuple[Checker, ...]:
        try:
            return checkers(self._nodes.texts(node, key))
        except ValueError as error:
            self._nodes.add(node, str(error))
            return ()

    def _on_fail(self, node: Node, key: str) -> OnFail | None:
        return self._known(node, key, on_fail)

    def _device(self, node: Node, key: str) -> DeviceKind | None:
        return self._known(node, key, device)

    def _known(self, node: Node, key: str, named: Callable[[str], T]) -> T | None:
        given = self._nodes.text(node, key)
        try:
            return named(given) if given else None
        except ValueError as error:
            self._nodes.add(node, str(error))
            return None

    def _limits(self, node: Node, key: str) -> Limits:
        given = Fields()
        for name, value in self._nodes.mapping(node, f"'{key}'", LIMIT_KEYS).items():
            if not isinstance(value, ScalarNode) or value.style is not None or is_null(value):
                self._nodes.add(value, f"'{name}' must be a number, not {shown(value)}")
                continue
            try:
                given = Fields(limits=limit(name, value.value)).over(given)
            except ValueError as error:
                self._nodes.add(value, str(error))
        return given.limits
