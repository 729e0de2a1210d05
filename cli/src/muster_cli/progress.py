"""What is known of a run while one watches it: a fold over its log and its log lines. Pure."""

from typing import Literal

import msgspec
from msgspec import Struct

from muster_client.steering import OpenQuestion, node_of, questions_after
from muster_protocol import events
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.events import Entry, Event
from muster_protocol.logs import LogRecord
from muster_protocol.plans import Plan
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict

CALLS_SHOWN = 3
SubTaskState = Literal["waiting", "running", "asking", "retrying", "pass", "fail", "error", "cancelled"]
RunState = Literal["queued", "running", "paused", "parked", "ended"]
Update = Entry | LogRecord


class SubTaskView(Struct, frozen=True, kw_only=True):
    """One sub-task as people see it."""

    node: str
    description: str = ""
    expected: str = ""
    covers: tuple[int, ...] = ()
    precondition: bool = False
    recovery: bool = False
    """Whether it was added to the plan to mend what stood in another one's way."""
    position: int = 0
    total: int = 0
    state: SubTaskState = "waiting"
    summary: str = ""
    started_at: float = 0.0
    ended_at: float = 0.0
    calls: tuple[str, ...] = ()
    """The latest tool calls, oldest first."""


class RunView(Struct, frozen=True, kw_only=True):
    """One run as people see it; `label` is its short name."""

    run: str
    label: str
    name: str = ""
    state: RunState = "queued"
    note: str = ""
    paused: bool = False
    """Whether it was asked to pause; it may still be finishing what it had begun."""
    questions: tuple[OpenQuestion, ...] = ()
    """What it asks a person, and nobody has answered."""
    sub_tasks: tuple[SubTaskView, ...] = ()
    started_at: float = 0.0
    ended_at: float = 0.0
    verdict: Verdict | None = None
    closed: bool = False

    @property
    def done(self) -> int:
        """How many sub-tasks of the plan have passed."""
        return sum(task.state == "pass" for task in self.sub_tasks if not task.recovery)

    @property
    def total(self) -> int:
        """How many sub-tasks the plan has; recoveries are none of them."""
        return sum(not task.recovery for task in self.sub_tasks)

    @property
    def live(self) -> bool:
        """Whether the run has begun and has no verdict yet."""
        return self.state not in ("queued", "ended")

    def sub_task(self, node: str) -> SubTaskView | None:
        """Return the sub-task of a node, or None."""
        return next((task for task in self.sub_tasks if task.node == node), None)


def advance(view: RunView, update: Update) -> RunView:
    """Return the view after an entry of the run's log, or one log line."""
    if isinstance(update, LogRecord):
        return _with_line(view, update)
    for event in update.events:
        view = _with_event(view, event, update.at)
    return view


def _with_line(view: RunView, record: LogRecord) -> RunView:
    task = view.sub_task(record.node)
    if task is None or record.kind != "tool_call":
        return view
    call = record.text.strip().removeprefix("[Sub-agent]").strip()
    return _put(view, msgspec.structs.replace(task, calls=(*task.calls, call)[-CALLS_SHOWN:]))


def _with_event(view: RunView, event: Event, at: float) -> RunView:
    match event:
        case events.RunOpened(request=request):
            return msgspec.structs.replace(view, state="running", name=request.job.name, started_at=at)
        case events.PlanMade(plan=plan):
            return msgspec.structs.replace(view, sub_tasks=_planned(plan))
        case events.SubTaskDispatched(sub_task=sub_task):
            return _dispatched(view, sub_task, at)
        case events.SubTaskEnded(outcome=SubTaskResult() as result):
            return _changed(view, result.node, result.status, result.summary, at)
        case events.RetryPlanned(node=node, reason=reason):
            return _changed(view, node, "retrying", reason, at)
        case events.VerdictReached(verdict=verdict):
            ended = msgspec.structs.replace(view, state="ended", note="", questions=(), verdict=verdict, ended_at=at)
            return msgspec.structs.replace(ended, name=verdict.name or view.name)
        case events.RunClosed():
            return msgspec.structs.replace(view, closed=True)
        case _:
            return _with_state(view, event)


def _with_state(view: RunView, event: Event) -> RunView:
    """Return the view after an event that concerns the run as a whole; after its verdict nothing changes it."""
    if view.state == "ended":
        return view
    view = msgspec.structs.replace(view, questions=questions_after(view.questions, event))
    match event:
        case events.ControlApplied(control=Cancel(reason=reason)):
            return msgspec.structs.replace(view, note=f"cancelling: {reason}" if reason else "cancelling")
        case events.ControlApplied(control=Pause()):
            return _standing(msgspec.structs.replace(view, paused=True), "paused")
        case events.ControlApplied(control=Resume()):
            return _standing(msgspec.structs.replace(view, paused=False), "running")
        case events.Parked(reason=reason):
            return _standing(view, "parked", reason)
        case events.Asked(text=text, task=task):
            return _standing(_asking(view, task, text), "running")
        case events.Answered(question=question):
            return _standing(_changed(view, node_of(question), "running", "", 0.0), "running")
        case events.Woken() | events.OwnerChanged():
            return _standing(view, "running")
        case _:
            return _served(view, event)


def _standing(view: RunView, state: RunState, reason: str = "") -> RunView:
    """Return the view in a state, with what it waits for and what one may type; a pause hides the others."""
    if view.paused:
        return msgspec.structs.replace(view, state="paused", note=f"goes on with: muster resume {view.run}")
    return msgspec.structs.replace(view, state=state, note=" ".join(what_to_type(view)) or reason)


def what_to_type(view: RunView) -> tuple[str, ...]:
    """Return what a run asks, each question with the command that answers it."""
    several = len(view.questions) > 1
    options = [f" --question {question.id}" if several else "" for question in view.questions]
    return tuple(
        f'asks: {question.text} — answer with: muster answer {view.run} "…"{option}'
        for question, option in zip(view.questions, options, strict=True)
    )


def _asking(view: RunView, task: str, text: str) -> RunView:
    return _changed(view, node_of(task), "asking", text, 0.0)


def _served(view: RunView, event: Event) -> RunView:
    """Return the view after an event about whether the fleet can carry the run."""
    match event:
        case events.Unserved(what=what):
            return msgspec.structs.replace(view, note=f"waits: nobody is there for {what}")
        case events.Served():
            return _standing(view, view.state)
        case events.GivenUp(reason=reason):
            return msgspec.structs.replace(view, note=reason)
        case _:
            return view


def _planned(plan: Plan) -> tuple[SubTaskView, ...]:
    return tuple(
        SubTaskView(
            node=node.id,
            description=node.description,
            expected=node.expected_result,
            covers=node.covers,
            precondition=node.precondition,
            position=number,
            total=len(plan.nodes),
        )
        for number, node in enumerate(plan.nodes, 1)
    )


def _dispatched(view: RunView, sub_task: SubTask, at: float) -> RunView:
    """Return the view with the sub-task running; what plans or judges (position 0) is only a note."""
    if sub_task.position == 0:
        return msgspec.structs.replace(view, note=f"{sub_task.agent or sub_task.kind} at work")
    known = view.sub_task(sub_task.node) or SubTaskView(
        node=sub_task.node,
        description=sub_task.description,
        expected=sub_task.step.expected_result,
        covers=sub_task.step.covers,
        precondition=sub_task.step.precondition,
        recovery=sub_task.step.mended is not None,
    )
    running = msgspec.structs.replace(
        known,
        state="running",
        position=sub_task.position,
        total=max(sub_task.total, known.total),
        started_at=at,
        ended_at=0.0,
        calls=(),
    )
    return _put(msgspec.structs.replace(view, note=" ".join(what_to_type(view))), running)


def _changed(view: RunView, node: str, state: SubTaskState, summary: str, at: float) -> RunView:
    task = view.sub_task(node)
    if task is None:
        return view
    return _put(view, msgspec.structs.replace(task, state=state, summary=summary, ended_at=at))


def _put(view: RunView, task: SubTaskView) -> RunView:
    if view.sub_task(task.node) is None:
        return msgspec.structs.replace(view, sub_tasks=(*view.sub_tasks, task))
    tasks = tuple(task if known.node == task.node else known for known in view.sub_tasks)
    return msgspec.structs.replace(view, sub_tasks=tasks)
