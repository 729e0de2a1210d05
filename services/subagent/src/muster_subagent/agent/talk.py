"""The result that the text of an agent becomes in a conversation."""

from typing import Annotated

from msgspec.structs import replace

from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.conversation_work import ConverseOutput
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.agent.result_judge import Judge
from muster_subagent.results import first_line
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.end import finish
from muster_subagent.tools.tool import tool
from muster_subagent.tools.traits import NOTHING, Argument

LONGEST_ANSWER = 20_000
"""Characters."""


@tool(name=finish.name, effect="read", group="end", needs=NOTHING, page=False)
async def finish_answer(_ctx: ToolContext, text: Annotated[str, Argument.OPTION]) -> ToolOutcome:
    """Answer the person; a plain text does the same."""
    return ToolOutcome(status="ok", text=text)


class TalkJudge(Judge):
    """Makes the result of one answer."""

    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result of a call that answers, or None and what it lacks."""
        text = str(asked.arguments.get("text") or asked.arguments.get("summary") or "").strip()
        return (self._answered(text), "taken") if text else (None, "error: text must hold the answer")

    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the result of a text that answers."""
        return self._answered(claim.summary), "taken"

    def facts(self) -> SubTaskResult:
        """Return a failed result that says what was done and spent, and not why."""
        return replace(super().facts(), output=None)

    def _answered(self, text: str) -> SubTaskResult:
        skills = self._executor.context.skills
        output = ConverseOutput(text=text[:LONGEST_ANSWER], skill=skills.loaded if skills else "")
        return replace(self.facts(), status="pass", summary=first_line(text), output=output)
