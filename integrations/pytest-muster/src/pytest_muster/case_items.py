"""Collects case files, and runs their cases as tests."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muster_authoring.own_cases import load_cases
from muster_cases.case_loader import PHRASES_FOLDER, CaseError, LoadedCase
from muster_cli.case_jobs import Changes, Job, make_jobs
from muster_protocol.errors import InvalidRequest, MusterError
from muster_protocol.requests import TestCase
from muster_text.values import placeholder_names
from muster_views.outcome import CaseOutcome
from muster_views.summaries import describe_failure
from pytest_muster.plugin import find_runner, read_variables


class CaseFailed(Exception):
    """A case did not pass."""

    def __init__(self, outcome: CaseOutcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.verdict.summary if outcome.verdict else "the run ended without a verdict")


class CaseFile(pytest.File):
    """A file of cases."""

    def __init__(self, *, named: bool = False, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self._named = named

    def collect(self) -> Iterable[pytest.Item]:
        """Yield a test for each case; raise a CollectError with the problems of an invalid file."""
        if self.path.parent.name == PHRASES_FOLDER:
            return  # it teaches sentences to the cases beside that folder
        try:
            found = load_cases([self.path])
        except CaseError as error:
            if self.path.suffix.lower() in (".md", ".markdown") and not self._named and not _has_place(error):
                return  # a README among the cases
            raise self.CollectError("\n".join(map(str, error.problems))) from error
        seen: dict[str, int] = {}
        for case in found:
            name = case.request.job.name
            seen[name] = seen.get(name, 0) + 1
            yield Case.from_parent(self, name=name if seen[name] == 1 else f"{name} ({seen[name]})", case=case)


def _has_place(error: CaseError) -> bool:
    """Return whether a problem has a line; "no test case found" has none."""
    return any(problem.line for problem in error.problems)


class Case(pytest.Item):
    """One case; its tags are markers."""

    def __init__(self, *, case: LoadedCase, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self._case, job = case, case.test_case
        self.variables = frozenset(_names(job))
        self.add_marker("muster")
        for tag in job.tags:
            self.config.addinivalue_line("markers", f"{tag}: a tag of test cases")
            self.add_marker(tag)

    def runtest(self) -> None:
        """Run the case.

        Raises:
            CaseFailed: it did not pass.
        """
        outcome = find_runner(self.session).run(self._job())
        self.add_report_section("call", "muster", "\n".join(_summary_lines(outcome)))
        self.user_properties.append(("run", outcome.run))
        if outcome.cause is not None:
            raise CaseFailed(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """Return what was expected, what was seen, where, and the cause; for other errors, the traceback."""
        match excinfo.value:
            case CaseFailed(outcome=outcome):
                return "\n".join(_failure_lines(outcome))
            case InvalidRequest(reasons=reasons):
                return "\n".join(reasons)
            case MusterError() as error:
                return f"no verdict: {error}"
            case _:
                return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return file and line of the case."""
        return Path(self.path), max(0, self._case.line - 1), self.name

    def _job(self) -> Job:
        """Return a new run of the case with the variables that it defines or uses."""
        own = {name: value for name, value in read_variables(self.config).items() if name in self.variables}
        (made,) = make_jobs([self._case], Changes(own, suite=str(self.config.getoption("--muster-suite") or "")))
        return made


def _names(case: TestCase) -> Iterator[str]:
    yield from case.variables
    for text in case.texts:
        yield from placeholder_names(text)


def _summary_lines(outcome: CaseOutcome) -> list[str]:
    verdict = outcome.verdict
    return [f"run {outcome.run}", *([f"{verdict.status}: {verdict.summary}"] if verdict else [])]


def _failure_lines(outcome: CaseOutcome) -> list[str]:
    """Return the description of a fail."""
    if outcome.verdict is None:
        return ["the run has no verdict: it reached its time limit, or the fleet failed", f"run        {outcome.run}"]
    details = [*describe_failure(outcome), ("cause", str(outcome.cause)), ("run", outcome.run)]
    indented = [(name, text.replace("\n", "\n           ")) for name, text in details]
    return [outcome.verdict.summary, *(f"{name:<10} {text}" for name, text in indented)]
