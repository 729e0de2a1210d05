"""What a run wants done next, given all that is known of it. Pure: the same run always decides the same."""

import zlib

from muster_orchestrator.machine import dispatch
from muster_orchestrator.machine.commands import Command, Conclude, Enqueue, OpenTheSession, Record, SetTimer
from muster_orchestrator.machine.ending import ending
from muster_orchestrator.machine.planning import drill_plan, refusals
from muster_orchestrator.machine.state import PLANNING, Run
from muster_protocol.events import Event, PlanMade, PlanRefused, RetryPlanned, VerdictReached
from muster_protocol.requests import Drill, TestCase
from muster_protocol.sessions import OpenSession


def decide(run: Run) -> tuple[Command, ...]:
    """Return what the run wants: events that follow by themselves, or effects with what they wait for."""
    if run.request is None or run.closed:
        return ()
    if run.verdict is not None:
        return (Conclude(run.verdict, tuple(run.sessions.values()), run.request.reply_to),)
    verdict = ending(run)
    if verdict is not None:
        return (Record((VerdictReached(verdict=verdict),)),)
    follows = (*_plan(run), *_retries(run)) or dispatch.due(run)
    if follows:
        return (Record(follows),)
    return (*_sessions(run), *_open_attempts(run), *_timers(run))


def _plan(run: Run) -> tuple[Event, ...]:
    """Adopt or refuse what planning gave."""
    assert run.request is not None
    job = run.request.job
    if run.plan is not None:
        return ()
    if isinstance(job, Drill):
        return (PlanMade(plan=drill_plan(job)),)
    planning = run.nodes.get(PLANNING)
    if planning is None or planning.status != "passed" or planning.result is None or run.refusals:
        return ()
    plan = planning.result.plan
    reasons = refusals(job, plan, run.max_subtasks) if plan else ("the planner gave no plan",)
    return (PlanRefused(reasons=reasons),) if reasons or plan is None else (PlanMade(plan=plan),)


def _retries(run: Run) -> tuple[Event, ...]:
    """Plan the next try of each node that infrastructure failed: 1 s, 2 s, … and up to a fifth by run id, capped."""
    assert run.request is not None
    found: list[Event] = []
    for id, node in run.nodes.items():
        if node.status == "faulted":
            jitter = zlib.crc32(f"{run.request.id}.{id}.{node.faults}".encode()) % 1000 / 5000
            pause = run.policy.backoff_seconds * 2 ** min(node.faults - 1, 16) * (1 + jitter)
            reason = node.result.summary if node.result else ""
            not_before = run.now + min(run.policy.backoff_limit_seconds, pause)
            found.append(RetryPlanned(node=id, not_before=not_before, reason=reason))
    return tuple(found)


def _sessions(run: Run) -> tuple[Command, ...]:
    """Open what the plan works in; the main session of a test case while it is still being planned."""
    assert run.request is not None
    job = run.request.job
    planned = {node.session for node in run.plan.nodes if node.session} if run.plan else {"main"}
    if not isinstance(job, TestCase):
        return ()
    return tuple(
        OpenTheSession(
            id=f"open:{name}:{run.lost_sessions}",
            request=OpenSession(run=run.request.id, name=name, domains=job.domains, checkpoint=run.lost_sessions > 0),
        )
        for name in sorted(planned - set(run.sessions))
    )


def _open_attempts(run: Run) -> tuple[Command, ...]:
    return tuple(Enqueue(node.sub_task) for node in run.nodes.values() if node.status == "open" and node.sub_task)


def _timers(run: Run) -> tuple[Command, ...]:
    waiting = [node for node in run.nodes.values() if node.status == "waiting" and node.not_before > run.now]
    retries = [SetTimer(dispatch.retry_timer(node), node.not_before) for node in waiting]
    return (SetTimer("run", run.deadline), *retries)
