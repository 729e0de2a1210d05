"""The state of a run after any event of its log, with the event in words and why nothing more was due. Pure."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from muster_protocol import events
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import Event
from muster_views.history import History, TimedEvent, fold_events
from muster_views.node_history import REACHED, Node
from muster_views.run_view import view_run
from muster_views.texts import format_count, to_one_line
from muster_views.views import RunView

_LONGEST = 60
"""Characters of one value of an event."""


class LoggedEvent(Struct, frozen=True, kw_only=True):
    """One event of a run's log."""

    number: int
    """From 1, in the order of the log."""
    at: float
    """Unix seconds."""
    type: str
    text: str
    """What it is about: names and values, on one line."""


class RunMoment(Struct, frozen=True, kw_only=True):
    """A run after one event of its log."""

    event: LoggedEvent
    events: int
    """Events in the log as it is now."""
    run: RunView
    waits: tuple[str, ...]
    """What the run waited for, a sentence each; empty: it was over."""
    next_at: float = 0.0
    """Unix seconds of the next moment at which something happens by itself; 0: none is planned."""


def list_events(happened: Sequence[TimedEvent]) -> tuple[LoggedEvent, ...]:
    """Return the events of a log, numbered."""
    return tuple(_describe(number, one) for number, one in enumerate(happened, 1))


def view_moment(happened: Sequence[TimedEvent], run: str, at: int) -> RunMoment:
    """Return a run after event number `at`; 0: after the last one.

    Raises:
        InvalidRequest: the log has no such event.
    """
    number = at or len(happened)
    if not 1 <= number <= len(happened):
        there = f"they have the numbers 1 to {len(happened)}" if happened else "its log is empty"
        raise InvalidRequest([f"run {run!r} has no event {at}: {there}"])
    history = fold_events(happened[:number], run)
    event = _describe(number, happened[number - 1])
    view = view_run(history, None, {})
    waits = tuple(_waits(history)) or (() if history.verdict else ("its orchestrator decides what comes next",))
    return RunMoment(event=event, events=len(happened), run=view, waits=waits, next_at=_next_moment(history))


def _next_moment(history: History) -> float:
    if history.verdict is not None:
        return 0.0
    moments = [node.resumes_at for node in history.nodes.values() if node.state == "retrying"]
    return min((at for at in (*moments, history.waits_until) if at > 0), default=0.0)


def _describe(number: int, one: TimedEvent) -> LoggedEvent:
    name = str(type(one.event).__struct_config__.tag).replace("_", " ")
    return LoggedEvent(number=number, at=one.at, type=name, text=to_one_line(_words(one.event)))


def _words(event: Event) -> str:
    match event:
        case events.RunOpened(request=request):
            return f"{type(request.job).__struct_config__.tag} {request.job.name}"
        case events.PlanMade(plan=plan):
            return format_count(len(plan.nodes), "sub-task")
        case events.SubTaskDispatched(sub_task=task):
            return f"{task.id}: {task.description}"
        case events.SubTaskEnded(outcome=result):
            return f"{result.task}: {result.status}, {result.summary}"
        case events.ControlApplied(control=control):
            return str(type(control).__struct_config__.tag)
        case events.VerdictReached(verdict=verdict):
            return f"{verdict.status}: {verdict.summary}"
        case _:
            return _values(event)


def _values(event: Event) -> str:
    """Return the plain values of an event of any type."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    plain = {name: value for name, value in fields.items() if isinstance(value, str | int | float) and value != ""}
    return ", ".join(f"{name} {_in_words(value)[:_LONGEST]}" for name, value in plain.items())


def _in_words(value: str | float) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _waits(history: History) -> Iterator[str]:
    if history.verdict is not None:
        return
    if history.status == "queued":
        yield "an orchestrator has not begun it"
    if history.cancelling is not None:
        yield "it is being cancelled: what is in progress ends first"
    elif history.paused:
        yield "it is paused: nothing more is dispatched until it is resumed"
    if history.waits_for:
        yield history.waits_for
    for node in history.nodes.values():
        if waits := _node_waits(history, node):
            yield f"{node.id} {waits}"


def _node_waits(history: History, node: Node) -> str:
    needs = [need for need in (node.plan.needs if node.plan else ()) if _state(history, need) not in REACHED]
    match node.state:
        case "running":
            return "is queued or with a worker"
        case "asking":
            return f"waits for a person's answer: {node.summary}"
        case "retrying":
            return f"is tried again after a pause: {node.summary}"
        case "waiting" if needs:
            return f"waits for {' and '.join(f'{need} ({_state(history, need)})' for need in needs)}"
        case "waiting":
            return "waits for its children" if node.attempts else "waits for its turn"
        case _:
            return ""


def _state(history: History, id: str) -> str:
    return history.nodes[id].state if id in history.nodes else "unknown"
