"""Folds a run's log into the state that all views show. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct, field

from muster_client.steering import OpenQuestion, node_of, update_questions
from muster_protocol import events
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.estimates import Estimate
from muster_protocol.events import Entry, Event
from muster_protocol.logs import RunStatus
from muster_protocol.plans import Plan
from muster_protocol.requests import RunRequest
from muster_protocol.tool_calls import ArtifactRef
from muster_protocol.verdicts import Verdict
from muster_views.happenings import Happening, describe_happening
from muster_views.node_history import AFTER_VERDICT, REACHED, Node


class TimedEvent(NamedTuple):
    """An event and its time in unix seconds."""

    at: float
    event: Event


class History(Struct, kw_only=True):
    """The state of a run, folded from its log. Mutable, since a run can have thousands of sub-tasks."""

    run: str = ""
    request: RunRequest | None = None
    estimate: Estimate | None = None
    """What it was to come to, as it began."""
    plan: Plan | None = None
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    happenings: list[Happening] = field(default_factory=list[Happening])
    """Events of the run as a whole, oldest first."""
    questions: tuple[OpenQuestion, ...] = ()
    """Unanswered questions to a person, oldest first."""
    paused: bool = False
    """Whether a pause was requested; sub-tasks in progress still finish."""
    parked: bool = False
    waits_for: str = ""
    """Why it makes no progress: it is parked, or has no worker or session host."""
    waits_until: float = 0.0
    """Unix seconds at which it stops waiting by itself; 0: never."""
    cancelling: str | None = None
    """Reason of a cancel request; None without one."""
    given_up: str = ""
    started_at: float = 0.0
    ended_at: float = 0.0
    verdict: Verdict | None = None
    closed: bool = False
    artifacts: tuple[ArtifactRef, ...] = ()
    """Files of its sessions."""

    @property
    def status(self) -> RunStatus:
        """Status as in the run's row."""
        if self.verdict is not None:
            return self.verdict.status
        if not self.started_at:
            return "queued"
        return "paused" if self.paused else "parked" if self.parked else "running"

    @property
    def planned(self) -> list[Node]:
        """The sub-tasks of the plan, in order."""
        return [node for node in self.nodes.values() if node.plan is not None]

    @property
    def done(self) -> int:
        """Number of planned sub-tasks that passed or are done."""
        return sum(node.state in REACHED for node in self.planned)

    def apply(self, event: Event, at: float) -> None:
        """Fold an event with its time in unix seconds. Tolerates unknown and late events."""
        if (happening := describe_happening(event, at, parked=self.parked)) is not None:
            self.happenings.append(happening)
        self.questions = update_questions(self.questions, event)
        self.started_at = self.started_at or at
        match event:
            case events.RunOpened(request=request, estimate=estimate):
                self.request, self.estimate = request, estimate
            case events.VerdictReached(verdict=verdict):
                self.verdict, self.ended_at = verdict, at
                self.parked, self.waits_for = False, ""
                _apply_verdict(self, verdict)
            case events.RunClosed(artifacts=artifacts):
                self.closed, self.artifacts = True, artifacts
            case _:
                _apply_to_run(self, event)
                _apply_to_node(self, event, at)


def fold_events(happened: Iterable[tuple[float, Event]], run: str = "") -> History:
    """Return the history of (time, event) pairs."""
    history = History(run=run)
    for at, event in happened:
        history.apply(event, at)
    return history


def events_in(entries: Iterable[Entry]) -> Iterable[TimedEvent]:
    """Yield the events of a log's entries."""
    return (TimedEvent(entry.at, event) for entry in entries for event in entry.events)


def _apply_to_run(history: History, event: Event) -> None:
    """Fold an event about the run as a whole."""
    match event:
        case events.ControlApplied(control=Pause()):
            history.paused = True
        case events.ControlApplied(control=Resume()):
            history.paused = False
        case events.ControlApplied(control=Cancel(reason=reason)):
            history.cancelling = reason
        case events.Parked(reason=reason, until=until):
            history.parked, history.waits_for, history.waits_until = True, reason, until
        case events.Unserved(what=what):
            history.parked, history.waits_for = False, f"{what} is not running"
        case events.Woken() | events.OwnerChanged() | events.Served():
            history.parked, history.waits_for, history.waits_until = False, "", 0.0
        case events.GivenUp(reason=reason):
            history.given_up = reason
        case _:
            pass


def _apply_to_node(history: History, event: Event, at: float) -> None:
    """Fold an event about one sub-task."""
    nodes = history.nodes
    match event:
        case events.PlanMade(plan=plan, replaces=replaced):
            _drop_planned(history, replaced)
            _apply_plan(history, plan, again=bool(replaced))
        case events.SubTaskDispatched(sub_task=task):
            nodes.setdefault(task.node, Node(id=task.node)).begin(task, at)
        case events.SubTaskEnded(outcome=result):
            nodes.setdefault(result.node, Node(id=result.node)).end(result, at)
        case events.ChildrenAsked(task=task, children=wanted) if node_of(task) in nodes:
            nodes[node_of(task)].wait_for(len(wanted))
        case events.RetryPlanned(node=id, reason=reason, not_before=at) if id in nodes:
            nodes[id].retry(reason, at)
        case events.Asked(task=task, text=text) if node_of(task) in nodes:
            nodes[node_of(task)].state, nodes[node_of(task)].summary = "asking", text
        case events.Answered(question=question) if node_of(question) in nodes:
            nodes[node_of(question)].state, nodes[node_of(question)].summary = "running", ""
        case _:
            pass


def _apply_plan(history: History, plan: Plan, *, again: bool) -> None:
    """Fold a plan; `again`: of what is left."""
    done = [node.plan for node in history.planned if node.plan and not node.recovery]
    whole = Plan(nodes=(*done, *plan.nodes)) if again else plan
    history.plan = whole if again else history.plan or plan
    planned = {one.id: history.nodes.get(one.id, Node(id=one.id)) for one in whole.nodes}
    for number, one in enumerate(whole.nodes, 1):
        node = planned[one.id]
        node.plan, node.position = one, number
        node.kind = one.kind
    history.nodes = {id: node for id, node in history.nodes.items() if id not in planned} | planned


def _drop_planned(history: History, replaced: tuple[str, ...]) -> None:
    """Take nodes out of the plan; those that were begun stay, as what was tried."""
    for id in replaced:
        node = history.nodes.get(id)
        if node is not None and node.attempts:
            node.plan = None
        else:
            history.nodes.pop(id, None)


def _apply_verdict(history: History, verdict: Verdict) -> None:
    """Apply the results in the verdict; sub-tasks without one were skipped or cancelled."""
    for result in verdict.results:
        history.nodes.setdefault(result.node, Node(id=result.node)).accept(result)
    for node in history.nodes.values():
        node.state = AFTER_VERDICT.get(node.state, node.state)
