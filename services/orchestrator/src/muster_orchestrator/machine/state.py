"""Everything that is known of a run: a fold of its log."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.control import Cancel
from muster_protocol.events import Policy
from muster_protocol.journal import Question
from muster_protocol.kinds import KINDS_BY_NAME, Decision
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tools import Usage
from muster_protocol.verdicts import Verdict

PLANNING = "plan"
"""Node id of planning itself."""
POOL, SESSION_HOST = "pool ", "session host"
"""What a run waits for: `pool act` and the like, and a host for its sessions."""

NodeStatus = Literal["waiting", "open", "asking", "faulted", "failing", "recovering", "passed", "failed", "skipped"]
"""`asking`: it waits for a person; `faulted`: infrastructure failed it, a retry is due; `failing`: it failed, what to
do is not decided yet; `recovering`: another node is to mend what stood in its way; the rest is final."""


class Node(Struct, frozen=True, kw_only=True):
    """One node of the plan (or planning itself, or an evaluation), and how far it is."""

    plan: PlanNode
    status: NodeStatus = "waiting"
    attempt: int = 0
    faults: int = 0
    recoveries: int = 0
    not_before: float = 0.0
    sub_task: SubTask | None = None
    """The open attempt as it was dispatched."""
    result: SubTaskResult | None = None
    """The newest accepted result."""
    asks: Question | None = None
    """The question it waits for an answer to."""
    about: str = ""
    """Id of the node it was added for: the one an evaluation is about, or that is tried again after a recovery."""
    charged: Usage = Usage()
    """What the open attempt has spent by the time it was suspended last; it is a part of the run's usage already."""

    @property
    def planned(self) -> bool:
        """Whether its kind stands in plans; other nodes come with their dispatch."""
        return KINDS_BY_NAME[self.plan.kind].planned


class Absence(Struct, frozen=True):
    """Since when (Unix seconds) no live process can do what the run waits for; `number` counts the run's absences."""

    since: float
    number: int


class Used(Struct, frozen=True, kw_only=True):
    """What was done in a session, by dispatch numbers; 0: nothing."""

    changed: int = 0
    """The newest attempt that changed something."""
    ended: int = 0
    """The newest attempt that ended."""
    node: str = ""
    """The node of that one."""


class Run(Struct, frozen=True, kw_only=True):
    """A run; `now` is the time of the newest entry, the only clock there is."""

    request: RunRequest | None = None
    policy: Policy = Policy()
    owner: str = ""
    epoch: int = 0
    message: int = 0
    delivery: int = 0
    takeovers: int = 0
    """Changes of owner in a row with no outcome of a sub-task between them."""
    now: float = 0.0
    started_at: float = 0.0
    plan: Plan | None = None
    refusals: tuple[str, ...] = ()
    nodes: dict[str, Node] = {}
    dispatched: int = 0
    sessions: dict[str, SessionRef] = {}
    lost: dict[str, SessionRef] = {}
    """Sessions that could not be reached, as they were, until they are opened again."""
    lost_sessions: int = 0
    reopened: dict[str, Literal["blank", "restored"]] = {}
    """Sessions that were lost and opened anew; `restored`: after something had been changed in them."""
    used: dict[str, Used] = {}
    """What was done in each session."""
    session_failure: str = ""
    values: dict[str, str] = {}
    facts: tuple[str, ...] = ()
    results: tuple[SubTaskResult, ...] = ()
    usage: Usage = Usage()
    controls: tuple[str, ...] = ()
    cancelled: Cancel | None = None
    paused: bool = False
    parked: str = ""
    """Why nobody holds it, if nobody is to."""
    parked_at: float = 0.0
    parked_until: float = 0.0
    waited: float = 0.0
    """Seconds it was parked; they do not count as its wall time."""
    overslept: str = ""
    """What it was parked for, if that took too long."""
    answers: dict[str, str] = {}
    """What people answered, by question id."""
    told: dict[str, str] = {}
    """What they answered, by attempt and question: the next attempt at a node need not ask again."""
    unserved: dict[str, Absence] = {}
    """What the run waits for while nobody is there who can do it: `pool act`, `session host`."""
    absences: int = 0
    given_up: str = ""
    """Why the run cannot be carried on, if it cannot."""
    fired: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    verdict: Verdict | None = None
    closed: bool = False

    def with_node(self, node: Node) -> "Run":
        """Return the run with one node replaced or added."""
        return replace(self, nodes={**self.nodes, node.plan.id: node})

    def planned(self) -> tuple[Node, ...]:
        """Return the nodes of the plan and its recoveries, in order."""
        return tuple(node for node in self.nodes.values() if node.planned)

    def progress(self) -> tuple[int, int]:
        """Return how many sub-tasks of the plan have passed, and how many it has; recoveries are none of them."""
        nodes = [node for node in self.planned() if not node.about]
        return sum(node.status == "passed" for node in nodes), len(nodes)

    @property
    def thinks(self) -> bool:
        """Whether the workers have a model: the plan was made by one."""
        planning = self.nodes.get(PLANNING)
        return planning is not None and planning.result is not None and planning.result.source == "model"

    @property
    def deadline(self) -> float:
        """Unix seconds at which the run's wall time is used up."""
        limits = self.request.limits if self.request else None
        return self.started_at + self.waited + ((limits and limits.timeout_seconds) or self.policy.run_seconds)

    @property
    def max_subtasks(self) -> int:
        """What planning and recovery may add up to."""
        limits = self.request.limits if self.request else None
        return (limits and limits.max_subtasks) or self.policy.max_subtasks


def unserved_timer(what: str, absence: Absence) -> str:
    """Return the id of the timer that ends the wait for somebody who can do it."""
    return f"unserved:{what}:{absence.number}"


def asking(run: Run) -> tuple[Node, ...]:
    """Return the nodes that wait for a person."""
    return tuple(node for node in run.nodes.values() if node.status == "asking")


def open_tasks(run: Run) -> tuple[SubTask, ...]:
    """Return the attempts that are dispatched and not over."""
    return tuple(node.sub_task for node in run.nodes.values() if node.sub_task is not None)
