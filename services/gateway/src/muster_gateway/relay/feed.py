"""Feeds one client with a run's log lines: stored lines at the client's own pace, then live lines, then the end.

No line is lost or repeated in between, or when the connection to NATS is lost and restored; the shared relay
ensures that.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from types import TracebackType
from typing import NamedTuple, Self

import structlog

from muster_bus import Bus, Stored, newest
from muster_bus.run_store import follow_entries
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_gateway import entries
from muster_gateway.relay.hub import RelayHub
from muster_gateway.relay.lines import EVERYTHING, Batch, Filter, Line, Live, Missed
from muster_gateway.relay.log_reader import Bounds, follow
from muster_protocol.errors import RunGone
from muster_protocol.events import RunClosed, VerdictReached
from muster_protocol.verdicts import Verdict
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.gateway")

BURST = 10_000
"""Lines that may queue while a full buffer is tolerated."""
GRACE_SECONDS = 1.0
"""How long a full buffer is tolerated, so that a burst does not disconnect a client that keeps up."""
SETTLE_SECONDS = 0.2
"""Silence after a run was closed that counts as its end: publishers do not wait for each other."""
CLOSING_SECONDS = 60.0
"""Time for a run with a verdict to close its sessions before its log counts as complete."""
RETRY_SECONDS = 0.5


class FellBehind(Exception):
    """The client reads too slowly."""


class End(NamedTuple):
    """The run has its verdict, and every line was sent."""

    status: str
    cause: str


Item = Line | End


class Feed:
    """Reads a run's lines after a cursor into a bounded buffer for one client.

    `broken` is set when the feed has stopped: the client fell behind, or the run is `gone`, or there was an internal
    error (`faulty`).
    """

    def __init__(self, hub: RelayHub, run: str, after: int, buffer: int, wanted: Filter = EVERYTHING) -> None:
        self.broken = asyncio.Event()
        self.faulty = self.gone = False
        self.cursor = after
        """Sequence of the newest line read into the buffer."""
        self._hub, self._bus, self._run, self._limit = hub, hub.bus, run, buffer
        self._subject = hub.bus.names.log(run, "*")
        self._wanted, self._lines = wanted, Filter(runs=frozenset({run}))
        """The feed reads all lines of the run, wanted or not, to know when it has seen the last one."""
        self._bounds = Bounds(max(buffer, BURST), joining=buffer)
        self._queue: asyncio.Queue[Item] = asyncio.Queue(buffer)
        self._full_until: float | None = None
        self._moved = asyncio.Event()
        self._work: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._work = [asyncio.create_task(self._retry(part)) for part in (self._read, self._finish)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await stop(self._work)

    async def next(self, patience: float) -> Item | None:
        """Return the next line or the end; None if none came in `patience` seconds.

        Raises:
            FellBehind: lines arrived faster than the client read them; the buffer is discarded.
        """
        if self.broken.is_set():
            raise FellBehind
        if not self._queue.empty():
            return self._queue.get_nowait()
        try:
            async with asyncio.timeout(patience):
                return await self._queue.get()
        except TimeoutError:
            return None

    async def _retry(self, part: Callable[[], Awaitable[None]]) -> None:
        """Run a part of the work, retrying errors of the bus; any other error ends the feed."""
        while True:
            try:
                return await part()
            except FellBehind:
                return self.broken.set()
            except RunGone:
                self.gone = True
                return self.broken.set()
            except BUS_ERRORS as error:
                log.warning("cannot read a run's log lines; trying again", run=self._run, error=describe_error(error))
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:
                self.faulty = True
                log.exception("following a run's log failed", run=self._run)
                return self.broken.set()

    async def _read(self) -> None:
        """Read the lines after the cursor: stored ones as fast as the client reads, then live ones."""
        async with aclosing(follow(self._hub, self._lines, self.cursor, self._bounds)) as items:
            backlog = True
            async for item in items:
                match item:
                    case Live(cursor=at):
                        backlog = at < self.cursor
                        self.cursor = min(self.cursor, at)
                    case Missed():
                        raise FellBehind
                    case Batch():
                        await self._take(item, backlog=backlog)

    async def _take(self, batch: Batch, *, backlog: bool) -> None:
        for line in batch.lines:
            if self._wanted.takes(line):
                await (self._queue.put(line) if backlog else self._offer(line))
            self._move(line)

    async def _offer(self, line: Line) -> None:
        if not self._queue.full():
            if self._queue.qsize() <= self._limit // 2:
                self._full_until = None
            return self._queue.put_nowait(line)
        if self._full_until is None:
            self._full_until = asyncio.get_running_loop().time() + GRACE_SECONDS
        try:
            async with asyncio.timeout_at(self._full_until):
                await self._queue.put(line)
        except TimeoutError:
            raise FellBehind from None

    def _move(self, line: Line) -> None:
        self.cursor = line.seq
        self._moved.set()

    async def _finish(self) -> None:
        """Queue the end after the last line, once the run is closed and no more lines arrive."""
        end = await _wait_for_end(self._bus, self._run)
        last = -1
        while last != (last := await self._last_line()):
            await self._until_read(last)
            await asyncio.sleep(SETTLE_SECONDS)
        await self._queue.put(end)

    async def _until_read(self, last: int) -> None:
        """Wait until the line with this sequence was read, or is gone with its stream."""
        while self.cursor < last:
            self._moved.clear()
            try:
                async with asyncio.timeout(RETRY_SECONDS):
                    await self._moved.wait()
            except TimeoutError:
                if await self._last_line() < last:
                    return

    async def _last_line(self) -> int:
        found = await newest(self._bus, "LOGS", self._subject)
        return found.seq if found else 0


async def _wait_for_end(bus: Bus, run: str) -> End:
    """Wait until a run is closed, and return how it ended.

    Raises:
        RunGone: it is stored nowhere any more.
    """
    verdict = await _wait_for_verdict(bus, run) or (await entries.read_history(bus, run)).verdict
    return End(verdict.status, str(verdict.cause or "")) if verdict else End("", "")


async def _wait_for_verdict(bus: Bus, run: str) -> Verdict | None:
    """Wait until a run is closed; return its verdict if it is reached in the meantime."""
    last = await newest(bus, "RUNS", bus.names.events(run))
    patience = asyncio.timeout(None)
    try:
        async with (
            patience,
            aclosing(follow_entries(bus, run, last.seq - 1 if last else 0)) as stored,
        ):
            return await _until_closed(stored, patience)
    except TimeoutError:
        if not patience.expired():
            raise
        return None


async def _until_closed(stored: AsyncIterator[Stored], patience: asyncio.Timeout) -> Verdict | None:
    verdict = None
    async for message in stored:
        entry = entries.decode_raw_entry(message)
        happened = [known.event for known in entries.known_events([entry] if entry else [])]
        for event in happened:
            if isinstance(event, VerdictReached):
                verdict = event.verdict
                patience.reschedule(asyncio.get_running_loop().time() + CLOSING_SECONDS)
        if any(isinstance(event, RunClosed) for event in happened):
            break
    return verdict
