"""The tool that answers a dialog of the device."""

from typing import Annotated

from msgspec.structs import replace

from muster_devices.actions import Done, Target
from muster_devices.domains import refuse_untrusted
from muster_devices.refusals import described
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.device_calls import answered
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, DIALOGS, Argument

_TYPED = "prompt"
"""Under which key the session keeps what was typed into a prompt that is still open."""


@tool(
    name="dialog",
    effect="act",
    group="device",
    needs=DEVICE | DIALOGS,
    page=False,
    does="answer",
    rejoinable=True,
    offer=offers.DIALOG,
)
async def answer_dialog(
    ctx: ToolContext,
    accept: Annotated[bool | None, Argument.OPTION] = None,
    text: Annotated[str, Argument.ENTERED] = "",
) -> ToolOutcome:
    """Answer the open dialog (alert, confirm, prompt): accept it, for a prompt with a text, or dismiss it.

    Without `accept` the text is only typed into the prompt, which stays open.
    """
    device = await ctx.session.device()
    dialog = await device.dialog()
    if ctx.entrusted is not None and dialog is not None and "windows" in device.features:  # a browser, of any host
        refuse_untrusted(dialog.url, ctx.entrusted)
    if accept is None:
        return await _typed(ctx, dialog, text)
    prompt = dialog if dialog is not None and dialog.kind == "prompt" else None
    if accept and not text and prompt is not None:
        text = await ctx.session.recall(_TYPED) or prompt.default
    try:
        outcome = await answered(ctx, accept, text, _settled)
    except SessionRefused as refused:
        if refused.reason != "no_dialog":
            raise
        raise _not_open() from refused
    if prompt is not None:
        await ctx.session.keep(_TYPED, "")
    # asked again by the next worker, the session remembers that it was answered
    done = f"{'Accepted' if accept else 'Dismissed'} {described(dialog) if dialog else 'the dialog'}"
    dismissed = not accept and outcome.status == "ok"  # all that it is to do is done: it is closed
    return replace(outcome, text=f"{done}. {outcome.text}", confirmed=outcome.confirmed or dismissed)


async def _typed(ctx: ToolContext, dialog: OpenDialog | None, text: str) -> ToolOutcome:
    """Keep the text until the prompt is accepted, as a browser takes it only together with the answer.

    Raises:
        ToolError: no prompt is open, or the text is empty.
    """
    if dialog is None:
        raise _not_open()
    if dialog.kind != "prompt" or not text:
        asks = "say whether to accept or to dismiss it"
        raise ToolError(f"{described(dialog)} takes no text: {asks}", failure=Failure.INVALID_CALL, where=dialog.url)
    await ctx.session.keep(_TYPED, text)
    told = f"Typed into {described(dialog)}. It waits for an answer: `Accept the prompt`."
    return ToolOutcome(status="ok", text=told, where=dialog.url, confirmed=True)


def _not_open() -> ToolError:
    said = "no dialog is open: the page has not asked anything"
    return ToolError(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said)


def _settled(done: Done) -> ToolOutcome:
    """Say how the page is after a dialog that it had opened by itself."""
    return ToolOutcome(status="ok", text=f"The page is {done.place.title!r}.", where=done.place.address)


def button_pressed(dialog: OpenDialog | None, target: Target) -> bool | None:
    """Return whether a click accepts the dialog of the browser that is open, or dismisses it; None: it does neither.

    An alert has the button OK alone.
    """
    if dialog is None or target.ref or target.ordinal or target.role not in {"", "button"}:
        return None
    if any(one.how != "in" or one.role != "dialog" or one.anchor for one in target.relations):
        return None
    match dialog.kind, target.name.lower():
        case (("alert" | "confirm" | "prompt"), "ok"):
            return True
        case (("confirm" | "prompt"), "cancel"):
            return False
        case _:
            return None
