"""Dialogs of the browser (alert, confirm, prompt): seen at once, never answered silently.

A dialog stops its page, so the action that opened it cannot return. Its task is kept here until the dialog is answered.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import Session, ToolContext
from muster_subagent.tools.text_matching import quote
from muster_subagent.tools.tool import ToolError

Work = asyncio.Task[ToolOutcome]

_waiting: WeakKeyDictionary[Session, Work] = WeakKeyDictionary()
"""The action that opened the dialog of a session, still under way."""


def described(dialog: OpenDialog) -> str:
    """Return a dialog in words, as in `a confirm dialog: "Remove it?"`."""
    article = "an" if dialog.kind == "alert" else "a"
    return f"{article} {dialog.kind} dialog: {quote(dialog.message)}"


def refuse_if_open(ctx: ToolContext) -> None:
    """Refuse to go on while a dialog is open.

    Raises:
        ToolError: one is open.
    """
    dialog = ctx.session.dialog
    if dialog is not None:
        text = f"the page waits for an answer to {described(dialog)}; accept or dismiss it first (browser_dialog)"
        raise _in_the_way(dialog, text)


async def run(ctx: ToolContext, work: Coroutine[Any, Any, ToolOutcome], *, acting: bool) -> ToolOutcome:
    """Run a tool that uses the page until it is done or a dialog opens.

    An action that opened a dialog is kept for `resumed`; anything else is given up, as it could see nothing.

    Raises:
        ToolError: a dialog opened while a tool only looked at the page.
    """
    task = asyncio.ensure_future(work)
    dialog = await _race(ctx, task, keep=acting)
    if dialog is None:
        return _mentioning(ctx.session.dialog, task.result())
    if acting:
        return _opened(ctx, task, dialog)
    text = f"while the page was looked at it opened {described(dialog)}; accept or dismiss it first (browser_dialog)"
    raise _in_the_way(dialog, text)


def _in_the_way(dialog: OpenDialog, text: str) -> ToolError:
    """Return the error for a dialog that nobody answers: a question is left open by the test, an alert that it does not
    know of is the product's."""
    told = dialog.kind == "alert"
    failure = Failure.EXPECTATION_FALSE if told else Failure.INVALID_CALL
    expected = "no alert in the way" if told else ""
    return ToolError(text, failure=failure, expected=expected, seen=described(dialog), where=dialog.url)


def _mentioning(dialog: OpenDialog | None, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome with the dialog in it that opened just when the tool was done."""
    if dialog is None:
        return outcome
    return replace(outcome, text=f"{outcome.text} Then {described(dialog)} opened. It waits for an answer.")


async def _race(ctx: ToolContext, task: Work, *, keep: bool) -> OpenDialog | None:
    """Wait for the task or a dialog; return the dialog if that came first. The task is ended unless it is kept."""
    opened = asyncio.ensure_future(ctx.session.dialog_opened())
    kept = False
    try:
        await asyncio.wait({task, opened}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return None
        dialog = opened.result()
        kept = keep
        return dialog
    finally:
        opened.cancel()
        if not kept:
            task.cancel()


def _opened(ctx: ToolContext, task: Work, dialog: OpenDialog) -> ToolOutcome:
    task.add_done_callback(_heard)
    _waiting[ctx.session] = task
    default = f" with {quote(dialog.default)} in it" if dialog.default else ""
    return ToolOutcome(
        status="ok", text=f"It opened {described(dialog)}{default}. It waits for an answer.", where=dialog.url
    )


def _heard(task: Work) -> None:
    """Take note of an exception that nobody may ask for any more."""
    if not task.cancelled():
        task.exception()


async def resumed(ctx: ToolContext, idle: Coroutine[Any, Any, ToolOutcome]) -> ToolOutcome:
    """Wait, after a dialog was answered, for the action that had opened it; where no such action is known, for `idle`.

    Raises:
        ToolError: the action could not be finished.
    """
    work = _waiting.pop(ctx.session, None)
    if work is None:
        return await run(ctx, idle, acting=True)
    idle.close()
    dialog = await _race(ctx, work, keep=True)
    return work.result() if dialog is None else _opened(ctx, work, dialog)
