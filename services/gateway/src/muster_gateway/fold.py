"""A run's nodes and row as its log tells them. Pure."""

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from muster_client.steering import OpenQuestion, node_of, questions_after
from muster_gateway.entries import Known
from muster_gateway.nodes.proofs import artifact_names, clauses_of
from muster_gateway.views import NodeState, NodeView
from muster_protocol import events
from muster_protocol.control import Pause, Resume
from muster_protocol.events import Event
from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.logs import RunRow
from muster_protocol.plans import PlanNode
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.tasks import ResultStatus, SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict

Nodes = dict[str, NodeView]

STATES: dict[ResultStatus, NodeState] = {
    "pass": "passed",
    "fail": "failed",
    "error": "failed",
    "cancelled": "cancelled",
}


def nodes(happened: Iterable[Known]) -> tuple[NodeView, ...]:
    """Return the nodes of a run as they stand after these events: planned ones in the plan's order."""
    found: Nodes = {}
    for at, event in happened:
        found = _after(found, at, event)
    return tuple(found.values())


def _after(found: Nodes, at: float, event: Event) -> Nodes:
    """Return the nodes after an event; may change what it is given, as runs can have thousands of them."""
    match event:
        case events.PlanMade(plan=plan):
            planned = {node.id: _planned(node, found.get(node.id)) for node in plan.nodes}
            return {id: node for id, node in found.items() if id not in planned} | planned
        case events.SubTaskDispatched(sub_task=task):
            found[task.node] = _dispatched(found.get(task.node), task, at)
        case events.SubTaskEnded(outcome=result):
            found[result.node] = _with_spent(_ended(found.get(result.node), result), result, at)
        case events.RetryPlanned(node=node, reason=reason) if node in found:
            again = (*found[node].retries, reason)
            found[node] = replace(found[node], state="retrying", summary=reason, retries=again)
        case events.Asked(task=task, text=text) if node_of(task) in found:
            found[node_of(task)] = replace(found[node_of(task)], state="asking", summary=text)
        case events.Answered(question=question) if node_of(question) in found:
            found[node_of(question)] = replace(found[node_of(question)], state="running", summary="")
        case events.VerdictReached(verdict=verdict):
            return _settled(found, verdict)
        case _:
            pass
    return found


def _planned(node: PlanNode, known: NodeView | None) -> NodeView:
    return replace(
        known or NodeView(id=node.id),
        planned=True,
        description=node.description,
        expected_result=node.expected_result,
        needs=node.needs,
        covers=node.covers,
        kind=node.kind,
        label=label_of(node.kind, precondition=node.precondition),
        session=node.session,
        precondition=node.precondition,
        clauses=clauses_of(node.expected_result),
    )


def _dispatched(known: NodeView | None, task: SubTask, at: float) -> NodeView:
    node = known or NodeView(
        id=task.node,
        description=task.description,
        expected_result=task.step.expected_result,
        covers=task.step.covers,
        session=task.session,
        precondition=task.step.precondition,
    )
    return replace(
        node,
        kind=task.kind,
        label=label_of(task.kind, precondition=task.step.precondition, recovery=task.step.mended is not None),
        of=task.about,
        state="running",
        attempt=task.attempt,
        started_at=at,
        ended_at=0.0,
        summary="",
        values=task.step.values,
        clauses=clauses_of(task.step.expected_result),
    )


def label_of(kind: str, *, precondition: bool = False, recovery: bool = False) -> str:
    """Return what people read for a sub-task: `Planning`, `Recovery`."""
    if precondition or recovery:
        return "Precondition" if precondition else "Recovery"
    return KINDS_BY_NAME[kind].label if kind in KINDS_BY_NAME else kind


def _with_spent(node: NodeView, result: SubTaskResult, at: float) -> NodeView:
    """Return a node with what an attempt that ended has cost and left behind."""
    left = artifact_names((*result.artifacts, *(ref for item in result.step.evidence for ref in item.artifacts)))
    artifacts = tuple(dict.fromkeys((*node.artifacts, *left)))
    return replace(node, ended_at=at, usage=node.usage.plus(result.usage), artifacts=artifacts)


def _ended(known: NodeView | None, result: SubTaskResult) -> NodeView:
    node = known or NodeView(id=result.node)
    values = node.values | result.step.captured
    return replace(
        node,
        state=STATES[result.status],
        attempt=result.attempt,
        worker=result.worker,
        summary=result.summary,
        failure=str(result.failure or ""),
        cause=str(result.cause or ""),
        expected=result.expected,
        seen=result.seen,
        where=result.where,
        unverified=result.unverified,
        iterations=result.iterations,
        source=result.source,
        values=values,
        clauses=clauses_of(node.expected_result, result.step.evidence, result.last_act, values),
    )


def _settled(found: Nodes, verdict: Verdict) -> Nodes:
    """Take the results the verdict accepted, which may be less than was claimed; what has none did not come about."""
    accepted = {result.node: _ended(found.get(result.node), result) for result in verdict.results}
    over: dict[NodeState, NodeState] = {"waiting": "skipped"}
    over |= dict.fromkeys(("running", "asking", "retrying"), "cancelled")
    return {id: replace(node, state=over.get(node.state, node.state)) for id, node in (found | accepted).items()}


def row(run: str, listed: RunRow | None, request: RunRequest | None, happened: list[Known]) -> RunRow:
    """Return a run's row; where the list lags behind the log, or has none yet, it is made from the log."""
    base = listed or queued_row(run, request)
    if happened and base.status not in ("pass", "fail"):
        base = replace(base, status=_status(happened), started_at=base.started_at or happened[0].at)
    if request is not None:
        base = replace(base, rerun_of=request.rerun_of)
    for at, event in happened:
        if isinstance(event, events.VerdictReached):
            verdict = event.verdict
            cause = str(verdict.cause or "")
            base = replace(base, status=verdict.status, cause=cause, summary=verdict.summary, ended_at=at)
            base = with_usage(base, verdict.usage)
    return base


def with_usage(row: RunRow, usage: Usage) -> RunRow:
    """Return a row with what its run has spent."""
    tokens = usage.input_tokens + usage.output_tokens
    return replace(row, tokens=tokens, cost=usage.cost, model_calls=usage.model_calls)


def _status(happened: list[Known]) -> Literal["running", "paused", "parked"]:
    """Return how a run without a verdict stands; a paused run may be parked, too."""
    asked = [known.event.control for known in happened if isinstance(known.event, events.ControlApplied)]
    if next((isinstance(one, Pause) for one in reversed(asked) if isinstance(one, Pause | Resume)), False):
        return "paused"
    return "parked" if isinstance(_standing(happened), events.Parked) else "running"


def _standing(happened: list[Known]) -> Event | None:
    """Return the newest event that says whether the run is being worked on."""
    kinds = (events.Parked, events.Woken, events.OwnerChanged, events.Unserved, events.Served, events.VerdictReached)
    return next((known.event for known in reversed(happened) if isinstance(known.event, kinds)), None)


def waits_for(happened: list[Known]) -> str:
    """Return why a run is not being worked on: it is parked, or nobody can serve it; empty if it is."""
    match _standing(happened):
        case events.Parked(reason=reason):
            return reason
        case events.Unserved(what=what):
            return f"nobody is there for {what}"
        case _:
            return ""


def questions(happened: list[Known]) -> tuple[OpenQuestion, ...]:
    """Return what a run asks and nobody has answered, oldest first."""
    found: tuple[OpenQuestion, ...] = ()
    for _, event in happened:
        found = questions_after(found, event)
    return found


def queued_row(run: str, request: RunRequest | None, stored_at: float = 0.0) -> RunRow:
    """Return the row of a run that nobody has begun; its time is that of its storage where the request names none."""
    if request is None:
        return RunRow(run=run, name=run, status="queued", requested_at=stored_at)
    return RunRow(
        run=run,
        name=request.job.name,
        status="queued",
        suite=request.suite,
        labels=request.labels,
        tags=request.job.tags if isinstance(request.job, TestCase) else (),
        requested_at=request.requested_at or stored_at,
        rerun_of=request.rerun_of,
    )
