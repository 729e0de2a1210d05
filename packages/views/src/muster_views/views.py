"""Views of a run: its sub-tasks, clauses with evidence, and failure."""

from typing import Literal

from msgspec import Struct

from muster_client.steering import OpenQuestion
from muster_protocol.control import ControlName
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import ResultStatus
from muster_protocol.tool_calls import ArgumentValue, Usage
from muster_protocol.verdicts import Verdict
from muster_views.happenings import Happening
from muster_views.node_history import NodeState
from muster_views.shared_values import SharedValue


class EvidenceView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check for a clause."""

    check: str
    """Name of the tool."""
    arguments: dict[str, ArgumentValue]
    """Values filled in, secrets as placeholders; text that is not a JSON object is the value of the empty key."""
    call: int
    """Number of the call in its attempt."""
    passed: bool
    note: str = ""
    """Why it does not count; empty if it does."""
    by: Literal["phrase", "model"] = "phrase"
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[str, ...] = ()
    """Files, as the part of their URL after `/artifacts/`."""


ClauseState = Literal["proven", "refuted", "open"]


class ClauseView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A clause of an expectation with its evidence."""

    text: str
    """Verbatim, with placeholders."""
    shown: str
    """`text` with known values filled in."""
    state: ClauseState
    literals: tuple[str, ...]
    """Quoted texts in it, with and without values filled in."""
    lacks: str = ""
    """What is missing to prove it; empty without a result."""
    evidence: tuple[EvidenceView, ...]


class NodeView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sub-task with its state."""

    id: str
    kind: str = "step"
    """Name of the kind: `plan`, `step`, `evaluate` …"""
    label: str = ""
    """Shown before the title: `Planning`, `Recovery`; empty for a planned sub-task."""
    state: NodeState
    status: ResultStatus | Literal[""] = ""
    """Status of its result; empty until it ended."""
    title: str
    """Title, with known values filled in."""
    depth: int = 0
    """How many sub-tasks it is shown below: those that it helps, or that have asked for it."""
    number: int = 0
    """Position in the plan, from 1; 0 if not planned."""
    of: str = ""
    """For an evaluation or recovery: id of the failed node."""
    description: str = ""
    expected_result: str = ""
    needs: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    session: str = ""
    badges: tuple[str, ...] = ()
    """Short notes: retried, recovered, taken over, unverified, claim refused, refused calls."""
    spent: tuple[str, ...] = ()
    """What an agent has spent of its budget, and how much it was asked at once."""
    refusals: tuple[str, ...] = ()
    """Calls that it was refused, with the reasons."""
    attempt: int = 0
    worker: str = ""
    summary: str = ""
    failure: str = ""
    cause: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    unverified: bool = False
    iterations: int = 0
    source: str = ""
    started_at: float = 0.0
    """Start of the newest attempt."""
    ended_at: float = 0.0
    retries: tuple[str, ...] = ()
    """Reasons of its retries, oldest first."""
    takeovers: int = 0
    """Number of takeovers from lost workers."""
    usage: Usage
    """Sum over all attempts that ended."""
    values: dict[str, str] = {}
    """Variables and captured values for the placeholders in its texts, by name."""
    clauses: tuple[ClauseView, ...]
    artifacts: tuple[str, ...]
    """Files of all attempts, newest attempt last, as the part of their URL after `/artifacts/`."""


class FailureView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a run failed."""

    node: str = ""
    """The failed sub-task; empty if no sub-task failed."""
    summary: str
    expected: str = ""
    seen: str = ""
    where: str = ""
    cause: str = ""
    meaning: str = ""
    """What the cause means for the product."""
    why: str = ""
    """The kind of failure, in words."""
    evaluator: str = ""
    """The evaluator's reason."""
    literals: tuple[str, ...]
    """Quoted texts in the refuted clause."""


class RunView(Struct, frozen=True, kw_only=True):
    """A run: row, request, sub-tasks, and verdict."""

    run: RunRow
    request: RunRequest | None
    nodes: tuple[NodeView, ...]
    """Planning first, then the plan; evaluations and recoveries below their sub-task."""
    verdict: Verdict | None
    planned: bool = True
    """Whether the run follows a plan made beforehand; explorations and conversations decide as they go."""
    estimate: str = ""
    """What it was to come to, and what that is known from."""
    waits_for: str = ""
    """Why it makes no progress: it is parked, or has no worker or session host."""
    questions: tuple[OpenQuestion, ...] = ()
    """Unanswered questions to a person."""
    values: tuple[SharedValue, ...] = ()
    """Variables of the case and captured values, oldest first: who set them, from what, and when."""
    steps: tuple[str, ...] = ()
    """The written steps with variables filled in, until there is a plan."""
    history: tuple[Happening, ...] = ()
    """Events of the run as a whole, in order."""
    failure: FailureView | None = None
    focus: str = ""
    """The sub-task to show first: failed, asking or running, else the last one that ended."""
    refused: dict[ControlName, str] = {}
    """Actions the run refuses now, with the reasons."""
