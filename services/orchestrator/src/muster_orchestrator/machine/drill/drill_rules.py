"""The rules of a drill: a chain of sub-tasks that do nothing, one after another."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.job import End, Fail
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim, record_fail, rules_for
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.drill.state import DrillState
from muster_protocol.causes import Cause
from muster_protocol.events import Event, PlanMade
from muster_protocol.kinds import Input, NoopInput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Drill
from muster_protocol.session_requests import OpenSession
from muster_protocol.tasks import SubTaskResult


def _brief(run: Run, _node: Node) -> NoopInput:
    drill = _drill(run)
    return NoopInput(wait_seconds=drill.wait_seconds, cpu_seconds=drill.cpu_seconds)


KINDS = {"noop": KindRules(_brief, accept_claim, record_fail)}


class DrillRules:
    """See `Job`."""

    def start(self, run: Run) -> DrillState:
        """A drill begins without its plan."""
        return DrillState()

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """A drill works in no session."""
        return ()

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """All that is ready is due."""
        return ready

    def brief(self, run: Run, node: Node) -> Input:
        """Return how long a sub-task does nothing."""
        return rules_for(KINDS, node).brief(run, node)

    def accept(self, run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
        """Return a result as it is claimed; there is nothing to prove."""
        return rules_for(KINDS, node).accept(run, node, claimed)

    def absorb(self, run: Run, node: Node, result: SubTaskResult) -> Run:
        """Keep what failed."""
        return rules_for(KINDS, node).absorb(run, node, result)

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan."""
        state = run.job
        made = isinstance(state, DrillState) and state.planned
        return () if made else (PlanMade(plan=build_plan(_drill(run))),)

    def apply(self, run: Run, event: Event) -> Run:
        """Take the plan in, once."""
        state = run.job
        if not isinstance(event, PlanMade) or not isinstance(state, DrillState) or state.planned:
            return run
        nodes = [Node(plan=node) for node in event.plan.nodes]
        return replace(run, graph=add_nodes(run.graph, nodes), job=replace(state, planned=True))

    def end(self, run: Run) -> End | None:
        """A drill is over when one of its sub-tasks has failed, or all have passed."""
        failed = next(iter(run.graph.with_status("failing", "failed")), None)
        if failed is not None and failed.result is not None:
            result = failed.result
            return End(Fail(result.cause or Cause.AGENT, result.summary, failed.plan.id, result))
        return End() if run.graph.places and not run.graph.undone else None


def build_plan(drill: Drill) -> Plan:
    """Return a chain of sub-tasks that do nothing."""
    width = len(str(drill.count))
    ids = [f"drill-{number:0{width}d}" for number in range(1, drill.count + 1)]
    return Plan(
        nodes=tuple(
            PlanNode(id=id, needs=(before,) if before else (), description="Do nothing", kind="noop", session="")
            for before, id in zip(["", *ids], ids, strict=False)
        )
    )


def _drill(run: Run) -> Drill:
    assert run.request is not None
    assert isinstance(run.request.job, Drill)
    return run.request.job
