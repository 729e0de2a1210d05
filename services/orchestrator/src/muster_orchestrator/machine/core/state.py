"""Everything that is known of a run: a fold of its log, in parts. The job's part is the job's alone."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Graph, Node, replace_node
from muster_orchestrator.machine.drill.state import DrillState
from muster_orchestrator.machine.test_case.state import TestCaseState
from muster_protocol.control import Cancel
from muster_protocol.events import Policy
from muster_protocol.requests import DeviceKind, RunRequest
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict

POOL, SESSION_HOST = "pool ", "session host"
"""What a run waits for: `pool act` and the like, and a host for its sessions, see `describe_host`."""

JobState = TestCaseState | DrillState


class Owner(Struct, frozen=True, kw_only=True):
    """Who drives the run, and with which message of the queue."""

    id: str = ""
    epoch: int = 0
    message: int = 0
    delivery: int = 0
    takeovers: int = 0
    """Changes of owner in a row with no outcome of a sub-task between them."""


class Clock(Struct, frozen=True, kw_only=True):
    """The run's times in Unix seconds."""

    now: float = 0.0
    """Time of the newest entry, the only clock there is."""
    started_at: float = 0.0
    waited: float = 0.0
    """Seconds it was parked; they do not count as its wall time."""


class Parking(Struct, frozen=True, kw_only=True):
    """Whether the run is parked."""

    reason: str = ""
    """Why it is parked; empty if it is not."""
    session_host: str = ""
    """Which session host it waits for, if that is why."""
    since: float = 0.0
    until: float = 0.0
    overslept: str = ""
    """What it was parked for, if that took too long."""


class SessionUse(Struct, frozen=True, kw_only=True):
    """What was done in a session, by dispatch numbers; 0: nothing."""

    changed: int = 0
    """The newest attempt that changed something."""
    ended: int = 0
    """The newest attempt that ended."""
    node: str = ""
    """The node of that one."""


class Sessions(Struct, frozen=True, kw_only=True):
    """The sessions of the run by name."""

    open: dict[str, SessionRef] = {}
    lost: dict[str, SessionRef] = {}
    """Those that could not be reached, as they were, until they are opened again."""
    losses: int = 0
    reopened: dict[str, Literal["blank", "restored"]] = {}
    """Those that were lost and opened anew; `restored`: after something had been changed in them."""
    used: dict[str, SessionUse] = {}
    queued: dict[str, int] = {}
    """Places in line of those that no host has room for, as the owner was told."""
    failure: str = ""
    """Why one could not be opened."""


class People(Struct, frozen=True, kw_only=True):
    """The controls that people sent, and their answers."""

    controls: tuple[str, ...] = ()
    """Ids of what was taken note of."""
    cancelled: Cancel | None = None
    paused: bool = False
    answers: dict[str, str] = {}
    """By question id."""
    told: dict[str, str] = {}
    """By attempt and question: the next attempt at a node need not ask again."""


class Absence(Struct, frozen=True):
    """Since when (Unix seconds) no live process can do what the run waits for; `number` counts the run's absences."""

    since: float
    number: int
    why: str = ""
    """What those say that are there and cannot do it."""


class Run(Struct, frozen=True, kw_only=True):
    """A run; what its parts are is theirs to say."""

    request: RunRequest | None = None
    policy: Policy = Policy()
    owner: Owner = Owner()
    clock: Clock = Clock()
    parking: Parking = Parking()
    graph: Graph = Graph()
    sessions: Sessions = Sessions()
    people: People = People()
    unserved: dict[str, Absence] = {}
    """What the run waits for while nobody is there who can do it: `pool act`, `session host`."""
    absences: int = 0
    dispatched: int = 0
    fired: tuple[str, ...] = ()
    """Timers whose moment has passed."""
    usage: Usage = Usage()
    results: tuple[SubTaskResult, ...] = ()
    job: JobState | None = None
    """What the job keeps for itself."""
    given_up: str = ""
    """Why the run cannot be carried on, if it cannot."""
    verdict: Verdict | None = None
    closed: bool = False

    def with_node(self, node: Node) -> "Run":
        """Return the run with a node replaced by what became of it."""
        return replace(self, graph=replace_node(self.graph, node))

    def with_result(self, result: SubTaskResult) -> "Run":
        """Return the run with this result added to those that its verdict will list."""
        return replace(self, results=(*self.results, result))

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
        """What planning and recovery may add up to."""
        limits = self.request.limits if self.request else None
        return (limits and limits.max_subtasks) or self.policy.max_subtasks


def retry_timer(node: Node) -> str:
    """Return the id of the timer that ends the pause before a retry."""
    return f"retry:{node.plan.id}:{node.faults}"


def describe_host(kind: DeviceKind, rooms: int = 1) -> str:
    """Return how a host is named that can keep sessions of a kind, as many as a run needs at the same time."""
    device = "" if kind == "none" else f" for {kind}"
    return SESSION_HOST + device + (f" with room for {rooms} sessions" if rooms > 1 else "")


def unserved_timer(what: str, absence: Absence) -> str:
    """Return the id of the timer that ends the wait for somebody who can do it."""
    return f"unserved:{what}:{absence.number}"


def is_due(run: Run, node: Node) -> bool:
    """Return whether the pause before a node's next attempt is over."""
    return run.clock.now >= node.not_before or retry_timer(node) in run.fired


def asking_nodes(run: Run) -> tuple[Node, ...]:
    """Return the nodes that wait for a person."""
    return run.graph.with_status("asking")


def open_tasks(run: Run) -> tuple[SubTask, ...]:
    """Return the attempts that are dispatched and not over."""
    return tuple(node.sub_task for node in run.graph.with_status("open", "asking") if node.sub_task is not None)


def open_node(run: Run, task: str) -> Node | None:
    """Return the node whose open attempt has the sub-task's id."""
    found = (node for node in run.graph.with_status("open", "asking") if node.sub_task and node.sub_task.id == task)
    return next(found, None)
