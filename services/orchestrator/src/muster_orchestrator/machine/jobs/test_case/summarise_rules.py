"""Rules for summaries of what happened so far, made once it is too long for a sub-task's input."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run, is_due
from muster_orchestrator.machine.jobs.test_case.knowledge import newest_facts, state_of
from muster_orchestrator.machine.jobs.test_case.state import Fact
from muster_protocol.kinds import SummariseInput, SummariseOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult


def brief(run: Run, _node: Node) -> SummariseInput:
    """Return all that was done so far."""
    return SummariseInput(state="\n".join(fact.text for fact in state_of(run).facts))


def absorb(run: Run, _node: Node, result: SubTaskResult) -> Run:
    """Replace the facts by the summary; without one, keep the newest that fit."""
    state = state_of(run)
    if isinstance(result.output, SummariseOutput) and result.status == "pass":
        facts: tuple[Fact, ...] = (Fact("", result.output.state[: run.policy.state_characters // 2]),)
    else:
        facts = newest_facts(state.facts, run.policy.state_characters)
    return replace(run, job=replace(state, facts=facts))


RULES = KindRules(brief, accept_claim, absorb)


def summary_due(run: Run) -> tuple[Node, ...]:
    """Return the next summary, unless one is in progress."""
    if any(node.plan.kind == "summarise" for node in run.graph.with_status("open", "faulted")):
        return ()
    waiting = [run.graph[id] for id in run.graph.ready if run.graph[id].plan.kind == "summarise"]
    if waiting:
        return (waiting[0],) if is_due(run, waiting[0]) else ()
    number = next(number for number in range(1, 10_000) if f"state-{number}" not in run.graph)
    return (Node(plan=PlanNode(id=f"state-{number}", description="Sum up the state", kind="summarise", session="")),)
