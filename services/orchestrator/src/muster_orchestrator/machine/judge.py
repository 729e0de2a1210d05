"""Is a result what it claims to be? A pass needs evidence for every clause of the expectation. Pure."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from muster_orchestrator.machine.state import HELPERS
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.clauses import split_clauses
from muster_protocol.plans import PlanNode
from muster_protocol.proof import gap, observes, planted
from muster_protocol.tasks import Act, SubTaskResult


def judged(
    node: PlanNode, result: SubTaskResult, values: Mapping[str, str], guarded: Sequence[str] = ()
) -> SubTaskResult:
    """Return the result as the run accepts it: an unproven pass is a fail, every fail has its cause.

    `guarded` are the literals that no call of a model may have brought about by itself.
    """
    if node.role in (*HELPERS, "noop"):
        if node.role == "evaluator" and result.status == "pass" and result.decision is None:
            text = "the evaluation holds no decision"
            result = replace(result, status="fail", failure=Failure.UNPARSABLE, summary=text)
        return _with_cause(node, result)
    if result.status == "pass":
        lack = unproven(node, result, values)
        if lack:
            result = _refused(node, result, Failure.NO_EVIDENCE, lack)
        elif forged := tampered(result.acts, guarded, anyhow=not node.covers):
            result = _refused(node, result, Failure.TAMPERED, forged)
    return _with_cause(node, result)


def unproven(node: PlanNode, result: SubTaskResult, values: Mapping[str, str]) -> str:
    """Return what the claimed pass lacks, or "" if every clause is proven after the last state-changing call."""
    clauses = split_clauses(node.expected_result)
    if result.source == "model" and node.covers and not result.acts and not observes(node.description):
        return "it claims to have carried out a step, but nothing was done"
    if not clauses:
        return "" if result.unverified else "it claims to have verified a step that expects nothing"
    for clause in clauses:
        checks = [evidence for evidence in result.evidence if evidence.clause == clause]
        missing = gap(clause, checks, result.last_act, values)
        if missing:
            return missing
    return ""


def tampered(acts: Sequence[Act], guarded: Sequence[str], *, anyhow: bool) -> str:
    """Return how a model's own call would bring about what only the product may show, or ""."""
    for act in acts:
        literal = planted(act, guarded, anyhow=anyhow)
        if literal:
            return f"{act.tool} was called with {literal!r}, which only the product may bring about"
    return ""


def _refused(node: PlanNode, result: SubTaskResult, failure: Failure, why: str) -> SubTaskResult:
    expected = result.expected or node.expected_result
    return replace(result, status="fail", failure=failure, summary=why, expected=expected, cause=None)


def _with_cause(node: PlanNode, result: SubTaskResult) -> SubTaskResult:
    if result.status == "pass":
        return result
    if node.precondition and result.status == "fail" and result.failure not in (Failure.NO_EVIDENCE, Failure.TAMPERED):
        return replace(result, cause=Cause.ENVIRONMENT, failure=Failure.PRECONDITION_FAILED)
    return replace(result, cause=Cause.CANCELLED if result.status == "cancelled" else cause_of(result.failure))
