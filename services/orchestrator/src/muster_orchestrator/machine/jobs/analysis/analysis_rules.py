"""The rules of an analysis: an analyzer looks once at what a run has left."""

from collections.abc import Mapping
from typing import ClassVar

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.one_plan import add_plan, end_with, follow_once
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.analysis.state import AnalysisState
from muster_protocol.analyses import AnalyseInput, AnalyseOutput
from muster_protocol.events import Event
from muster_protocol.notes import Note
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Analysis
from muster_protocol.tasks import SubTaskResult

ROOT = "analysis"
_NODE = PlanNode(id=ROOT, description="Look again at what the run has left", kind="analyse", session="")


def _brief(run: Run, _node: Node) -> AnalyseInput:
    return AnalyseInput(material=_job(run).material)


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

    def note(self, run: Run) -> Note | None:
        """Return what the analyzer found; None: no model was there, which says nothing of the run."""
        assert run.verdict is not None
        verdict = run.verdict
        output = verdict.results[-1].output if verdict.results else None
        if not isinstance(output, AnalyseOutput):
            return None
        return Note(
            run=_job(run).run,
            source=verdict.run,
            agent="analyzer",
            at=verdict.ended_at,
            status="done",
            summary=verdict.summary,
            findings=output.doubts,
            left_out=output.left_out,
            cost=verdict.usage.cost,
            classification="doubtful" if output.doubts else "no doubts",
        )

    def end(self, run: Run) -> End | None:
        """An analysis ends with its one sub-task."""
        return end_with(run, ROOT)


RULES: Job = AnalysisRules()


def _job(run: Run) -> Analysis:
    assert isinstance(run.opened.job, Analysis)
    return run.opened.job
