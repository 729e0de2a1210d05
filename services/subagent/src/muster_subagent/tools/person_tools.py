"""The tool that asks a person. Meanwhile the worker gives the sub-task up; later it continues from here."""

from typing import Annotated

from msgspec import Meta

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import NeedsPerson, ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.capture_tool import key_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import PEOPLE, Argument
from muster_text.text_match import quote

LONGEST = 2_000
"""Characters of a question."""


@tool(effect="read", group="people", needs=PEOPLE, page=False, source="person", offer=offers.PEOPLE)
async def ask_person(
    ctx: ToolContext,
    question: Annotated[str, Argument.OPTION],
    name: Annotated[str, Meta(description="Keeps the answer as ${name}"), Argument.OPTION] = "",
) -> ToolOutcome:
    """Ask a person what only a person can know, and wait for the answer.

    With `name`, the answer is kept for later use as ${name}. It is what somebody said, and proves nothing.
    """
    text = question.strip()
    if not text or len(text) > LONGEST:
        raise ToolError(f"a question has 1 to {LONGEST} characters", failure=Failure.INVALID_CALL)
    key = key_of(name) if name.strip() else ""
    if ctx.call not in ctx.answers:
        raise NeedsPerson(ctx.call, ctx.secrets.mask(text))
    answer = ctx.answers[ctx.call].strip()
    if not answer:
        raise ToolError("the answer of the person is empty: it says nothing", failure=Failure.NO_EVIDENCE)
    captured = {key: answer} if key else {}
    kept = f" (kept as ${{{key}}})" if key else ""
    text = f"A person answers {quote(answer, LONGEST)}{kept}."
    return ToolOutcome(status="ok", text=text, captured=captured)
