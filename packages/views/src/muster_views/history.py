"""Folds a run's log into the state that all views show. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct, field

from muster_client.steering import OpenQuestion, node_of, update_questions
from muster_protocol import events
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.estimates import Estimate
from muster_protocol.events import Entry, Event
from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.logs import RunStatus
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import ResultStatus, SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef
from muster_protocol.verdicts import Verdict
from muster_views.happenings import Happening, describe_happening

NodeState = Literal["waiting", "running", "asking", "retrying", "passed", "done", "failed", "cancelled", "skipped"]
STATES: dict[ResultStatus, NodeState] = {
    "pass": "passed",
    "fail": "failed",
    "error": "failed",
    "cancelled": "cancelled",
}
REACHED: tuple[NodeState, ...] = ("passed", "done")
"""States of a sub-task that has brought about what it was to; `done` is no pass of a test."""
AFTER_VERDICT: dict[NodeState, NodeState] = {
    "waiting": "skipped",
    "running": "cancelled",
    "asking": "cancelled",
    "retrying": "cancelled",
}
"""Final state of a sub-task without an accepted result."""


class TimedEvent(NamedTuple):
    """An event and its time in unix seconds."""

    at: float
    event: Event


class Attempt(Struct, kw_only=True):
    """One attempt at a sub-task; times in unix seconds, 0 if unknown."""

    task: SubTask
    started_at: float
    ended_at: float = 0.0
    claimed: SubTaskResult | None = None
    """The result as the worker reported it."""
    accepted: SubTaskResult | None = None
    """The result in the verdict, which can be worse than the claim."""
    children: int = 0
    """Number of sub-tasks it waits for."""
    retried: str = ""
    """Reason for the next attempt."""

    @property
    def result(self) -> SubTaskResult | None:
        """The accepted result, else the claimed one."""
        return self.accepted or self.claimed

    @property
    def refused(self) -> bool:
        """Whether the run did not accept what the worker claimed."""
        return bool(self.claimed and self.accepted and self.claimed.status != self.accepted.status)


class Node(Struct, kw_only=True):
    """A sub-task with its attempts."""

    id: str
    kind: str = "step"
    """Name of the kind: `plan`, `step`, `evaluate` …"""
    owner: str = ""
    """For an evaluation or recovery: id of the failed node."""
    parent: str = ""
    """Id of the node that asked for it; empty: none."""
    plan: PlanNode | None = None
    """None for planning, evaluations, recoveries and what other nodes asked for."""
    position: int = 0
    """Position in the plan, from 1; that of the sub-task that a recovery mends; 0 for planning and evaluations."""
    state: NodeState = "waiting"
    summary: str = ""
    started_at: float = 0.0
    """Start of the newest attempt."""
    ended_at: float = 0.0
    resumes_at: float = 0.0
    """Unix seconds at which it is tried again, if it waits for that."""
    result: SubTaskResult | None = None
    """The newest result."""
    attempts: list[Attempt] = field(default_factory=list[Attempt])

    @property
    def task(self) -> SubTask | None:
        """The sub-task of the newest attempt; None before the first."""
        return self.attempts[-1].task if self.attempts else None

    @property
    def allowed_calls(self) -> int:
        """The most tool calls of the newest attempt; until an agent has ended, its own file may allow it less."""
        told = self.result.assigned.allowed if self.result else 0
        return told or (self.task.budget.calls if self.task else 0)

    @property
    def description(self) -> str:
        """The task, with placeholders."""
        return self.plan.description if self.plan else self.task.description if self.task else ""

    @property
    def covers(self) -> tuple[int, ...]:
        """Indexes of the written steps it carries out."""
        return self.plan.covers if self.plan else self.task.step.covers if self.task else ()

    @property
    def precondition(self) -> bool:
        """Whether it establishes a precondition of the case."""
        return self.plan.precondition if self.plan else bool(self.task and self.task.step.precondition)

    @property
    def recovery(self) -> bool:
        """Whether it removes an obstacle for a failed sub-task."""
        return bool(self.owner) and KINDS_BY_NAME[self.kind].planned

    @property
    def of_run(self) -> bool:
        """Whether it serves the run as a whole, such as planning."""
        return not self.owner and not KINDS_BY_NAME[self.kind].planned

    @property
    def label(self) -> str:
        """Shown before the title: `Planning`, `Recovery`; empty for what is planned, or numbered by its description."""
        if self.precondition or self.recovery:
            return "Precondition" if self.precondition else "Recovery"
        if self.kind == "assign":
            return self.task.agent if self.task else ""
        kind = KINDS_BY_NAME[self.kind]
        return "" if kind.planned or kind.numbered else kind.label

    @property
    def status(self) -> ResultStatus | Literal[""]:
        """Status of its result; empty until it ended."""
        return self.result.status if self.result and self.state in (*STATES.values(), "done") else ""


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


def tree_of(nodes: Mapping[str, Node], id: str, depth: int = 0) -> Iterator[tuple[Node, int]]:
    """Yield a node and all that was asked for below it, each with its depth, in the order in which they began."""
    yield nodes[id], depth
    for child in [node.id for node in nodes.values() if node.parent == id and id != node.id]:
        yield from tree_of(nodes, child, depth + 1)


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
            _apply_dispatch(nodes.setdefault(task.node, Node(id=task.node)), task, at)
        case events.SubTaskEnded(outcome=result):
            _apply_end(nodes.setdefault(result.node, Node(id=result.node)), result, at)
        case events.ChildrenAsked(task=task, children=wanted) if node_of(task) in nodes:
            _wait_for_children(nodes[node_of(task)], len(wanted))
        case events.RetryPlanned(node=id, reason=reason, not_before=at) if id in nodes:
            nodes[id].state, nodes[id].summary, nodes[id].resumes_at = "retrying", reason, at
            if nodes[id].attempts:
                nodes[id].attempts[-1].retried = reason or "an infrastructure fault"
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


def _apply_dispatch(node: Node, task: SubTask, at: float) -> None:
    if node.plan is None:
        node.kind, node.owner, node.parent = task.kind, task.about, task.parent
    node.position = task.position or node.position
    node.state, node.summary = "running", ""
    if task.resumed and node.attempts:  # the same attempt goes on
        node.attempts[-1].task = task
        return
    node.started_at, node.ended_at = at, 0.0
    node.attempts.append(Attempt(task=task, started_at=at))


def _wait_for_children(node: Node, children: int) -> None:
    node.state = "waiting"
    if node.attempts:
        node.attempts[-1].children += children


def _apply_end(node: Node, result: SubTaskResult, at: float) -> None:
    _apply_result(node, result)
    node.ended_at = at
    for attempt in node.attempts:
        if attempt.task.id == result.task and attempt.claimed is None:
            attempt.claimed, attempt.ended_at = result, at


def _apply_result(node: Node, result: SubTaskResult) -> None:
    state = STATES[result.status]
    done = node.task is not None and node.task.ends_done
    node.state = "done" if done and state == "passed" else state
    node.summary, node.result = result.summary, result


def _apply_verdict(history: History, verdict: Verdict) -> None:
    """Apply the results in the verdict; sub-tasks without one were skipped or cancelled."""
    for result in verdict.results:
        node = history.nodes.setdefault(result.node, Node(id=result.node))
        _apply_result(node, result)
        for attempt in node.attempts:
            if attempt.task.id == result.task:
                attempt.accepted = result
    for node in history.nodes.values():
        node.state = AFTER_VERDICT.get(node.state, node.state)
