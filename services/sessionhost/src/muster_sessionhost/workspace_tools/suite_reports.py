"""How many tests of a suite passed and failed, from what its runner wrote. Pure."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

FAILURES = 50
"""Failures that are told of, each with its message."""
MESSAGE = 600
"""Characters of a message."""
_TAP = {"passed": r"^# pass (\d+)", "failed": r"^# fail (\d+)", "skipped": r"^# (?:skipped|skip) (\d+)"}
_SPEC = {"passed": r"^. pass (\d+)", "failed": r"^. fail (\d+)", "skipped": r"^. skipped (\d+)"}
_JEST = {
    "passed": r"^Tests:.*?(\d+) passed",
    "failed": r"^Tests:.*?(\d+) failed",
    "skipped": r"^Tests:.*?(\d+) skipped",
}
_UNBUILT = re.compile(r"^FAIL\t(\S+) \[\w+ failed\]$", re.MULTILINE)
_MOCHA = {"passed": r"^\s*(\d+) passing", "failed": r"^\s*(\d+) failing", "skipped": r"^\s*(\d+) pending"}


class TestFailure(NamedTuple):
    """A test that failed, or could not be run."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it

    name: str
    message: str
    where: str = ""
    """File and line, if they are known."""


class Counts(NamedTuple):
    """The result of a suite."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    failures: tuple[TestFailure, ...] = ()

    @property
    def total(self) -> int:
        """All tests, those that were skipped too."""
        return self.passed + self.failed + self.errors + self.skipped


def junit_counts(document: str) -> Counts | None:
    """Return the result that a JUnit XML document tells of; None if it is none."""
    try:
        root = ET.fromstring(document)
    except ET.ParseError:
        return None
    cases = list(root.iter("testcase"))
    if not cases and root.tag not in ("testsuite", "testsuites"):
        return None
    kinds = [_kind(case) for case in cases]
    failures = tuple(_failure(case) for case, kind in zip(cases, kinds, strict=True) if kind in ("failed", "errors"))
    return Counts(
        passed=kinds.count("passed"),
        failed=kinds.count("failed"),
        errors=kinds.count("errors"),
        skipped=kinds.count("skipped"),
        failures=failures[:FAILURES],
    )


def _kind(case: ET.Element) -> str:
    for tag, kind in (("error", "errors"), ("failure", "failed"), ("skipped", "skipped")):
        if case.find(tag) is not None:
            return kind
    return "passed"


def _failure(case: ET.Element) -> TestFailure:
    found = next(element for tag in ("error", "failure") if (element := case.find(tag)) is not None)
    name = ".".join(filter(None, (case.get("classname", ""), case.get("name", ""))))
    message = (found.get("message") or found.text or "").strip()
    place = re.findall(r"^(\S+?\.\w+):(\d+):", found.text or "", re.MULTILINE)
    where = f"{place[-1][0]}:{place[-1][1]}" if place else case.get("file", "")
    return TestFailure(name, message[:MESSAGE], where)


def go_counts(output: str) -> Counts | None:
    """Return the result that `go test -json` tells of; None if there is none."""
    states: dict[tuple[str, str], str] = {}
    said: dict[tuple[str, str], str] = {}
    for event in _events(output):
        package = event.get("Package") or str(event.get("ImportPath", "")).partition(" ")[0]
        key = (str(package), str(event.get("Test", "")))
        action = event.get("Action")
        if action in ("pass", "fail", "skip"):
            states[key] = str(action)
        elif action in ("output", "build-output"):
            said[key] = said.get(key, "") + str(event.get("Output", ""))
    tests = {key: state for key, state in states.items() if key[1]}
    for package in _UNBUILT.findall(output):  # told in plain words, without an event
        states.setdefault((package, ""), "fail")
        said.setdefault((package, ""), _build_errors(output, package))
    broken = [key for key, state in states.items() if not key[1] and state == "fail" and not _has_fail(tests, key[0])]
    if not states:
        return None
    failed = [key for key, state in tests.items() if state == "fail"]
    failures = tuple(
        TestFailure(".".join(filter(None, key)), said.get(key, "").strip()[:MESSAGE]) for key in (*failed, *broken)
    )
    values = list(tests.values())
    return Counts(values.count("pass"), len(failed), len(broken), values.count("skip"), failures[:FAILURES])


def _build_errors(output: str, package: str) -> str:
    """Return what the compiler says of a package, below a line `# package`."""
    parts = re.split(r"^# (\S+).*$", output, flags=re.MULTILINE)
    said = "".join(text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name == package)
    return "\n".join(line for line in said.splitlines() if line and not line.startswith(("{", "FAIL\t", "ok ")))


def _has_fail(tests: dict[tuple[str, str], str], package: str) -> bool:
    return any(key[0] == package and state == "fail" for key, state in tests.items())


def _events(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        if line.startswith("{"):
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield cast("dict[str, Any]", event)


def node_counts(output: str) -> Counts | None:
    """Return the result at the end of an output of node's own runner, Jest or Mocha; None if there is none."""
    for patterns in (_TAP, _SPEC, _JEST, _MOCHA):
        found = {name: re.findall(pattern, output, re.MULTILINE) for name, pattern in patterns.items()}
        if found["passed"] or found["failed"]:
            numbers = {name: int(hits[-1]) if hits else 0 for name, hits in found.items()}
            names = re.findall(r"^(?:\s*not ok \d+ - |\s*✖ |\s*● )(.+)$", output, re.MULTILINE)
            failures = tuple(TestFailure(name.strip()[:MESSAGE], "") for name in dict.fromkeys(names))
            return Counts(numbers["passed"], numbers["failed"], 0, numbers["skipped"], failures[:FAILURES])
    return None
