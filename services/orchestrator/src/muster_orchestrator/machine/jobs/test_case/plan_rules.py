"""Rules for planning a test case: it is planned once, and the plan must be faithful to the written case."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim, record_fail
from muster_orchestrator.machine.core.state import Run, is_due
from muster_orchestrator.machine.jobs.test_case import consent_rules, critic_rules, replan_rules
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of, state_of, told_case
from muster_orchestrator.machine.jobs.test_case.planning import (
    PLANNING,
    find_excess,
    find_faults,
    restore_expectations,
)
from muster_protocol.events import Event, PlanMade, PlanRefused
from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult


def brief(run: Run, node: Node) -> PlanInput:
    """Return the whole case, or what is left of it."""
    if node.plan.id == replan_rules.REPLANNING:
        return replan_rules.brief(run, node)
    critiques = state_of(run).critiques
    told = critic_rules.describe_critique(critiques[-1]) if critiques else ()
    return PlanInput(case=told_case(run), critique=told, checkpoints=run.policy.checkpoints)


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Keep a fail for the verdict; a second plan that cannot be made ends the step that it was for."""
    run = record_fail(run, node, result)
    return replan_rules.absorb(run, node, result) if node.plan.id == replan_rules.REPLANNING else run


RULES = KindRules(brief, accept_claim, absorb)


def planning_due(run: Run) -> tuple[Node, ...]:
    """Return planning itself, if it is to be dispatched."""
    node = run.graph.get(PLANNING)
    if node is None:
        plan = PlanNode(id=PLANNING, description="Plan the test case", kind="plan", session="")
        return (Node(plan=plan),)
    return (node,) if node.status == "waiting" and is_due(run, node) else ()


def accept_plan(run: Run) -> tuple[Event, ...]:
    """Return whether the plan is accepted, once planning has passed; a case that no plan can fit is refused before."""
    state, planning = state_of(run), run.graph.get(PLANNING)
    if planning is None and not state.refusals and (excess := find_excess(case_of(run), run.max_subtasks)):
        return (PlanRefused(reasons=(excess,)),)
    if state.plan or state.refusals or planning is None or planning.status != "passed" or planning.result is None:
        return ()
    assert isinstance(planning.result.output, PlanOutput), "planning that passed holds a plan"
    plan = planning.result.output.plan
    reasons = find_faults(case_of(run), plan, run.max_subtasks)
    if reasons:
        return (PlanRefused(reasons=reasons),)
    return (PlanMade(plan=plan),) if critic_rules.is_examined(run, planning) else ()


def apply_plan(run: Run, event: PlanMade) -> Run:
    """Return the run with the nodes of the plan, added once."""
    state, planning = state_of(run), run.graph.get(PLANNING)
    if state.plan is not None:
        return replan_rules.apply_rest(run, event) if event.replaces else run
    plan = restore_expectations(case_of(run), event.plan)
    thinks = planning is not None and planning.result is not None and planning.result.source == "model"
    sessions = tuple(sorted({node.session for node in plan.nodes} - {""}))
    run = replace(run, graph=add_nodes(run.graph, (Node(plan=node) for node in plan.nodes)))
    run = replace(run, job=replace(state, plan=plan, sessions=sessions, thinks=thinks))
    return consent_rules.note_risks(run, plan.nodes, shown=bool(run.request and run.request.approve_plan))
