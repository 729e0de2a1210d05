"""Builds the view of a run from its history. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from muster_protocol.causes import Cause
from muster_protocol.control import ControlName
from muster_protocol.kinds import KINDS_BY_NAME, EvaluateOutput
from muster_protocol.logs import RunRow
from muster_protocol.requests import OVER, RunRequest, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Usage
from muster_text.values import fill_known
from muster_views.attempts import build_title
from muster_views.estimate_texts import describe_estimate
from muster_views.history import History
from muster_views.node_history import Node, tree_of
from muster_views.proofs import artifact_names, view_clauses
from muster_views.run_rows import current_row
from muster_views.shared_values import list_shared_values
from muster_views.texts import format_count
from muster_views.views import FailureView, NodeView, RunView
from muster_views.words import CAUSES, FAILURES

_NO_RESULT = SubTaskResult(task="", node="", attempt=0, status="error", summary="")
"""Stands for the result of a sub-task that has none yet."""


def view_run(history: History, row: RunRow | None, takeovers: Mapping[str, int]) -> RunView:
    """Return the view of a run; `row` is its row in the list, `takeovers` are by node."""
    now = current_row(history, row)
    nodes = view_nodes(history, takeovers)
    return RunView(
        run=now,
        request=history.request,
        nodes=nodes,
        verdict=history.verdict,
        planned=history.request is None or history.request.job.planned,
        estimate=describe_estimate(history.estimate) if history.estimate else "",
        waits_for=history.waits_for,
        questions=history.questions,
        values=list_shared_values(history),
        steps=_written_steps(history) if history.plan is None else (),
        history=tuple(history.happenings),
        failure=view_failure(history) or _view_row_failure(now),
        focus=_choose_focus(history, nodes),
        refused=_refused_actions(now, history.request),
    )


def view_nodes(history: History, takeovers: Mapping[str, int]) -> tuple[NodeView, ...]:
    """Return the sub-tasks: planning, the plan with evaluations and recoveries below their sub-task, then the rest."""
    helpers: dict[str, list[Node]] = {}
    for node in history.nodes.values():
        if node.plan is None and not node.parent:
            owner = history.nodes.get(node.owner)
            helpers.setdefault(node.owner if owner and owner.plan else "", []).append(node)
    loose = helpers.get("", [])
    ordered = [(node, 0) for node in loose if node.of_run]
    for node in history.planned:
        ordered += [*tree_of(history.nodes, node.id), *((helper, 1) for helper in helpers.get(node.id, ()))]
    ordered += [(node, 0) for node in loose if not node.of_run]
    made: list[NodeView] = []
    for node, depth in ordered:
        recoveries = sum(helper.recovery for helper in helpers.get(node.id, ()))
        made.append(replace(view_node(node, takeovers.get(node.id, 0), recoveries), depth=depth))
    return tuple(made)


def view_node(node: Node, takeovers: int = 0, recoveries: int = 0) -> NodeView:
    """Return the view of a sub-task; `recoveries` is the number of recoveries tried."""
    task, result = node.task, node.result or _NO_RESULT
    values = (task.step.values if task else {}) | result.step.captured
    expected = node.plan.expected_result if node.plan else task.step.expected_result if task else ""
    claims = [one.claimed for one in node.attempts if one.claimed]
    return NodeView(
        id=node.id,
        kind=node.kind,
        label=node.label,
        state=node.state,
        status=node.status,
        title=build_title(node, node.description, values),
        number=node.position if node.plan else 0,
        of=node.owner,
        description=node.description,
        expected_result=expected,
        needs=node.plan.needs if node.plan else (),
        covers=node.covers,
        session=node.plan.session if node.plan else task.session if task else "",
        badges=_badges(node, takeovers, recoveries),
        spent=_spent_of_agent(node),
        refusals=result.refusals,
        attempt=task.attempt if task else result.attempt,
        worker=result.worker,
        summary=node.summary,
        failure=str(result.failure or ""),
        cause=str(result.cause or ""),
        expected=result.expected,
        seen=result.seen,
        where=result.where,
        unverified=result.unverified,
        iterations=result.iterations,
        source=node.result.source if node.result else "",
        started_at=node.started_at,
        ended_at=node.ended_at,
        retries=tuple(one.retried for one in node.attempts if one.retried),
        takeovers=takeovers,
        usage=reduce(Usage.plus, (claim.usage for claim in claims), Usage()),
        values=values,
        clauses=view_clauses(expected, node.result if node.status else None, values),
        artifacts=artifact_names([ref for claim in claims for ref in _artifacts(claim)]),
    )


def _artifacts(claim: SubTaskResult) -> Iterator[ArtifactRef]:
    yield from claim.artifacts
    for item in claim.step.evidence:
        yield from item.artifacts


def view_failure(history: History) -> FailureView | None:
    """Return why a run failed; None if it passed or has no verdict."""
    verdict = history.verdict
    if verdict is None or verdict.achieved:
        return None
    node = history.nodes.get(verdict.failed_node)
    result = (node.result if node else None) or _NO_RESULT
    clauses = view_node(node).clauses if node else ()
    refuted = next((clause.literals for clause in clauses if clause.state == "refuted"), ())
    wanted = "\n".join(clause.shown for clause in clauses)
    return FailureView(
        node=verdict.failed_node,
        summary=verdict.summary,
        expected=verdict.expected or result.expected or (wanted if verdict.seen or result.seen else ""),
        seen=verdict.seen or result.seen,
        where=verdict.where or result.where,
        cause=str(verdict.cause or ""),
        meaning=CAUSES[verdict.cause] if verdict.cause else "",
        why=FAILURES[result.failure] if result.failure else "",
        evaluator=_evaluator_reason(history, verdict.failed_node),
        literals=refuted or tuple(dict.fromkeys(text for clause in clauses for text in clause.literals)),
    )


def _view_row_failure(row: RunRow) -> FailureView | None:
    """Return why a run failed from its row, for a run without a log."""
    if row.status not in ("fail", "failed"):
        return None
    meaning = CAUSES.get(Cause(row.cause), "") if row.cause in tuple(Cause) else ""
    return FailureView(summary=row.summary, cause=row.cause, meaning=meaning, literals=())


def _evaluator_reason(history: History, failed: str) -> str:
    """Return the reason of the newest evaluation of a sub-task."""
    if not failed:
        return ""
    outputs = [node.result.output for node in history.nodes.values() if node.owner == failed and node.result]
    return next((one.decision.reason for one in reversed(outputs) if isinstance(one, EvaluateOutput)), "")


def _badges(node: Node, takeovers: int, recoveries: int) -> tuple[str, ...]:
    result = node.result if node.status else None
    unverified = bool(result and result.unverified) and KINDS_BY_NAME[node.kind].planned  # a tour has nothing to verify
    found = [
        (len(node.attempts) - 1 - recoveries, "retried"),
        (recoveries, "recovered" if node.status == "pass" else "recovery tried"),
        (takeovers, "taken over"),
        (unverified, "unverified"),
        (any(one.refused for one in node.attempts), "claim refused"),
    ]
    told = tuple(f"{name} ×{number}" if number > 1 else name for number, name in found if number > 0)
    refusals = len(result.refusals) if result else 0
    return (*told, format_count(refusals, "refused call")) if refusals else told


def _spent_of_agent(node: Node) -> tuple[str, ...]:
    """Return what an agent with a goal has spent of its budget, and how much it was asked at once."""
    result = node.result
    if node.kind != "assign" or result is None or node.task is None:
        return ()
    calls = f"{result.usage.calls} of {node.allowed_calls} calls"
    size = result.assigned.context
    return (calls, f"context {size:,} characters") if size else (calls,)


def _written_steps(history: History) -> tuple[str, ...]:
    job = history.request.job if history.request else None
    return tuple(fill_known(step.action, job.variables) for step in job.steps) if isinstance(job, TestCase) else ()


def _choose_focus(history: History, nodes: Sequence[NodeView]) -> str:
    """Return the sub-task to show first."""
    failed = history.verdict.failed_node if history.verdict else ""
    if any(node.id == failed for node in nodes):
        return failed
    for states in (("failed",), ("asking",), ("running", "retrying")):
        if found := next((node.id for node in nodes if node.state in states), ""):
            return found
    done = [node for node in nodes if not node.depth and node.state not in ("waiting", "skipped")]
    return next((node.id for node in (*reversed(done), *nodes)), "")


def _refused_actions(row: RunRow, request: RunRequest | None) -> dict[ControlName, str]:
    """Return the actions the run refuses now, with the reasons."""
    found: dict[ControlName, str] = {}
    if row.status in OVER:
        over = f"The run is over ({row.status})."
        found = {"cancel": over, "pause": over, "resume": over, "answer": over}
    elif row.status == "paused":
        found["pause"] = "The run is paused already."
    else:
        found["resume"] = "The run is not paused."
    if request is None:
        found["rerun"] = "The request is no longer stored; submit the case again."
    return found
