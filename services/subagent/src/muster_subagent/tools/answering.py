"""The tool that answers a dialog of the browser."""

from muster_protocol.causes import Failure
from muster_protocol.tools import ToolOutcome
from muster_subagent.context import ToolContext
from muster_subagent.tools.act import settle
from muster_subagent.tools.dialogs import described, resumed
from muster_subagent.tools.page import current
from muster_subagent.tools.tool import ToolError, tool


@tool(effect="act", page=False)
async def browser_dialog(ctx: ToolContext, accept: bool, text: str = "") -> ToolOutcome:
    """Answer the open dialog (alert, confirm, prompt): accept it, for a prompt with a text, or dismiss it."""
    dialog = ctx.session.dialog
    if dialog is None:
        raise ToolError("no dialog is open", failure=Failure.INVALID_CALL)
    await ctx.session.answer_dialog(call=ctx.call, accept=accept, text=text)
    done = f"{'Accepted' if accept else 'Dismissed'} {described(dialog)}"
    outcome = await resumed(ctx, _settled(ctx))
    return ToolOutcome(
        status=outcome.status,
        text=f"{done}. {outcome.text}",
        failure=outcome.failure,
        where=outcome.where,
        artifacts=outcome.artifacts,
    )


async def _settled(ctx: ToolContext) -> ToolOutcome:
    """Stand in for the action that opened the dialog, where that is not known: the page opened it by itself."""
    page = await current(ctx)
    after = await settle(ctx, page)
    return ToolOutcome(status="ok", text=f"The page is {after.title!r}.", where=after.url)
