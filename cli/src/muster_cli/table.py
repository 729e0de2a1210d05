"""The words and rows in which verdicts are told. Pure: everything in here returns text or rich values to print."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.table import Table
from rich.text import Text

from muster_cli.outcome import CaseOutcome, Report, failed_result
from muster_cli.texts import one_line, plain, seconds
from muster_protocol.causes import Cause

STYLES = {"pass": "green", "fail": "bold red", "none": "yellow"}


class Row(NamedTuple):
    """One verdict, ready to print."""

    label: str
    status: str
    cause: str
    steps: str
    duration: str
    summary: str


def row(outcome: CaseOutcome) -> Row:
    """Return the row of one outcome."""
    verdict = outcome.verdict
    steps = f"{outcome.steps_done}/{outcome.steps_total}"
    if verdict is None:
        return Row(outcome.label, "none", "", steps, "", "given up before it had a verdict")
    cause = str(outcome.cause or "")
    unverified = f" ({verdict.unverified} steps without an expectation)" if verdict.unverified else ""
    summary = one_line(verdict.summary, 300) + unverified
    return Row(outcome.label, verdict.status, cause, steps, seconds(verdict.duration), summary)


def verdict_table(report: Report, wanted: Mapping[str, str] | None = None) -> Table:
    """Return the table of all verdicts; `wanted` (run id to words) adds a column of what each was to be."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("case", no_wrap=True)
    if wanted is not None:
        table.add_column("expected", no_wrap=True)
    table.add_column("verdict" if wanted is None else "actual", no_wrap=True)
    table.add_column("cause", no_wrap=True)
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("summary")
    for outcome in report.runs:
        cells = row(outcome)
        told = [Text(wanted.get(outcome.run, ""))] if wanted is not None else []
        status = Text(cells.status, style=STYLES[cells.status])
        table.add_row(Text(cells.label), *told, status, *(Text(text) for text in cells[2:]))
    return table


def totals_line(report: Report) -> str:
    """Return the last line: how many passed, and what became of the others."""
    counted = report.totals
    kinds = (("product", Cause.PRODUCT), ("environment", Cause.ENVIRONMENT), ("agent", Cause.AGENT))
    parts = [f"{counted.passed} passed"]
    parts += [f"{count} failed ({name})" for name, _ in kinds if (count := getattr(counted, name))]
    parts += [f"{counted.cancelled} cancelled"] if counted.cancelled else []
    parts += [f"{counted.without_verdict} without a verdict"] if counted.without_verdict else []
    return f"{', '.join(parts)} in {seconds(report.duration)}"


def failure_details(outcome: CaseOutcome) -> list[tuple[str, str]]:
    """Return what there is to say about a fail, as (name, text): step, expected, seen, where, and what went wrong."""
    verdict = outcome.verdict
    if verdict is None:
        return []
    result = failed_result(verdict)
    place = f"{outcome.source}:{outcome.step_line or outcome.line}" if outcome.source else ""
    details = [
        ("written in", place),
        ("failed", outcome.step),
        ("expected", verdict.expected),
        ("seen", verdict.seen),
        ("where", verdict.where),
        ("error", result.error if result else ""),
    ]
    if not verdict.expected:
        details.insert(2, ("because", verdict.summary))
    return [(name, plain(text).strip()) for name, text in details if text.strip()]


def failure_text(outcome: CaseOutcome) -> Text:
    """Return the paragraph about one fail."""
    text = Text()
    text.append(one_line(outcome.label), style="bold")
    text.append(f"  fail, cause {outcome.cause}", style=STYLES["fail"])
    text.append(f"  {one_line(outcome.name, 200)}\n")
    for name, detail in failure_details(outcome):
        text.append(f"  {name:<11}", style="dim")
        text.append(detail.replace("\n", "\n" + " " * 13) + "\n")
    return text


def summary_lines(outcome: CaseOutcome) -> list[str]:
    """Return one line for each sub-task's result, and one for the verdict."""
    if outcome.verdict is None:
        return []
    results = outcome.verdict.results
    lines = [
        f"{number}. {result.status.upper()}: {one_line(result.summary)}" for number, result in enumerate(results, 1)
    ]
    cause = f" ({outcome.cause})" if outcome.cause else ""
    return [*lines, f"VERDICT: {outcome.verdict.status.upper()}{cause}: {one_line(outcome.verdict.summary)}"]


def failures(report: Report) -> Sequence[CaseOutcome]:
    """Return the outcomes that need words: fails that nobody asked for."""
    return [run for run in report.runs if run.verdict and run.cause not in (None, Cause.CANCELLED)]
