"""The queue of ended sessions whose recordings are stored in the background, one after another."""

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
"""How long the end of a run waits for its recordings, so that a report made right after it includes them."""
STORE_SECONDS = 180.0
"""How long masking and storing all recordings of one session may take."""
LINE_SECONDS = 2.0
"""How long writing a line into a run's log may take."""


class ExportQueue:
    """Exports ended sessions one at a time, as masking takes processor time from the open ones."""

    def __init__(self, bus: Bus, host: str, *, keep_files: bool) -> None:
        self._keep_files = keep_files
        self._one_at_a_time = asyncio.Semaphore(1)
        self._pending = set[asyncio.Task[tuple[ArtifactRef, ...]]]()
        self._lines = RunLogLines(bus, host)

    async def export_later(self, session: LiveSession, *, passed: bool, wait: bool) -> tuple[ArtifactRef, ...]:
        """Start the export of an ended session; with `wait`, return what was stored within `WAIT_SECONDS`."""
        task = asyncio.create_task(self._store(session, passed=passed))
        self._pending.add(task)
        task.add_done_callback(self._on_done)
        if wait:
            await asyncio.wait({task}, timeout=WAIT_SECONDS)
        return task.result() if task.done() and not task.cancelled() and task.exception() is None else ()

    async def finish(self, seconds: float) -> None:
        """Wait up to `seconds` until all recordings are stored; the rest is lost."""
        if not self._pending:
            return
        _, late = await asyncio.wait(self._pending, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            log.warning("recordings of some sessions were not stored before the host stopped", count=len(late))

    async def _store(self, session: LiveSession, *, passed: bool) -> tuple[ArtifactRef, ...]:
        write = partial(self.write_log_line, session.ref.run)
        turn = self._one_at_a_time if session.has_recordings(passed=passed) else contextlib.nullcontext()
        async with turn, asyncio.timeout(STORE_SECONDS):
            return await session.export(write, passed=passed, keep_files=self._keep_files)

    def _on_done(self, task: "asyncio.Task[tuple[ArtifactRef, ...]]") -> None:
        self._pending.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("recordings of a session not stored", error=type(error).__name__)

    async def write_log_line(self, run: str, text: str, artifacts: tuple[str, ...], level: Level) -> None:
        """Write a line into a run's log; it is lost if that takes longer than `LINE_SECONDS`."""
        await self._write(run, LogLine(kind="message", text=text, level=level, artifacts=artifacts))

    async def announce(self, run: str, text: str, picture: ArtifactRef) -> None:
        """Tell in a run's log of a picture that is stored; lost like any other line."""
        line = LogLine(kind="picture", text=text, level="debug", artifacts=(picture.name,), picture=picture)
        await self._write(run, line)

    async def _write(self, run: str, line: LogLine) -> None:
        lines = self._lines.of(run)
        lines.publish(line)
        await lines.flush(LINE_SECONDS)
