"""Fields of a test case other than its steps, common to all file formats: parsing and merging. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from muster_cases.case_problems import Problem, nearest, wanted
from muster_protocol.requests import (
    CHECKERS,
    DEVICE_KINDS,
    ON_FAIL,
    PRIORITIES,
    Checker,
    DeviceKind,
    DeviceSpec,
    Limits,
    OnFail,
    Priority,
    RunRequest,
    Step,
    TestCase,
)

N = TypeVar("N", bound=str)

LIMIT_KEYS = tuple(field.name for field in msgspec.structs.fields(Limits))
LONGEST_NAME = 300
"""Characters."""
MOST_CASES = 2_000
"""Cases per file."""
MOST_ENTRIES = 500
"""Tags, variables and other entries of one case, shared ones included, since each case gets a copy of these."""
LONGEST_NUMBER = 18
"""Digits; a longer number does not fit into a message."""

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TIME = re.compile(r"(-?[0-9.]+)\s*(s|sec|secs|seconds?|m|min|mins|minutes?)", re.IGNORECASE)


class LoadedCase(NamedTuple):
    """A case and its place in the source: the lines (from 1) of the case and of each step."""

    request: RunRequest
    source: str
    line: int
    step_lines: tuple[int, ...] = ()

    @property
    def test_case(self) -> TestCase:
        """What the source describes; no file holds another job."""
        assert isinstance(self.request.job, TestCase), "cases in files are test cases"
        return self.request.job


class Reading(NamedTuple):
    """The cases in a text. Use them only if there are no problems; both lists are empty if the text has no case."""

    cases: list[LoadedCase]
    problems: list[Problem]


class Fields(NamedTuple):
    """The fields of a file, a group of cases or a case, without names and steps."""

    suite: str = ""
    labels: Mapping[str, str] = {}
    priority: Priority | None = None
    tags: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    secrets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    limits: Limits = Limits()
    on_fail: OnFail | None = None
    checked_by: tuple[Checker, ...] = ()
    device: DeviceKind | None = None
    app: str = ""
    """File that describes the app of a simulated device."""
    faults: tuple[str, ...] = ()
    phone: str = ""
    """Name that session hosts give a phone."""

    def over(self, outer: "Fields") -> "Fields":
        """Return these fields merged over outer ones: lists are joined, outer first; single values override.

        Raises:
            ValueError: the result has more than `MOST_ENTRIES` entries.
        """
        if self._entries + outer._entries > MOST_ENTRIES:
            raise ValueError(f"a case can have at most {MOST_ENTRIES} tags, variables and other entries")
        own_limits = {key: value for key in LIMIT_KEYS if (value := getattr(self.limits, key)) is not None}
        return Fields(
            suite=self.suite or outer.suite,
            labels={**outer.labels, **self.labels},
            priority=self.priority or outer.priority,
            tags=_joined(outer.tags, self.tags),
            covers=_joined(outer.covers, self.covers),
            variables={**outer.variables, **self.variables},
            secrets=_joined(outer.secrets, self.secrets),
            domains=_joined(outer.domains, self.domains),
            preconditions=outer.preconditions + self.preconditions,
            limits=msgspec.structs.replace(outer.limits, **own_limits),
            on_fail=self.on_fail or outer.on_fail,
            checked_by=self.checked_by or outer.checked_by,
            device=self.device or outer.device,
            app=self.app or outer.app,
            faults=_joined(outer.faults, self.faults),
            phone=self.phone or outer.phone,
        )

    @property
    def _entries(self) -> int:
        return sum(len(value) for value in self if isinstance(value, Mapping | tuple))

    def request(self, name: str, steps: tuple[Step, ...], suite: str) -> RunRequest:
        """Return the request for a case with these fields; `suite` is the default suite."""
        job = TestCase(
            name=name,
            steps=steps,
            preconditions=self.preconditions,
            tags=self.tags,
            covers=self.covers,
            variables=dict(self.variables),
            secrets=self.secrets,
            domains=self.domains,
            on_fail=self.on_fail or "stop",
            checked_by=self.checked_by,
            device=self._device(),
        )
        suite, priority = self.suite or suite, self.priority or "normal"
        return RunRequest(job=job, suite=suite, labels=dict(self.labels), priority=priority, limits=self.limits)

    def _device(self) -> DeviceSpec | None:
        """Return the device; an app without a device means a simulated one, a phone's name one that Appium drives.

        The app's file is read later.
        """
        if not (self.device or self.app or self.faults or self.phone):
            return None
        kind = self.device or ("appium" if self.phone else "screens")
        return DeviceSpec(kind=kind, name=self.phone, source=self.app, faults=self.faults)


def _joined(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*outer, *inner))) if outer else inner


def limit(name: str, text: str) -> Limits:
    """Return limits with one of them set to the number in a text.

    Raises:
        ValueError: the text is not a number, or out of bounds.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"'{name}' must be a number, not {text!r}")
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"'{name}' has {len(text)} digits, the limit is {LONGEST_NUMBER}")
    number = float(text) if "." in text else int(text)
    try:
        return msgspec.convert({name: number}, Limits)
    except msgspec.ValidationError as error:
        raise ValueError(f"'{name}' is {text}: {wanted(error)}") from error


def priority(text: str) -> Priority:
    """Return the priority with this name.

    Raises:
        ValueError: there is none of that name.
    """
    return _one_of("priority", PRIORITIES, text)


def checkers(names: Iterable[str]) -> tuple[Checker, ...]:
    """Return the agents that examine a case.

    Raises:
        ValueError: there is no such agent.
    """
    wanted = tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in CHECKERS:
            raise ValueError(f"'checked_by' may name {' and '.join(CHECKERS)}, not {name!r}")
    return tuple(name for name in CHECKERS if name in wanted)


def on_fail(text: str) -> OnFail:
    """Return what a case does after a failed step.

    Raises:
        ValueError: it is none of the two.
    """
    return _one_of("on_fail", ON_FAIL, text)


def _one_of(name: str, known: tuple[N, ...], text: str) -> N:
    for one in known:
        if text == one:
            return one
    raise ValueError(f"'{name}' must be {', '.join(known[:-1])} or {known[-1]}, not {text!r}")


def device(text: str) -> DeviceKind:
    """Return the kind of device with this name.

    Raises:
        ValueError: there is none of that name.
    """
    for known in DEVICE_KINDS:
        if text == known:
            return known
    raise ValueError(f"unknown device {text!r}{nearest(text, DEVICE_KINDS)}")


def setting(key: str, text: str) -> Fields:
    """Return fields with one of them set from a text: comma-separated lists, NAME=VALUE pairs, times such as `600 s`.

    Raises:
        ValueError: the text is not valid for the key.
    """
    if not text.strip():
        raise ValueError(f"'{key}' has no value")
    match key:
        case "tags" | "covers" | "secrets" | "domains" | "faults":
            return Fields()._replace(**{key: tuple(name.strip() for name in text.split(",") if name.strip())})
        case "variables" | "labels":
            name, sign, value = text.partition("=")
            if not (name.strip() and sign):
                raise ValueError(f"'{key}' must be NAME=VALUE, not {text!r}")
            return Fields()._replace(**{key: {name.strip(): value.strip()}})
        case "priority":
            return Fields(priority=priority(text.lower()))
        case "on_fail":
            return Fields(on_fail=on_fail(text.lower()))
        case "checked_by" | "device":
            names = (name.strip() for name in text.lower().split(","))
            return Fields(checked_by=checkers(names)) if key == "checked_by" else Fields(device=device(text.lower()))
        case "suite" | "app" | "phone":
            return Fields()._replace(**{key: text})
        case "preconditions":
            return Fields(preconditions=(text,))
        case _:
            return Fields(limits=limit(key, _seconds(text) if key == "timeout_seconds" else text))


def _seconds(text: str) -> str:
    """Return a time as seconds without a unit; any other text unchanged."""
    found = _TIME.fullmatch(text.strip())
    if not found or not _NUMBER.fullmatch(found[1]):
        return text
    return f"{float(found[1]) * 60:g}" if found[2][0] in "mM" else found[1]


def number_duplicates(cases: list[LoadedCase]) -> list[LoadedCase]:
    """Return the cases with unique names: the second case with a name gets `#2`."""
    seen = Counter[str]()
    apart: list[LoadedCase] = []
    for case in cases:
        name = case.request.job.name
        seen[name] += 1
        if seen[name] > 1:
            job = msgspec.structs.replace(case.request.job, name=f"{name} #{seen[name]}")
            case = case._replace(request=msgspec.structs.replace(case.request, job=job))  # noqa: PLW2901
        apart.append(case)
    return apart


def name_problem(name: str) -> str:
    """Return why a case cannot have this name; empty if it can."""
    if not name.strip():
        return "this case needs a name"
    return f"'name' has {len(name)} characters, the limit is {LONGEST_NAME}" if len(name) > LONGEST_NAME else ""


def quoted(text: str) -> str:
    """Return a text as a quoted literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def with_block(sentence: str, content: str) -> str:
    """Return an action followed by a colon and, on the next lines, a block of text."""
    return f"{sentence.rstrip().rstrip(':')}:\n{content}"


def with_literals(sentence: str, texts: tuple[str, ...]) -> str:
    """Return a sentence with these texts appended as quoted literals.

    Raises:
        ValueError: a text is blank or has several lines.
    """
    for text in texts:
        if not text.strip() or "\n" in text:
            raise ValueError("an expected text must be a single line; write one expectation per line")
    return f"{sentence.rstrip().rstrip(':')} {', '.join(map(quoted, texts))}"
