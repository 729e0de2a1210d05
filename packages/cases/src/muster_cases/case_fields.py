"""What a test case has beside its steps, whatever it is written in: values read from text, and put together. Pure."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from muster_cases.case_problems import Problem, nearest, wanted
from muster_protocol.requests import (
    DEVICE_KINDS,
    PRIORITIES,
    DeviceKind,
    DeviceSpec,
    Limits,
    Priority,
    RunRequest,
    Step,
    TestCase,
)

LIMIT_KEYS = tuple(field.name for field in msgspec.structs.fields(Limits))
LONGEST_NAME = 300
"""Characters."""
MOST_CASES = 2_000
"""Of one file."""
MOST_ENTRIES = 500
"""Tags, variables and the like that a case may have with all that it shares; each case has a copy."""
LONGEST_NUMBER = 18
"""Digits; more would not fit into a message."""

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TIME = re.compile(r"(-?[0-9.]+)\s*(s|sec|secs|seconds?|m|min|mins|minutes?)", re.IGNORECASE)


class LoadedCase(NamedTuple):
    """A case with where it is written: the lines (from 1) of the case and of each of its steps."""

    request: RunRequest
    source: str
    line: int
    step_lines: tuple[int, ...] = ()


class Reading(NamedTuple):
    """What was read from a text. It counts only where there are no problems; no case and no problem: it has none."""

    cases: list[LoadedCase]
    problems: list[Problem]


class Fields(NamedTuple):
    """What a file, a group of cases or a case says beside names and steps."""

    suite: str = ""
    labels: Mapping[str, str] = {}
    priority: Priority | None = None
    tags: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    secrets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    limits: Limits = Limits()
    device: DeviceKind | None = None
    app: str = ""
    """Name of the file that describes the app of a simulated device."""
    faults: tuple[str, ...] = ()

    def over(self, outer: "Fields") -> "Fields":
        """Return both together: lists are joined, outer first; of single values the inner one counts.

        Raises:
            ValueError: that is too much.
        """
        if self._entries + outer._entries > MOST_ENTRIES:
            raise ValueError(f"there are more than {MOST_ENTRIES} tags, variables and the like for one case")
        own_limits = {key: value for key in LIMIT_KEYS if (value := getattr(self.limits, key)) is not None}
        return Fields(
            suite=self.suite or outer.suite,
            labels={**outer.labels, **self.labels},
            priority=self.priority or outer.priority,
            tags=_joined(outer.tags, self.tags),
            variables={**outer.variables, **self.variables},
            secrets=_joined(outer.secrets, self.secrets),
            domains=_joined(outer.domains, self.domains),
            preconditions=outer.preconditions + self.preconditions,
            limits=msgspec.structs.replace(outer.limits, **own_limits),
            device=self.device or outer.device,
            app=self.app or outer.app,
            faults=_joined(outer.faults, self.faults),
        )

    @property
    def _entries(self) -> int:
        return sum(len(value) for value in self if isinstance(value, Mapping | tuple))

    def request(self, name: str, steps: tuple[Step, ...], suite: str) -> RunRequest:
        """Return the request to run a case with these fields; `suite` counts if none is among them."""
        job = TestCase(
            name=name,
            steps=steps,
            preconditions=self.preconditions,
            tags=self.tags,
            variables=dict(self.variables),
            secrets=self.secrets,
            domains=self.domains,
            device=self._device(),
        )
        suite, priority = self.suite or suite, self.priority or "normal"
        return RunRequest(job=job, suite=suite, labels=dict(self.labels), priority=priority, limits=self.limits)

    def _device(self) -> DeviceSpec | None:
        """Return the device; an app alone means a simulated one. Its file is yet to be read."""
        if not (self.device or self.app or self.faults):
            return None
        return DeviceSpec(kind=self.device or "screens", source=self.app, faults=self.faults)


def _joined(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*outer, *inner))) if outer else inner


def limit(name: str, text: str) -> Limits:
    """Return limits of which one is set, from a number as it is written.

    Raises:
        ValueError: it is no number, or out of bounds; says why.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"'{name}' must be a number, and {text!r} is none")
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"'{name}' has {len(text)} digits; {LONGEST_NUMBER} are the most")
    number = float(text) if "." in text else int(text)
    try:
        return msgspec.convert({name: number}, Limits)
    except msgspec.ValidationError as error:
        raise ValueError(f"'{name}' is {text}: {wanted(error)}") from error


def priority(text: str) -> Priority:
    """Return a priority by its name.

    Raises:
        ValueError: there is none of that name.
    """
    for known in PRIORITIES:
        if text == known:
            return known
    raise ValueError(f"'priority' is {text!r}; it can be {' or '.join(PRIORITIES)}")


def device(text: str) -> DeviceKind:
    """Return a kind of device by its name.

    Raises:
        ValueError: there is none of that name.
    """
    for known in DEVICE_KINDS:
        if text == known:
            return known
    raise ValueError(f"there is no device {text!r}{nearest(text, DEVICE_KINDS)}")


def setting(key: str, text: str) -> Fields:
    """Return fields of which one is set from a text: lists with commas between, pairs as NAME=VALUE, times as `600 s`.

    Raises:
        ValueError: the text does not fit the key; says why.
    """
    if not text.strip():
        raise ValueError(f"'{key}' has no value")
    match key:
        case "tags" | "secrets" | "domains" | "faults":
            return Fields()._replace(**{key: tuple(name.strip() for name in text.split(",") if name.strip())})
        case "variables" | "labels":
            name, sign, value = text.partition("=")
            if not (name.strip() and sign):
                raise ValueError(f"'{key}' takes NAME=VALUE, and {text!r} is not of that form")
            return Fields()._replace(**{key: {name.strip(): value.strip()}})
        case "priority":
            return Fields(priority=priority(text.lower()))
        case "device":
            return Fields(device=device(text.lower()))
        case "suite" | "app":
            return Fields()._replace(**{key: text})
        case "preconditions":
            return Fields(preconditions=(text,))
        case _:
            return Fields(limits=limit(key, _seconds(text) if key == "timeout_seconds" else text))


def _seconds(text: str) -> str:
    """Return a time without its unit, in seconds; anything else as it is."""
    found = _TIME.fullmatch(text.strip())
    if not found or not _NUMBER.fullmatch(found[1]):
        return text
    return f"{float(found[1]) * 60:g}" if found[2][0] in "mM" else found[1]


def told_apart(cases: list[LoadedCase]) -> list[LoadedCase]:
    """Return the cases with names that differ: the second of a name gets `#2`."""
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
    """Return what is wrong with the name of a case; empty if nothing is."""
    if not name.strip():
        return "a case needs a name"
    return f"'name' has {len(name)} characters; {LONGEST_NAME} are the most" if len(name) > LONGEST_NAME else ""


def quoted(text: str) -> str:
    """Return a text as a literal in a sentence."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def with_block(sentence: str, content: str) -> str:
    """Return an action with a block of text that belongs to it: after a colon, on the lines below."""
    return f"{sentence.rstrip().rstrip(':')}:\n{content}"


def with_literals(sentence: str, texts: tuple[str, ...]) -> str:
    """Return a sentence that speaks of these texts as literals at its end.

    Raises:
        ValueError: one of them has several lines, or none.
    """
    for text in texts:
        if not text.strip() or "\n" in text:
            raise ValueError("a text here must have one line; for several lines, write an expectation for each")
    return f"{sentence.rstrip().rstrip(':')} {', '.join(map(quoted, texts))}"
