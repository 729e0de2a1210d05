"""The state of a run: the fold of its log, in parts. Only the job reads its own part."""

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Graph, Node, replace_node
from muster_orchestrator.machine.jobs.analysis.state import AnalysisState
from muster_orchestrator.machine.jobs.assignment.state import AssignmentState
from muster_orchestrator.machine.jobs.conversation.state import ConversationState
from muster_orchestrator.machine.jobs.drill.state import DrillState
from muster_orchestrator.machine.jobs.exploration.state import ExplorationState
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol.control import Cancel
from muster_protocol.estimates import Estimate
from muster_protocol.events import Policy
from muster_protocol.journal import Question
from muster_protocol.requests import DeviceKind, RunRequest
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict

POOL, SESSION_HOST = "pool ", "session host"
_NAMED = re.compile(r" for appium (?!that serves |with room for )(\S+)| that serves workspace (\S+)")
"""Prefixes of the names of services, such as `pool act`; for session hosts see `describe_host`."""

PlannedOnce = DrillState | AssignmentState | AnalysisState
"""States of the jobs whose one plan follows by itself."""
JobState = TestCaseState | ExplorationState | ConversationState | PlannedOnce


class Owner(Struct, frozen=True, kw_only=True):
    """The orchestrator that drives the run, and the queue message it took it with."""

    id: str = ""
    epoch: int = 0
    message: int = 0
    delivery: int = 0
    takeovers: int = 0
    """Changes of owner in a row, without the outcome of a sub-task in between."""


class Clock(Struct, frozen=True, kw_only=True):
    """The run's times in Unix seconds."""

    now: float = 0.0
    """Time of the newest entry; the machine has no other clock."""
    started_at: float = 0.0
    waited: float = 0.0
    """Seconds spent parked, which do not count as wall time."""


class Parking(Struct, frozen=True, kw_only=True):
    """Whether the run is parked."""

    reason: str = ""
    """Why it is parked; empty if it is not."""
    session_host: str = ""
    """The session host that it is parked for; empty if it is parked for another reason."""
    since: float = 0.0
    until: float = 0.0
    expired: str = ""
    """The reason of a parking that lasted too long."""


class SessionUse(Struct, frozen=True, kw_only=True):
    """How a session was used, as dispatch numbers of attempts; 0: none."""

    changed: int = 0
    """The newest attempt that changed something."""
    ended: int = 0
    """The newest attempt that ended."""
    node: str = ""
    """The node of that attempt."""


class Sessions(Struct, frozen=True, kw_only=True):
    """The sessions of the run by name."""

    open: dict[str, SessionRef] = {}
    lost: dict[str, SessionRef] = {}
    """Sessions that could not be reached, as they were, until they are opened again."""
    losses: int = 0
    reopened: dict[str, Literal["blank", "restored"]] = {}
    """Lost sessions that were opened again: `blank` if nothing had been changed in them, else `restored`."""
    used: dict[str, SessionUse] = {}
    queued: dict[str, int] = {}
    """Reported places in line of sessions that no host has room for."""
    failure: str = ""
    """Why a session could not be opened."""


class People(Struct, frozen=True, kw_only=True):
    """The controls that people sent, and their answers."""

    controls: tuple[str, ...] = ()
    """Ids of the controls that were applied."""
    cancelled: Cancel | None = None
    paused: bool = False
    answers: dict[str, str] = {}
    """By question id."""
    asks: tuple[Question, ...] = ()
    """Open questions of the run itself; nothing is dispatched before they are answered."""
    earlier_answers: dict[str, str] = {}
    """By attempt and question, so that the next attempt at a node need not ask again."""


class Absence(Struct, frozen=True):
    """A service that no live process offers since a moment (Unix seconds); `number` counts the run's absences."""

    since: float
    number: int
    why: str = ""
    """Warnings of live processes that cannot offer it."""
    unheard: bool = False
    """Whether it is for a name that nobody was ever seen to have."""


class Run(Struct, frozen=True, kw_only=True):
    """A run, as its log tells it."""

    request: RunRequest | None = None
    policy: Policy = Policy()
    definitions: str = ""
    """Digest of the release of agents and skills that it has pinned."""
    estimate: Estimate | None = None
    owner: Owner = Owner()
    clock: Clock = Clock()
    parking: Parking = Parking()
    graph: Graph = Graph()
    sessions: Sessions = Sessions()
    people: People = People()
    unserved: dict[str, Absence] = {}
    """Services that the run waits for and no live process offers: `pool act`, `session host`."""
    absences: int = 0
    dispatched: int = 0
    fired: tuple[str, ...] = ()
    """Ids of the timers that have fired."""
    usage: Usage = Usage()
    results: tuple[SubTaskResult, ...] = ()
    job: JobState | None = None
    """The job's own state."""
    given_up: str = ""
    """Why the run was given up; empty if it was not."""
    verdict: Verdict | None = None
    closed: bool = False

    def with_node(self, node: Node) -> "Run":
        """Return the run with a new version of a node."""
        return replace(self, graph=replace_node(self.graph, node))

    def with_result(self, result: SubTaskResult) -> "Run":
        """Return the run with a result added to those in its verdict."""
        return replace(self, results=(*self.results, result))

    @property
    def opened(self) -> RunRequest:
        """The request with which it was opened, which it must have been."""
        assert self.request is not None
        return self.request

    @property
    def now(self) -> float:
        """Time of the newest entry, in Unix seconds."""
        return self.clock.now

    @property
    def deadline(self) -> float:
        """Unix seconds at which the run's wall time is used up."""
        limits = self.request.limits if self.request else None
        seconds = (limits and limits.timeout_seconds) or self.policy.run_seconds
        return self.clock.started_at + self.clock.waited + seconds

    @property
    def max_subtasks(self) -> int:
        """Most sub-tasks that planning and recovery may add up to."""
        limits = self.request.limits if self.request else None
        return (limits and limits.max_subtasks) or self.policy.max_subtasks


def retry_timer(node: Node) -> str:
    """Return the id of the timer that ends the pause before a retry."""
    return f"retry:{node.plan.id}:{node.faults}"


def describe_host(kind: DeviceKind, sessions: int = 1, workspace: str = "", phone: str = "") -> str:
    """Return the name of the service of a host that can keep so many sessions of a kind, and serves a workspace.

    `phone`: the phone that it has; empty: any, or the kind is another one.
    """
    device = "" if kind == "none" else f" for {kind} {phone}".rstrip()
    served = f" that serves workspace {workspace}" if workspace else ""
    return SESSION_HOST + device + served + (f" with room for {sessions} sessions" if sessions > 1 else "")


def names_in(what: str) -> frozenset[str]:
    """Return the workspace and the phone that a service of a host is for; see `describe_host`."""
    return frozenset(name for found in _NAMED.findall(what) for name in found if name)


def unserved_timer(what: str, absence: Absence) -> str:
    """Return the id of the timer that ends the wait for a missing service."""
    return f"unserved:{what}:{absence.number}"


def is_due(run: Run, node: Node) -> bool:
    """Return whether the pause before a node's next attempt is over."""
    return run.clock.now >= node.not_before or retry_timer(node) in run.fired


def asking_nodes(run: Run) -> tuple[Node, ...]:
    """Return the nodes that wait for a person."""
    return run.graph.with_status("asking")


def open_tasks(run: Run) -> tuple[SubTask, ...]:
    """Return the sub-tasks that are dispatched and have not ended."""
    held = run.graph.with_status("open", "asking", "delegating")
    return tuple(node.sub_task for node in held if node.sub_task is not None)


def open_node(run: Run, task: str) -> Node | None:
    """Return the node whose open attempt is this sub-task, or None."""
    held = run.graph.with_status("open", "asking", "delegating")
    found = (node for node in held if node.sub_task and node.sub_task.id == task)
    return next(found, None)
