"""Statistics of agents over many runs: work and cost. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_views.history import History
from muster_views.node_history import Attempt, Node


class AgentFigures(Struct, kw_only=True, omit_defaults=True):
    """What one agent has done in the runs that were added."""

    agent: str
    runs: int = 0
    """Runs that it worked in."""
    sub_tasks: int = 0
    """Sub-tasks that ended, however often each was tried; `passed` and `failed` of these, the others were cancelled."""
    passed: int = 0
    failed: int = 0
    retries: int = 0
    """Attempts after the first of a sub-task."""
    usage: Usage = Usage()
    """Of all its attempts, without those of agents that it asked."""
    success: float | None = None
    """Share of passes among what passed or failed; None if nothing did."""


class Figures:
    """Adds up runs, one by one, so that none has to be kept."""

    def __init__(self) -> None:
        self.runs = 0
        self._by_agent: dict[str, AgentFigures] = {}

    def add(self, history: History) -> None:
        """Add the work of each agent in a run, without attempts that have not ended."""
        self.runs += 1
        ended = [(node, one) for node in history.nodes.values() for one in node.attempts if _did_work(one)]
        for agent in {one.task.agent for _, one in ended}:
            self._of(agent).runs += 1
        for node, one in ended:
            self._count(node, one)

    def all(self) -> list[AgentFigures]:
        """Return the figures of each agent: the dearest first, then by tokens and name."""
        return sorted(self._by_agent.values(), key=lambda it: (-it.usage.cost, -it.usage.tokens, it.agent))

    def total(self) -> Usage:
        """Return what all of them have used."""
        return _sum(it.usage for it in self._by_agent.values())

    def _of(self, agent: str) -> AgentFigures:
        return self._by_agent.setdefault(agent, AgentFigures(agent=agent))

    def _count(self, node: Node, attempt: Attempt) -> None:
        figures, result = self._of(attempt.task.agent), attempt.result
        assert result is not None, "only attempts that have ended are counted"
        figures.usage = figures.usage.plus(result.usage)
        figures.retries += attempt is not node.attempts[0]
        if attempt is node.attempts[-1]:
            figures.sub_tasks += 1
            figures.passed += result.status == "pass"
            figures.failed += result.status in ("fail", "error")
            judged = figures.passed + figures.failed
            figures.success = figures.passed / judged if judged else None


def _did_work(attempt: Attempt) -> bool:
    """Return whether an agent has worked on an attempt; a sentence that a phrase carries out needs none."""
    result = attempt.result
    return bool(attempt.task.agent) and result is not None and not _by_phrase(attempt, result)


def _by_phrase(attempt: Attempt, result: SubTaskResult) -> bool:
    return attempt.task.kind == "step" and not result.chosen and not result.usage.model_calls


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total = total.plus(usage)
    return total
