"""Decides what a run does next. Pure: the same run always gives the same commands."""

from collections.abc import Iterable, Iterator

from muster_orchestrator.machine.core import dispatch, ends, parking
from muster_orchestrator.machine.core.attempt_ends import plan_retries
from muster_orchestrator.machine.core.commands import (
    AcquireSession,
    Command,
    Conclude,
    Enqueue,
    Record,
    SetTimer,
    Withdraw,
)
from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.state import POOL, Run, describe_host, open_tasks, retry_timer, unserved_timer
from muster_orchestrator.machine.job_rules import job_of
from muster_protocol.events import Event, GivenUp, VerdictReached
from muster_protocol.session_requests import OpenSession


def decide(run: Run) -> tuple[Command, ...]:
    """Return the events to record, if any follow by themselves, else the effects that are due."""
    if run.request is None or run.closed:
        return ()
    job = job_of(run)
    if run.verdict is not None:
        return (_conclude(run, job),)
    follows = _check_end(run, job) or _next_events(run, job)
    if follows:
        return (Record(follows),)
    if run.parking.reason:
        return ()
    return (*_open_sessions(run, job), *_attempts(run), *_set_timers(run))


def _attempts(run: Run) -> Iterator[Command]:
    """Yield what is to be done with each open attempt: it is queued, or withdrawn once somebody has stopped it."""
    for node in run.graph.with_status("open"):
        if node.sub_task is not None:
            yield Withdraw(node.sub_task) if node.withdrawn else Enqueue(node.sub_task)


def _check_end(run: Run, job: Job) -> tuple[Event, ...]:
    """Return the end of the run, once it is certain."""
    if reason := ends.check_takeovers(run):
        return (GivenUp(reason=reason),)
    stopped = ends.check_stopped(run)
    end = End(stopped) if stopped else job.end(run)
    if end is None and (fail := ends.check_bounds(run)):
        end = End(fail)
    return (VerdictReached(verdict=ends.build_verdict(run, end)),) if end else ()


def _next_events(run: Run, job: Job) -> tuple[Event, ...]:
    """Return the events that follow by themselves."""
    follows = (*job.follow(run), *plan_retries(run), *parking.answer_questions(run))
    return (
        follows
        or dispatch.due_sub_tasks(run, job)
        or parking.park_if_idle(run, _awaited_host(run, job))
        or parking.park_at_rest(run, job.rest(run))
    )


def _conclude(run: Run, job: Job) -> Conclude:
    assert run.verdict is not None
    open_ones = tuple(task.id for task in open_tasks(run))
    sessions = tuple({**run.sessions.lost, **run.sessions.open}.values())
    wanted = {request.name for request in job.wanted_sessions(run)}
    unlocated = tuple(sorted(wanted - set(run.sessions.open)))
    return Conclude(
        run.verdict,
        sessions,
        open_ones,
        run.opened.reply_to,
        run.given_up,
        unlocated,
        files=job.files(run),
        graph=job.graph(run),
        note=job.note(run),
    )


def _open_sessions(run: Run, job: Job) -> tuple[AcquireSession, ...]:
    """Return the missing sessions of the job; those of a test case open while it is still being planned."""
    missing, losses = _missing_sessions(run, job), run.sessions.losses
    asked = run.request.priority if run.request else "normal"
    priority = "high" if losses and asked == "normal" else asked  # a run half done goes first
    return tuple(AcquireSession(f"open:{it.name}:{losses}", it, missing, priority) for it in missing)


def _missing_sessions(run: Run, job: Job) -> tuple[OpenSession, ...]:
    return tuple(request for request in job.wanted_sessions(run) if request.name not in run.sessions.open)


def _awaited_host(run: Run, job: Job) -> str:
    missing = _missing_sessions(run, job) if run.sessions.queued else ()
    return describe_host(missing[0].kind) if missing else ""


def _set_timers(run: Run) -> tuple[SetTimer, ...]:
    waiting = [run.graph[id] for id in run.graph.ready if run.graph[id].not_before > run.clock.now]
    retries = [SetTimer(retry_timer(node), node.not_before) for node in waiting]
    absences = [
        SetTimer(unserved_timer(what, absence), absence.since + ends.absence_limit(run, what, absence))
        for what, absence in run.unserved.items()
    ]
    return (SetTimer("run", run.deadline), *retries, *absences)


def required_services(commands: Iterable[Command]) -> frozenset[str]:
    """Return the services that commands need: `pool act` for a sub-task, `session host` for a session."""
    pools = {f"{POOL}{command.sub_task.pool}" for command in commands if isinstance(command, Enqueue)}
    hosts = {command.needs for command in commands if isinstance(command, AcquireSession)}
    return frozenset(pools | hosts)
