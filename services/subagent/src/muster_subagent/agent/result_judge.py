"""What the agent loop needs from the judge of its sub-task's result."""

from typing import Protocol

from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult


class Judge(Protocol):
    """Knows what one sub-task has to bring, and makes its result."""

    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result that the last call of a model claims, or None to go on, and what the model is told."""
        ...

    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the result that a model's text claims, or None to go on, and what the model is told."""
        ...

    def refuse(self, call: str) -> None:
        """Take note of a call that may not be made."""
        ...

    def failed(self, failure: Failure, summary: str) -> SubTaskResult:
        """Return a failed result with all that was done."""
        ...

    def facts(self) -> SubTaskResult:
        """Return a failed result that says what was done, seen and spent, and not why."""
        ...
