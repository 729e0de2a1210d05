"""What the agent loop needs from the judge of its sub-task's result."""

import time
from abc import ABC, abstractmethod

from msgspec.structs import replace

from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.results import REFUSALS, facts_of, failed, shortened
from muster_subagent.tool_executor import ToolExecutor


class Judge(ABC):
    """Knows what one sub-task has to bring, and makes its result."""

    def __init__(self, executor: ToolExecutor, asker: Asker, before: float = 0.0) -> None:
        """`before`: seconds that the sub-task has taken already."""
        self._task, self._executor, self._asker = executor.task, executor, asker
        self._started = time.monotonic() - before
        self._refusals: list[str] = []

    @abstractmethod
    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result that the last call of a model claims, or None to go on, and what the model is told."""

    @abstractmethod
    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the result that a model's text claims, or None to go on, and what the model is told."""

    def refuse(self, call: str) -> None:
        """Take note of a call that the agent may not make."""
        self._refusals.append(f"{call[:200]}: not for this agent")

    def failed(self, failure: Failure, summary: str) -> SubTaskResult:
        """Return a failed result with all that was done."""
        return failed(self.facts(), failure, shortened(summary))

    def facts(self) -> SubTaskResult:
        """Return a failed result that says what was done, seen and spent, and not why."""
        facts = facts_of(self._task, self._executor.made, time.monotonic() - self._started)
        usage = facts.usage.plus(self._asker.usage)
        refusals = (*facts.refusals, *self._refusals)[:REFUSALS]
        return replace(facts, source="model", iterations=self._asker.asked, usage=usage, refusals=refusals)
