"""The tool that answers a dialog of the browser."""

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.dialogs import described, resumed
from muster_subagent.tools.page_access import current
from muster_subagent.tools.page_actions import settle
from muster_subagent.tools.tool import ToolError, tool


@tool(effect="act", page=False)
async def browser_dialog(ctx: ToolContext, accept: bool, text: str = "") -> ToolOutcome:
    """Answer the open dialog (alert, confirm, prompt): accept it, for a prompt with a text, or dismiss it."""
    dialog = ctx.session.dialog
    try:
        await ctx.session.answer_dialog(call=ctx.call, accept=accept, text=text)
    except SessionRefused as refused:
        if refused.reason != "no_dialog":
            raise
        said = "no dialog is open: the page has not asked anything"
        raise ToolError(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said) from refused
    # asked again by the next worker, the session remembers that it was answered
    done = f"{'Accepted' if accept else 'Dismissed'} {described(dialog) if dialog else 'the dialog'}"
    outcome = await resumed(ctx, _settled(ctx))
    return ToolOutcome(
        status=outcome.status,
        text=f"{done}. {outcome.text}",
        failure=outcome.failure,
        where=outcome.where,
        confirmed=outcome.confirmed,
        artifacts=outcome.artifacts,
    )


async def _settled(ctx: ToolContext) -> ToolOutcome:
    """Stand in for the action that opened the dialog, where that is not known: the page opened it by itself."""
    page = await current(ctx)
    after = await settle(ctx, page)
    return ToolOutcome(status="ok", text=f"The page is {after.title!r}.", where=after.url)
