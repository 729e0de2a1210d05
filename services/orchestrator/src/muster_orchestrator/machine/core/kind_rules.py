"""The rules of a job for sub-tasks of one kind."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.kinds import KINDS_BY_NAME, Input
from muster_protocol.tasks import SubTaskResult


class KindRules(NamedTuple):
    """The rules of one kind in one job. Pure."""

    brief: Callable[[Run, Node], Input]
    """Returns the input of a sub-task: all that it sees of the job."""
    accept: Callable[[Run, Node, SubTaskResult], SubTaskResult]
    """Returns a claimed result as the run accepts it."""
    absorb: Callable[[Run, Node, SubTaskResult], Run]
    """Returns the run after an accepted result that is not retried; the node's status is set already."""


def rules_for(known: Mapping[str, KindRules], node: Node) -> KindRules:
    """Return the rules of a node's kind; a damaged log may hold kinds that the job does not know."""
    return known.get(node.plan.kind, _UNKNOWN_KIND)


def accept_claim(_run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Accept a result as claimed, but a pass without the output of its kind."""
    return with_cause(require_output(node.plan.kind, claimed))


def record_fail(run: Run, _node: Node, result: SubTaskResult) -> Run:
    """Add a fail to the results in the verdict; a pass changes nothing."""
    return run if result.status == "pass" else run.with_result(result)


def require_output(kind: str, claimed: SubTaskResult) -> SubTaskResult:
    """Return a result; a pass without the output of its kind is a fail."""
    if claimed.status != "pass" or isinstance(claimed.output, KINDS_BY_NAME[kind].output):
        return claimed
    summary = f"the result holds no output of kind {kind}"
    return replace(claimed, status="fail", failure=Failure.UNPARSABLE, summary=summary, cause=None)


def with_cause(result: SubTaskResult) -> SubTaskResult:
    """Return a result whose cause follows from its failure, whatever it claims."""
    if result.status == "pass":
        return result
    return replace(result, cause=Cause.CANCELLED if result.status == "cancelled" else cause_of(result.failure))


def _refuse_brief(_run: Run, node: Node) -> Input:
    raise AssertionError(f"{node.plan.id} is of kind {node.plan.kind}, which this job does not know")


_UNKNOWN_KIND = KindRules(_refuse_brief, accept_claim, record_fail)
