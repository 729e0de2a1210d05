"""A run as people see it: its sub-tasks, the clauses of their expectations with the evidence, and what went wrong."""

from typing import Literal

from msgspec import Struct

from muster_client.steering import OpenQuestion
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import ResultStatus
from muster_protocol.tool_calls import ArgumentValue, Usage
from muster_protocol.verdicts import Verdict
from muster_views.happenings import Happening
from muster_views.history import NodeState


class EvidenceView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check that speaks for or against a clause."""

    check: str
    """The tool that looked."""
    arguments: dict[str, ArgumentValue]
    """Values filled in, secrets as placeholders; what is no JSON object stands under the empty name."""
    call: int
    """Number of the call in its attempt."""
    passed: bool
    note: str = ""
    """Why it does not count, if it does not."""
    by: Literal["phrase", "model"] = "phrase"
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[str, ...] = ()
    """What comes after `/artifacts/` in their addresses."""


ClauseState = Literal["proven", "refuted", "open"]


class ClauseView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One clause of an expectation, beside its evidence."""

    text: str
    """Verbatim, with placeholders."""
    shown: str
    """The same with known values filled in."""
    state: ClauseState
    literals: tuple[str, ...]
    """What is quoted in it, with and without values filled in."""
    lacks: str = ""
    """What its evidence lacks to prove it, once there is a result."""
    evidence: tuple[EvidenceView, ...]


class NodeView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sub-task of a run with where it stands."""

    id: str
    kind: str = "step"
    """Name of its kind: `plan`, `step`, `evaluate`."""
    label: str = ""
    """What people read before its title: `Planning`, `Recovery`; empty for an ordinary sub-task of the plan."""
    state: NodeState
    status: ResultStatus | Literal[""] = ""
    """How it ended, in the words of its result; empty while it has not."""
    title: str
    """What to call it, with known values filled in."""
    depth: Literal[0, 1] = 0
    """1: it stands below the sub-task that it is for."""
    number: int = 0
    """Its place in the plan, from 1; 0 for what no plan holds."""
    of: str = ""
    """The node that an evaluation or a recovery is for."""
    description: str = ""
    expected_result: str = ""
    needs: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    session: str = ""
    badges: tuple[str, ...] = ()
    """What is out of the ordinary about it, a word or two each."""
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
    """Of the newest attempt."""
    ended_at: float = 0.0
    retries: tuple[str, ...] = ()
    """Why it was tried again, the oldest reason first."""
    takeovers: int = 0
    """How often another worker took an attempt over from one that was lost."""
    usage: Usage
    """Of all attempts that ended."""
    values: dict[str, str] = {}
    """Variables and captured values by name, for the placeholders in its texts."""
    clauses: tuple[ClauseView, ...]
    artifacts: tuple[str, ...]
    """Artefacts of all attempts, newest attempt last, each as the part of its address after `/artifacts/`."""


class FailureView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a run failed."""

    node: str = ""
    """The sub-task that failed; empty if it was none."""
    summary: str
    expected: str = ""
    seen: str = ""
    where: str = ""
    cause: str = ""
    meaning: str = ""
    """What the cause says about the product."""
    why: str = ""
    """What led to the cause, in words."""
    evaluator: str = ""
    """Why an evaluator decided as it did."""
    literals: tuple[str, ...]
    """What is quoted in the clause that was refuted."""


Action = Literal["cancel", "pause", "resume", "rerun", "answer"]


class RunView(Struct, frozen=True, kw_only=True):
    """One run: its row, what was asked for, its sub-tasks as far as it got, and the verdict once it is reached."""

    run: RunRow
    request: RunRequest | None
    nodes: tuple[NodeView, ...]
    """Planning first, then the plan; what is done for a sub-task stands below it."""
    verdict: Verdict | None
    waits_for: str = ""
    """Why it is not being worked on now: it is parked, or nobody can serve it."""
    questions: tuple[OpenQuestion, ...] = ()
    """What it asks a person, and nobody has answered."""
    steps: tuple[str, ...] = ()
    """The written steps with variables filled in, while there is no plan."""
    history: tuple[Happening, ...] = ()
    """What else happened to the run as a whole, in order."""
    failure: FailureView | None = None
    focus: str = ""
    """The sub-task to show first: one that failed, asks or is at work, else the last that was done."""
    refused: dict[Action, str] = {}
    """The actions it refuses now, and why."""
