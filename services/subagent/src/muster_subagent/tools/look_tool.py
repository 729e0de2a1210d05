"""The check of a statement that no other tool can decide: a model that sees the page alone says whether it holds."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from muster_devices.observations import ReadText, TextSeen, Wait
from muster_devices.screen import Screen
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import Looked, ToolContext
from muster_subagent.tools.denials import Page, find_refutation
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.page_tools import outline_text, picture_of, shows
from muster_subagent.tools.page_view import lean
from muster_subagent.tools.quotes import against, is_own_input
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Wanted
from muster_text.text_match import quote, squash


@tool(effect="check", group="looks", needs=DEVICE, about="page", relation="judged")
async def look(ctx: ToolContext, statement: Wanted) -> ToolOutcome:
    """Have a fresh pair of eyes say whether a statement about the page is true; what it quotes must be there."""
    if ctx.looker is None:
        text = f"no tool can decide {quote(statement)}, and no model for pictures is set: set SUB_AGENT_MODEL"
        raise ToolError(text, failure=Failure.NO_EVIDENCE)
    device = await ctx.session.device()
    seen = await device.look(ReadText(), Wait(settle=ctx.action_timeout))
    screen = await device.screen()
    view = lean(outline_text(screen))
    picture = await picture_of(ctx) if ctx.looker.sees else None
    stored = (ctx.store(f"look-{ctx.call.rpartition(':')[2]}.png", picture, "image/png"),) if picture else ()
    looked = await ctx.looker.at(statement, ctx.secrets.mask(view), picture)
    if looked.holds:
        outcome = judged(statement, looked, _readable(seen, view, *screen.lines), seen.lines)
        if outcome.status == "ok" and (problem := await _borrowed(ctx, looked.quote, seen, screen)):
            outcome = _unborne(statement, problem)
    else:
        outcome = await _denied(ctx, statement, looked)
    return replace(outcome, where=seen.place.address, usage=looked.usage, artifacts=stored)


def _readable(seen: TextSeen, *more: str) -> str:
    """Return all that there is to read."""
    place = seen.place
    return squash(" ".join([*seen.lines, *seen.sources, *seen.passing, place.title, place.address, *more]))


async def _borrowed(ctx: ToolContext, said: str, seen: TextSeen, screen: Screen) -> str:
    """Return why a quote is nothing that the product shows: the run typed it itself, or nobody can see it; or ""."""
    if is_own_input(said, ctx.entered, seen.lines, screen):
        return f"its quote {quote(said)} is what the step itself typed into a field"
    if not said.strip():
        return ""
    device = await ctx.session.device()
    again = await device.look(ReadText(text=said), Wait())
    nowhere = squash(said) in squash(" ".join(again.lines)) and not shows(again, said)
    if not nowhere or any(squash(said) in squash(one.name) for one in screen.elements if one.value is None):
        return ""
    return f"its quote {quote(said)} is only what the run itself typed, or what nobody can see"


async def _denied(ctx: ToolContext, statement: str, looked: Looked) -> ToolOutcome:
    """Return what a no is worth: it refutes a statement only if the page bears it out, as long as a check waits."""
    device = await ctx.session.device()
    screen = await device.screen()

    def refutation(seen: TextSeen) -> str:
        if seen.place.failure == Failure.SERVER_ERROR:
            return f"the page is an error of the server: {seen.place.problem}"
        text = squash(" ".join([*seen.lines, *seen.passing, *_named(screen)]))
        quoted = squash(looked.quote).casefold() in text.casefold()
        page = Page(seen.lines, text, whole=not (seen.cut or seen.place.failure or seen.place.empty))
        return find_refutation(statement, looked.quote if quoted else "", page)

    seen = await look_until(ctx, ReadText(), lambda seen: not refutation(seen))
    return denied(statement, looked, refutation(seen))


def _named(screen: Screen) -> Iterator[str]:
    """Yield names and contents of what a person can see."""
    for one in screen.elements:
        if not one.hidden:
            yield from (one.name, one.content)


def denied(statement: str, looked: Looked, refutation: str) -> ToolOutcome:
    """Return what a no is worth; without a refutation on the page, the statement is undecided."""
    text = f"{quote(statement)}, asked of a model that sees the page alone: no. {looked.answer}"
    if not refutation:
        text = f"{text} (nothing on the page shows that it is false, so it is undecided)"
    failure = Failure.EXPECTATION_FALSE if refutation else Failure.NO_EVIDENCE
    seen = looked.quote or refutation or looked.answer
    return ToolOutcome(status="failed", text=text, failure=failure, expected=statement, seen=seen)


def _unborne(statement: str, problem: str) -> ToolOutcome:
    """Return what a yes is worth that the page does not bear out."""
    text = f"{quote(statement)}, asked of a model that sees the page alone: yes, but {problem}"
    return ToolOutcome(status="error", text=text, failure=Failure.NO_EVIDENCE, expected=statement, seen=problem)


def judged(statement: str, looked: Looked, visible: str, lines: Sequence[str] = ()) -> ToolOutcome:
    """Return what a yes is worth: one whose quote is not on the page, or does not bear it out, is none.

    `visible` is all that the model could read, `lines` what the page shows, line by line.
    """
    words = looked.quote.strip()
    if words and squash(words).casefold() not in visible.casefold():
        problem = f"its quote {quote(words[:200])} is not on the page"
    else:
        problem = against(statement, words, lines, pictured=looked.pictured)
    if problem:
        return _unborne(statement, problem)
    text = f"{quote(statement)}, asked of a model that sees the page alone: yes. {looked.answer}"
    return ToolOutcome(status="ok", text=text, expected=statement, seen=looked.quote)
