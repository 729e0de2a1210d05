"""Is a result what it claims to be? A pass needs evidence for every clause of the expectation. Pure."""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.clauses import literals, split_clauses
from muster_protocol.codec import decode
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import Evidence, SubTaskResult
from muster_protocol.tools import ArgumentValue
from muster_protocol.values import UnknownValue, fill


def judged(node: PlanNode, result: SubTaskResult, values: Mapping[str, str]) -> SubTaskResult:
    """Return the result as the run accepts it: an unproven pass is a fail, every fail has its cause."""
    if node.role in ("planner", "evaluator", "noop"):
        if node.role == "evaluator" and result.status == "pass" and result.decision is None:
            text = "the evaluation holds no decision"
            result = replace(result, status="fail", failure=Failure.UNPARSABLE, summary=text)
        return _with_cause(node, result)
    if result.status == "pass":
        gap = unproven(node.expected_result, result, values)
        if gap:
            result = replace(
                result,
                status="fail",
                failure=Failure.NO_EVIDENCE,
                summary=gap,
                expected=result.expected or node.expected_result,
                cause=None,
            )
    return _with_cause(node, result)


def unproven(expected: str, result: SubTaskResult, values: Mapping[str, str]) -> str:
    """Return what the claimed pass lacks, or "" if every clause is proven after the last state-changing call."""
    clauses = split_clauses(expected)
    if not clauses:
        return "" if result.unverified else "it claims to have verified a step that expects nothing"
    for clause in clauses:
        checks = [evidence for evidence in result.evidence if evidence.clause == clause]
        if not checks:
            return f"nothing was checked for {clause!r}"
        if not all(evidence.passed for evidence in checks):
            return f"a check of {clause!r} did not hold"
        if any(evidence.call <= result.last_act for evidence in checks):
            return f"{clause!r} was checked before the last action, not after it"
        missing = _missing_literals(clause, checks, values)
        if missing:
            return f"the check of {clause!r} did not look for {missing!r}"
    return ""


def _missing_literals(clause: str, checks: list[Evidence], values: Mapping[str, str]) -> str:
    """Return a literal of the clause that none of its checks looked for, or ""."""
    looked_for = [value for evidence in checks for value in _values(evidence.arguments)]
    for literal in literals(clause):
        try:
            wanted = fill(literal, values)
        except UnknownValue:
            return literal
        if not any(wanted in value if isinstance(value, str) else wanted == str(value) for value in looked_for):
            return literal
    return ""


def _values(arguments: str) -> Iterator[str | int | float | bool | None]:
    """Yield the values of a check's arguments, without their names; none if they cannot be read."""
    try:
        found = decode(arguments, dict[str, ArgumentValue])
    except msgspec.DecodeError:
        return
    for value in found.values():
        if isinstance(value, list):
            yield from value
        else:
            yield value


def _with_cause(node: PlanNode, result: SubTaskResult) -> SubTaskResult:
    if result.status == "pass":
        return result
    if node.precondition and result.status == "fail" and result.failure != Failure.NO_EVIDENCE:
        return replace(result, cause=Cause.ENVIRONMENT, failure=Failure.PRECONDITION_FAILED)
    return replace(result, cause=Cause.CANCELLED if result.status == "cancelled" else cause_of(result.failure))
