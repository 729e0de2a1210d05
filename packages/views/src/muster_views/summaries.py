"""Describes verdicts in text. Pure."""

from typing import NamedTuple

from muster_protocol.causes import Cause
from muster_views.outcome import CaseOutcome, Report
from muster_views.texts import format_count, format_seconds, strip_controls, to_one_line

GIVEN_UP = "given up before it had a verdict"


class Row(NamedTuple):
    """One verdict, ready to print."""

    label: str
    status: str
    cause: str
    steps: str
    duration: str
    summary: str


def build_row(outcome: CaseOutcome) -> Row:
    """Return the row of one outcome."""
    verdict = outcome.verdict
    steps = f"{outcome.steps_done}/{outcome.steps_total}"
    if verdict is None:
        return Row(outcome.label, "none", "", steps, "", to_one_line(outcome.standing, 300) or GIVEN_UP)
    cause = str(outcome.cause or "")
    summary = to_one_line(verdict.summary, 300)
    if verdict.unverified and "unverified" not in summary:  # the summary of a pass says it
        summary += f" ({format_count(verdict.unverified, 'step')} unverified)"
    return Row(outcome.label, verdict.status, cause, steps, format_seconds(verdict.duration), summary)


def describe_totals(report: Report) -> str:
    """Return the last line of a report: numbers of runs by outcome."""
    counted = report.totals
    kinds = (Cause.PRODUCT, Cause.ENVIRONMENT, Cause.AGENT, Cause.BUDGET)
    parts = [f"{counted.passed} passed"]
    parts += [f"{count} failed ({name})" for name in kinds if (count := getattr(counted, name))]
    parts += [f"{counted.cancelled} cancelled"] if counted.cancelled else []
    parts += [f"{counted.without_verdict} without a verdict"] if counted.without_verdict else []
    parts += [f"{count} in quarantine (flaky, not counted)"] if (count := len(report.quarantined)) else []
    waiting = sum(outcome.proposals for outcome in report.runs)
    parts += [f"{waiting} healed recordings wait (muster recordings list)"] if waiting else []
    return f"{', '.join(parts)} in {format_seconds(report.duration)}"


def describe_failure(outcome: CaseOutcome) -> list[tuple[str, str]]:
    """Return the details of a fail as (name, text) pairs: source, step, expected, seen, where."""
    verdict = outcome.verdict
    if verdict is None:
        return []
    place = f"{outcome.source}:{outcome.step_line or outcome.line}" if outcome.source else ""
    details = [
        ("written in", place),
        ("as written", outcome.step_written),
        ("failed", outcome.step),
        ("expected", verdict.expected),
        ("seen", verdict.seen),
        ("where", verdict.where),
    ]
    if not verdict.expected:
        details.insert(3, ("because", verdict.summary))
    details += [("also", text) for text in outcome.also_failed]
    return [(name, strip_controls(text).strip()) for name, text in details if text.strip()]


def describe_results(outcome: CaseOutcome) -> list[str]:
    """Return one line per result, and one for the verdict."""
    if outcome.verdict is None:
        return []
    results = outcome.verdict.results
    lines = [
        f"{number}. {result.status.upper()}: {to_one_line(result.summary)}" for number, result in enumerate(results, 1)
    ]
    cause = f" ({outcome.cause})" if outcome.cause else ""
    return [*lines, f"VERDICT: {outcome.verdict.status.upper()}{cause}: {to_one_line(outcome.verdict.summary)}"]
