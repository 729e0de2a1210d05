"""Events of a run's log, `muster.runs.<run>.events`: the truth about the run, and all of it.

One stored message is an `Entry`: the events that became true together, with who appended them and when. The first
entry of a run starts with `RunOpened`; the first of each later owner with `OwnerChanged`.
"""

from msgspec import Struct

from muster_protocol.control import Control
from muster_protocol.journal import Child
from muster_protocol.plans import Plan
from muster_protocol.requests import RunRequest
from muster_protocol.sessions import Restored, SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Usage
from muster_protocol.verdicts import Verdict


class Policy(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings a run is decided by; in its log, so that every owner decides the same."""

    max_subtasks: int = 30
    max_recovery_attempts: int = 1
    max_attempts: int = 3
    """How often a sub-task is tried when infrastructure fails it."""
    backoff_seconds: float = 1.0
    backoff_limit_seconds: float = 5.0
    run_seconds: float = 3600.0
    subtask_seconds: float = 180.0
    subtask_iterations: int = 15
    subtask_calls: int = 100
    state_characters: int = 800
    """How much of what happened so far a sub-task is told."""
    max_takeovers: int = 20
    """Owners lost in a row, with no outcome of a sub-task between them, after which a run is given up."""
    parked_seconds: float = 86_400.0
    """How long a run may wait for a person."""
    log_bytes: int = 64 * 2**20
    """What a run's log may hold, so that no run fills the stream that all share."""
    unserved_seconds: float = 300.0
    """How long a run waits for a worker when there is none that can serve it."""
    session_wait_seconds: float = 60.0
    """How long a run waits for a session host when there is none that can serve it."""


class RunOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="run_opened"):
    """An orchestrator took the request; the run exists."""

    request: RunRequest
    owner: str
    message: int
    delivery: int
    policy: Policy = Policy()


class OwnerChanged(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="owner_changed"):
    """Another orchestrator drives the run from here on."""

    owner: str
    epoch: int
    message: int
    delivery: int


class PlanMade(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan_made"):
    """The plan was accepted."""

    plan: Plan


class PlanRefused(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan_refused"):
    """The planner's output does not cover the case."""

    reasons: tuple[str, ...]


class SessionOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_opened"):
    """A session of the run is there."""

    session: SessionRef
    fresh: bool = True
    restored: Restored = "no"
    """Whether it was opened anew from the checkpoint of a lost one, and whether its pages read as they did then."""
    after: int = 0
    """Dispatch number of the sub-task after which that checkpoint was made."""
    missing: str = ""
    """Where it is `different`: why."""


class SessionQueued(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_queued"):
    """No session host has room for a session; the run waits in line for it."""

    name: str
    place: int
    """How many runs were before this one, and itself, when this was looked up."""


class SessionFailed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_failed"):
    """A session could not be opened."""

    name: str
    reason: str


class SubTaskDispatched(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="dispatched"):
    """A sub-task is due; the queue gets it after this is stored."""

    sub_task: SubTask


class SubTaskEnded(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="ended"):
    """The outcome of an open attempt, as its journal holds it."""

    outcome: SubTaskResult


class RetryPlanned(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="retry_planned"):
    """An infrastructure fault: the node is tried again, not before the moment given."""

    node: str
    not_before: float
    reason: str


class TimerFired(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="timer_fired"):
    """A moment named in the log has passed."""

    timer: str


class ControlApplied(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="control_applied"):
    """A control was applied."""

    control: Control


class Parked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="parked"):
    """The run waits without an owner."""

    reason: str
    session_host: str = ""
    """What has to be there for it to be served, if it waits in line for its sessions: `session host for web`."""
    until: float = 0.0
    """Unix seconds at which it has waited too long."""


class Woken(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="woken"):
    """A parked run goes on."""

    reason: str = ""


class Asked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="asked"):
    """A sub-task of the run asks a person."""

    question: str
    text: str
    task: str = ""
    spent: Usage = Usage()
    """What the attempt has spent up to here."""


class ChildrenAsked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="children_asked"):
    """A sub-task of the run waits for sub-tasks of its own."""

    task: str
    children: tuple[Child, ...]
    spent: Usage = Usage()
    """What the attempt has spent up to here."""


class Answered(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="answered"):
    """A person answered."""

    question: str
    text: str


class Unserved(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="unserved"):
    """No live process can do what the run waits for."""

    what: str
    """`pool act`, `session host for web`."""
    why: str = ""
    """What those say that are there and cannot do it."""


class Served(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="served"):
    """A process that can do what the run waits for is there again."""

    what: str


class GivenUp(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="given_up"):
    """The run cannot be carried on by this fleet, such as when what it has to store is larger than the bus takes."""

    reason: str


class VerdictReached(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="verdict_reached"):
    """The run has its verdict; exactly one of these is in a log."""

    verdict: Verdict


class RunClosed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="run_closed"):
    """The sessions are closed and the verdict is published; nothing follows."""

    artifacts: tuple[ArtifactRef, ...] = ()
    """What the sessions left behind."""


class Continued(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="continued"):
    """What came before is in the snapshot (JSON of the machine's state); folding may start here."""

    snapshot: str


Event = (
    RunOpened
    | OwnerChanged
    | PlanMade
    | PlanRefused
    | SessionOpened
    | SessionQueued
    | SessionFailed
    | SubTaskDispatched
    | SubTaskEnded
    | RetryPlanned
    | TimerFired
    | ControlApplied
    | Parked
    | Woken
    | Asked
    | ChildrenAsked
    | Answered
    | Unserved
    | Served
    | GivenUp
    | VerdictReached
    | RunClosed
    | Continued
)


class Entry(Struct, frozen=True, kw_only=True):
    """One stored message of a run's log."""

    epoch: int
    at: float
    """Unix seconds by the owner's clock; the only clock a run has."""
    events: tuple[Event, ...]
