"""The rules of an assignment: one agent is given a goal, and asks for other agents as it needs them."""

from collections.abc import Mapping
from typing import ClassVar, cast

from msgspec.structs import replace

from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.one_plan import add_plan, end_with, follow_once
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.assignment import assign_rules
from muster_orchestrator.machine.jobs.assignment.assign_rules import ROOT, assignment_of
from muster_orchestrator.machine.jobs.assignment.state import AssignmentState
from muster_protocol.events import Event
from muster_protocol.kinds import AssignOutput
from muster_protocol.notes import Note
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN, Assignment
from muster_protocol.session_requests import OpenSession
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict
from muster_text.cost_estimates import assignment_keys

UNSEEN = ("unclear", "unknown")
"""Classification and severity of what a trigger's agent could not look at, which may be anything."""
LONGEST_CLASS = 40
"""Characters of a classification."""


class AssignmentRules(Job):
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]] = {"assign": assign_rules.RULES}

    def start(self, run: Run) -> AssignmentState:
        """An assignment starts with an empty graph; `follow` plans its one node."""
        return AssignmentState()

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the session of an assignment that works in one; its sub-agents borrow it."""
        job = assignment_of(run)
        if not job.in_session:
            return ()
        wanted = OpenSession(
            run=run.opened.id,
            name=MAIN,
            device=job.device,
            domains=job.domains,
            workspace=job.workspace,
            checkpoint=MAIN in run.sessions.lost,
            record=run.opened.record,
        )
        return (wanted,)

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Make the plan, once."""
        return follow_once(run, lambda: _plan(assignment_of(run)))

    def apply(self, run: Run, event: Event) -> Run:
        """Add the assignment's node, once."""
        return add_plan(run, event, assign_rules.ask(assignment_of(run)))

    def note(self, run: Run) -> Note | None:
        """Return the note of an agent that looked at another run, or that a trigger had look at something.

        The latter leaves one beside its own run, unless it was about another one, and even if it never came to look.
        """
        assert run.verdict is not None
        job, verdict = assignment_of(run), run.verdict
        if not job.role and not (job.notes_on and verdict.results):
            return None
        return _build_note(job, verdict)

    def costs(self, run: Run) -> dict[str, Usage]:
        """Return what the goal has come to if it was reached."""
        verdict = run.verdict
        if verdict is None or not verdict.achieved:
            return {}
        return dict.fromkeys(assignment_keys(assignment_of(run)), replace(run.usage, seconds=verdict.duration))

    def end(self, run: Run) -> End | None:
        """An assignment ends with its own agent; what that made of its sub-agents is its own result."""
        return end_with(run, ROOT)


RULES: Job = AssignmentRules()


def _build_note(job: Assignment, verdict: Verdict) -> Note:
    found = verdict.results[-1].assigned if verdict.results else AssignOutput()
    kept = tuple(it for it in found.findings if not it.unread)
    classified = cast("dict[str, object]", found.output) if isinstance(found.output, dict) else {}
    return Note(
        run=job.notes_on or verdict.run,
        source=verdict.run,
        agent=job.agent,
        at=verdict.ended_at,
        status="done" if verdict.achieved else "failed",
        summary=verdict.summary,
        findings=kept,
        left_out=len(found.findings) - len(kept),
        cost=verdict.usage.cost,
        classification=str(classified.get("classification") or UNSEEN[0])[:LONGEST_CLASS] if job.role else "",
        severity=str(classified.get("severity") or UNSEEN[1])[:LONGEST_CLASS] if job.role else "",
    )


def _plan(job: Assignment) -> Plan:
    session = MAIN if job.in_session else ""
    return Plan(nodes=(PlanNode(id=ROOT, description=job.goal, kind="assign", session=session),))
