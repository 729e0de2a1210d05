"""What a job does with sub-tasks of one kind."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.kinds import KINDS_BY_NAME, Input
from muster_protocol.tasks import SubTaskResult


class KindRules(NamedTuple):
    """The rules of one kind in one job; see `Job` for what each is asked."""

    brief: Callable[[Run, Node], Input]
    accept: Callable[[Run, Node, SubTaskResult], SubTaskResult]
    absorb: Callable[[Run, Node, SubTaskResult], Run]


def rules_for(known: Mapping[str, KindRules], node: Node) -> KindRules:
    """Return the rules of a node's kind; a log that was damaged may tell of kinds that are none of the job's."""
    return known.get(node.plan.kind, _UNKNOWN_KIND)


def accept_claim(_run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Return a result of a kind whose passes nobody has to prove: a pass holds the output of its kind."""
    return with_cause(require_output(node.plan.kind, claimed))


def record_fail(run: Run, _node: Node, result: SubTaskResult) -> Run:
    """Return the run with a fail that its verdict holds; a pass changes nothing."""
    return run if result.status == "pass" else run.with_result(result)


def require_output(kind: str, claimed: SubTaskResult) -> SubTaskResult:
    """Return a result; a pass without the output of its kind is a fail."""
    if claimed.status != "pass" or isinstance(claimed.output, KINDS_BY_NAME[kind].output):
        return claimed
    summary = f"the result holds no output of kind {kind}"
    return replace(claimed, status="fail", failure=Failure.UNPARSABLE, summary=summary, cause=None)


def with_cause(result: SubTaskResult) -> SubTaskResult:
    """Return a result in which a fail has the cause of its failure, whatever it claims."""
    if result.status == "pass":
        return result
    return replace(result, cause=Cause.CANCELLED if result.status == "cancelled" else cause_of(result.failure))


def _refuse_brief(_run: Run, node: Node) -> Input:
    raise AssertionError(f"{node.plan.id} is of kind {node.plan.kind}, which is none of this job")


_UNKNOWN_KIND = KindRules(_refuse_brief, accept_claim, record_fail)
