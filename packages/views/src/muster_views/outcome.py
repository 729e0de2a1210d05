"""Outcomes of a command's runs, as the exit code, tables, JSON, JUnit and reports need them. Pure."""

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.causes import Cause, Failure
from muster_protocol.requests import TESTED, RunRequest, TestCase
from muster_protocol.verdicts import Verdict
from muster_text.clauses import literals
from muster_text.text_match import plain
from muster_views.history import History
from muster_views.node_history import REACHED, Node
from muster_views.own_sentences import describe_written

PASSED, PRODUCT_FAILED, USAGE, OTHER_FAILED, PROPOSED, DOUBTFUL, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

Stopped = Literal["", "interrupted", "timeout", "fail-fast", "fleet", "error"]
"""Why the command ended its runs early; empty if it did not."""


class Totals(Struct, frozen=True, kw_only=True):
    """Numbers of runs by outcome; the causes add up to `failed`."""

    runs: int
    passed: int
    failed: int
    product: int
    environment: int
    agent: int
    budget: int = 0
    cancelled: int
    without_verdict: int


class CaseOutcome(Struct, frozen=True, kw_only=True):
    """One run: the place of its case, and its verdict."""

    label: str
    name: str
    run: str
    source: str = ""
    line: int = 0
    suite: str = ""
    step: str = ""
    """The step that failed, e.g. `step 4: Click "Buy"`."""
    step_line: int = 0
    step_written: str = ""
    """What was written for it, where a sentence of one's own stands for it."""
    also_failed: tuple[str, ...] = ()
    """The other steps that failed, each with what happened; only a case that goes on after a fail has some."""
    steps_done: int = 0
    steps_total: int = 0
    verdict: Verdict | None = None
    proposals: int = 0
    """Steps that were healed, whose new recordings wait for a person."""
    doubtful: bool = False
    """Whether it failed as the page has nothing by a name that no earlier step of the run gives: the case may be wrong
    as well as the product."""
    standing: str = ""
    """Status of a run without a verdict, e.g. `the run is queued`; empty if it was given up."""

    @property
    def cause(self) -> Cause | None:
        """Cause of a fail; None if it passed. `agent` without a verdict or cause."""
        if self.verdict is None:
            return Cause.AGENT
        return None if self.verdict.achieved else self.verdict.cause or Cause.AGENT

    @property
    def is_test(self) -> bool:
        """Whether it counts as a test: a job of another kind is done or has failed, and neither passed nor failed."""
        return self.verdict is None or self.verdict.status in TESTED


class Report(Struct, frozen=True, kw_only=True):
    """All runs of one command."""

    started_at: float
    duration: float
    stopped: Stopped
    exit_code: int
    totals: Totals
    runs: tuple[CaseOutcome, ...]
    quarantined: tuple[str, ...] = ()
    """Runs that failed and do not count for the exit code, as their tests are flaky."""


class Place(NamedTuple):
    """Source of a case: file, line, and lines of its steps; empty if unknown."""

    source: str = ""
    line: int = 0
    step_lines: Sequence[int] = ()


NOWHERE = Place()


def build_outcome(history: History, label: str = "", place: Place = NOWHERE) -> CaseOutcome:
    """Return the outcome of a run; `label` is its short name."""
    request, verdict, planned = history.request, history.verdict, history.planned
    name = request.job.name if request else verdict.name if verdict else history.run
    failed_node = history.nodes.get(verdict.failed_node) if verdict else None
    step, line = _describe_step(failed_node, place)
    return CaseOutcome(
        label=label or name,
        name=name,
        run=history.run,
        source=place.source,
        line=place.line,
        suite=request.suite if request else "",
        step=step,
        step_line=line,
        step_written=_failed_as_written(history),
        also_failed=tuple(
            f"{_describe_step(node, place)[0]}: {node.summary}"
            for node in planned
            if node.state == "failed" and node is not failed_node
        ),
        steps_done=sum(node.state in REACHED for node in planned),
        steps_total=len(planned),
        verdict=verdict,
        doubtful=_is_doubtful(failed_node, planned),
        proposals=_count_proposals(request, verdict),
    )


def _describe_step(node: Node | None, place: Place) -> tuple[str, int]:
    """Describe a sub-task, and return its line in the source (0: unknown)."""
    if node is None:
        return "", 0
    if node.precondition:
        return f"precondition: {node.description}", place.line
    numbers = [index + 1 for index in node.covers]
    where = f"step {numbers[0]}" if numbers else f"sub-task {node.position}" if node.position else node.kind
    lines = place.step_lines
    return f"{where}: {node.description}", lines[numbers[0] - 1] if numbers and numbers[0] <= len(lines) else 0


def _is_doubtful(failed: Node | None, planned: Sequence[Node]) -> bool:
    """Return whether the case may have failed by a name of its own: one that no step that passed gives, either."""
    result = failed.result if failed else None
    if result is None or result.failure is not Failure.NAME_UNKNOWN:
        return False
    passed = [node.plan for node in planned if node.state == "passed" and node.plan]
    known = {plain(name) for plan in passed for name in literals(f"{plan.description}\n{plan.expected_result}")}
    return known.isdisjoint(map(plain, literals(result.expected)))


def _failed_as_written(history: History) -> str:
    """Return what was written for the step that failed, if a sentence of one's own stands for it."""
    node = history.nodes.get(history.verdict.failed_node) if history.verdict else None
    job = history.request.job if history.request else None
    if node is None or not node.covers or not isinstance(job, TestCase) or node.covers[0] >= len(job.steps):
        return ""
    return describe_written(job.steps, node.covers[0])


def build_report(outcomes: Sequence[CaseOutcome], stopped: Stopped, started_at: float, duration: float) -> Report:
    """Return the report of outcomes."""
    return Report(
        started_at=started_at,
        duration=duration,
        stopped=stopped,
        exit_code=exit_code(outcomes, stopped),
        totals=count_totals(outcomes),
        runs=tuple(outcomes),
    )


def exit_code(outcomes: Sequence[CaseOutcome], stopped: Stopped = "") -> int:
    """Return the exit code. Precedence: interruption, the product, the case or the product, another fail, proposals."""
    causes = {outcome.cause for outcome in outcomes if not outcome.doubtful}
    if stopped == "interrupted":
        return INTERRUPTED
    if Cause.PRODUCT in causes:
        return PRODUCT_FAILED
    if any(outcome.doubtful for outcome in outcomes):
        return DOUBTFUL
    if causes - {None}:
        return OTHER_FAILED
    return PROPOSED if any(outcome.proposals for outcome in outcomes) else PASSED


def with_quarantine(report: Report, flaky: Collection[str]) -> Report:
    """Return a report whose exit code leaves out what the product did wrong in runs of flaky tests. Pure."""
    left_out = tuple(it.run for it in report.runs if it.run in flaky and it.cause == Cause.PRODUCT)
    counted = [it for it in report.runs if it.run not in left_out]
    return replace(report, exit_code=exit_code(counted, report.stopped), quarantined=left_out)


def _count_proposals(request: RunRequest | None, verdict: Verdict | None) -> int:
    """Return how many steps of a run were healed whose new recordings wait for a person."""
    if request is None or verdict is None or request.heal != "propose":
        return 0
    told = [(result.status, result.step.replay) for result in verdict.results]
    return sum(status == "pass" and replay is not None and replay.miss is not None for status, replay in told)


def count_totals(outcomes: Sequence[CaseOutcome]) -> Totals:
    """Count the outcomes of tests."""
    tests = [outcome for outcome in outcomes if outcome.is_test]
    judged = [outcome for outcome in tests if outcome.verdict is not None]
    causes = [outcome.cause for outcome in judged]
    return Totals(
        runs=len(tests),
        passed=causes.count(None),
        failed=len(causes) - causes.count(None),
        product=causes.count(Cause.PRODUCT),
        environment=causes.count(Cause.ENVIRONMENT),
        agent=causes.count(Cause.AGENT),
        budget=causes.count(Cause.BUDGET),
        cancelled=causes.count(Cause.CANCELLED),
        without_verdict=len(tests) - len(judged),
    )
