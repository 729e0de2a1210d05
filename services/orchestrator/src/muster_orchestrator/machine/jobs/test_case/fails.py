"""Failed steps of a test case: which are evaluated, and which the case goes on after. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of
from muster_protocol.causes import Failure

FINAL = frozenset(
    {
        *(Failure.EXPECTATION_FALSE, Failure.SERVER_ERROR, Failure.CANCELLED),
        Failure.MONEY_SPENT,
        *(Failure.RECORDING_MISSED, Failure.NO_EVIDENCE, Failure.UNKNOWN_PHRASE, Failure.SECRET_MISSING),
    }
)
"""Failures that need no evaluation."""


def needs_evaluation(node: Node) -> bool:
    """Return whether a failed step is to be evaluated."""
    result = node.result
    if node.status != "failing" or result is None or node.backtrack_to or node.plan.kind != "step":
        return False
    if result.step.replay is not None:  # a second attempt would not be held to the recording
        return False
    return result.status == "fail" and result.failure not in FINAL and not node.plan.precondition


def pass_over(run: Run, node: Node) -> Run:
    """Return the run after a step has failed for good: the case goes on with the next steps if it says so.

    After a recovery that failed, the step that it was to mend is passed over as well. What infrastructure broke off
    ends the case, as a step after it would act on a session in an unknown state.
    """
    mended = run.graph.get(node.backtrack_to)
    about = mended or node
    if node.result is None or node.result.status != "fail" or not goes_on(run, about):
        return run
    for failed in filter(None, (mended, node)):
        run = run.with_node(replace(failed, status="skipped"))
    return run


def goes_on(run: Run, node: Node) -> bool:
    """Return whether the case goes on after a fail of this step; a precondition that fails always ends it."""
    case = case_of(run)
    steps = [case.steps[index] for index in node.plan.covers]
    wishes = [step.on_fail or case.on_fail for step in steps] or [case.on_fail]
    return not node.plan.precondition and all(wish == "continue" for wish in wishes)
