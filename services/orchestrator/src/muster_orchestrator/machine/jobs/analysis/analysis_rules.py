"""The rules of an analysis: an analyzer looks once at what a run has left."""

from collections.abc import Mapping
from typing import ClassVar

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.one_plan import add_plan, end_with, follow_once
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.analysis.state import AnalysisState
from muster_protocol.analyses import AnalyseInput
from muster_protocol.events import Event
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Analysis
from muster_protocol.tasks import SubTaskResult

ROOT = "analysis"
_NODE = PlanNode(id=ROOT, description="Look again at what the run has left", kind="analyse", session="")


def _brief(run: Run, _node: Node) -> AnalyseInput:
    assert run.request is not None
    assert isinstance(run.request.job, Analysis)
    return AnalyseInput(material=run.request.job.material)


def _absorb(run: Run, _node: Node, result: SubTaskResult) -> Run:
    return run.with_result(result)


class AnalysisRules(Job):
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"analyse": KindRules(_brief, accept_claim, _absorb)}

    def start(self, run: Run) -> AnalysisState:
        """An analysis starts with an empty graph; `follow` plans its one node."""
        return AnalysisState()

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        return follow_once(run, lambda: Plan(nodes=(_NODE,)))

    def apply(self, run: Run, event: Event) -> Run:
        """Add the node of the plan, once."""
        return add_plan(run, event)

    def end(self, run: Run) -> End | None:
        """An analysis ends with its one sub-task."""
        return end_with(run, ROOT)


RULES: Job = AnalysisRules()
