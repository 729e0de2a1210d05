"""Looking at the page: once it has settled, and again after each change, in every frame."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct
from playwright.async_api import Error, Frame, Page

from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_access import ask
from muster_subagent.tools.targets import Query, Survey, best_of

OVERDUE = 3
"""How many times the action timeout a request may take before nobody waits for what it may bring."""


class Look(Struct, frozen=True):
    """How to look: once the page is settled (`timeout` ms at most), or newer than `since` (`wait` ms at most)."""

    since: int = -1
    wait: int = 0
    timeout: int = 0
    patient: int = 0
    """How long after the last action sent a request its answer is waited for though the page is settled, in ms."""


class Seen(Protocol):
    """What a look returns: which state of the page it saw."""

    @property
    def version(self) -> int:
        """Number of the state; it rises with each change."""
        ...


class Glance(Struct, frozen=True):
    """Where the page is."""

    version: int
    url: str
    title: str


class Reading(Struct, frozen=True, rename="camel"):
    """What can be read on the page, or in the part of it that a text names."""

    version: int
    url: str
    title: str
    unknown_part: bool
    lines: tuple[str, ...]
    sources: tuple[str, ...]
    """Of the text that is looked for: all that can be seen of each smallest element that has it, as the document spells
    it."""
    near: tuple[tuple[str, str], ...]
    unseen: tuple[str, ...] = ()
    """Of the text that is looked for: what is among the lines, but transparent, cut off or out of reach."""


S = TypeVar("S", bound=Struct)
V = TypeVar("V", bound=Seen)


async def glance(ctx: ToolContext, page: Page, look: Look) -> Glance:
    """Return where the page is."""
    return await ask(ctx, page.main_frame, "glance", look, Glance, seconds=_seconds(look))


async def survey(ctx: ToolContext, page: Page, query: Query, look: Look, *, explain: bool = False) -> Survey:
    """Return what the page has for a query; of several frames the one with the best match speaks."""
    return best_of(
        await everywhere(ctx, page, "survey", {"query": query, "explain": explain}, look=look, answer=Survey)
    )


async def read(ctx: ToolContext, page: Page, look: Look, *, text: str = "", within: str = "") -> Reading:
    """Return what can be read on the page; `text` is looked for, `within` names the part to read."""
    first, *rest = await everywhere(ctx, page, "read", {"text": text, "within": within}, look=look, answer=Reading)
    whole = [first, *rest]
    return Reading(
        version=first.version,
        url=first.url,
        title=first.title,
        unknown_part=all(one.unknown_part for one in whole),
        lines=tuple(line for one in whole for line in one.lines),
        sources=tuple(source for one in whole for source in one.sources),
        near=tuple(name for one in whole for name in one.near),
        unseen=tuple(text for one in whole for text in one.unseen),
    )


async def everywhere(
    ctx: ToolContext, page: Page, name: str, question: dict[str, object], *, look: Look, answer: type[S]
) -> list[S]:
    """Ask every frame of the page, the main one first: it does the waiting. Frames that go meanwhile are left out."""
    asked = question | msgspec.structs.asdict(look)
    answers = [await ask(ctx, page.main_frame, name, asked, answer, seconds=_seconds(look))]
    rest = [frame for frame in page.frames if frame != page.main_frame and not frame.is_detached()]
    if rest:
        asked |= {"since": -1, "wait": 0}
        others = await asyncio.gather(
            *(_child(ctx, frame, name, asked, answer=answer, seconds=_seconds(look)) for frame in rest)
        )
        answers += [other for other in others if other is not None]
    return answers


async def _child(
    ctx: ToolContext, frame: Frame, name: str, question: dict[str, object], *, answer: type[S], seconds: float
) -> S | None:
    try:
        return await ask(ctx, frame, name, question, answer, seconds=seconds)
    except Error:
        if frame.is_detached():
            return None
        raise


async def until(
    ctx: ToolContext,
    look: Callable[[Look], Awaitable[V]],
    holds: Callable[[V], bool],
    seconds: float | None = None,
    *,
    denied: bool = False,
) -> V:
    """Look once the page has settled and again after each change, until what is looked for holds or time is up.

    The last look is returned; `seconds` is the action timeout unless given. What must not be there (`denied`) may still
    come with an answer that is under way, which is then waited for.
    """
    deadline = monotonic() + (ctx.action_timeout if seconds is None else seconds)
    first = settled(ctx)
    seen = await look(msgspec.structs.replace(first, patient=first.timeout * OVERDUE) if denied else first)
    while not holds(seen) and monotonic() < deadline:
        seen = await look(Look(since=seen.version, wait=100))
    return seen


def settled(ctx: ToolContext) -> Look:
    """Return the look that waits until the page is settled."""
    return Look(timeout=round(ctx.action_timeout * 1000))


def _seconds(look: Look) -> float:
    return (max(look.timeout, look.patient) + look.wait) / 1000
