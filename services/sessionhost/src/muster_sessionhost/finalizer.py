"""Sessions that have ended and whose records are still being stored: in the background, one after another."""

import asyncio
import contextlib
import itertools
import time
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial

import structlog

from muster_bus import Bus
from muster_protocol.logs import Level, LogRecord
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.outbox import FAULTS
from muster_sessionhost.session import LiveSession

log = structlog.get_logger("muster.sessions")

WAIT_SECONDS = 10.0
"""How long the end of a run waits for its recordings, so that a report made right after it has them."""
STORE_SECONDS = 180.0
"""What masking and storing all records of one session may take."""
REMEMBERED = 1000
"""Runs whose lines are counted."""


class Departures:
    """Stores what sessions leave behind. One at a time: masking takes processor time from the sessions at work."""

    def __init__(self, bus: Bus, host: str, *, keep_files: bool) -> None:
        self._bus, self._host, self._keep_files = bus, host, keep_files
        self._one_at_a_time = asyncio.Semaphore(1)
        self._going = set[asyncio.Task[tuple[ArtifactRef, ...]]]()
        self._numbers: OrderedDict[str, Iterator[int]] = OrderedDict()

    async def see_off(self, session: LiveSession, *, passed: bool, wait: bool) -> tuple[ArtifactRef, ...]:
        """Begin to store what an ended session leaves; return what is stored within a bounded wait, if wanted."""
        task = asyncio.create_task(self._store(session, passed=passed))
        self._going.add(task)
        task.add_done_callback(self._gone)
        if wait:
            await asyncio.wait({task}, timeout=WAIT_SECONDS)
        return task.result() if task.done() and not task.cancelled() and task.exception() is None else ()

    async def finish(self, seconds: float) -> None:
        """Wait until all is stored, or the time is up; what is not stored then is lost."""
        if not self._going:
            return
        _, late = await asyncio.wait(self._going, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            log.warning("recordings were not stored: the host had to stop", count=len(late))

    async def _store(self, session: LiveSession, *, passed: bool) -> tuple[ArtifactRef, ...]:
        tell = partial(self.tell, session.ref.run)
        turn = self._one_at_a_time if session.leaves_something(passed=passed) else contextlib.nullcontext()
        async with turn, asyncio.timeout(STORE_SECONDS):
            return await session.leave(tell, passed=passed, keep_files=self._keep_files)

    def _gone(self, task: "asyncio.Task[tuple[ArtifactRef, ...]]") -> None:
        self._going.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("what a session left behind was not stored", error=type(error).__name__)

    async def tell(self, run: str, text: str, artifacts: tuple[str, ...], level: Level) -> None:
        """Write a line into a run's log; one that cannot be written now is lost."""
        numbers = self._numbers.setdefault(run, itertools.count(1))
        self._numbers.move_to_end(run)
        while len(self._numbers) > REMEMBERED:
            self._numbers.popitem(last=False)
        record = LogRecord(
            run=run,
            source=self._host,
            number=next(numbers),
            at=time.time(),
            kind="message",
            text=text,
            level=level,
            artifacts=artifacts,
        )
        try:
            await self._bus.publish(self._bus.names.log(run, self._host), record)
        except FAULTS as error:
            log.warning("a line of a run's log was lost", run=run, error=str(error) or type(error).__name__)
