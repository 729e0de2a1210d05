"""What the API answers with."""

from typing import Literal

from msgspec import Struct

from muster_client.steering import OpenQuestion
from muster_protocol.events import Event
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_protocol.tool_calls import Box, Usage
from muster_protocol.verdicts import Verdict

NodeState = Literal["waiting", "running", "asking", "retrying", "passed", "failed", "cancelled", "skipped"]


class SubmittedRun(Struct, frozen=True, kw_only=True):
    """A run that was accepted."""

    run: str
    duplicate: bool = False
    """It was there before: same id, or same idempotency key."""


class Submitted(Struct, frozen=True, kw_only=True):
    """What came of a submission: its first run, and all of them."""

    run: str
    duplicate: bool
    runs: tuple[SubmittedRun, ...]
    """More than one if a YAML text held several cases."""


class RunList(Struct, frozen=True, kw_only=True):
    """One page of runs, newest first."""

    runs: tuple[RunRow, ...]
    cursor: str = ""
    """Asks for the next page; empty on the last one."""


class EvidenceView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check that speaks for or against a clause."""

    check: str
    """The tool that looked."""
    arguments: str = ""
    """JSON, values filled in, secrets as placeholders."""
    call: int
    """Number of the call in its attempt."""
    passed: bool
    early: bool = False
    """It looked before the last action, so it does not count."""
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
    state: ClauseState = "open"
    literals: tuple[str, ...] = ()
    """What is quoted in it."""
    lacks: str = ""
    """What its evidence lacks to prove it, once there is a result."""
    evidence: tuple[EvidenceView, ...] = ()


class NodeView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sub-task of a run with where it stands."""

    id: str
    state: NodeState = "waiting"
    description: str = ""
    expected_result: str = ""
    needs: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    kind: str = "step"
    """Name of its kind: `plan`, `step`, `evaluate`."""
    label: str = "Step"
    """What people read for it: `Planning`, `Recovery`."""
    session: str = ""
    precondition: bool = False
    of: str = ""
    """The node that an evaluation is about, or that a recovery clears the way for."""
    planned: bool = False
    """Whether it stands in the plan; planning itself, evaluation and recovery do not."""
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
    usage: Usage = Usage()
    """Of all attempts that ended."""
    values: dict[str, str] = {}
    """Variables and captured values by name, for the placeholders in its texts."""
    clauses: tuple[ClauseView, ...] = ()
    artifacts: tuple[str, ...] = ()
    """Of its attempts, the newest last; what comes after `/artifacts/` in their addresses."""


class RunView(Struct, frozen=True, kw_only=True):
    """One run: its row, what was asked for, the plan as far as it got, and the verdict once it is reached."""

    run: RunRow
    request: RunRequest | None
    nodes: tuple[NodeView, ...]
    verdict: Verdict | None
    waits_for: str = ""
    """Why it is not being worked on now: it is parked, or nobody can serve it."""
    questions: tuple[OpenQuestion, ...] = ()
    """What it asks a person, and nobody has answered."""


class StoredEntry(Struct, frozen=True, kw_only=True):
    """One stored message of a run's log."""

    sequence: int
    epoch: int
    at: float
    events: tuple[Event, ...]
    """A newer Muster may store events that this list does not name; they are passed on as they are."""


class EventList(Struct, frozen=True, kw_only=True):
    """A run's log, oldest entry first."""

    entries: tuple[StoredEntry, ...]
    cursor: int
    """Sequence to ask after for what follows."""


class CancelAsked(Struct, frozen=True, kw_only=True):
    """The run was asked to end; its verdict tells whether it did so in time."""

    run: str


class CancelBody(Struct, frozen=True, kw_only=True):
    """Why a run is cancelled."""

    reason: str = ""


class Steered(Struct, frozen=True, kw_only=True):
    """What was asked of the run is stored; its log tells when it was taken note of."""

    run: str
    changed: bool
    """False if it had been asked before, or the run stands so already."""


class AnswerBody(Struct, frozen=True, kw_only=True):
    """The answer to a question of a run."""

    text: str
    question: str = ""
    """Id of the question; empty: the only one that is open."""


class Rerun(Struct, frozen=True, kw_only=True):
    """A run that repeats another."""

    run: str
    rerun_of: str
    duplicate: bool = False
    """It was there before: same `Idempotency-Key`."""


class RerunList(Struct, frozen=True, kw_only=True):
    """The runs that repeat what failed."""

    runs: tuple[Rerun, ...]


class ArtifactView(Struct, frozen=True, kw_only=True):
    """A stored file of a run."""

    name: str
    """What comes after `/artifacts/` in its address."""
    size: int
    """Bytes."""
    content_type: str
    sha256: str
    stored_at: str
    """ISO 8601."""
    element: Box | None = None
    """Of a picture of the page: where on it the element is that was touched last, in its pixels."""


class ArtifactList(Struct, frozen=True, kw_only=True):
    """The stored files of a run, by name."""

    artifacts: tuple[ArtifactView, ...]


class EndFrame(Struct, frozen=True, kw_only=True):
    """The last frame: the run has its verdict, and all lines were sent."""

    end: bool
    status: str
    cause: str
