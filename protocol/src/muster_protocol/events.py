"""Events of a run's log, `muster.runs.<run>.events`, which is the whole truth about the run.

A stored message is an `Entry`: events appended together, with the owner's epoch and the time. A run's first entry
starts with `RunOpened`, the first of each later owner with `OwnerChanged`.
"""

from msgspec import Struct

from muster_protocol.assignments import AT_ONCE
from muster_protocol.control import Control
from muster_protocol.estimates import Estimate
from muster_protocol.journal import Child
from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan
from muster_protocol.requests import Checker, RunRequest
from muster_protocol.sessions import Restored, SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Usage
from muster_protocol.verdicts import Verdict


class Policy(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings that decide a run; stored in its log, so that every owner decides alike."""

    max_subtasks: int = 30
    max_recovery_attempts: int = 1
    max_attempts: int = 3
    """Most attempts at a sub-task that infrastructure fails."""
    backoff_seconds: float = 1.0
    backoff_limit_seconds: float = 5.0
    run_seconds: float = 3600.0
    subtask_seconds: float = 180.0
    subtask_iterations: int = 15
    subtask_calls: int = 100
    state_characters: int = 800
    """Most characters of history that a sub-task gets."""
    max_takeovers: int = 20
    """Owners lost in a row, without the outcome of a sub-task in between, after which a run is given up."""
    parked_seconds: float = 86_400.0
    """How long a run may wait for a person."""
    log_bytes: int = 64 * 2**20
    """Largest log of one run, so that no run fills the stream that all share."""
    unserved_seconds: float = 300.0
    """How long a run waits for a worker if none is live that can serve it."""
    session_wait_seconds: float = 60.0
    """How long a run waits for a session host if none is live that can serve it."""
    checkers: tuple[Checker, ...] = ()
    """Agents that examine each case, whether it asks for them or not."""
    ask_before: tuple[str, ...] = ()
    """Effects and words of steps of cases before which a person is asked."""
    recover_by_rule: bool = False
    """Whether rules have failed steps tried again that have begun nothing, before an evaluator is asked."""
    checkpoints: bool = False
    """Whether a planner may say what parts of steps are to show; see `PlanNode.checkpoint`."""
    replan: bool = False
    """Whether an evaluator may have the rest of a case planned again, once."""


class RunOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="run_opened"):
    """An orchestrator has taken the request; the run exists."""

    request: RunRequest
    owner: str
    message: int
    delivery: int
    policy: Policy = Policy()
    definitions: str = ""
    """Digest of the release of agents and skills that the run works with; empty: those of its workers alone."""
    estimate: Estimate | None = None
    """What it will come to by earlier runs of the same steps; None: nobody could say."""


class OwnerChanged(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="owner_changed"):
    """Another orchestrator drives the run from now on."""

    owner: str
    epoch: int
    message: int
    delivery: int


class PlanMade(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan_made"):
    """The plan was accepted; or a second one, of what is left of the case."""

    plan: Plan
    replaces: tuple[str, ...] = ()
    """Ids of the nodes that the second plan takes the place of."""


class PlanRefused(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan_refused"):
    """The plan was refused."""

    reasons: tuple[str, ...]


class SessionOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_opened"):
    """A session of the run is open."""

    session: SessionRef
    fresh: bool = True
    restored: Restored = "no"
    """Whether it was restored from the checkpoint of a lost one, and whether its pages read the same as before."""
    after: int = 0
    """Dispatch number of the sub-task after which that checkpoint was made."""
    missing: str = ""
    """Why `restored` is `different`."""


class SessionQueued(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_queued"):
    """No session host has room for a session; the run waits in line for it."""

    name: str
    place: int
    """The run's place in line when it was read, 1 for the next."""


class SessionFailed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_failed"):
    """A session could not be opened."""

    name: str
    reason: str


class SubTaskDispatched(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="dispatched"):
    """A sub-task is due; it is queued after this event is stored."""

    sub_task: SubTask


class SubTaskEnded(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="ended"):
    """An open attempt has ended, with the outcome in its journal."""

    outcome: SubTaskResult


class RetryPlanned(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="retry_planned"):
    """A node is tried again, after an infrastructure fault or by a rule, not before a moment (Unix seconds)."""

    node: str
    not_before: float
    reason: str
    patience: float = 1.0
    """How many times as long as usual its looks and checks may wait; more than 1: a rule has it tried again."""


class RecoveryPlanned(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="recovery_planned"):
    """A rule has decided about a failed node, before an evaluator was asked."""

    node: str
    decision: Decision


class TimerFired(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="timer_fired"):
    """A timer of the run has fired."""

    timer: str


class ControlApplied(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="control_applied"):
    """A control was applied."""

    control: Control


class Parked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="parked"):
    """The run waits without an owner."""

    reason: str
    session_host: str = ""
    """The service it waits for if it is in line for sessions: `session host for web`."""
    until: float = 0.0
    """Unix seconds at which the wait times out; 0: never."""


class Woken(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="woken"):
    """A parked run goes on."""

    reason: str = ""


class Asked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="asked"):
    """A sub-task asks a person a question."""

    question: str
    text: str
    task: str = ""
    spent: Usage = Usage()
    """What the attempt has spent up to here."""


class ChildrenAsked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="children_asked"):
    """A sub-task asks for sub-tasks of its own."""

    task: str
    call: str
    """Id of the call that asks for them; with the number of each child it makes up the child's id."""
    children: tuple[Child, ...]
    max_concurrent: int = AT_ONCE
    spent: Usage = Usage()
    """What the attempt has spent up to here."""


class Answered(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="answered"):
    """A person has answered a question."""

    question: str
    text: str


class Unserved(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="unserved"):
    """No live process offers a service that the run waits for."""

    what: str
    """`pool act`, `session host for web`."""
    why: str = ""
    """Warnings of live processes that cannot offer it."""
    unheard: bool = False
    """Whether session hosts are live, and none was ever seen that has what is named: a workspace or phone."""


class Served(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="served"):
    """A live process offers a missing service again."""

    what: str


class GivenUp(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="given_up"):
    """No orchestrator can continue the run, as when an entry is larger than a message may be."""

    reason: str


class VerdictReached(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="verdict_reached"):
    """The run has its verdict; exactly one of these is in a log."""

    verdict: Verdict


class RunClosed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="run_closed"):
    """The sessions are closed and the verdict is published; nothing follows."""

    artifacts: tuple[ArtifactRef, ...] = ()
    """Artifacts that the sessions stored on closing."""


class Continued(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="continued"):
    """Holds the run's state so far as JSON; a fold may start here."""

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
    | RecoveryPlanned
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
