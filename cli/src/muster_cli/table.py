"""Tables and paragraphs that commands print, as rich values. Pure."""

from collections.abc import Collection, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from muster_protocol.causes import Cause
from muster_views.outcome import CaseOutcome, Report
from muster_views.summaries import build_row, describe_failure
from muster_views.texts import to_one_line

STYLES = {"pass": "green", "fail": "bold red", "done": "green", "failed": "bold red", "none": "yellow"}


def new_table(*columns: str, wrapped: str = "", right: Collection[str] = ()) -> Table:
    """Return an empty table; `wrapped` is the column whose texts may take several lines, `right` are numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, no_wrap=name != wrapped, justify="right" if name in right else "left")
    return table


def verdict_table(report: Report, wanted: Mapping[str, str] | None = None) -> Table:
    """Return the table of all verdicts; `wanted` (run id to words) adds a column of what each was to be."""
    verdict = ("verdict",) if wanted is None else ("expected", "actual")
    table = new_table("case", *verdict, "cause", "steps", "time", "summary", wrapped="summary", right=("steps", "time"))
    for outcome in report.runs:
        cells = build_row(outcome)
        expected = [Text(wanted.get(outcome.run, ""))] if wanted is not None else []
        status = Text(cells.status, style=STYLES[cells.status])
        table.add_row(Text(cells.label), *expected, status, *(Text(text) for text in cells[2:]))
    return table


def failure_text(outcome: CaseOutcome) -> Text:
    """Return the paragraph about one fail."""
    text = Text()
    text.append(to_one_line(outcome.label), style="bold")
    cause = "the case or the product" if outcome.doubtful else outcome.cause
    text.append(f"  fail, cause {cause}", style=STYLES["fail"])
    text.append(f"  {to_one_line(outcome.name, 200)}\n")
    for name, detail in describe_failure(outcome):
        text.append(f"  {name:<11}", style="dim")
        text.append(detail.replace("\n", "\n" + " " * 13) + "\n")
    return text


def failed_outcomes(report: Report) -> Sequence[CaseOutcome]:
    """Return the outcomes to explain: fails that were not expected."""
    return [run for run in report.runs if run.verdict and run.cause not in (None, Cause.CANCELLED)]
