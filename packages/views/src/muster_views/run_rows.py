"""Updates a run's row in the list from its log, and describes its status. Pure."""

from msgspec.structs import replace

from muster_protocol.logs import RunRow, queued_row
from muster_protocol.requests import OVER
from muster_views.failure_signatures import site_of
from muster_views.history import History


def current_row(history: History, listed: RunRow | None) -> RunRow:
    """Return a run's row, updated from its log if the list lags behind or has no row."""
    row = listed or queued_row(history.run, history.request)
    if history.request is not None:
        row = replace(row, rerun_of=history.request.rerun_of)
    if not history.started_at:
        return row
    if row.status not in OVER:
        row = replace(row, status=history.status, started_at=row.started_at or history.started_at)
    verdict = history.verdict
    if verdict is None:
        return row
    return replace(
        row,
        status=verdict.status,
        cause=str(verdict.cause or ""),
        summary=verdict.summary,
        site=site_of(verdict),
        ended_at=history.ended_at,
        tokens=verdict.usage.tokens,
        cost=verdict.usage.cost,
        model_calls=verdict.usage.model_calls,
    )


def describe_standing(history: History, listed: RunRow) -> str:
    """Describe the status of a run without a verdict in its log."""
    row = current_row(history, listed)
    asked = [f"it asks {question.text!r}" for question in history.questions]
    reason = "; ".join(asked) or history.waits_for or row.summary
    why = f": {reason}" if reason else ""
    match row.status:
        case "queued":
            return f"the run is queued{why}"
        case "running":
            return f"the run is in progress, {row.done} of {row.total} sub-tasks passed{why}"
        case "paused":
            return f"the run is paused{why}"
        case "parked":
            return f"the run waits{why}"
        case "pass" | "fail" | "done" | "failed":
            return f"the run's log is gone; the list has it as {row.status}{why}"
