"""A sub-task with its attempts, as a run's log tells it."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, field

from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import ResultStatus, SubTask, SubTaskResult

NodeState = Literal["waiting", "running", "asking", "retrying", "passed", "done", "failed", "cancelled", "skipped"]
STATES: dict[ResultStatus, NodeState] = {
    "pass": "passed",
    "fail": "failed",
    "error": "failed",
    "cancelled": "cancelled",
}
REACHED: tuple[NodeState, ...] = ("passed", "done")
"""States of a sub-task that has brought about what it was to; `done` is no pass of a test."""
AFTER_VERDICT: dict[NodeState, NodeState] = {
    "waiting": "skipped",
    "running": "cancelled",
    "asking": "cancelled",
    "retrying": "cancelled",
}
"""Final state of a sub-task without an accepted result."""


class Attempt(Struct, kw_only=True):
    """One attempt at a sub-task; times in unix seconds, 0 if unknown."""

    task: SubTask
    started_at: float
    ended_at: float = 0.0
    claimed: SubTaskResult | None = None
    """The result as the worker reported it."""
    accepted: SubTaskResult | None = None
    """The result in the verdict, which can be worse than the claim."""
    children: int = 0
    """Number of sub-tasks it waits for."""
    retried: str = ""
    """Reason for the next attempt."""

    @property
    def result(self) -> SubTaskResult | None:
        """The accepted result, else the claimed one."""
        return self.accepted or self.claimed

    @property
    def refused(self) -> bool:
        """Whether the run did not accept what the worker claimed."""
        return bool(self.claimed and self.accepted and self.claimed.status != self.accepted.status)


class Node(Struct, kw_only=True):
    """A sub-task with its attempts."""

    id: str
    kind: str = "step"
    """Name of the kind: `plan`, `step`, `evaluate` …"""
    owner: str = ""
    """For an evaluation or recovery: id of the failed node."""
    parent: str = ""
    """Id of the node that asked for it; empty: none."""
    plan: PlanNode | None = None
    """None for planning, evaluations, recoveries and what other nodes asked for."""
    position: int = 0
    """Position in the plan, from 1; that of the sub-task that a recovery mends; 0 for planning and evaluations."""
    state: NodeState = "waiting"
    summary: str = ""
    started_at: float = 0.0
    """Start of the newest attempt."""
    ended_at: float = 0.0
    resumes_at: float = 0.0
    """Unix seconds at which it is tried again, if it waits for that."""
    result: SubTaskResult | None = None
    """The newest result."""
    attempts: list[Attempt] = field(default_factory=list[Attempt])

    @property
    def task(self) -> SubTask | None:
        """The sub-task of the newest attempt; None before the first."""
        return self.attempts[-1].task if self.attempts else None

    @property
    def allowed_calls(self) -> int:
        """The most tool calls of the newest attempt; until an agent has ended, its own file may allow it less."""
        told = self.result.assigned.allowed if self.result else 0
        return told or (self.task.budget.calls if self.task else 0)

    @property
    def description(self) -> str:
        """The task, with placeholders."""
        return self.plan.description if self.plan else self.task.description if self.task else ""

    @property
    def covers(self) -> tuple[int, ...]:
        """Indexes of the written steps it carries out."""
        return self.plan.covers if self.plan else self.task.step.covers if self.task else ()

    @property
    def precondition(self) -> bool:
        """Whether it establishes a precondition of the case."""
        return self.plan.precondition if self.plan else bool(self.task and self.task.step.precondition)

    @property
    def recovery(self) -> bool:
        """Whether it removes an obstacle for a failed sub-task."""
        return bool(self.owner) and KINDS_BY_NAME[self.kind].planned

    @property
    def of_run(self) -> bool:
        """Whether it serves the run as a whole, such as planning."""
        return not self.owner and not KINDS_BY_NAME[self.kind].planned

    @property
    def label(self) -> str:
        """Shown before the title: `Planning`, `Recovery`; empty for what is planned, or numbered by its description."""
        if self.precondition or self.recovery:
            return "Precondition" if self.precondition else "Recovery"
        if self.kind == "assign":
            return self.task.agent if self.task else ""
        kind = KINDS_BY_NAME[self.kind]
        return "" if kind.planned or kind.numbered else kind.label

    @property
    def status(self) -> ResultStatus | Literal[""]:
        """Status of its result; empty until it ended."""
        return self.result.status if self.result and self.state in (*STATES.values(), "done") else ""

    def begin(self, task: SubTask, at: float) -> None:
        """Note that it was given out: a new attempt, unless the same one goes on."""
        if self.plan is None:
            self.kind, self.owner, self.parent = task.kind, task.about, task.parent
        self.position = task.position or self.position
        self.state, self.summary = "running", ""
        if task.resumed and self.attempts:
            self.attempts[-1].task = task
            return
        self.started_at, self.ended_at = at, 0.0
        self.attempts.append(Attempt(task=task, started_at=at))

    def wait_for(self, children: int) -> None:
        """Note that it waits for so many more sub-tasks."""
        self.state = "waiting"
        if self.attempts:
            self.attempts[-1].children += children

    def retry(self, reason: str, at: float) -> None:
        """Note that it is tried again at a time."""
        self.state, self.summary, self.resumes_at = "retrying", reason, at
        if self.attempts:
            self.attempts[-1].retried = reason or "an infrastructure fault"

    def end(self, result: SubTaskResult, at: float) -> None:
        """Note the result that a worker claims."""
        self._adopt(result)
        self.ended_at = at
        for attempt in self.attempts:
            if attempt.task.id == result.task and attempt.claimed is None:
                attempt.claimed, attempt.ended_at = result, at

    def accept(self, result: SubTaskResult) -> None:
        """Note the result in the verdict."""
        self._adopt(result)
        for attempt in self.attempts:
            if attempt.task.id == result.task:
                attempt.accepted = result

    def _adopt(self, result: SubTaskResult) -> None:
        state = STATES[result.status]
        done = self.task is not None and self.task.ends_done
        self.state = "done" if done and state == "passed" else state
        self.summary, self.result = result.summary, result


def tree_of(nodes: Mapping[str, Node], id: str, depth: int = 0) -> Iterator[tuple[Node, int]]:
    """Yield a node and all that was asked for below it, each with its depth, in the order in which they began."""
    yield nodes[id], depth
    for child in [node.id for node in nodes.values() if node.parent == id and id != node.id]:
        yield from tree_of(nodes, child, depth + 1)
