"""A sub-task's attempts as people see them: who took them, what was called and said in order, and what came of it."""

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
    """How often the queue had handed the attempt out by then."""


CallStatus = Literal["running", "asking", "ok", "failed", "error", "unknown"]


class CallView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="call"):
    """One tool call and what came of it."""

    kind: ClassVar = "call"

    number: int
    tool: str
    arguments: dict[str, ArgumentValue]
    """Known values filled in; secrets are placeholders."""
    clause: str = ""
    """The clause a check is to prove."""
    effect: str = ""
    started_at: float = 0.0
    """Unix seconds; of what only looks, which is written down late, reckoned back from its end."""
    ended_at: float = 0.0
    duration_ms: float = 0.0
    status: CallStatus
    """`failed`: looked at, and it is not so. `unknown`: its worker was lost, or gave up, before the outcome was
    written. `asking`: it waits for a person."""
    summary: str = ""
    failure: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    """URL, element or command the outcome is about."""
    url: str = ""
    """`where`, if it is an address."""
    element: Box | None = None
    confirmed: bool = True
    captured: dict[str, str] = {}
    artifacts: tuple[str, ...]
    usage: Usage | None = None


class AskedView(Struct, frozen=True, kw_only=True):
    """A call that a model asked for."""

    tool: str
    arguments: dict[str, ArgumentValue]
    """What is no JSON object stands under the empty name."""


class ReplyView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="reply"):
    """What a model said."""

    kind: ClassVar = "reply"

    number: int
    at: float
    text: str
    calls: tuple[AskedView, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class NoteView(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="note"):
    """Something else that happened to an attempt, as a sentence."""

    kind: ClassVar = "note"

    at: float
    about: Literal["taken", "released", "suspended", "revoked"]
    """Taken by another worker; given back by its worker; waits for an answer; no longer wanted by the run."""
    text: str
    bad: bool = False


Moment = CallView | ReplyView | NoteView


class AttemptView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attempt at a sub-task."""

    task: str
    attempt: int
    kind: str = "step"
    """Name of its kind."""
    label: str = ""
    """What people read before its title: `Planning`, `Recovery`."""
    title: str
    """What was to be done, with known values filled in."""
    description: str = ""
    expected_result: str = ""
    agent: str = ""
    """Id of the agent that worked on it."""
    pool: str = ""
    told: str = ""
    """What had happened so far, as the sub-agent was given it."""
    notice: str = ""
    values: dict[str, str] = {}
    dispatched_at: float = 0.0
    ended_at: float = 0.0
    takers: tuple[TakerView, ...]
    takeovers: int = 0
    """How often another worker took it over from one that was lost."""
    moments: tuple[Moment, ...]
    """Its calls, the model's replies, and whatever else its journal tells, in order."""
    acts: tuple[AskedView, ...] = ()
    """What its result says was done, where its journal is gone."""
    clauses: tuple[ClauseView, ...]
    asks: Question | None = None
    """What it asked a person last."""
    result: SubTaskResult | None = None
    """As the run took it; before that, as its journal says."""
    refused: str = ""
    """What the worker claimed, where the run made something else of it."""
    findings: dict[str, str] = {}
    """Of one that did not pass: what was expected and seen, where and why, without what its clauses show."""
    retried: str = ""
    """Why it was tried again after this attempt."""
    children: int = 0
    """How many sub-tasks it asked for before it can go on."""
    artifacts: tuple[str, ...]
    """Files that belong to none of its calls; what comes after `/artifacts/` in their addresses."""
    element: Box | None = None
    """Where on the page the element is that was touched last."""


class NodeDetail(Struct, frozen=True, kw_only=True):
    """One sub-task of a run with all its attempts, the oldest first."""

    node: NodeView
    attempts: tuple[AttemptView, ...]
