"""Rules for the steps of a test case: the input of each, and the judgement of its result."""

from msgspec.structs import replace

from muster_evidence.proof import guarded_literals
from muster_orchestrator.machine.core import session_loss
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case import overlay_rules
from muster_orchestrator.machine.jobs.test_case.fails import needs_evaluation, pass_over
from muster_orchestrator.machine.jobs.test_case.judge import judge_step
from muster_orchestrator.machine.jobs.test_case.knowledge import (
    case_of,
    describe_progress,
    is_checked_by,
    record_step,
    state_of,
    values_for,
)
from muster_orchestrator.machine.jobs.test_case.validate_rules import (
    await_validation,
    wants_validation,
    without_screens,
)
from muster_protocol.causes import Cause, Failure
from muster_protocol.kinds import Mended, StepInput
from muster_protocol.plans import PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTaskResult
from muster_text.clauses import literals


def brief(run: Run, node: Node) -> StepInput:
    """Return a step's own words, the values and history it builds upon, and what it must leave to the product."""
    case, plan, values = case_of(run), node.plan, values_for(run, node)
    return StepInput(
        expected_result=plan.expected_result or plan.checkpoint,
        covers=plan.covers,
        precondition=plan.precondition,
        written=_written_actions(case, plan),
        guarded=_guarded_literals(case, plan, values),
        mended=_describe_mended(run, node),
        domains=case.domains,
        hosts=state_of(run).hosts,
        secrets=case.secrets,
        values=values,
        state=describe_progress(run, node),
        device=case.device.kind if case.device else "web",
        heal=run.request.heal if run.request else "propose",
        patience=node.patience,
        hint=node.hint,
        located=node.located,
        screens=not node.backtrack_to and is_checked_by(run, "validator"),
    )


def accept(run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Judge a claimed result; after a session was restored, no fail blames the product."""
    values = {**values_for(run, node), **claimed.step.captured}
    step = node.sub_task.step if node.sub_task else StepInput()
    judged = replace(node.plan, expected_result=node.plan.expected_result or node.plan.checkpoint)
    result = doubt_after_loss(run, judge_step(judged, claimed, values, step.guarded, step.written))
    result = _without_checkpoint(node.plan, claimed, result)
    return overlay_rules.without_blame(run, node, result)


def _without_checkpoint(plan: PlanNode, claimed: SubTaskResult, result: SubTaskResult) -> SubTaskResult:
    """Return a result in which a planner's checkpoint proves nothing; if it is missed, the cause is the agent.

    What was claimed tells whether it is missed: where that does not show a fault of the product, the result says else.
    """
    if not plan.checkpoint or plan.expected_result:
        return result
    if result.status == "pass":
        return replace(result, unverified=True)
    if {claimed.failure, result.failure}.isdisjoint({Failure.EXPECTATION_FALSE, Failure.NO_EVIDENCE}):
        return result
    told = f"stopped early at a checkpoint of the plan, {plan.checkpoint!r}: {result.summary}"
    return replace(result, failure=Failure.CHECKPOINT_MISSED, cause=Cause.AGENT, summary=told)


def doubt_after_loss(run: Run, result: SubTaskResult) -> SubTaskResult:
    """Return a result; a product fail becomes one of the environment if a session was restored before it."""
    doubt = session_loss.explain_doubt(run)
    if result.status != "fail" or result.cause != Cause.PRODUCT or not doubt:
        return result
    summary = f"{result.summary} ({doubt}, so this need not be the product's fault)"
    return replace(result, cause=Cause.ENVIRONMENT, summary=summary)


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Keep the result, and of a pass what it did and captured; a fail that nobody evaluates may be passed over."""
    if result.status == "pass":
        run = record_step(run, node, result).with_result(without_screens(result))
        return await_validation(run, node) if wants_validation(run, node, result) else run
    run = run.with_result(result)
    return run if needs_evaluation(node) else pass_over(run, node)


RULES = KindRules(brief, accept, absorb)


def _describe_mended(run: Run, node: Node) -> Mended | None:
    about = run.graph.get(node.backtrack_to)
    return Mended(action=about.plan.description, expected=about.plan.expected_result) if about else None


def _written_actions(case: TestCase, plan: PlanNode) -> tuple[str, ...]:
    """Return the written actions of which a sub-task is a part; empty if it is exactly one of them."""
    actions = tuple(case.steps[index].action for index in plan.covers)
    return () if actions == (plan.description,) else actions


def _guarded_literals(case: TestCase, plan: PlanNode, values: dict[str, str]) -> tuple[str, ...]:
    """Return the literals that a sub-task may not bring about itself: those of its steps, or all if it covers none."""
    if plan.precondition:
        return ()
    steps = [case.steps[index] for index in plan.covers] or case.steps
    if not any(literals(step.expected) for step in steps):
        return ()
    written = (*(step.action for step in case.steps), *case.preconditions)
    return guarded_literals((step.expected for step in steps), written, values)
