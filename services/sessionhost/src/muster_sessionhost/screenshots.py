"""The last picture of a session's device: for people who watch a run, and for those who look at it afterwards.

It is taken when a sub-task has left the session, in the background; where the case has secrets, while nobody may act,
so that none is typed meanwhile.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

import structlog

from muster_protocol.logs import Level
from muster_protocol.requests import RecordMode
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_sessionhost.outbox import FAULTS

log = structlog.get_logger("muster.sessions")

EVERY_SECONDS = 1.0
"""A session is pictured no more often while its run goes on."""
SHARE = 100
"""And only after so many times what the one before took, so that pictures cost little even where they take long."""
PAUSE_SECONDS = 15.0
"""Longer than this none is waited for."""
HELD_SECONDS = 0.5
"""How long a picture may keep the next sub-task waiting."""
FIRST_HELD_SECONDS = 10.0
"""A session that is younger is not pictured if the next sub-task has to wait for it: a short run has one at its end."""
TAKE_SECONDS = 5.0
"""How long one may take for which nobody waits."""
STORE_SECONDS = 2.0


class StorePicture(Protocol):
    """Stores a file, with where the element is that was touched last."""

    async def __call__(self, name: str, data: bytes, content_type: str, element: Box | None = None, /) -> ArtifactRef:
        """Store bytes under a name and return their reference."""
        ...


class Keeping(NamedTuple):
    """Where pictures go: the name of a session's, how it is stored, removed, and told of in the run's log."""

    name: str
    store: StorePicture
    remove: Callable[[str], Awaitable[int]]
    tell: Callable[[str, tuple[str, ...], Level], Awaitable[None]]
    largest: int
    """Bytes of the largest that is stored."""


class Taken(NamedTuple):
    """A picture and where on it the element is that was touched last."""

    data: bytes
    element: Box | None


class LastPicture:
    """One session's: taken at most once at a time, and the newest replaces the one before."""

    def __init__(self, keeping: Keeping, mode: RecordMode) -> None:
        self._keeping, self._mode = keeping, mode
        self._next_at, self._since = 0.0, time.monotonic()
        self._waiting: Taken | None = None
        self._storing: asyncio.Task[None] | None = None
        self._later: asyncio.Task[None] | None = None
        self._stored: ArtifactRef | None = None
        self._current = False
        """Whether the newest shows the page as it is."""
        self._quiet, self._turns = True, 0
        """Whether nobody may act now, and how often somebody came who may."""
        self._shots = self._asked = 0
        self.element: Box | None = None
        """Where the element is that was touched last."""

    def outdated(self) -> None:
        """Note that somebody may act from now on: the page may become another."""
        self._current, self._quiet, self.element = False, False, None
        self._turns += 1

    def settled(self) -> None:
        """Note that nobody acts any more, until `outdated`."""
        self._quiet = True

    def due(self, now: float, *, last: bool = False, held: bool = False) -> bool:
        """Return whether a picture is to be taken at this time (monotonic seconds); `held`: somebody waits for it."""
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
        """Take a picture if it is time for one, and have it stored; never raises for what the device does.

        Where there is none to be had, the picture before stays.
        """
        started, element, turn = time.monotonic(), self.element, self._turns if self._quiet else -1
        if not self.due(started, last=last, held=held):
            return
        try:
            async with asyncio.timeout(seconds):
                data = await shoot()
        except FAULTS as error:
            log.debug("a device was not pictured", error=type(error).__name__)
            data = None
        now = time.monotonic()
        self._next_at = now + pause_after(now - started)
        if data is not None and len(data) <= self._keeping.largest:
            self._shots += 1
            self._current, self._waiting = turn == self._turns, Taken(data, element)
            if self._storing is None or self._storing.done():
                self._storing = asyncio.create_task(self._store())

    def later(self, take: Callable[[], Awaitable[None]]) -> None:
        """Have `take` called when it is time for a picture, until it has taken one."""
        if self._mode == "off" or self._current:
            return
        self._asked += 1
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._in_time(take))

    async def _in_time(self, take: Callable[[], Awaitable[None]]) -> None:
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
        """Let nothing be taken any more."""
        self._current = True
        if self._later is not None:
            self._later.cancel()

    async def finish(self, *, passed: bool, seconds: float = STORE_SECONDS) -> tuple[ArtifactRef, ...]:
        """Wait a moment for what is being stored, and return it; of a run that passed it may be removed again."""
        if self._storing is not None:
            await asyncio.wait({self._storing}, timeout=seconds)
        if self._stored is None:
            return ()
        if passed and self._mode == "on-failure":
            with contextlib.suppress(*FAULTS):
                await self._keeping.remove(self._keeping.name)
            return ()
        return (self._stored,)

    async def _store(self) -> None:
        while (taken := self._waiting) is not None:
            self._waiting = None
            name, first = self._keeping.name, self._stored is None
            try:
                self._stored = await self._keeping.store(name, taken.data, "image/jpeg", taken.element)
            except FAULTS as error:
                log.warning("a picture was not stored", name=name, error=str(error) or type(error).__name__)
                continue
            said = "the page is pictured" if first else "the page is pictured anew"
            await self._keeping.tell(f"[Session] {said}", (name,), "debug")


def pause_after(took: float) -> float:
    """Return how long no other picture is taken after one that took so long, in seconds. Pure."""
    return min(max(EVERY_SECONDS, took * SHARE), PAUSE_SECONDS)
