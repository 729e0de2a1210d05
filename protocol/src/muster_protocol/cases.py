"""Test cases as people write them, in YAML: read strictly, with every problem named by file, line and column."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from muster_protocol.case_problems import CaseError, Problem, is_null, misread, nearest, shown, syntax_problem, wanted
from muster_protocol.requests import PRIORITIES, Limits, Priority, RunRequest, Step, TestCase
from muster_protocol.runs import problems

SUFFIXES = (".yaml", ".yml")
STEP_KEYS = ("action", "expected")
LIMIT_KEYS = tuple(field.name for field in msgspec.structs.fields(Limits))
SHARED_KEYS = ("suite", "labels", "priority", "variables", "limits", "tags", "secrets", "domains", "preconditions")
"""Keys that may stand in a case, or beside `cases:` for all cases below it."""
CASE_KEYS = ("name", *SHARED_KEYS, "steps")
GROUP_KEYS = (*SHARED_KEYS, "cases")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
__all__ = ["CaseError", "LoadedCase", "Problem", "load_paths", "load_text"]
T = TypeVar("T")


class LoadedCase(NamedTuple):
    """A case with where it is written: the lines (from 1) of the case and of each of its steps."""

    request: RunRequest
    source: str
    line: int
    step_lines: tuple[int, ...] = ()


def load_text(text: str, source: str = "<text>", suite: str = "") -> list[LoadedCase]:
    """Return the cases of a YAML text; `suite` is for cases that name none.

    Raises:
        CaseError: something in it is wrong, or there is no case in it.
    """
    reader = _Reader(source, suite)
    found = reader.documents(text)
    if not found and not reader.problems:
        reader.problems.append(Problem(source, 0, 0, "there is no test case in it; a case has 'name' and 'steps'"))
    if reader.problems:
        raise CaseError(reader.problems)
    return found


def load_paths(paths: Iterable[Path | str]) -> list[LoadedCase]:
    """Return the cases of files and, in the order of their names, of all YAML files below folders.

    A case that names no suite gets the name of the folder its file is in. A file named twice is read once.

    Raises:
        CaseError: the problems of all files together.
    """
    found: list[LoadedCase] = []
    wrong: list[Problem] = []
    files, missing = _files(paths)
    for path in files:
        try:
            found += load_text(path.read_text(encoding="utf-8"), str(path), path.resolve().parent.name)
        except CaseError as error:
            wrong += error.problems
        except (OSError, UnicodeError) as error:
            wrong.append(Problem(str(path), 0, 0, f"cannot be read as UTF-8 text: {error}"))
    if missing or wrong:
        raise CaseError([*missing, *wrong])
    return found


def _files(paths: Iterable[Path | str]) -> tuple[list[Path], list[Problem]]:
    files: dict[Path, Path] = {}
    missing: list[Problem] = []
    for path in map(Path, paths):
        inside = [path] if path.is_file() else _case_files(path)
        if not path.exists():
            missing.append(Problem(str(path), 0, 0, "there is no such file or folder"))
        elif not inside:
            missing.append(Problem(str(path), 0, 0, "there is no *.yaml or *.yml file in this folder"))
        for file in inside:
            files.setdefault(file.resolve(), file)
    return list(files.values()), missing


def _case_files(folder: Path) -> list[Path]:
    """Return the YAML files below a folder; what is hidden (`.git`, `.venv`) is left out."""
    inside = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return sorted(path for path in inside if not any(part.startswith(".") for part in path.relative_to(folder).parts))


class _Shared(NamedTuple):
    """What the keys beside `cases:` give to each case, or a case to itself."""

    suite: str = ""
    labels: Mapping[str, str] = {}
    priority: Priority | None = None
    tags: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    secrets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    limits: Limits = Limits()

    def over(self, outer: "_Shared") -> "_Shared":
        """Return both together: lists are joined, outer first; of single values the inner one counts."""
        own_limits = {key: value for key in LIMIT_KEYS if (value := getattr(self.limits, key)) is not None}
        return _Shared(
            suite=self.suite or outer.suite,
            labels={**outer.labels, **self.labels},
            priority=self.priority or outer.priority,
            tags=_joined(outer.tags, self.tags),
            variables={**outer.variables, **self.variables},
            secrets=_joined(outer.secrets, self.secrets),
            domains=_joined(outer.domains, self.domains),
            preconditions=outer.preconditions + self.preconditions,
            limits=msgspec.structs.replace(outer.limits, **own_limits),
        )

    def request(self, name: str, steps: tuple[Step, ...], suite: str) -> RunRequest:
        """Return the request to run a case with these keys; `suite` counts if none is among them."""
        lists = {"preconditions": self.preconditions, "tags": self.tags, "secrets": self.secrets}
        job = TestCase(name=name, steps=steps, variables=dict(self.variables), domains=self.domains, **lists)
        suite, priority = self.suite or suite, self.priority or "normal"
        return RunRequest(job=job, suite=suite, labels=dict(self.labels), priority=priority, limits=self.limits)


def _joined(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*outer, *inner))) if outer else inner


class _Reader:
    """Reads the nodes of one file; what is wrong goes into `problems` and reading goes on."""

    def __init__(self, source: str, suite: str) -> None:
        self.source, self.suite = source, suite
        self.problems: list[Problem] = []

    def documents(self, text: str) -> list[LoadedCase]:
        """Return the cases of all documents, up to the first that is no YAML."""
        cases: list[LoadedCase] = []
        try:
            for node in cast("Iterator[Node]", yaml.compose_all(text, Loader=yaml.SafeLoader)):
                if not is_null(node):
                    cases += self._document(node)
        except yaml.YAMLError as error:
            self.problems.append(syntax_problem(self.source, text, error))
        except RecursionError:
            self.problems.append(Problem(self.source, 0, 0, "is nested too deeply to be read"))
        self.problems.sort(key=lambda problem: problem[1:3])
        return cases

    def _document(self, node: Node) -> list[LoadedCase]:
        if isinstance(node, SequenceNode):
            self._add(node, "a list stands here; put several cases under the key 'cases'")
            return []
        if not isinstance(node, MappingNode) or all(key.value != "cases" for key, _ in node.value):
            return self._case(node, _Shared())
        fields = self._mapping(node, "a file with 'cases'", GROUP_KEYS)
        shared = self._shared(fields)
        return [case for item in self._items(fields["cases"], "cases") for case in self._case(item, shared)]

    def _case(self, node: Node, outer: _Shared) -> list[LoadedCase]:
        """Return the case of the node in a list, or an empty list if it has a problem."""
        known = len(self.problems)
        fields = self._mapping(node, "a case", CASE_KEYS, needed=("name", "steps"))
        name = self._name(fields["name"]) if "name" in fields else ""
        own = self._shared(fields).over(outer)
        step_nodes = self._items(fields["steps"], "steps") if "steps" in fields else []
        if "steps" in fields and not step_nodes and len(self.problems) == known:
            self._add(fields["steps"], "'steps' is empty: a case needs at least one step")
        steps = tuple(self._step(step) for step in step_nodes)
        if len(self.problems) > known:
            return []
        request = own.request(name, steps, self.suite)
        for reason in problems(request):
            self._add(node, reason)
        lines = tuple(step.start_mark.line + 1 for step in step_nodes)
        return [LoadedCase(request, self.source, node.start_mark.line + 1, lines)]

    def _shared(self, fields: Mapping[str, Node]) -> _Shared:
        def read(key: str, reading: Callable[[Node, str], T], default: T) -> T:
            return reading(fields[key], key) if key in fields else default

        return _Shared(
            suite=read("suite", self._text, ""),
            labels=read("labels", self._text_map, {}),
            priority=read("priority", self._priority, None),
            tags=read("tags", self._texts, ()),
            variables=read("variables", self._text_map, {}),
            secrets=read("secrets", self._texts, ()),
            domains=read("domains", self._texts, ()),
            preconditions=read("preconditions", self._texts, ()),
            limits=read("limits", self._limits, Limits()),
        )

    def _step(self, node: Node) -> Step:
        if isinstance(node, ScalarNode):
            return Step(action=self._text(node, "step") or "-")
        known = len(self.problems)
        fields = self._mapping(node, "a step", STEP_KEYS, needed=("action",))
        if isinstance(node, MappingNode) and len(self.problems) > known and not fields:
            self._add(node, "if this is one sentence with a ':' in it, put the whole sentence in single quotes")
        action = self._text(fields["action"], "action") if "action" in fields else ""
        expected = self._text(fields["expected"], "expected", blank=True) if "expected" in fields else ""
        return Step(action=action or "-", expected=expected)

    def _name(self, node: Node) -> str:
        name = self._text(node, "name")
        if len(name) > 300:
            self._add(node, f"'name' has {len(name)} characters; 300 are the most")
        return name

    def _priority(self, node: Node, key: str) -> Priority | None:
        given = self._text(node, key)
        for priority in PRIORITIES:
            if given == priority:
                return priority
        if given:
            self._add(node, f"'{key}' is {given!r}; it can be {' or '.join(PRIORITIES)}")
        return None

    def _limits(self, node: Node, key: str) -> Limits:
        given: dict[str, int | float] = {}
        for name, value in self._mapping(node, f"'{key}'", LIMIT_KEYS).items():
            text = value.value if isinstance(value, ScalarNode) and value.style is None else ""
            if not _NUMBER.fullmatch(text):
                self._add(value, f"'{name}' must be a number, and {shown(value)} is none")
                continue
            number = float(text) if "." in text else int(text)
            try:
                msgspec.convert({name: number}, Limits)
            except msgspec.ValidationError as error:
                self._add(value, f"'{name}' is {text}: {wanted(error)}")
            else:
                given[name] = number
        return msgspec.convert(given, Limits)

    def _text_map(self, node: Node, key: str) -> dict[str, str]:
        pairs = self._mapping(node, f"'{key}'", None)
        return {name: self._text(value, name, blank=True) for name, value in pairs.items()}

    def _texts(self, node: Node, key: str) -> tuple[str, ...]:
        return tuple(self._text(item, key) for item in self._items(node, key))

    def _text(self, node: Node, key: str, *, blank: bool = False) -> str:
        """Return a text as it is written: `yes`, `1.10` and `2024-01-31` are texts too."""
        if not isinstance(node, ScalarNode):
            self._add(node, f"'{key}' must be a text, and {shown(node)} stands here")
        elif is_null(node):
            self._add(node, f"'{key}' has no value: write a text{', or' if blank else ' or'} leave the key out")
        elif not blank and not node.value.strip():
            self._add(node, f"'{key}' is blank")
        elif surprise := misread(node):
            self._add(node, f"'{key}' {surprise}")
        else:
            return str(node.value)
        return ""

    def _items(self, node: Node, key: str) -> list[Node]:
        if isinstance(node, SequenceNode):
            return list(node.value)
        self._add(node, f"'{key}' must be a list (each line starts with '- '), and {shown(node)} stands here")
        return []

    def _mapping(
        self, node: Node, what: str, keys: tuple[str, ...] | None, needed: tuple[str, ...] = ()
    ) -> dict[str, Node]:
        """Return the values by key; keys that are unknown, twice there or missing are problems. No `keys`: any."""
        if not isinstance(node, MappingNode):
            self._add(node, f"{what} must have keys ({', '.join(keys or ('name: value',))}), not {shown(node)}")
            return {}
        fields: dict[str, Node] = {}
        first: dict[str, int] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, ScalarNode) else ""
            if name in first:
                self._add(key, f"'{name}' is there twice; the first is in line {first[name]}")
            elif not name:
                self._add(key, f"a key must be a text, and {shown(key)} stands here")
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
        self.problems.append(Problem(self.source, mark.line + 1, mark.column + 1, text))
