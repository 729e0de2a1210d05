"""Builds the spans of a run and its sub-tasks from its log, complete across changes of owner. Pure."""

from collections.abc import Iterable

from muster_protocol.events import (
    Entry,
    OwnerChanged,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_service.tracing import EndedSpan, run_traceparent, task_traceparent


def build_spans(entries: Iterable[Entry]) -> tuple[EndedSpan, ...]:
    """Return the spans of a run that has its verdict: the sub-tasks' in the order of their ends, then its own."""
    request: RunRequest | None = None
    began, takeovers, found = 0.0, 0, list[EndedSpan]()
    dispatched: dict[tuple[str, int], tuple[SubTask, float]] = {}
    for at, event in ((entry.at, event) for entry in entries for event in entry.events):
        match event:
            case RunOpened():
                request, began = event.request, event.request.requested_at or at
            case OwnerChanged():
                takeovers += 1
            case SubTaskDispatched(sub_task=task):
                dispatched[task.node, task.attempt] = (task, at)
            case SubTaskEnded(outcome=outcome) if request and (outcome.node, outcome.attempt) in dispatched:
                task, since = dispatched.pop((outcome.node, outcome.attempt))
                found.append(_task_span(task, outcome, since, at, _traceparent(request)))
            case VerdictReached(verdict=verdict) if request:
                run = _traceparent(request)
                open_tasks = [_task_span(task, None, since, at, run) for task, since in dispatched.values()]
                return (*found, *open_tasks, _run_span(request, verdict, began, at, takeovers))
            case _:
                pass
    return tuple(found)


def _traceparent(request: RunRequest) -> str:
    return run_traceparent(request.id, request.traceparent)


def _task_span(task: SubTask, result: SubTaskResult | None, began: float, ended: float, run: str) -> EndedSpan:
    status = result.status if result else "cancelled"
    return EndedSpan(
        name=f"sub_task {task.kind}",
        traceparent=task_traceparent(run, task.id),
        parent=run,
        began=began,
        ended=ended,
        attributes={
            "muster.run": task.run,
            "muster.node": task.node,
            "muster.attempt": task.attempt,
            "muster.kind": task.kind,
            "muster.status": status,
            "muster.worker": result.worker if result else "",
        },
        error="" if result is None or status == "pass" else result.summary or status,
    )


def _run_span(request: RunRequest, verdict: Verdict, began: float, ended: float, takeovers: int) -> EndedSpan:
    return EndedSpan(
        name="run",
        traceparent=_traceparent(request),
        parent=request.traceparent,
        began=began,
        ended=ended,
        attributes={
            "muster.run": request.id,
            "muster.name": request.job.name,
            "muster.suite": request.suite,
            "muster.status": verdict.status,
            "muster.cause": str(verdict.cause or ""),
            "muster.takeovers": takeovers,
        },
        error="" if verdict.achieved else verdict.summary,
    )
