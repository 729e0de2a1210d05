"""Records the screen before and after each act: pictures, new and removed lines, changed parts."""

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable
from difflib import unified_diff
from typing import NamedTuple

from msgspec.structs import replace

from muster_devices.errors import DeviceError
from muster_devices.picture_changes import changed_parts, with_frame
from muster_devices.web.browser_link import BrowserError
from muster_devices.web.page_picture import BLANK
from muster_protocol.requests import RecordMode
from muster_protocol.tool_calls import ArtifactRef, Shown, ToolOutcome
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import SessionLost, ToolContext
from muster_subagent.tools.page_tools import picture_of

SECONDS = 10.0
"""Time for looking at the screen before an act, and again after it."""
KEPT_OF_FAIL = 10
"""Acts of a sub-task whose pictures are held in memory until it is known whether it fails: the newest."""
MOST_LINES, LINE = 12, 120
_MARKS = re.compile(r" \[(?:ref=\w+|cursor=\w+|active)\]")
_UNSEEN = (TimeoutError, DeviceError, BrowserError, SessionLost, SessionRefused)

Make = Callable[[], Awaitable[ToolOutcome]]
Store = Callable[[str, bytes], ArtifactRef]
"""Stores a picture under a name and returns its reference."""


class View(NamedTuple):
    """The screen at one moment."""

    lines: tuple[str, ...]
    picture: bytes


async def screen_lines(context: ToolContext) -> tuple[str, ...]:
    """Return what the screen shows as lines, without secrets and without marks; empty if nothing can be seen."""
    try:
        async with asyncio.timeout(SECONDS):
            device = await context.session.device()
            screen = await device.screen()
    except _UNSEEN:
        return ()
    if screen.place.address == BLANK:
        return ()
    text = "\n".join((f"{screen.place.title} {screen.place.address}", *screen.lines))
    return tuple(_MARKS.sub("", context.secrets.mask(text)).splitlines())


class ActRecorder:
    """Looks at the screen around the acts of one sub-task; what cannot be seen is left out, and costs no step."""

    def __init__(self, context: ToolContext, mode: RecordMode, stem: str, store: Store) -> None:
        """`stem`: how the names of its pictures begin."""
        self._context, self._mode, self._stem, self._store = context, mode, stem, store
        self._held: deque[tuple[str, bytes]] = deque(maxlen=2 * KEPT_OF_FAIL)

    async def around(self, index: int, make: Make) -> ToolOutcome:
        """Make a call of this index, and add to its outcome what the screen showed before and after it."""
        before = await self._look()
        outcome = await make()
        after = await self._look()
        if before is None and after is None:
            return outcome
        target = outcome.touched.box if outcome.touched is not None else None
        shown = replace(await asyncio.to_thread(compare, before, after), target=target)
        if before is not None and before.picture and target is not None:
            before = before._replace(picture=await asyncio.to_thread(with_frame, before.picture, target))
        taken = [
            (f"{self._stem}-{index}-{moment}.png", view.picture)
            for moment, view in (("before", before), ("after", after))
            if view is not None and view.picture
        ]
        shown = replace(shown, pictures=tuple(name for name, _ in taken))
        if self._mode == "on-failure":
            self._held.extend(taken)
            return replace(outcome, shown=shown)
        stored = tuple(self._store(name, data) for name, data in taken)
        return replace(outcome, shown=shown, artifacts=(*outcome.artifacts, *stored))

    def keep(self) -> tuple[ArtifactRef, ...]:
        """Store the pictures of a sub-task that has failed, unless they are stored already."""
        found = tuple(self._store(name, data) for name, data in self._held)
        self._held.clear()
        return found

    async def _look(self) -> View | None:
        lines = await screen_lines(self._context)
        if not lines:
            return None
        try:
            async with asyncio.timeout(SECONDS):
                return View(lines, await picture_of(self._context))
        except _UNSEEN:
            return View(lines, b"")


def compare(before: View | None, after: View | None) -> Shown:
    """Return what differs between two views, the first empty if there was none. Pure."""
    was, now = (view.lines if view else () for view in (before, after))
    gone, new = changed_lines(was, now)
    pictured = before is not None and after is not None and before.picture and after.picture
    parts = changed_parts(before.picture, after.picture) if before and after and pictured else ()
    return Shown(gone=gone, new=new, parts=parts)


def changed_lines(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines of a screen that are gone and those that are new, the first of each. Pure."""
    marked = [line for line in unified_diff(before, after, lineterm="", n=0) if not line.startswith(("---", "+++"))]
    gone, new = ([line[1:].strip() for line in marked if line.startswith(sign)] for sign in ("-", "+"))
    return _some(gone), _some(new)


def _says(line: str) -> bool:
    """Return whether a line of the tree has a name or a text that people would miss."""
    return not line.startswith("- /url") and (not line.startswith("- ") or '"' in line or ": " in line)


def _some(lines: list[str]) -> tuple[str, ...]:
    telling = [line[:LINE] for line in lines if _says(line)]
    more = len(telling) - MOST_LINES
    return tuple(telling) if more <= 0 else (*telling[:MOST_LINES], f"… and {more} more lines")
