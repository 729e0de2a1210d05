"""Rules for the critic of plans: it may send a plan back twice, and never sees a plan that the rules refuse."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import FINAL, Node
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run, is_due
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of, is_checked_by, state_of, told_case
from muster_orchestrator.machine.jobs.test_case.planning import PLANNING, find_faults
from muster_protocol.examiner_work import CritiqueInput, CritiqueOutput
from muster_protocol.kinds import PlanOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult

MOST_SENT_BACK = 2
DESCRIPTION = "Examine the plan"


def brief(run: Run, _node: Node) -> CritiqueInput:
    """Return the case and its plan."""
    planning = run.graph[PLANNING].result
    assert planning is not None
    assert isinstance(planning.output, PlanOutput), "a plan that is examined is there"
    return CritiqueInput(case=told_case(run), plan=planning.output.plan)


def absorb(run: Run, _node: Node, result: SubTaskResult) -> Run:
    """Keep the critique; a plan of a model is made again if the critic wants that, twice at most.

    Without a critique the rules alone decide: a critic that fails holds nobody up.
    """
    state, planning, output = state_of(run), run.graph[PLANNING], result.output
    if result.status != "pass" or not isinstance(output, CritiqueOutput):
        return run.with_result(result)
    sent_back = sum(critique.revise for critique in state.critiques)
    by_model = planning.result is not None and planning.result.source in ("model", "recording")
    output = replace(output, revise=output.revise and by_model and sent_back < MOST_SENT_BACK)
    run = replace(run, job=replace(state, critiques=(*state.critiques, output)))
    return run.with_node(replace(planning, status="waiting", result=None)) if output.revise else run


RULES = KindRules(brief, accept_claim, absorb)


def critique_due(run: Run) -> tuple[Node, ...]:
    """Return the critique of a plan that the rules accept and nobody has examined."""
    planning = run.graph.get(PLANNING)
    if planning is None or planning.status != "passed" or is_examined(run, planning):
        return ()
    output = planning.result.output if planning.result else None
    if not isinstance(output, PlanOutput) or find_faults(case_of(run), output.plan, run.max_subtasks):
        return ()
    node = run.graph.get(_critique_id(planning))
    if node is None:
        plan = PlanNode(id=_critique_id(planning), description=DESCRIPTION, kind="critique", session="")
        return (Node(plan=plan, about=PLANNING),)
    return (node,) if node.status == "waiting" and is_due(run, node) else ()


def is_examined(run: Run, planning: Node) -> bool:
    """Return whether nobody has to examine the newest plan any more."""
    node = run.graph.get(_critique_id(planning))
    over = node is not None and (node.status in FINAL or node.status == "failing")
    return over or not is_checked_by(run, "critic")


def describe_critique(critique: CritiqueOutput) -> tuple[str, ...]:
    """Return what a planner is told of a critique."""
    issues = (f"step {it.step}: {it.text}" if it.step else it.text for it in critique.issues)
    return (*issues, *critique.suggestions)


def _critique_id(planning: Node) -> str:
    return f"critique-{planning.attempt}"
