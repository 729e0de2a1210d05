"""The check of a statement that no other tool can decide: a model that sees the page alone says whether it holds."""

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.clauses import literals
from muster_protocol.proof import LOOK, is_negative
from muster_protocol.tools import ToolOutcome
from muster_subagent.context import Looked, ToolContext
from muster_subagent.tools.look import read, settled
from muster_subagent.tools.page import current
from muster_subagent.tools.reading import outline_text, picture_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.words import quote, squash


@tool(effect="check")
async def look(ctx: ToolContext, statement: str) -> ToolOutcome:
    """Have a fresh pair of eyes say whether a statement about the page is true; what it quotes must be there."""
    if ctx.looker is None:
        text = f"no tool can decide {quote(statement)}, and no model is set that could look: set SUB_AGENT_MODEL"
        raise ToolError(text, failure=Failure.NO_EVIDENCE)
    page = await current(ctx)
    seen = await read(ctx, page, settled(ctx))
    shown = await outline_text(ctx)
    picture = await picture_of(ctx) if ctx.looker.sees else None
    stored = (ctx.store(f"look-{ctx.call.rpartition(':')[2]}.png", picture, "image/png"),) if picture else ()
    looked = await ctx.looker.at(statement, ctx.secrets.mask(shown), picture)
    visible = squash(" ".join([*seen.lines, *seen.sources, seen.title, seen.url, shown]))
    outcome = judged(statement, looked, visible)
    return replace(outcome, where=page.url, usage=looked.usage, artifacts=stored)


def judged(statement: str, looked: Looked, visible: str) -> ToolOutcome:
    """Return what an answer is worth: a quote that is not on the page, or misses what the statement names, is none."""
    about = f"{quote(statement)}, asked of a model that sees the page alone"
    if not looked.holds:
        seen = looked.quote or looked.answer
        text = f"{about}: no. {looked.answer}"
        return ToolOutcome(status="failed", text=text, failure=Failure.EXPECTATION_FALSE, expected=statement, seen=seen)
    if problem := _unquoted(statement, looked, visible):
        text = f"{about}: yes, but {problem}"
        return ToolOutcome(status="error", text=text, failure=Failure.NO_EVIDENCE, expected=statement, seen=problem)
    return ToolOutcome(status="ok", text=f"{about}: yes. {looked.answer}", expected=statement, seen=looked.quote)


def _unquoted(statement: str, looked: Looked, visible: str) -> str:
    """Return what is wrong with the quote, or ""."""
    if is_negative(statement):
        return ""
    words = squash(looked.quote).casefold()
    if not words:
        return "" if looked.pictured and not literals(statement) else "it quotes nothing that shows it"
    if words not in visible.casefold():
        return f"its quote {quote(looked.quote[:200])} is not on the page"
    missing = next((text for text in literals(statement) if squash(text).casefold() not in words), "")
    return f"its quote does not have {quote(missing)}" if missing else ""


assert look.name == LOOK
