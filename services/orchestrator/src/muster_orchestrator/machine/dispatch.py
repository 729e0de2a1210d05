"""Which sub-task is due, and what exactly its worker is handed. Pure."""

from muster_orchestrator.machine import losing
from muster_orchestrator.machine.state import PLANNING, Node, Run
from muster_protocol.events import SubTaskDispatched
from muster_protocol.ids import task_id
from muster_protocol.kinds import (
    KINDS_BY_NAME,
    EvaluateInput,
    Input,
    Mended,
    NoopInput,
    PlanInput,
    StepInput,
    SummariseInput,
)
from muster_protocol.plans import PlanNode
from muster_protocol.proof import guarded
from muster_protocol.requests import Drill, TestCase
from muster_protocol.tasks import Budget, SubTask

EVALUATION = "What is to become of the fail?"


def helper_node(task: SubTask) -> Node:
    """Return the node of planning or of an evaluation, which exist from their dispatch on."""
    plan = PlanNode(id=task.node, description=task.description, kind=task.kind, session="")
    return Node(plan=plan, about=task.about)


def due(run: Run) -> tuple[SubTaskDispatched, ...]:
    """Return the sub-tasks to dispatch now: ready ones whose session is there and free, while there is budget left."""
    if run.paused or run.parked or overspent(run):
        return ()
    if run.plan is None:
        return (_planning(run),) if _wants_planning(run) else ()
    if _outgrown(run):
        return _summing_up(run)
    taken = {node.plan.session for node in run.nodes.values() if node.status in ("open", "asking")}
    found: list[SubTask] = []
    for node in run.nodes.values():
        if node.status != "waiting" or not ready(run, node):
            continue
        session = node.plan.session
        if not session or (session in run.sessions and session not in taken):
            found.append(_sub_task(run, node, run.dispatched + len(found) + 1))
            taken |= {session} - {""}
    return tuple(SubTaskDispatched(sub_task=task) for task in found) or _evaluations(run)


def _outgrown(run: Run) -> bool:
    """Return whether what happened so far is more than a sub-task is told, and a model is there to sum it up."""
    return run.thinks and sum(len(fact) + 1 for fact in run.facts) > run.policy.state_characters


def _summing_up(run: Run) -> tuple[SubTaskDispatched, ...]:
    """Have the state summed up; nothing else is begun meanwhile."""
    before = [node for node in run.nodes.values() if node.plan.kind == "summarise"]
    if any(node.status == "open" for node in before):
        return ()
    waiting = next((node for node in before if node.status == "waiting"), None)
    if waiting is not None and not ready(run, waiting):
        return ()
    plan = PlanNode(id=f"state-{len(before) + 1}", description="Sum up the state", kind="summarise", session="")
    return (SubTaskDispatched(sub_task=_sub_task(run, waiting or Node(plan=plan), run.dispatched + 1)),)


def ready(run: Run, node: Node) -> bool:
    """Return whether nothing but a free session is missing."""
    return (run.now >= node.not_before or retry_timer(node) in run.fired) and needs_met(run, node)


def needs_met(run: Run, node: Node) -> bool:
    """Return whether a node waits for no other node."""
    if node.status != "waiting":
        return False
    for need in node.plan.needs:  # a plain loop: this is asked of every waiting node after every event
        before = run.nodes.get(need)
        if before is not None and before.status not in ("passed", "skipped"):
            return False
    return True


def overspent(run: Run) -> str:
    """Return which budget of the run is used up, or ""."""
    assert run.request is not None
    limits, usage = run.request.limits, run.usage
    for name, spent, limit in (
        ("max_calls", usage.calls, limits.max_calls),
        ("max_tokens", usage.input_tokens + usage.output_tokens, limits.max_tokens),
        ("max_cost", usage.cost, limits.max_cost),
    ):
        if limit is not None and spent >= limit:
            return f"{spent:g} of {name} {limit:g}"
    return ""


def retry_timer(node: Node) -> str:
    """Return the id of the timer that ends the pause before a retry."""
    return f"retry:{node.plan.id}:{node.faults}"


def needs_evaluation(node: Node) -> bool:
    """Return whether a failed node is worth a second opinion: a false expectation, or planning itself, is not."""
    final = ("expectation_false", "server_error", "cancelled", "no_evidence", "unknown_phrase", "secret_missing")
    result = node.result
    if node.status != "failing" or result is None or node.about or node.plan.kind != "step":
        return False
    return result.status == "fail" and result.failure not in final and not node.plan.precondition


def evaluation_id(node: Node) -> str:
    """Return the node id of the evaluation of a node's newest attempt."""
    return f"{node.plan.id}-e{node.attempt}"


def _wants_planning(run: Run) -> bool:
    node = run.nodes.get(PLANNING)
    return node is None or ready(run, node)


def _planning(run: Run) -> SubTaskDispatched:
    node = run.nodes.get(PLANNING) or Node(
        plan=PlanNode(id=PLANNING, description="Plan the test case", kind="plan", session="")
    )
    return SubTaskDispatched(sub_task=_sub_task(run, node, run.dispatched + 1))


def _evaluations(run: Run) -> tuple[SubTaskDispatched, ...]:
    for node in run.nodes.values():
        if node.status == "failing" and needs_evaluation(node) and evaluation_id(node) not in run.nodes:
            plan = PlanNode(id=evaluation_id(node), description=EVALUATION, kind="evaluate", session="")
            asked = _sub_task(run, Node(plan=plan, about=node.plan.id), run.dispatched + 1)
            return (SubTaskDispatched(sub_task=asked),)
    return ()


def _sub_task(run: Run, node: Node, dispatch: int) -> SubTask:
    assert run.request is not None
    plan = node.plan
    order = [other.plan.id for other in run.planned()]
    session = run.sessions.get(plan.session) if plan.session else None
    return SubTask(
        id=task_id(run.request.id, plan.id, node.attempt + 1),
        run=run.request.id,
        node=plan.id,
        attempt=node.attempt + 1,
        dispatch=dispatch,
        input=_input(run, node),
        description=plan.description,
        agent=KINDS_BY_NAME[plan.kind].agent,
        about=node.about,
        priority=run.request.priority,
        session=plan.session if session else "",
        host=session.host if session else "",
        budget=_budget(run),
        finish_by=run.deadline,
        position=order.index(plan.id) + 1 if plan.id in order else 0,
        total=len(order),
        notice=losing.notice(run, node),
    )


def _input(run: Run, node: Node) -> Input:
    """Return all that a sub-task sees of its run's job, by its kind."""
    assert run.request is not None
    job, state = run.request.job, "\n".join(run.facts)
    match node.plan.kind, job:
        case "plan", TestCase():
            return PlanInput(case=job)
        case "step", TestCase():
            return _step(run, job, node)
        case "evaluate", _:
            return _evaluation(run.nodes[node.about], state)
        case "summarise", _:
            return SummariseInput(state=state)
        case "noop", Drill():
            return NoopInput(wait_seconds=job.wait_seconds, cpu_seconds=job.cpu_seconds)
        case _:
            raise AssertionError(f"a {type(job).__name__} has no sub-tasks of kind {node.plan.kind}")


def _step(run: Run, case: TestCase, node: Node) -> StepInput:
    plan = node.plan
    return StepInput(
        expected_result=plan.expected_result,
        covers=plan.covers,
        precondition=plan.precondition,
        written=_written(case, plan),
        guarded=_guarded(run, case, node),
        mended=_mended(run, node),
        domains=case.domains,
        secrets=case.secrets,
        values=run.values,
        state="\n".join(run.facts),
    )


def _evaluation(about: Node, state: str) -> EvaluateInput:
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
        state=state,
    )


def _mended(run: Run, node: Node) -> Mended | None:
    about = run.nodes.get(node.about) if node.about else None
    return Mended(action=about.plan.description, expected=about.plan.expected_result) if about else None


def _written(case: TestCase, plan: PlanNode) -> tuple[str, ...]:
    """Return the written actions a sub-task is a part of, unless it is the whole of one."""
    actions = tuple(case.steps[index].action for index in plan.covers)
    return () if actions == (plan.description,) else actions


def _guarded(run: Run, case: TestCase, node: Node) -> tuple[str, ...]:
    """Return what a sub-task may not bring about by itself; one that covers no step, nothing that any step expects."""
    if node.plan.precondition:
        return ()
    steps = [case.steps[index] for index in node.plan.covers] or case.steps
    written = (*(step.action for step in case.steps), *case.preconditions)
    return guarded((step.expected for step in steps), written, run.values)


def _budget(run: Run) -> Budget:
    assert run.request is not None
    limits, policy, usage = run.request.limits, run.policy, run.usage
    calls = policy.subtask_calls
    tokens = 0
    if limits.max_calls is not None:
        calls = max(0, min(calls, limits.max_calls - usage.calls))
    if limits.max_tokens is not None:
        tokens = max(1, limits.max_tokens - usage.input_tokens - usage.output_tokens)
    return Budget(
        iterations=policy.subtask_iterations,
        calls=calls,
        tokens=tokens,
        cost=limits.max_cost - usage.cost if limits.max_cost is not None else 0.0,
        seconds=policy.subtask_seconds,
    )
