"""Everything that is known of a run: a fold of its log."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.control import Cancel
from muster_protocol.events import Policy
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import Decision, SubTask, SubTaskResult
from muster_protocol.tools import Usage
from muster_protocol.verdicts import Verdict

PLANNING = "plan"
"""Node id of planning itself."""
HELPERS = ("planner", "evaluator", "summariser")
"""Roles whose sub-tasks are no part of the plan; they come with their dispatch."""

NodeStatus = Literal["waiting", "open", "faulted", "failing", "recovering", "passed", "failed", "skipped"]
"""`faulted`: infrastructure failed it, a retry is due; `failing`: it failed, what to do is not decided yet;
`recovering`: another node is to mend what stood in its way; `failed`, `passed`, `skipped`: final."""


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
    judges: str = ""
    """For an evaluation: the id of the node it is about."""
    mends: str = ""
    """For a recovery: the id of the node that is tried again after it."""


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
    lost_sessions: int = 0
    session_failure: str = ""
    values: dict[str, str] = {}
    facts: tuple[str, ...] = ()
    results: tuple[SubTaskResult, ...] = ()
    usage: Usage = Usage()
    controls: tuple[str, ...] = ()
    cancelled: Cancel | None = None
    paused: bool = False
    parked: str = ""
    fired: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    verdict: Verdict | None = None
    closed: bool = False

    def with_node(self, node: Node) -> "Run":
        """Return the run with one node replaced or added."""
        return replace(self, nodes={**self.nodes, node.plan.id: node})

    def planned(self) -> tuple[Node, ...]:
        """Return the nodes of the plan and its recoveries, in order; those of the helpers are left out."""
        return tuple(node for node in self.nodes.values() if node.plan.role not in HELPERS)

    @property
    def thinks(self) -> bool:
        """Whether the workers have a model: the plan was made by one."""
        planning = self.nodes.get(PLANNING)
        return planning is not None and planning.result is not None and planning.result.source == "model"

    @property
    def deadline(self) -> float:
        """Unix seconds at which the run's wall time is used up."""
        limits = self.request.limits if self.request else None
        return self.started_at + ((limits and limits.timeout_seconds) or self.policy.run_seconds)

    @property
    def max_subtasks(self) -> int:
        """What planning and recovery may add up to."""
        limits = self.request.limits if self.request else None
        return (limits and limits.max_subtasks) or self.policy.max_subtasks
