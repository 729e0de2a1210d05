"""The rules of an assignment: one agent is given a goal, and asks for other agents as it needs them."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.job import End, Fail, Job
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.assignment import assign_rules
from muster_orchestrator.machine.jobs.assignment.assign_rules import ROOT, assignment_of
from muster_orchestrator.machine.jobs.assignment.state import AssignmentState
from muster_protocol.causes import Cause
from muster_protocol.events import Event, PlanMade
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN
from muster_protocol.session_requests import OpenSession


class AssignmentRules:
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"assign": assign_rules.RULES}

    def start(self, run: Run) -> AssignmentState:
        """An assignment starts without its node."""
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

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """All that is ready is due."""
        return ready

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        state, job = run.job, assignment_of(run)
        if isinstance(state, AssignmentState) and state.planned:
            return ()
        session = MAIN if job.in_session else ""
        return (PlanMade(plan=Plan(nodes=(PlanNode(id=ROOT, description=job.goal, kind="assign", session=session),))),)

    def apply(self, run: Run, event: Event) -> Run:
        """Add the assignment's node, once."""
        state = run.job
        if not isinstance(event, PlanMade) or not isinstance(state, AssignmentState) or state.planned:
            return run
        asked = assign_rules.ask(assignment_of(run))
        nodes = [Node(plan=plan, asked=asked) for plan in event.plan.nodes]
        return replace(run, graph=add_nodes(run.graph, nodes), job=replace(state, planned=True))

    def rest(self, run: Run) -> float:
        """Nobody writes to it."""
        return 0.0

    def end(self, run: Run) -> End | None:
        """An assignment ends with its own agent; what that made of its sub-agents is its own result."""
        node = run.graph.get(ROOT)
        if node is None or node.result is None or node.status not in ("passed", "failed"):
            return None
        result = node.result
        if node.status == "passed":
            return End(summary=result.summary)
        return End(Fail(result.cause or Cause.AGENT, result.summary, ROOT, result))


RULES: Job = AssignmentRules()
