"""Shared by jobs whose single plan needs no planning: drill, assignment, analysis. Pure."""

from collections.abc import Callable

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.job import End, Fail
from muster_orchestrator.machine.core.state import PlannedOnce, Run
from muster_protocol.causes import Cause
from muster_protocol.events import Event, PlanMade
from muster_protocol.journal import Child
from muster_protocol.plans import Plan


def follow_once(run: Run, plan: Callable[[], Plan]) -> tuple[Event, ...]:
    """Return the event that makes the plan; none once it is made."""
    state = run.job
    return () if isinstance(state, PlannedOnce) and state.planned else (PlanMade(plan=plan()),)


def add_plan(run: Run, event: Event, asked: Child | None = None) -> Run:
    """Return the run with the nodes of the plan; unchanged after any other event, or once they are there."""
    state = run.job
    if not isinstance(event, PlanMade) or not isinstance(state, PlannedOnce) or state.planned:
        return run
    nodes = [Node(plan=plan, asked=asked) for plan in event.plan.nodes]
    return replace(run, graph=add_nodes(run.graph, nodes), job=replace(state, planned=True))


def end_with(run: Run, root: str) -> End | None:
    """Return the end of a job that ends as its one node does; None until that is over."""
    node = run.graph.get(root)
    if node is None or node.result is None or node.status not in ("passed", "failing", "failed"):
        return None
    if node.status == "passed":
        return End(summary=node.result.summary)
    return End(Fail(node.result.cause or Cause.AGENT, node.result.summary, root, node.result))
