"""Running the tests of a checkout: with pytest, node or go, whichever it is made for."""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from muster_sessionhost.workspace_tools.checkout import UNLISTED, Answer, Checkout, Refused, listed
from muster_sessionhost.workspace_tools.child_runs import KEPT, Ran, run_program, temporary_file
from muster_sessionhost.workspace_tools.suite_reports import Counts, TestFailure, go_counts, junit_counts, node_counts

LONGEST = 1800.0
"""Seconds."""
REPORT_LIMIT = 20_000_000
"""Bytes of a report."""


class Suite(NamedTuple):
    """How the tests of a workspace are run."""

    arguments: tuple[str, ...]
    counts: Callable[[Ran], Counts | None]
    kept: int = KEPT
    """Bytes of the output that its counts are read from."""


def run_tests(checkout: Checkout, target: str = "", runner: str = "", seconds: float = 300.0) -> Answer:
    """Run tests and return how many passed and failed, and why; `data` has the same as JSON.

    Raises:
        Refused: no runner is known for this workspace, or nothing confines the tests.
    """
    kind = runner or _runner(checkout.top)
    suite = _suite(kind, checkout, target)
    limit = max(1.0, min(seconds, LONGEST))
    ran = run_program(checkout, suite.arguments, limit, kept=suite.kept)
    counts = suite.counts(ran)
    data = json.dumps(_facts(kind, ran, counts))
    return Answer(_told(kind, ran, counts, limit), data, failed=not passed(ran, counts))


def _runner(top: Path) -> str:
    if (top / "go.mod").is_file():
        return "go"
    python = ("pyproject.toml", "pytest.ini", "setup.cfg", "setup.py", "tox.ini", "conftest.py")
    if any((top / name).is_file() for name in python):
        return "pytest"
    if (top / "package.json").is_file():
        return "node"
    if next(top.glob("**/test_*.py"), None) is not None:
        return "pytest"
    raise Refused(
        "no pyproject.toml, package.json or go.mod says how tests are run: name the runner, pytest, node or go"
    )


def _suite(kind: str, checkout: Checkout, target: str) -> Suite:
    chosen = _chosen(checkout, target)
    if kind == "pytest":
        report = temporary_file("junit.xml")
        options = ("-q", "-p", "no:cacheprovider", f"--junit-xml={report}", *_ignored(checkout))
        return Suite(("python3", "-m", "pytest", *options, *chosen), partial(_read_report, report))
    if kind == "node":
        script = _test_script(checkout.top)
        arguments = ("npm", "test", "--silent", "--", *chosen) if script else ("node", "--test", *chosen)
        return Suite(arguments, _node_counts)
    if kind == "go":
        return Suite(("go", "test", "-json", *(chosen or ("./...",))), _go_counts, REPORT_LIMIT)
    raise Refused(f"there is no runner {kind!r}: pytest, node or go")


def _chosen(checkout: Checkout, target: str) -> tuple[str, ...]:
    """Return a target as an argument: a path, with pytest also one of its tests (`path::name`).

    Raises:
        Refused: it lies outside, or is an option.
    """
    if not target:
        return ()
    if target.startswith("-"):
        raise Refused(f"{target!r} is an option: name a file or a folder")
    path, mark, name = target.partition("::")
    place = checkout.readable(path.removesuffix("/..."))
    if not place.exists():
        raise Refused(f"there is no {path!r} in the workspace")
    return (f"./{path}" if not mark else f"{path}{mark}{name}",)


def _ignored(checkout: Checkout) -> Iterator[str]:
    """Yield options that keep pytest, which follows links, from tests outside, and from counting a test repeatedly."""
    for folder, folders, _files in os.walk(checkout.top):
        folders[:] = [name for name in folders if name not in UNLISTED]
        for link in (Path(folder, name) for name in folders):
            if link.is_symlink():
                place = Path(os.path.realpath(link))
                if not place.is_relative_to(checkout.top) or link.is_relative_to(place):
                    yield f"--ignore={checkout.name(link)}"


def _test_script(top: Path) -> bool:
    try:
        found: Any = json.loads((top / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    scripts = cast("dict[str, Any]", found).get("scripts") if isinstance(found, dict) else None
    return isinstance(scripts, dict) and "test" in scripts


def _node_counts(ran: Ran) -> Counts | None:
    return node_counts(ran.output)


def _go_counts(ran: Ran) -> Counts | None:
    return go_counts(ran.output) if ran.whole else None  # each test is a line of its own


def _read_report(report: Path, _ran: Ran) -> Counts | None:
    try:
        if report.stat().st_size > REPORT_LIMIT:
            return None
        return junit_counts(report.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None


def passed(ran: Ran, counts: Counts | None) -> bool:
    """Return whether the tests are known to have passed: what was not told is no pass, nor is a suite without tests."""
    return ran.code == 0 and counts is not None and counts.passed > 0 and not counts.failed and not counts.errors


def _told(kind: str, ran: Ran, counts: Counts | None, limit: float) -> str:
    ended = f"was stopped after {limit:g} s" if ran.code is None else f"ended with exit code {ran.code}"
    head = f"{kind} {ended} after {ran.seconds:.1f} s"
    if counts is None:
        return f"{head}, and told no counts: whether the tests pass is not known.\n{ran.output[-4000:]}"
    numbers = f"{counts.passed} passed, {counts.failed} failed, {counts.errors} errors, {counts.skipped} skipped"
    doubt = ""
    if not counts.total:
        doubt = "\nNo test was run."
    elif ran.code and not counts.failed and not counts.errors:
        doubt = f"\nNo test failed, and yet the runner reports a failure:\n{ran.output[-2000:]}"
    failures = [_failure(each) for each in counts.failures]
    return f"{head}: {numbers}.{doubt}" + (f"\n{listed(failures, 20, 'failures')}" if failures else "")


def _failure(each: TestFailure) -> str:
    where = f" at {each.where}" if each.where else ""
    return f"FAILED {each.name}{where}" + "".join(f"\n    {line}" for line in each.message.splitlines())


def _facts(kind: str, ran: Ran, counts: Counts | None) -> dict[str, Any]:
    known = counts or Counts()
    return {
        "runner": kind,
        "exit_code": ran.code,
        "seconds": round(ran.seconds, 3),
        "counted": counts is not None,
        "passed": known.passed,
        "failed": known.failed,
        "errors": known.errors,
        "skipped": known.skipped,
        "failures": [each._asdict() for each in known.failures],
    }
