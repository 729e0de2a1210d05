"""Views of a sub-task's attempts: workers, calls and replies in order, and results."""

from typing import ClassVar, Literal

from msgspec import Struct

from muster_protocol.journal import Question
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArgumentValue, Box, Usage
from muster_views.views import ClauseView, NodeView


class TakerView(Struct, frozen=True, kw_only=True):
    """A worker that took an attempt."""

    worker: str
    at: float
    delivery: int
    """Number of this delivery of the attempt by the queue."""


CallStatus = Literal["running", "asking", "ok", "failed", "error", "unknown"]


class ShownView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a call has changed what the screen shows."""

    pictures: tuple[str, ...] = ()
    """Before and after it, as the part of their URL after `/artifacts/`; they may not have been kept."""
    target: Box | None = None
    """What was acted on, in the first picture."""
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    parts: tuple[Box, ...] = ()
    """The parts of the second picture that differ."""


class CallView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="call"):
    """One tool call and its outcome."""

    kind: ClassVar = "call"

    number: int
    tool: str
    arguments: dict[str, ArgumentValue]
    """Known values filled in; secrets are placeholders."""
    clause: str = ""
    """The clause that a check is meant to prove."""
    effect: str = ""
    started_at: float = 0.0
    """Unix seconds; for read-only calls, which are recorded late, computed from the end."""
    ended_at: float = 0.0
    duration_ms: float = 0.0
    status: CallStatus
    """`failed`: the check found otherwise. `unknown`: its worker was lost, or gave up, before it recorded the
    outcome. `asking`: it waits for a person."""
    summary: str = ""
    failure: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    """URL, element or command."""
    url: str = ""
    """`where`, if it is a URL."""
    element: Box | None = None
    confirmed: bool = True
    strategy: str = ""
    """By what the element was found: `ref`, `name`, `label`, `words`, `part`."""
    captured: dict[str, str] = {}
    artifacts: tuple[str, ...]
    shown: ShownView | None = None
    """Recorded with `RECORD_STEPS` alone."""
    usage: Usage | None = None


class AskedView(Struct, frozen=True, kw_only=True):
    """A tool call requested by a model."""

    tool: str
    arguments: dict[str, ArgumentValue]
    """Arguments that are not a JSON object are the value of the empty key."""


class ReplyView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="reply"):
    """A model's reply."""

    kind: ClassVar = "reply"

    number: int
    at: float
    text: str
    calls: tuple[AskedView, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class NoteView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="note"):
    """Any other event of an attempt, as a sentence."""

    kind: ClassVar = "note"

    at: float
    about: Literal["taken", "released", "suspended", "revoked"]
    """Taken by another worker; returned by its worker; waiting for an answer; withdrawn by the run."""
    text: str
    bad: bool = False


Moment = CallView | ReplyView | NoteView


class HealLine(Struct, frozen=True, kw_only=True):
    """An act of a recording, or one in its place."""

    mark: Literal["-", "+", " "]
    """Recorded and not done again, done instead, or both."""
    text: str


class HealingView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A recording that no longer fitted, and what was done about it."""

    key: str
    """Of the recording."""
    reason: str
    why: str = ""
    policy: str
    outcome: str
    """What became of it, in words."""
    accepted: bool = False
    lines: tuple[HealLine, ...] = ()
    """The difference in acts; placeholders of known values are filled in."""
    pictures: tuple[str, ...] = ()
    """Of the screen where it missed, as the part of their URL after `/artifacts/`."""


class AttemptView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attempt at a sub-task."""

    task: str
    attempt: int
    kind: str = "step"
    """Name of the kind."""
    label: str = ""
    """Shown before the title: `Planning`, `Recovery`."""
    title: str
    """The task, with known values filled in."""
    description: str = ""
    expected_result: str = ""
    agent: str = ""
    """Id of the agent that worked on it."""
    pool: str = ""
    told: str = ""
    """The state of the run so far, as given to the sub-agent."""
    notice: str = ""
    values: dict[str, str] = {}
    dispatched_at: float = 0.0
    ended_at: float = 0.0
    takers: tuple[TakerView, ...]
    takeovers: int = 0
    """Number of times another worker took it over from a lost one."""
    moments: tuple[Moment, ...]
    """Calls, replies and notes from the journal, in order."""
    acts: tuple[AskedView, ...] = ()
    """Acts listed in the result, if the journal no longer exists."""
    clauses: tuple[ClauseView, ...]
    asks: Question | None = None
    """Its latest question to a person."""
    result: SubTaskResult | None = None
    """The result as the run accepted it; until then, as the journal has it."""
    refused: str = ""
    """The worker's claim, if the run did not accept it."""
    findings: dict[str, str] = {}
    """Details of a failed attempt that its clauses do not show: expected, seen, where, why."""
    retried: str = ""
    """Reason for the next attempt."""
    healing: HealingView | None = None
    """Where its recording no longer fitted."""
    children: int = 0
    """Number of sub-tasks it waits for."""
    artifacts: tuple[str, ...]
    """Files not linked to a call, as the part of their URL after `/artifacts/`."""
    element: Box | None = None
    """Position of the last element it acted on."""


class NodeDetail(Struct, frozen=True, kw_only=True):
    """A sub-task with its attempts, oldest first."""

    node: NodeView
    attempts: tuple[AttemptView, ...]
