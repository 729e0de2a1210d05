"""The rules of an assignment: one agent is given a goal, and asks for other agents as it needs them."""

from collections.abc import Mapping
from typing import ClassVar

from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.one_plan import add_plan, end_with, follow_once
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.assignment import assign_rules
from muster_orchestrator.machine.jobs.assignment.assign_rules import ROOT, assignment_of
from muster_orchestrator.machine.jobs.assignment.state import AssignmentState
from muster_protocol.events import Event
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN, Assignment
from muster_protocol.session_requests import OpenSession


class AssignmentRules(Job):
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"assign": assign_rules.RULES}

    def start(self, run: Run) -> AssignmentState:
        """An assignment starts with an empty graph; `follow` plans its one node."""
        return AssignmentState()

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the session of an assignment that works in one; its sub-agents borrow it."""
        assert run.request is not None
        job = assignment_of(run)
        if not job.in_session:
            return ()
        wanted = OpenSession(
            run=run.request.id,
            name=MAIN,
            device=job.device,
            domains=job.domains,
            workspace=job.workspace,
            checkpoint=MAIN in run.sessions.lost,
            record=run.request.record,
        )
        return (wanted,)

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        return follow_once(run, lambda: _plan(assignment_of(run)))

    def apply(self, run: Run, event: Event) -> Run:
        """Add the assignment's node, once."""
        return add_plan(run, event, assign_rules.ask(assignment_of(run)))

    def end(self, run: Run) -> End | None:
        """An assignment ends with its own agent; what that made of its sub-agents is its own result."""
        return end_with(run, ROOT)


RULES: Job = AssignmentRules()


def _plan(job: Assignment) -> Plan:
    session = MAIN if job.in_session else ""
    return Plan(nodes=(PlanNode(id=ROOT, description=job.goal, kind="assign", session=session),))
