"""A run's log as a report tells it: the plan, every attempt at every sub-task, and what else happened. Pure."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol import events
from muster_protocol.control import Answer, Cancel, Control
from muster_protocol.events import Entry, Event
from muster_protocol.plans import Plan
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import SubTask, SubTaskResult


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
    parked: bool = False


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
            again = (Happening(at=at, text=f"Repeats run {request.rerun_of}"),) if request.rerun_of else ()
            return replace(told, request=request, started_at=at, happenings=(*told.happenings, *again))
        case events.PlanMade(plan=plan):
            return replace(told, plan=told.plan or plan)
        case events.SubTaskDispatched(sub_task=sub_task):
            return replace(told, attempts=(*told.attempts, Attempt(sub_task=sub_task, started_at=at)))
        case events.SubTaskEnded(outcome=result):
            return _put(told, result.task, ended_at=at, claimed=result)
        case events.ChildrenAsked(task=task, children=wanted):
            return _put(told, task, waits_for=len(wanted))
        case events.RetryPlanned(node=node, reason=reason):
            tried = [attempt.sub_task.id for attempt in told.attempts if attempt.sub_task.node == node]
            return _put(told, tried[-1], retried=reason or "an infrastructure fault") if tried else told
        case events.RunClosed():
            return replace(told, closed=True)
        case events.OwnerChanged() if told.parked:
            return replace(told, parked=False)  # nobody held it, so nobody was lost
        case _:
            happening = _happening(event, at)
            told = replace(told, parked=told.parked or isinstance(event, events.Parked))
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


def _happening(event: Event, at: float) -> Happening | None:
    match event:
        case events.PlanRefused(reasons=reasons):
            return Happening(at=at, text=f"The plan was refused: {'; '.join(reasons)}", bad=True)
        case events.OwnerChanged(owner=owner, epoch=epoch):
            return Happening(at=at, text=f"Orchestrator {owner} took the run over (owner number {epoch})", bad=True)
        case events.SessionOpened():
            return _opened(event, at)
        case events.SessionFailed(name=name, reason=reason):
            return Happening(at=at, text=f"Session {name} could not be opened: {reason}", bad=True)
        case events.Unserved(what=what):
            return Happening(at=at, text=f"Nobody was there for {what}", bad=True)
        case events.Served(what=what):
            return Happening(at=at, text=f"Somebody was there again for {what}")
        case events.GivenUp(reason=reason):
            return Happening(at=at, text=f"Given up: {reason}", bad=True)
        case _:
            return _of_people(event, at)


def _of_people(event: Event, at: float) -> Happening | None:
    """Return what a person asked of the run, or the run of a person."""
    match event:
        case events.ControlApplied(control=control) if not isinstance(control, Answer):
            return Happening(at=at, text=_asked(control))
        case events.Parked(reason=reason):
            return Happening(at=at, text=f"Parked: {reason}")
        case events.Woken():
            return Happening(at=at, text="Taken up again")
        case events.Asked(text=text):
            return Happening(at=at, text=f"Asked a person: {text}")
        case events.Answered(text=text):
            return Happening(at=at, text=f"A person answered: {text}")
        case _:
            return None


def _asked(control: Control) -> str:
    by = f" by {control.by}" if control.by else ""
    reason = f": {control.reason or 'no reason given'}" if isinstance(control, Cancel) else ""
    return f"Asked to {type(control).__name__.lower()}{by}{reason}"


def _opened(event: events.SessionOpened, at: float) -> Happening:
    """Tell of a session; one that was opened in place of a lost one is no good news, and may read differently."""
    where = f"Session {event.session.name}"
    if event.restored == "no":
        return Happening(at=at, text=f"{where} opened on {event.session.host}")
    pages = "its pages read as before" if event.restored == "same" else "its pages read differently than before"
    after = f", as it stood after sub-task {event.after}" if event.after else ""
    return Happening(at=at, text=f"{where} was lost and opened again on {event.session.host}{after}; {pages}", bad=True)
