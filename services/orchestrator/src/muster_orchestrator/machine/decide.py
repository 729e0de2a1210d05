"""What a run wants done next, given all that is known of it. Pure: the same run always decides the same."""

import zlib
from collections.abc import Iterable

from muster_orchestrator.machine import dispatch, parking
from muster_orchestrator.machine.commands import Command, Conclude, Enqueue, OpenTheSession, Record, SetTimer
from muster_orchestrator.machine.ending import ending, worn_out
from muster_orchestrator.machine.planning import drill_plan, refusals
from muster_orchestrator.machine.state import PLANNING, POOL, SESSION_HOST, Run, open_tasks, unserved_timer
from muster_protocol.events import Event, GivenUp, PlanMade, PlanRefused, RetryPlanned, VerdictReached
from muster_protocol.kinds import PlanOutput
from muster_protocol.requests import Drill, TestCase
from muster_protocol.sessions import OpenSession


def decide(run: Run) -> tuple[Command, ...]:
    """Return what the run wants: events that follow by themselves, or effects with what they wait for."""
    if run.request is None or run.closed:
        return ()
    if run.verdict is not None:
        open_ones = tuple(task.id for task in open_tasks(run))
        sessions = tuple({**run.lost, **run.sessions}.values())
        unsure = tuple(sorted(_wanted(run) - set(run.sessions)))
        return (Conclude(run.verdict, sessions, open_ones, run.request.reply_to, run.given_up, unsure),)
    if reason := worn_out(run):
        return (Record((GivenUp(reason=reason),)),)
    verdict = ending(run)
    if verdict is not None:
        return (Record((VerdictReached(verdict=verdict),)),)
    follows = (*_plan(run), *_retries(run), *parking.answers(run)) or dispatch.due(run) or parking.letting_go(run)
    if follows:
        return (Record(follows),)
    if run.parked:
        return ()
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
    assert isinstance(planning.result.output, PlanOutput), "a plan that passed holds one"
    plan = planning.result.output.plan
    reasons = refusals(job, plan, run.max_subtasks)
    return (PlanRefused(reasons=reasons),) if reasons else (PlanMade(plan=plan),)


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
    if not isinstance(job, TestCase):
        return ()
    return tuple(
        OpenTheSession(
            id=f"open:{name}:{run.lost_sessions}",
            request=OpenSession(
                run=run.request.id,
                name=name,
                domains=job.domains,
                checkpoint=name in run.lost,
                record=run.request.record,
            ),
        )
        for name in sorted(_wanted(run) - set(run.sessions))
    )


def _wanted(run: Run) -> set[str]:
    """Return the names of the sessions the run works in, each of which it may have asked for already."""
    if run.request is None or not isinstance(run.request.job, TestCase):
        return set()
    return {node.session for node in run.plan.nodes if node.session} if run.plan else {"main"}


def _open_attempts(run: Run) -> tuple[Command, ...]:
    return tuple(Enqueue(node.sub_task) for node in run.nodes.values() if node.status == "open" and node.sub_task)


def _timers(run: Run) -> tuple[Command, ...]:
    waiting = [node for node in run.nodes.values() if node.status == "waiting" and node.not_before > run.now]
    retries = [SetTimer(dispatch.retry_timer(node), node.not_before) for node in waiting]
    limit = run.policy.unserved_seconds
    absences = [
        SetTimer(unserved_timer(what, absence), absence.since + limit)
        for what, absence in run.unserved.items()
        if what.startswith(POOL)
    ]
    return (SetTimer("run", run.deadline), *retries, *absences)


def needs(commands: Iterable[Command]) -> frozenset[str]:
    """Return what has to be there for the commands to be done: `pool act` for a sub-task, `session host`."""
    pools = {f"{POOL}{command.sub_task.pool}" for command in commands if isinstance(command, Enqueue)}
    hosts = {SESSION_HOST for command in commands if isinstance(command, OpenTheSession)}
    return frozenset(pools | hosts)
