"""The last picture of a session's device, for people who watch a run or read its report.

It is taken in the background after each sub-task. If the case has secrets, it is taken only while no worker may act,
so that none is typed meanwhile.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

import structlog

from muster_protocol.requests import RecordMode
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_sessionhost.outbox import FAULTS

log = structlog.get_logger("muster.sessions")

EVERY_SECONDS = 1.0
"""Shortest time between two pictures during a run."""
SHARE = 100
"""The next picture waits this many times as long as the last one took, so that slow pictures cost little."""
PAUSE_SECONDS = 15.0
"""Longest time between two pictures."""
HELD_SECONDS = 0.5
"""How long a picture may keep the next sub-task waiting."""
FIRST_HELD_SECONDS = 10.0
"""Age of a session before a picture may keep the next sub-task waiting; a short run gets its picture at the end."""
TAKE_SECONDS = 5.0
"""How long a picture may take if no sub-task waits for it."""
STORE_SECONDS = 2.0


class StorePicture(Protocol):
    """Stores a picture, with the position of the element used last."""

    async def __call__(self, name: str, data: bytes, content_type: str, element: Box | None = None, /) -> ArtifactRef:
        """Store bytes under a name and return a reference to them."""
        ...


class PictureStore(NamedTuple):
    """Where a session's picture goes: its name, and how it is stored, removed and announced in the run's log."""

    name: str
    store: StorePicture
    remove: Callable[[str], Awaitable[int]]
    announce: Callable[[str, ArtifactRef], Awaitable[None]]
    largest: int
    """Largest picture that is stored, in bytes."""


class Picture(NamedTuple):
    """A picture, and the position on it of the element used last."""

    data: bytes
    element: Box | None


class LastPicture:
    """The last picture of one session: the newest replaces the one before."""

    def __init__(self, pictures: PictureStore, mode: RecordMode) -> None:
        self._pictures, self._mode = pictures, mode
        self._next_at, self._since = 0.0, time.monotonic()
        self._waiting: Picture | None = None
        self._storing: asyncio.Task[None] | None = None
        self._later: asyncio.Task[None] | None = None
        self._stored: ArtifactRef | None = None
        self._current = False
        """Whether the newest picture shows the current page."""
        self._quiet, self._turns = True, 0
        """Whether no worker may act now, and how often a worker attached."""
        self._shots = self._asked = 0
        self.element: Box | None = None
        """Position of the element used last."""

    def mark_outdated(self) -> None:
        """Note that a worker may act from now on, so the page may change."""
        self._current, self._quiet, self.element = False, False, None
        self._turns += 1

    def mark_settled(self) -> None:
        """Note that no worker may act until `mark_outdated`."""
        self._quiet = True

    def is_due(self, now: float, *, last: bool = False, held: bool = False) -> bool:
        """Return whether to take a picture now (`now` in monotonic seconds).

        `last`: the session ends; `held`: the next sub-task waits for the picture.
        """
        if self._mode == "off" or self._current:
            return False
        return last or now >= max(self._next_at, self._since + FIRST_HELD_SECONDS if held else 0.0)

    async def take(
        self,
        shoot: Callable[[], Awaitable[bytes | None]],
        seconds: float,
        *,
        last: bool = False,
        held: bool = False,
    ) -> None:
        """Take a picture if one is due, and store it in the background.

        If the device fails or takes longer than `seconds`, keep the picture before; raise nothing.
        """
        started, element, turn = time.monotonic(), self.element, self._turns if self._quiet else -1
        if not self.is_due(started, last=last, held=held):
            return
        try:
            async with asyncio.timeout(seconds):
                data = await shoot()
        except FAULTS as error:
            log.debug("picture not taken", error=type(error).__name__)
            data = None
        now = time.monotonic()
        self._next_at = now + pause_after(now - started)
        if data is not None and len(data) <= self._pictures.largest:
            self._shots += 1
            self._current, self._waiting = turn == self._turns, Picture(data, element)
            if self._storing is None or self._storing.done():
                self._storing = asyncio.create_task(self._store())

    def take_later(self, take: Callable[[], Awaitable[None]]) -> None:
        """Call `take` in the background when a picture is due, and again until one was taken."""
        if self._mode == "off" or self._current:
            return
        self._asked += 1
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._take_when_due(take))

    async def _take_when_due(self, take: Callable[[], Awaitable[None]]) -> None:
        served = 0
        while served < self._asked and not self._current:
            asked, shots = self._asked, self._shots
            await asyncio.sleep(max(0.0, self._next_at - time.monotonic()))
            await take()
            if self._shots > shots:
                served = asked
            else:
                await asyncio.sleep(EVERY_SECONDS)

    def end(self) -> None:
        """Take no more pictures."""
        self._current = True
        if self._later is not None:
            self._later.cancel()

    async def finish(self, *, passed: bool, seconds: float = STORE_SECONDS) -> tuple[ArtifactRef, ...]:
        """Wait up to `seconds` for the picture to be stored, and return it.

        With the mode `on-failure`, remove the picture of a run that passed.
        """
        if self._storing is not None:
            await asyncio.wait({self._storing}, timeout=seconds)
        if self._stored is None:
            return ()
        if passed and self._mode == "on-failure":
            with contextlib.suppress(*FAULTS):
                await self._pictures.remove(self._pictures.name)
            return ()
        return (self._stored,)

    async def _store(self) -> None:
        while (taken := self._waiting) is not None:
            self._waiting = None
            name, first = self._pictures.name, self._stored is None
            try:
                self._stored = await self._pictures.store(name, taken.data, "image/jpeg", taken.element)
            except FAULTS as error:
                log.warning("picture not stored", name=name, error=str(error) or type(error).__name__)
                continue
            text = "took a picture of the page" if first else "took a new picture of the page"
            await self._pictures.announce(f"[Session] {text}", self._stored)


def pause_after(took: float) -> float:
    """Return the seconds to wait for the next picture after one that took `took` seconds. Pure."""
    return min(max(EVERY_SECONDS, took * SHARE), PAUSE_SECONDS)
