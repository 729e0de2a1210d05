"""Rules for the evaluation of failed steps: which fails are evaluated, and what a decision changes."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case import locate_rules, recovery_rules, replan_rules
from muster_orchestrator.machine.jobs.test_case.consent_rules import note_risks
from muster_orchestrator.machine.jobs.test_case.fails import needs_evaluation, pass_over
from muster_orchestrator.machine.jobs.test_case.knowledge import describe_progress, state_of
from muster_orchestrator.machine.jobs.test_case.planning import LIMITED_BY
from muster_orchestrator.machine.jobs.test_case.step_rules import doubt_after_loss
from muster_protocol.causes import JUDGED, Cause
from muster_protocol.kinds import Decision, EvaluateInput, EvaluateOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.text_match import both_ends

DESCRIPTION = "Evaluate the failed step"
LONGEST_HINT = 500
"""Characters."""


def brief(run: Run, node: Node) -> EvaluateInput:
    """Return the failed step, and what was done before it."""
    about = run.graph[node.about]
    result = about.result
    assert result is not None, "what is evaluated has failed"
    return EvaluateInput(
        action=about.plan.description,
        summary=result.summary,
        failure=result.failure,
        expected=result.expected or about.plan.expected_result,
        seen=result.seen,
        where=result.where,
        recoveries=about.recoveries,
        state=describe_progress(run, node),
        expected_result=about.plan.expected_result,
        may_replan=replan_rules.may_replan(run, about),
        may_wait=recovery_rules.may_begin_again(about),
        may_retry=recovery_rules.may_retry(about),
    )


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Apply the decision to the step it is about."""
    about = run.graph.get(node.about)
    if result.status != "pass":
        run = run.with_result(result)
        return pass_over(run, about) if about is not None and about.status == "failing" else run
    if about is None or about.status != "failing" or not isinstance(result.output, EvaluateOutput):
        return run
    return _apply_decision(run, about, result.output.decision)


def accept(run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Return the evaluation as claimed, with what of its decision a rule does not allow."""
    result, about = accept_claim(run, node, claimed), run.graph.get(node.about)
    if about is None or about.status != "failing" or not isinstance(result.output, EvaluateOutput):
        return result
    decision = result.output.decision
    refused = _refuse_action(run, about, decision)
    ends = refused or decision.action in ("continue", "stop")
    overruled = "; ".join(filter(None, (refused, _refuse_cause(about, decision) if ends else "")))
    return replace(result, output=replace(result.output, overruled=overruled))


RULES = KindRules(brief, accept, absorb)


def evaluations_due(run: Run) -> tuple[Node, ...]:
    """Return the evaluation of a failed step that has none yet."""
    for node in run.graph.with_status("failing"):
        waits = locate_rules.awaits_detection(run, node)
        if needs_evaluation(node) and not waits and _evaluation_id(node) not in run.graph:
            plan = PlanNode(id=_evaluation_id(node), description=DESCRIPTION, kind="evaluate", session="")
            return (Node(plan=plan, about=node.plan.id),)
    return ()


def awaits_evaluation(run: Run, node: Node) -> bool:
    """Return whether the evaluation of a failed step is due or in progress."""
    evaluation = run.graph.get(_evaluation_id(node))
    return needs_evaluation(node) and (evaluation is None or evaluation.status != "failing")


def _evaluation_id(node: Node) -> str:
    """Return the node id of the evaluation of a step's newest attempt."""
    return f"{node.plan.id}-e{node.attempt}"


def apply_planned(run: Run, id: str, decision: Decision) -> Run:
    """Have a failed step tried again after what a rule has decided on, which the verdict will tell of."""
    about = run.graph.get(id)
    if about is None or about.status != "failing":
        return run
    run = _add_recovery(run, about, decision)
    state, added = state_of(run), _recovery_id(run.graph[id])
    return replace(run, job=replace(state, decisions=(*state.decisions, decision), closings=(*state.closings, added)))


def _apply_decision(run: Run, about: Node, decision: Decision) -> Run:
    state = state_of(run)
    run = replace(run, job=replace(state, decisions=(*state.decisions, decision)))
    match "stop" if _refuse_action(run, about, decision) else decision.action:
        case "recover":
            return _add_recovery(run, about, decision)
        case "replan":
            return replan_rules.ask(run, about, decision.reason)
        case "wait":
            return run.with_node(replace(about, status="waiting", patience=recovery_rules.LONGER))
        case "retry":
            return run.with_node(replace(about, status="waiting", hint=both_ends(decision.hint, LONGEST_HINT)))
        case _:
            return _give_up(run, about, decision)


def _give_up(run: Run, about: Node, decision: Decision) -> Run:
    """Return the run with a failed step that is not tried again, its cause as the decision says where it may."""
    failed = about.result
    if failed is not None and failed.failure and decision.cause in JUDGED.get(failed.failure, ()):
        why = f" ({both_ends(decision.reason, 500)})" if decision.reason and decision.cause != failed.cause else ""
        failed = doubt_after_loss(run, replace(failed, cause=decision.cause, summary=f"{failed.summary}{why}"))
    if decision.action == "continue":
        return run.with_node(replace(about, status="skipped", result=failed))
    stopped = replace(about, status="failed", result=failed)
    return pass_over(run.with_node(stopped), stopped)


def _refuse_action(run: Run, about: Node, decision: Decision) -> str:
    """Return why a failed step is not tried again as a decision says, or ""."""
    most = run.policy.max_recovery_attempts
    match decision.action:
        case "recover" if not decision.recovery:
            return "it names no recovery"
        case "recover" if about.recoveries >= most:
            return f"the limit is {most} recoveries of a step (ORCHESTRATOR_MAX_RECOVERY_ATTEMPTS)"
        case "recover" if len(run.graph.places) >= run.max_subtasks:
            return f"a recovery would exceed the limit of {run.max_subtasks} sub-tasks ({LIMITED_BY})"
        case "replan" if not replan_rules.may_replan(run, about):
            return "the rest may not be planned again here"
        case "wait" if not recovery_rules.may_begin_again(about):
            return "a step may wait longer once, and only if it has begun nothing"
        case "retry" if not decision.hint:
            return "it does not say what to do otherwise"
        case "retry" if not recovery_rules.may_retry(about):
            return "only a model's step that has begun nothing may be tried in another way, once"
        case _:
            return ""


def _refuse_cause(about: Node, decision: Decision) -> str:
    """Return why the cause of a failed step is not the one that a decision names, or "": an opinion is no evidence."""
    result, cause = about.result, decision.cause
    if result is None or cause is None or cause == result.cause:
        return ""
    if result.failure and cause in JUDGED.get(result.failure, ()):
        return ""
    words = str(result.failure or "unknown").replace("_", " ")
    return f"the cause stays {result.cause or Cause.AGENT}: an evaluator may not blame {words!r} on {cause}"


def _add_recovery(run: Run, about: Node, decision: Decision) -> Run:
    about = replace(about, status="recovering", recoveries=about.recoveries + 1)
    mending = replace(
        about.plan,
        id=_recovery_id(about),
        description=decision.recovery,
        expected_result=decision.recovery_expected,
        covers=(),
        precondition=False,
    )
    run = replace(run, graph=add_nodes(run.graph, [Node(plan=mending, backtrack_to=about.plan.id)]))
    return note_risks(run.with_node(about), [mending])


def _recovery_id(about: Node) -> str:
    """Return the id of the newest recovery of a step."""
    return f"{about.plan.id}-r{about.recoveries}"
