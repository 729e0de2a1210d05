"""How tools use the device: an action and its report, or a look repeated until something holds."""

import time
from collections.abc import Awaitable, Callable
from math import isfinite
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from msgspec.structs import astuple, replace

from muster_devices.actions import Action, DialogOpen, Done, Outcome, Scope, Target, spot_of
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, FindElements, QuestionFor, Use, Wait
from muster_devices.refusals import described
from muster_devices.screen import Element, Place
from muster_protocol.causes import Failure
from muster_protocol.detector_work import Located
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import Box, Consequence, ToolOutcome, Touched
from muster_subagent.answer_times import is_busy, note_act
from muster_subagent.tool_context import Session, ToolContext
from muster_subagent.tools.page_changes import changes_in_words, consequence_of, path_of
from muster_subagent.tools.tool import ToolError
from muster_text.text_match import quote, squash

OVERDUE = 3
"""How many times the action timeout a request may take before nobody waits for what it may bring."""
NAME_LENGTH = 80
"""Characters of a name of an element that a result keeps."""
CHANGE_SECONDS = 0.1
"""How long the device waits for a change before it answers anyway."""

Told = Callable[[Done], ToolOutcome]


class Versioned(Protocol):
    """What a look returns: which state of the screen it saw, and where."""

    @property
    def version(self) -> int:
        """Number of the state; it rises with each change."""
        ...

    @property
    def place(self) -> Place:
        """Where the screen was."""
        ...


S = TypeVar("S", bound=Versioned)

_waiting: WeakKeyDictionary[Session, Told] = WeakKeyDictionary()
"""What is to be said once the action is done that opened the dialog of a session."""


async def act(ctx: ToolContext, action: Action, told: Told) -> ToolOutcome:
    """Have the device do an action, and return what `told` says of it, or that it opened a dialog.

    Raises:
        DeviceRefused: it was not done.
    """
    device = await ctx.session.device()
    target = getattr(action, "target", None)
    if ctx.located is None and target is not None and spot_of(target.ref):
        raise ToolError("a ref names an element of the last snapshot, not a point", failure=Failure.INVALID_CALL)
    scope = Scope(domains=ctx.domains, entrusted=ctx.entrusted, described=ctx.author == "model" or ctx.acts_shown)
    began = time.monotonic()
    try:
        return concluded(ctx, await device.do(action, scope, ctx.action_timeout), told)
    except DeviceRefused as refused:
        if refused.late and await is_busy(device, ctx.action_timeout):
            text = f"{refused.text}; this machine is too busy to tell whose fault that is"
            raise DeviceRefused(text, failure=Failure.UNREACHABLE, where=refused.where) from refused
        raise
    finally:
        note_act(ctx.session, began)


async def answered(ctx: ToolContext, accept: bool, text: str, idle: Told) -> ToolOutcome:
    """Answer the open dialog and return what came of the action that had opened it; where that is not known, `idle`."""
    device = await ctx.session.device()
    told = _waiting.pop(ctx.session, idle)
    return concluded(ctx, await device.answer(accept, text, ctx.call), told)


def concluded(ctx: ToolContext, outcome: Outcome, told: Told) -> ToolOutcome:
    """Return what an action came to; if that is a dialog, `told` is kept for when it is answered."""
    if outcome.touched is not None:
        ctx.acted_on = touched_of(outcome.touched)
    if ctx.located is not None:
        ctx.acted_on = described_touched(ctx.located, ctx.acted_on)
    if isinstance(outcome, DialogOpen):
        _waiting[ctx.session] = told
        default = f" with {quote(outcome.dialog.default)} in it" if outcome.dialog.default else ""
        text = f"It opened {described(outcome.dialog)}{default}. It waits for an answer."
        seen = Consequence(path=path_of(outcome.dialog.url), dialog=True)
        return ToolOutcome(status="ok", text=text, where=outcome.dialog.url, consequence=seen)
    ctx.touched = outcome.target.box if outcome.target is not None else None
    strategy = outcome.strategy if ctx.located is None else "picture"
    said = replace(_mentioning(outcome.dialog, told(outcome)), strategy=strategy)
    return replace(said, consequence=consequence_of(outcome)) if ctx.author == "model" else said


def described_touched(located: Located, known: Touched | None) -> Touched:
    """Return what was acted on: where the device knows no name, as a model has read it in a picture. Pure."""
    touched = known or Touched(unnamed=True, box=located.seen.box)
    if not touched.unnamed:
        return touched
    seen = located.seen
    names = tuple(dict.fromkeys((*touched.names, *((squash(seen.text)[:NAME_LENGTH],) if seen.text else ()))))
    return replace(touched, names=names, role=touched.role or seen.type)


def touched_of(element: Element) -> Touched:
    """Return an element as a result keeps it."""
    names = dict.fromkeys(squash(name)[:NAME_LENGTH] for name in (element.name, *element.aliases) if name)
    return Touched(
        role=element.role,
        names=tuple(names),
        place=element.place,
        native=element.native,
        beside=tuple(squash(name)[:NAME_LENGTH] for name in element.beside),
        floating=element.floating,
        framed=element.framed,
        sole=element.sole,
        unnamed=not element.name,
        box=finite(element.box),
    )


def finite(box: Box | None) -> Box | None:
    """Return a box, unless its numbers are none: a page can make up anything."""
    return box if box is not None and all(map(isfinite, astuple(box))) else None


def _mentioning(dialog: OpenDialog | None, outcome: ToolOutcome) -> ToolOutcome:
    if dialog is None:
        return outcome
    return replace(outcome, text=f"{outcome.text} Then {described(dialog)} opened. It waits for an answer.")


def said(text: str, done: Done) -> ToolOutcome:
    """Return the outcome of an action: what was done, and what changed."""
    told = f"{text}. {changes_in_words(done)}".strip()
    where, failure = done.place.address, done.failure
    return ToolOutcome(status="ok", text=told, where=where, confirmed=done.confirmed, failure=failure)


def words_of(done: Done, target: Target) -> str:
    """Return the element that was acted on: as the device knows it, or else as it was named."""
    return done.target.words() if done.target is not None else target.words()


async def look_until(
    ctx: ToolContext,
    question: QuestionFor[S],
    holds: Callable[[S], bool],
    seconds: float | None = None,
    *,
    denied: bool = False,
) -> S:
    """Ask the device once it has settled and again after each change, until the answer holds or time is up.

    The last answer is returned; `seconds` is what the check was given, or the action timeout. What must not be there
    (`denied`) may still come with an answer that is under way, which is then waited for.
    """
    device = await ctx.session.device()
    return await repeat_look(ctx, lambda wait: device.look(question, wait), holds, seconds, denied=denied)


async def repeat_look(
    ctx: ToolContext,
    look: Callable[[Wait], Awaitable[S]],
    holds: Callable[[S], bool],
    seconds: float | None = None,
    *,
    denied: bool = False,
) -> S:
    """Repeat a look that takes more than one question, as `look_until` repeats its question."""
    limit = ctx.action_timeout
    deadline = time.monotonic() + ((ctx.patience or limit) if seconds is None else seconds)
    seen = await look(Wait(settle=limit, patient=limit * OVERDUE if denied else 0.0))
    while not holds(seen) and time.monotonic() < deadline:
        seen = await look(Wait(since=seen.version, change=CHANGE_SECONDS))
    ctx.place = seen.place
    return seen


async def look_for(
    ctx: ToolContext, target: Target, use: Use, holds: Callable[[ElementsSeen], bool], *, denied: bool = False
) -> ElementsSeen:
    """Look for a target until something holds of what is found; if it never does, look closer at what is there.

    `denied`: it must not be there.
    """
    seen = await look_until(ctx, FindElements(target=target, use=use), holds, denied=denied)
    if not holds(seen) and not target.ref:
        seen = await explained(ctx, target, use)
    ctx.touched = seen.matches[0].box if seen.total == 1 else None
    return seen


async def explained(ctx: ToolContext, target: Target, use: Use) -> ElementsSeen:
    """Look closer at what may be meant, and at what is there instead."""
    device = await ctx.session.device()
    return await device.look(FindElements(target=target, use=use, explain=True), Wait())
