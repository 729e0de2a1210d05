"""The check of a statement that no other tool can decide: a model that sees the page alone says whether it holds."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_devices.observations import ReadText, Wait
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import Looked, ToolContext
from muster_subagent.tools.page_tools import outline_text, picture_of
from muster_subagent.tools.quotes import against, is_own_input
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Wanted
from muster_text.text_match import quote, squash


@tool(effect="check", group="looks", needs=DEVICE, about="page", relation="judged")
async def look(ctx: ToolContext, statement: Wanted) -> ToolOutcome:
    """Have a fresh pair of eyes say whether a statement about the page is true; what it quotes must be there."""
    if ctx.looker is None:
        text = f"no tool can decide {quote(statement)}, and no model is set that could look: set SUB_AGENT_MODEL"
        raise ToolError(text, failure=Failure.NO_EVIDENCE)
    device = await ctx.session.device()
    seen = await device.look(ReadText(), Wait(settle=ctx.action_timeout))
    screen = await device.screen()
    shown = outline_text(screen)
    picture = await picture_of(ctx) if ctx.looker.sees else None
    stored = (ctx.store(f"look-{ctx.call.rpartition(':')[2]}.png", picture, "image/png"),) if picture else ()
    looked = await ctx.looker.at(statement, ctx.secrets.mask(shown), picture)
    visible = squash(" ".join([*seen.lines, *seen.sources, seen.place.title, seen.place.address, shown]))
    outcome = judged(statement, looked, visible, seen.lines)
    if outcome.status == "ok" and is_own_input(looked.quote, ctx.entered, seen.lines, screen):
        outcome = _unborne(statement, f"its quote {quote(looked.quote)} is what the step itself typed into a field")
    return replace(outcome, where=seen.place.address, usage=looked.usage, artifacts=stored)


def _unborne(statement: str, problem: str) -> ToolOutcome:
    """Return what a yes is worth that the page does not bear out."""
    text = f"{quote(statement)}, asked of a model that sees the page alone: yes, but {problem}"
    return ToolOutcome(status="error", text=text, failure=Failure.NO_EVIDENCE, expected=statement, seen=problem)


def judged(statement: str, looked: Looked, visible: str, lines: Sequence[str] = ()) -> ToolOutcome:
    """Return what an answer is worth: a yes whose quote is not on the page, or does not bear it out, is none.

    `visible` is all that the model could read, `lines` what the page shows, line by line.
    """
    about = f"{quote(statement)}, asked of a model that sees the page alone"
    if not looked.holds:
        seen = looked.quote or looked.answer
        text = f"{about}: no. {looked.answer}"
        return ToolOutcome(status="failed", text=text, failure=Failure.EXPECTATION_FALSE, expected=statement, seen=seen)
    words = looked.quote.strip()
    if words and squash(words).casefold() not in visible.casefold():
        problem = f"its quote {quote(words[:200])} is not on the page"
    else:
        problem = against(statement, words, lines, pictured=looked.pictured)
    if problem:
        return _unborne(statement, problem)
    return ToolOutcome(status="ok", text=f"{about}: yes. {looked.answer}", expected=statement, seen=looked.quote)
