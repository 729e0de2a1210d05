"""Sessions that have ended and whose records are still being stored: in the background, one after another."""

import asyncio
import contextlib
from functools import partial

import structlog

from muster_bus import Bus, LogLine, RunLogLines
from muster_protocol.logs import Level
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.session import LiveSession

log = structlog.get_logger("muster.sessions")

WAIT_SECONDS = 10.0
"""How long the end of a run waits for its recordings, so that a report made right after it has them."""
STORE_SECONDS = 180.0
"""What masking and storing all records of one session may take."""
LINE_SECONDS = 2.0
"""How long a line of a run's log is waited for."""


class Departures:
    """Stores what sessions leave behind. One at a time: masking takes processor time from the sessions at work."""

    def __init__(self, bus: Bus, host: str, *, keep_files: bool) -> None:
        self._keep_files = keep_files
        self._one_at_a_time = asyncio.Semaphore(1)
        self._going = set[asyncio.Task[tuple[ArtifactRef, ...]]]()
        self._lines = RunLogLines(bus, host)

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
        lines = self._lines.of(run)
        lines.publish(LogLine(kind="message", text=text, level=level, artifacts=artifacts))
        await lines.flush(LINE_SECONDS)
