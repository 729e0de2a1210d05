"""What the API answers with about one sub-task: its attempts, and what its journals say."""

from typing import Any, Literal

from msgspec import Struct

from muster_gateway.views import ClauseView, NodeView
from muster_protocol.journal import Question
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArgumentValue, Box, Usage


class TakerView(Struct, frozen=True, kw_only=True):
    """A worker that took an attempt."""

    worker: str
    at: float
    delivery: int
    """How often the queue had handed the attempt out by then."""


CallStatus = Literal["running", "ok", "failed", "error", "unknown"]


class CallView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One tool call and what came of it."""

    number: int
    order: int
    """Its place among all that the journal tells of the attempt, model replies included."""
    tool: str
    arguments: dict[str, ArgumentValue] = {}
    """Secrets are placeholders."""
    clause: str = ""
    """The clause a check is to prove."""
    effect: str = ""
    started_at: float = 0.0
    ended_at: float = 0.0
    duration_ms: float = 0.0
    status: CallStatus = "running"
    """`unknown`: its worker was lost, or gave up, before the outcome was written."""
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
    artifacts: tuple[str, ...] = ()
    usage: Usage | None = None


class AskedView(Struct, frozen=True, kw_only=True):
    """A call that a model asked for."""

    tool: str
    arguments: str = ""
    """JSON."""


class ReplyView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a model said."""

    number: int
    order: int
    at: float
    text: str = ""
    calls: tuple[AskedView, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class NoteView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something else that the journal tells."""

    order: int
    at: float
    kind: Literal["released", "suspended", "revoked"]
    """Given back by its worker; waits for an answer; no longer wanted by the run."""
    text: str = ""


class AttemptView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attempt at a sub-task."""

    task: str
    attempt: int
    description: str = ""
    expected_result: str = ""
    pool: str = ""
    state: str = ""
    """What the sub-agent was told had happened so far."""
    notice: str = ""
    values: dict[str, str] = {}
    dispatched_at: float = 0.0
    ended_at: float = 0.0
    retried: str = ""
    """Why it was tried again after this attempt."""
    takers: tuple[TakerView, ...] = ()
    calls: tuple[CallView, ...] = ()
    replies: tuple[ReplyView, ...] = ()
    notes: tuple[NoteView, ...] = ()
    clauses: tuple[ClauseView, ...] = ()
    asks: Question | None = None
    """What it asked a person last."""
    result: SubTaskResult | None = None
    """As the run took it; before that, as its journal says."""


class NodeDetail(Struct, frozen=True, kw_only=True):
    """One sub-task of a run with all its attempts, the oldest first."""

    node: NodeView
    attempts: tuple[AttemptView, ...]


class JournalMessage(Struct, frozen=True, kw_only=True):
    """One stored message of a journal."""

    sequence: int
    task: str
    node: str
    attempt: int
    at: float
    """Unix seconds at which it was stored."""
    entries: tuple[dict[str, Any], ...]
    """As they were stored; `type` says what an entry is: `taken`, `call_started`, `call_finished`, `model_replied`,
    `released`, `suspended`, `revoked`, `finished`."""


class JournalPage(Struct, frozen=True, kw_only=True):
    """Messages of a run's journals, oldest first."""

    messages: tuple[JournalMessage, ...]
    cursor: int
    """Sequence to ask after for what follows."""
    more: bool
    """Whether something follows already."""
