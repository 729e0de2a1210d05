"""A run's log as a report tells it: the plan, every attempt at every sub-task, and what else happened. Pure."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol import events
from muster_protocol.control import Cancel
from muster_protocol.events import Entry, Event
from muster_protocol.plans import Plan
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import NeedsChildren, SubTask, SubTaskResult


class Attempt(Struct, frozen=True, kw_only=True):
    """One sub-task as it was handed out, and what its worker claimed; times in unix seconds, 0 if not known."""

    sub_task: SubTask
    started_at: float
    ended_at: float = 0.0
    claimed: SubTaskResult | None = None
    waits_for: int = 0
    """How many sub-tasks it asked for before it can go on."""
    retried: str = ""
    """Why the node was tried again after this attempt."""


class Happening(Struct, frozen=True, kw_only=True):
    """Something that concerns the run as a whole; `bad` if it was not to be."""

    at: float
    text: str
    bad: bool = False


class History(Struct, frozen=True, kw_only=True):
    """What a run's log says, in order."""

    request: RunRequest | None = None
    started_at: float = 0.0
    plan: Plan | None = None
    attempts: tuple[Attempt, ...] = ()
    happenings: tuple[Happening, ...] = ()
    closed: bool = False


def history(entries: Iterable[Entry]) -> History:
    """Return the history that entries of a run's log tell; what is unknown or out of order changes nothing."""
    told = History()
    for entry in entries:
        for event in entry.events:
            told = _after(told, event, entry.at)
    return told


def _after(told: History, event: Event, at: float) -> History:
    match event:
        case events.RunOpened(request=request):
            return replace(told, request=request, started_at=at)
        case events.PlanMade(plan=plan):
            return replace(told, plan=told.plan or plan)
        case events.SubTaskDispatched(sub_task=sub_task):
            return replace(told, attempts=(*told.attempts, Attempt(sub_task=sub_task, started_at=at)))
        case events.SubTaskEnded(outcome=SubTaskResult() as result):
            return _put(told, result.task, ended_at=at, claimed=result)
        case events.SubTaskEnded(outcome=NeedsChildren(task=task, sub_tasks=wanted)):
            return _put(told, task, waits_for=len(wanted))
        case events.RetryPlanned(node=node, reason=reason):
            tried = [attempt.sub_task.id for attempt in told.attempts if attempt.sub_task.node == node]
            return _put(told, tried[-1], retried=reason or "an infrastructure fault") if tried else told
        case events.RunClosed():
            return replace(told, closed=True)
        case _:
            happening = _happening(event, at)
            return replace(told, happenings=(*told.happenings, happening)) if happening else told


def _put(told: History, task: str, **changes: object) -> History:
    """Return the history with the attempt changed; one that has a result keeps it."""
    changed = tuple(
        replace(attempt, **changes)
        if attempt.sub_task.id == task and not ("claimed" in changes and attempt.claimed)
        else attempt
        for attempt in told.attempts
    )
    return replace(told, attempts=changed)


def _happening(event: Event, at: float) -> Happening | None:  # noqa: C901 - one short branch an event
    match event:
        case events.PlanRefused(reasons=reasons):
            return Happening(at=at, text=f"The plan was refused: {'; '.join(reasons)}", bad=True)
        case events.OwnerChanged(owner=owner, epoch=epoch):
            return Happening(at=at, text=f"Orchestrator {owner} took the run over (owner number {epoch})", bad=True)
        case events.SessionOpened(session=session):
            return Happening(at=at, text=f"Session {session.name} opened on {session.host}")
        case events.SessionFailed(name=name, reason=reason):
            return Happening(at=at, text=f"Session {name} could not be opened: {reason}", bad=True)
        case events.ControlApplied(control=Cancel(reason=reason, by=by)):
            return Happening(at=at, text=f"Asked to cancel{f' by {by}' if by else ''}: {reason or 'no reason given'}")
        case events.ControlApplied(control=control):
            return Happening(at=at, text=f"Asked to {type(control).__name__.lower()}")
        case events.Parked(reason=reason):
            return Happening(at=at, text=f"Parked: {reason}")
        case events.Woken(reason=reason):
            return Happening(at=at, text=f"Woken{f': {reason}' if reason else ''}")
        case events.Asked(text=text):
            return Happening(at=at, text=f"Asked a person: {text}")
        case events.Answered(text=text):
            return Happening(at=at, text=f"A person answered: {text}")
        case _:
            return None
