"""Describes events of a run as a whole in sentences. Pure."""

from msgspec import Struct

from muster_protocol import events
from muster_protocol.control import Answer, Cancel, Control
from muster_protocol.events import Event
from muster_protocol.sessions import NO_SANDBOX, SANDBOX


class Happening(Struct, frozen=True, kw_only=True):
    """An event of the run as a whole; `bad`: something went wrong."""

    at: float
    """Unix seconds."""
    text: str
    bad: bool = False


def describe_happening(event: Event, at: float, *, parked: bool) -> Happening | None:
    """Describe an event, if it is worth telling; `parked`: the run had no owner, so a new one is no takeover."""
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
            return Happening(at=at, text=f"Not available: {what}", bad=True)
        case events.Served(what=what):
            return Happening(at=at, text=f"Available again: {what}")
        case events.GivenUp(reason=reason):
            return Happening(at=at, text=f"Given up: {reason}", bad=True)
        case _:
            return _describe_steering(event, at)


def _describe_steering(event: Event, at: float) -> Happening | None:
    """Describe a control, a question or an answer."""
    match event:
        case events.ControlApplied(control=control) if not isinstance(control, Answer):
            return Happening(at=at, text=_describe_control(control))
        case events.Parked(reason=reason):
            return Happening(at=at, text=f"Parked: {reason}")
        case events.Woken():
            return Happening(at=at, text="Continued")
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
    """Describe an opened session; `bad` if it replaces a lost one or has no sandbox."""
    where = f"Session {event.session.name}"
    if event.restored == "no":
        confined = SANDBOX in event.session.capabilities
        note = "" if confined else f"; {NO_SANDBOX}"
        return Happening(at=at, text=f"{where} opened on {event.session.host}{note}", bad=not confined)
    pages = "its pages are unchanged" if event.restored == "same" else "its pages have changed"
    after = f" from the checkpoint after sub-task {event.after}" if event.after else ""
    return Happening(at=at, text=f"{where} was lost and reopened on {event.session.host}{after}; {pages}", bad=True)
