"""The rules of a drill: a chain of sub-tasks that do nothing, one after another."""

from collections.abc import Mapping
from typing import ClassVar

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import End, Fail, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim, record_fail
from muster_orchestrator.machine.core.one_plan import add_plan, follow_once
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.drill.state import DrillState
from muster_protocol.causes import Cause
from muster_protocol.events import Event
from muster_protocol.kinds import NoopInput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Drill


def _brief(run: Run, _node: Node) -> NoopInput:
    drill = _drill(run)
    return NoopInput(wait_seconds=drill.wait_seconds, cpu_seconds=drill.cpu_seconds)


class DrillRules(Job):
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"noop": KindRules(_brief, accept_claim, record_fail)}

    def start(self, run: Run) -> DrillState:
        """A drill starts without a plan."""
        return DrillState()

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        return follow_once(run, lambda: build_plan(_drill(run)))

    def apply(self, run: Run, event: Event) -> Run:
        """Add the nodes of the plan, once."""
        return add_plan(run, event)

    def end(self, run: Run) -> End | None:
        """A drill ends when one of its sub-tasks has failed, or all have passed."""
        failed = next(iter(run.graph.with_status("failing", "failed")), None)
        if failed is not None and failed.result is not None:
            result = failed.result
            return End(Fail(result.cause or Cause.AGENT, result.summary, failed.plan.id, result))
        return End() if run.graph.places and not run.graph.undone else None


RULES: Job = DrillRules()


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
    assert isinstance(run.opened.job, Drill)
    return run.opened.job
