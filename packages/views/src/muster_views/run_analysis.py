"""What a finished run shows by arithmetic: how it compares with the newest runs of its test. Pure."""

from collections.abc import Iterator

from msgspec.structs import replace

from muster_protocol.analyses import TestHistory
from muster_protocol.logs import RunRow
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.verdicts import Verdict
from muster_views.day_sums import counts
from muster_views.failure_signatures import failure_signature, site_of
from muster_views.health_statistics import FEWEST_RUNS
from muster_views.suite_health import WINDOW, CaseHealth, analyse_case
from muster_views.texts import format_count

AGENT = "arithmetic"
"""Whose notes they are."""
MOST_ROWS = WINDOW + 20
"""Runs kept of a test; some of them did not judge the product."""
LONGEST_SUMMARY = 300
"""Characters kept of a run's summary: more than its signature is made of."""


def ended_row(request: RunRequest, verdict: Verdict) -> RunRow | None:
    """Return what a history keeps of a run; None: it is no test case, or was cancelled."""
    row = RunRow(
        run=verdict.run,
        name=verdict.name,
        status=verdict.status,
        cause=str(verdict.cause or ""),
        summary=verdict.summary[:LONGEST_SUMMARY],
        suite=verdict.suite,
        site=site_of(verdict),
        started_at=verdict.ended_at - verdict.duration,
        ended_at=verdict.ended_at,
        rerun_of=request.rerun_of,
    )
    return row if isinstance(request.job, TestCase) and counts(row) else None


def with_run(history: TestHistory, row: RunRow) -> TestHistory:
    """Return a history with one more run; one that it has already is replaced."""
    rows = sorted((*(it for it in history.rows if it.run != row.run), row), key=lambda it: (it.ended_at, it.run))
    return replace(history, rows=tuple(rows[-MOST_ROWS:]))


def analysis_note(history: TestHistory, run: str) -> Note | None:
    """Return the note for a run of the history; None if nothing about it is unusual."""
    row = next((it for it in history.rows if it.run == run), None)
    if row is None:
        return None
    till = [it for it in history.rows if (it.ended_at, it.run) <= (row.ended_at, row.run)]
    before = analyse_case(till[:-1]) if len(till) > 1 else None
    now = analyse_case(till)
    told = [*_describe(before, now, row), *_compare(till[:-1], row)]
    if not told:
        return None
    summary = f"{'; '.join(told)}."
    return Note(
        run=run,
        source=run,
        agent=AGENT,
        at=row.ended_at,
        status="done",
        summary=summary[0].upper() + summary[1:],
        classification=now.health,
    )


def describe_health(case: CaseHealth) -> str:
    """Return what arithmetic says of a test, as its counts."""
    told = f"{case.health}: {case.failed} of {case.runs} judged runs failed, with {format_count(case.flips, 'change')}"
    parts = [told, f"broken since {case.broken_by}" if case.broken_by else ""]
    parts += [f"{case.passed_again} passed when run again" if case.passed_again else ""]
    parts += [f"{format_count(case.unjudged, 'run')} judged nothing" if case.unjudged else ""]
    parts += [f"takes {case.slower:g} times as long as before" if case.slower else ""]
    return "; ".join(filter(None, parts))


def _describe(before: CaseHealth | None, now: CaseHealth, row: RunRow) -> Iterator[str]:
    """Yield remarks about a run: what has changed since the runs before, and how much to make of a failure."""
    failed, was = row.status == "fail", before.health if before else "unknown"
    if failed and row.cause != "product":
        yield f"this run has judged nothing (cause {row.cause}), and counts neither way; without it the test is {was}"
    elif now.health == "broken" and was != "broken":
        yield f"newly broken: it fails since {now.broken_by}, {now.failed} of {now.runs} runs"
    elif was == "broken" and not failed:
        yield f"passes again, after it was broken since {before.broken_by if before else ''}"
    elif now.health == "flaky" and (failed or was != "flaky"):
        new = "" if was == "flaky" else "newly "
        yield f"{new}flaky: {now.failed} of {now.runs} runs failed, with {format_count(now.flips, 'change')}"
    elif failed:
        yield _weigh(now)
    if now.slower and not (before and before.slower):
        yield f"takes {now.slower:g} times as long as before"


def _weigh(now: CaseHealth) -> str:
    """Return how much to make of a failure of a test that is not flaky."""
    if now.health == "broken":
        return f"still broken: it fails since {now.broken_by}"
    if now.health == "healthy":
        return f"a rare fail: {now.failed} of {now.runs} runs"
    why = "too few runs to tell" if now.runs < FEWEST_RUNS else "not clear yet whether it is broken or flaky"
    return f"{why}: {now.failed} of {now.runs} runs failed"


def _compare(earlier: list[RunRow], row: RunRow) -> Iterator[str]:
    """Yield whether a run failed in the same way as its test did the last time."""
    fails = [it for it in earlier if it.status == "fail"]
    if row.status == "fail" and fails:
        alike = failure_signature(fails[-1]) == failure_signature(row)
        yield f"fails as in {fails[-1].run}" if alike else f"fails in another way than in {fails[-1].run}"
