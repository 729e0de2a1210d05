"""Publishes log lines of runs for people: numbered, in order, in the background."""

import asyncio
import itertools
from collections.abc import Callable

import msgspec
import structlog

from muster_bus.bus import Bus
from muster_bus.store_answers import BUS_ERRORS
from muster_protocol.errors import ClaimLost
from muster_protocol.logs import LogLine, LogRecord
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.bus")

MAX_RUNS = 10_000
"""Maximum number of runs whose line numbers a source remembers."""


class LogLines:
    """Publishes one source's lines about one run. Lines may be lost while NATS is unavailable; events are not."""

    def __init__(self, bus: Bus, run: str, source: str, check: Callable[[], None] = lambda: None) -> None:
        self._bus, self._run, self._source = bus, run, source
        self._check = check
        """Raises ClaimLost once nothing more may be sent."""
        self._numbers = itertools.count(1)
        self._waiting: asyncio.Queue[LogRecord] = asyncio.Queue()
        self._sending: asyncio.Task[None] | None = None

    def publish(self, line: LogLine, at: float = 0.0) -> None:
        """Queue a line to be published; `at` is the time it is about (Unix seconds; 0: now)."""
        record = LogRecord(
            run=self._run,
            source=self._source,
            number=next(self._numbers),
            at=at or self._bus.clock.now(),
            **msgspec.structs.asdict(line),
        )
        self._waiting.put_nowait(record)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def flush(self, seconds: float) -> None:
        """Wait until all queued lines are published, or for `seconds`."""
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=seconds)

    async def stop(self) -> None:
        """Cancel publishing."""
        if self._sending is not None:
            await stop({self._sending})

    async def _send(self) -> None:
        subject = self._bus.names.log(self._run, self._source)
        while not self._waiting.empty():
            try:
                self._check()
                await self._bus.publish(subject, self._waiting.get_nowait())
            except ClaimLost:
                return
            except BUS_ERRORS as error:
                log.warning("log line of a run lost", run=self._run, error=str(error) or type(error).__name__)


class RunLogLines:
    """Publishes one source's lines about many runs."""

    def __init__(self, bus: Bus, source: str) -> None:
        self._bus, self._source = bus, source
        self._runs: dict[str, LogLines] = {}

    def of(self, run: str) -> LogLines:
        """Return the publisher of a run's lines."""
        lines = self._runs.pop(run, None) or LogLines(self._bus, run, self._source)
        self._runs[run] = lines  # at the end: the run unused for longest is dropped first
        if len(self._runs) > MAX_RUNS:
            del self._runs[next(iter(self._runs))]
        return lines
