"""Rules for planning the rest of a case again, once a run, where an evaluator asks for it. Pure.

The new plan is held to the same rules as the first: the steps that are left, in their order, with their expectations
as written. What is done stays done. It is only made where no step is half done and all steps share a session.
"""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import DONE, Graph, Node, add_nodes, replace_node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.consent_rules import note_risks
from muster_orchestrator.machine.jobs.test_case.knowledge import state_of, told_case
from muster_orchestrator.machine.jobs.test_case.planning import find_faults, restore_expectations
from muster_protocol.events import PlanMade
from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTaskResult

REPLANNING = "replan"
"""Id of the node that plans the rest again."""
PREFIX = "again-"
"""Begins the ids of what was planned again."""


def may_replan(run: Run, about: Node) -> bool:
    """Return whether the rest of the case may be planned again from a failed step on."""
    if not run.policy.replan or REPLANNING in run.graph or len(state_of(run).sessions) != 1:
        return False
    held = run.graph.with_status("open", "asking", "delegating", "faulted", "recovering")
    return not held and _first_step_left(run, about) is not None


def ask(run: Run, about: Node, reason: str) -> Run:
    """Return the run with a node that plans the rest again, for a failed step."""
    plan = PlanNode(id=REPLANNING, description="Plan the rest of the case again", kind="plan", session="")
    run = replace(run, graph=add_nodes(run.graph, [Node(plan=plan, about=about.plan.id)]))
    return replace(run.with_node(replace(about, status="recovering")), job=replace(state_of(run), replan_reason=reason))


def brief(run: Run, node: Node) -> PlanInput:
    """Return the steps that are left, and what has failed."""
    about = run.graph[node.about]
    failed = about.result.summary if about.result else ""
    told = (f"carried out so, {about.plan.description!r} has failed: {failed}", state_of(run).replan_reason)
    return PlanInput(case=_rest(run, about), critique=tuple(filter(None, told)), checkpoints=run.policy.checkpoints)


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Let the step that has failed fail for good where the rest cannot be planned again."""
    about = run.graph.get(node.about)
    why = result.summary if result.status != "pass" else "; ".join(_faults(run, node, result))
    if not why or about is None or about.result is None:
        return run
    summary = f"{about.result.summary} (the rest could not be planned again: {why})"
    return run.with_node(replace(about, status="failed", result=replace(about.result, summary=summary)))


def accept_rest(run: Run) -> tuple[PlanMade, ...]:
    """Return the new plan of the rest, once it is there."""
    node = run.graph.get(REPLANNING)
    if node is None or node.status != "passed" or node.result is None or node.about not in run.graph:
        return ()
    about = run.graph[node.about]
    assert isinstance(node.result.output, PlanOutput), "planning that passed holds a plan"
    if about.status != "recovering":
        return ()
    plan = restore_expectations(_rest(run, about), node.result.output.plan)
    first = _first_step_left(run, about) or 0
    left = tuple(it.plan.id for it in run.graph.values() if it.planned and it.status not in DONE)
    return (PlanMade(plan=Plan(nodes=tuple(_shifted(it, first) for it in plan.nodes)), replaces=left),)


def apply_rest(run: Run, event: PlanMade) -> Run:
    """Return the run with the new nodes in place of those that were left."""
    kept = [node for node in run.graph.values() if node.plan.id not in event.replaces]
    graph = add_nodes(Graph(), (replace(node, status="waiting") for node in kept))
    for node in kept:
        graph = replace_node(graph, node)
    state = state_of(run)
    done = tuple(node for node in (state.plan or Plan(nodes=())).nodes if node.id not in event.replaces)
    whole = Plan(nodes=(*done, *event.plan.nodes))
    run = replace(run, graph=add_nodes(graph, (Node(plan=node) for node in event.plan.nodes)))
    return note_risks(replace(run, job=replace(state, plan=whole)), event.plan.nodes)


def _first_step_left(run: Run, about: Node) -> int | None:
    """Return the index of the first written step to plan again; None: a step is half done, or none is left."""
    planned = [node for node in run.graph.values() if node.planned and not node.backtrack_to]
    left = [node for node in planned if node.status not in DONE]
    steps = [index for node in left for index in node.plan.covers]
    if not steps or any(node.plan.precondition for node in left) or about.plan.id not in {it.plan.id for it in left}:
        return None
    begun = {index for node in planned if node.status in DONE for index in node.plan.covers}
    return None if begun & set(steps) else min(steps)


def _faults(run: Run, node: Node, result: SubTaskResult) -> tuple[str, ...]:
    assert isinstance(result.output, PlanOutput), "planning that passed holds a plan"
    done = sum(it.planned and it.status in DONE for it in run.graph.values())
    return find_faults(_rest(run, run.graph[node.about]), result.output.plan, run.max_subtasks - done)


def _rest(run: Run, about: Node) -> TestCase:
    case = told_case(run)
    return replace(case, steps=case.steps[_first_step_left(run, about) or 0 :], preconditions=())


def _shifted(node: PlanNode, first: int) -> PlanNode:
    """Return a node of a plan of the rest as one of the whole case."""
    needs = tuple(PREFIX + need for need in node.needs)
    return replace(node, id=PREFIX + node.id, needs=needs, covers=tuple(index + first for index in node.covers))
