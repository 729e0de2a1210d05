"""The result that the text of an agent becomes in a conversation."""

import time
from typing import Annotated

from msgspec.structs import replace

from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.causes import Failure
from muster_protocol.conversation_work import ConverseOutput
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.agent.model_calls import Asker
from muster_subagent.results import REFUSALS, facts_of, failed, first_line, shortened
from muster_subagent.tool_context import ToolContext
from muster_subagent.tool_executor import Hands
from muster_subagent.tools.end import finish
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import NOTHING, Argument

LONGEST_ANSWER = 20_000
"""Characters."""


@tool(name=finish.name, effect="read", group="end", needs=NOTHING, page=False)
async def finish_answer(_ctx: ToolContext, text: Annotated[str, Argument.OPTION]) -> ToolOutcome:
    """Answer the person; a plain text does the same."""
    return ToolOutcome(status="ok", text=text)


class TalkJudge:
    """Makes the result of one answer; see `result_judge.Judge`."""

    def __init__(self, hands: Hands, asker: Asker, before: float) -> None:
        self._task, self._hands, self._asker = hands.task, hands, asker
        self._started = time.monotonic() - before
        self._refused: list[str] = []

    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result of a call that answers, or None and what it lacks."""
        text = str(asked.arguments.get("text") or asked.arguments.get("summary") or "").strip()
        return (self._answered(text), "taken") if text else (None, "error: text must hold the answer")

    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the result of a text that answers."""
        return self._answered(claim.summary), "taken"

    def refuse(self, call: str) -> None:
        """Take note of a call that the agent may not make."""
        self._refused.append(f"{call[:200]}: not for this agent")

    def failed(self, failure: Failure, summary: str) -> SubTaskResult:
        """Return a failed result with all that was done."""
        return failed(self.facts(), failure, shortened(summary))

    def facts(self) -> SubTaskResult:
        """Return a failed result that says what was done and spent, and not why."""
        facts = facts_of(self._task, self._hands.made, time.monotonic() - self._started)
        return replace(
            facts,
            output=None,
            source="model",
            iterations=self._asker.asked,
            usage=facts.usage.plus(self._asker.usage),
            refusals=(*facts.refusals, *self._refused)[:REFUSALS],
        )

    def _answered(self, text: str) -> SubTaskResult:
        skills = self._hands.context.skills
        output = ConverseOutput(text=text[:LONGEST_ANSWER], skill=skills.loaded if skills else "")
        return replace(self.facts(), status="pass", summary=first_line(text), output=output)
