"""What happened to a run as a whole, in words. Pure."""

from msgspec import Struct

from muster_protocol import events
from muster_protocol.control import Answer, Cancel, Control
from muster_protocol.events import Event
from muster_protocol.sessions import NO_SANDBOX, SANDBOX


class Happening(Struct, frozen=True, kw_only=True):
    """Something that concerns the run as a whole; `bad` if it was not to be."""

    at: float
    """Unix seconds."""
    text: str
    bad: bool = False


def describe_happening(event: Event, at: float, *, parked: bool) -> Happening | None:
    """Return the words for an event, if any; `parked`: the run had no owner, so its next one is no takeover."""
    match event:
        case events.RunOpened(request=request) if request.rerun_of:
            return Happening(at=at, text=f"Repeats run {request.rerun_of}")
        case events.PlanRefused(reasons=reasons):
            return Happening(at=at, text=f"The plan was refused: {'; '.join(reasons)}", bad=True)
        case events.OwnerChanged(owner=owner, epoch=epoch) if not parked:
            return Happening(at=at, text=f"Orchestrator {owner} took the run over (owner number {epoch})", bad=True)
        case events.SessionOpened():
            return _describe_session(event, at)
        case events.SessionFailed(name=name, reason=reason):
            return Happening(at=at, text=f"Session {name} could not be opened: {reason}", bad=True)
        case events.Unserved(what=what):
            return Happening(at=at, text=f"Nobody was there for {what}", bad=True)
        case events.Served(what=what):
            return Happening(at=at, text=f"Somebody was there again for {what}")
        case events.GivenUp(reason=reason):
            return Happening(at=at, text=f"Given up: {reason}", bad=True)
        case _:
            return _describe_steering(event, at)


def _describe_steering(event: Event, at: float) -> Happening | None:
    """Return the words for a control, a question or an answer."""
    match event:
        case events.ControlApplied(control=control) if not isinstance(control, Answer):
            return Happening(at=at, text=_describe_control(control))
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


def _describe_control(control: Control) -> str:
    by = f" by {control.by}" if control.by else ""
    reason = f": {control.reason or 'no reason given'}" if isinstance(control, Cancel) else ""
    return f"Asked to {type(control).__name__.lower()}{by}{reason}"


def _describe_session(event: events.SessionOpened, at: float) -> Happening:
    """Tell of a session; one that was opened in place of a lost one is no good news, and may read differently."""
    where = f"Session {event.session.name}"
    if event.restored == "no":
        confined = SANDBOX in event.session.capabilities
        note = "" if confined else f"; {NO_SANDBOX}"
        return Happening(at=at, text=f"{where} opened on {event.session.host}{note}", bad=not confined)
    pages = "its pages read as before" if event.restored == "same" else "its pages read differently than before"
    after = f", as it stood after sub-task {event.after}" if event.after else ""
    return Happening(at=at, text=f"{where} was lost and opened again on {event.session.host}{after}; {pages}", bad=True)
