"""The tool that answers a dialog of the device."""

from typing import Annotated, NamedTuple

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
    ctx: ToolContext, accept: Annotated[bool, Argument.OPTION], text: Annotated[str, Argument.ENTERED] = ""
) -> ToolOutcome:
    """Answer the open dialog (alert, confirm, prompt): accept it, for a prompt with a text, or dismiss it."""
    device = await ctx.session.device()
    dialog = await device.dialog()
    if ctx.entrusted is not None and dialog is not None and "windows" in device.features:  # a browser, of any host
        refuse_untrusted(dialog.url, ctx.entrusted)
    try:
        outcome = await answered(ctx, accept, text, _settled)
    except SessionRefused as refused:
        if refused.reason != "no_dialog":
            raise
        said = "no dialog is open: the page has not asked anything"
        raise ToolError(said, failure=Failure.ELEMENT_MISSING, expected="a dialog to answer", seen=said) from refused
    # asked again by the next worker, the session remembers that it was answered
    done = f"{'Accepted' if accept else 'Dismissed'} {described(dialog) if dialog else 'the dialog'}"
    dismissed = not accept and outcome.status == "ok"  # all that it is to do is done: it is closed
    return replace(outcome, text=f"{done}. {outcome.text}", confirmed=outcome.confirmed or dismissed)


def _settled(done: Done) -> ToolOutcome:
    """Say how the page is after a dialog that it had opened by itself."""
    return ToolOutcome(status="ok", text=f"The page is {done.place.title!r}.", where=done.place.address)


class DialogAnswer(NamedTuple):
    """What a button of a dialog answers."""

    accept: bool
    text: str = ""


def button_pressed(dialog: OpenDialog | None, target: Target) -> DialogAnswer | None:
    """Return what a click answers while a dialog of the browser is open; an alert has the button OK alone."""
    if dialog is None or target.ref or target.ordinal or target.role not in {"", "button"}:
        return None
    if any(one.how != "in" or one.role != "dialog" or one.anchor for one in target.relations):
        return None
    match dialog.kind, target.name.lower():
        case (("alert" | "confirm" | "prompt"), "ok"):
            return DialogAnswer(accept=True, text=dialog.default)
        case (("confirm" | "prompt"), "cancel"):
            return DialogAnswer(accept=False)
        case _:
            return None
