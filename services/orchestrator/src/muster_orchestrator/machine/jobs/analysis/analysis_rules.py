"""The rules of an analysis: an analyzer looks once at what a run has left."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.job import End, Fail, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.analysis.state import AnalysisState
from muster_protocol.analyses import AnalyseInput
from muster_protocol.causes import Cause
from muster_protocol.events import Event, PlanMade
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Analysis
from muster_protocol.session_requests import OpenSession
from muster_protocol.tasks import SubTaskResult

ROOT, DESCRIPTION = "analysis", "Look again at what the run has left"


def _brief(run: Run, _node: Node) -> AnalyseInput:
    assert run.request is not None
    assert isinstance(run.request.job, Analysis)
    return AnalyseInput(material=run.request.job.material)


def _absorb(run: Run, _node: Node, result: SubTaskResult) -> Run:
    return run.with_result(result)


class AnalysisRules:
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"analyse": KindRules(_brief, accept_claim, _absorb)}

    def start(self, run: Run) -> AnalysisState:
        """An analysis starts without its node."""
        return AnalysisState()

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """It works in no session."""
        return ()

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """All that is ready is due."""
        return ready

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        state = run.job
        if isinstance(state, AnalysisState) and state.planned:
            return ()
        return (PlanMade(plan=Plan(nodes=(PlanNode(id=ROOT, description=DESCRIPTION, kind="analyse", session=""),))),)

    def apply(self, run: Run, event: Event) -> Run:
        """Add the node of the plan, once."""
        state = run.job
        if not isinstance(event, PlanMade) or not isinstance(state, AnalysisState) or state.planned:
            return run
        nodes = [Node(plan=plan) for plan in event.plan.nodes]
        return replace(run, graph=add_nodes(run.graph, nodes), job=replace(state, planned=True))

    def rest(self, run: Run) -> float:
        """Nobody writes to it."""
        return 0.0

    def end(self, run: Run) -> End | None:
        """An analysis ends with its one sub-task."""
        node = run.graph.get(ROOT)
        if node is None or node.result is None or node.status not in ("passed", "failing", "failed"):
            return None
        result = node.result
        if node.status == "passed":
            return End(summary=result.summary)
        return End(Fail(result.cause or Cause.AGENT, result.summary, ROOT, result))


RULES: Job = AnalysisRules()
