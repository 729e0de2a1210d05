"""Builds the index page of a report: a row per run, filters and totals. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from muster_protocol.causes import Cause
from muster_views.html.run_page import RunPage
from muster_views.html.showing import File
from muster_views.outcome import CaseOutcome, Report
from muster_views.summaries import build_row, describe_totals
from muster_views.texts import format_time, format_usage

STOPPED = {
    "interrupted": "The command was interrupted; unfinished runs were cancelled.",
    "timeout": "The command reached its time limit; unfinished runs were cancelled.",
    "fail-fast": "Stopped at the first fail, as requested; unfinished runs were cancelled.",
    "fleet": "The fleet failed; unfinished runs have no verdict.",
    "error": "The command failed; unfinished runs were cancelled.",
}


class IndexRow(Struct, frozen=True, kw_only=True):
    """A run in the index; `kinds` are the filters it matches, `search` is the text to search."""

    href: str
    name: str
    label: str
    status: str
    kinds: Sequence[str]
    search: str
    cause: str = ""
    suite: str = ""
    tags: Sequence[str] = ()
    badges: Sequence[str] = ()
    steps: str = ""
    duration: str = ""
    spent: str = ""
    summary: str = ""


class Filter(Struct, frozen=True, kw_only=True):
    """A filter and the number of runs that match."""

    kind: str
    name: str
    count: int


class Index(Struct, frozen=True, kw_only=True):
    """The content of the index page."""

    totals: str
    started: str
    note: str
    filters: Sequence[Filter]
    rows: Sequence[IndexRow]
    spent: bool
    files: Sequence[File]


def build_index(
    report: Report, pages: Mapping[str, RunPage], folders: Mapping[str, str], files: Sequence[File]
) -> Index:
    """Return the index; `pages` and `folders` by run id, `files` belong to the report as a whole."""
    rows = [_build_row(outcome, pages.get(outcome.run), folders[outcome.run]) for outcome in report.runs]
    return Index(
        totals=describe_totals(report),
        started=format_time(report.started_at),
        note=STOPPED.get(report.stopped, ""),
        filters=_build_filters(rows),
        rows=rows,
        spent=any(row.spent for row in rows),
        files=files,
    )


def _build_filters(rows: Sequence[IndexRow]) -> tuple[Filter, ...]:
    """Return the filters to show: all, passed, failed, and others that match a run."""
    named = [("pass", "Passed"), ("fail", "Failed"), *((cause.value, cause.value.capitalize()) for cause in Cause)]
    named += [("none", "No verdict"), ("again", "Needed a retry")]
    counted = [(kind, name, sum(kind in row.kinds for row in rows)) for kind, name in named]
    shown = [Filter(kind=kind, name=name, count=number) for kind, name, number in counted]
    return (
        Filter(kind="all", name="All", count=len(rows)),
        *(one for one in shown if one.count or one.kind in ("pass", "fail")),
    )


def _build_row(outcome: CaseOutcome, page: RunPage | None, folder: str) -> IndexRow:
    cells, verdict = build_row(outcome), outcome.verdict
    tags = verdict.tags if verdict else ()
    badges = _list_badges(page)
    again = ("again",) if badges else ()
    labels = [f"{name}={value}" for name, value in verdict.labels.items()] if verdict else []
    words = [outcome.name, outcome.label, outcome.suite, outcome.run, *tags, *labels, cells.cause, cells.summary]
    return IndexRow(
        href=f"{folder}/index.html",
        name=outcome.name,
        label=outcome.label,
        status=cells.status,
        kinds=("all", cells.status, *((cells.cause,) if cells.cause else ()), *again),
        search=" ".join(words).casefold(),
        cause=cells.cause,
        suite=outcome.suite,
        tags=tags,
        badges=badges,
        steps=cells.steps,
        duration=cells.duration,
        spent=format_usage(verdict.usage) if verdict else "",
        summary=cells.summary,
    )


def _list_badges(page: RunPage | None) -> tuple[str, ...]:
    """Return the badges of retries, recoveries and takeovers in a run."""
    parts = [part for group in page.groups for part in group.sub_tasks] if page else []
    names = [badge.partition(" ×")[0] for part in parts for badge in part.node.badges]
    return tuple(dict.fromkeys(name for name in names if name in ("retried", "recovered", "taken over")))
