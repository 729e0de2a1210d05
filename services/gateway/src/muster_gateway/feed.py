"""One client's way through a run's log lines: the backlog at its own pace, then what is being stored, then the end.

Nothing is lost or doubled between the two, nor when the connection to NATS goes and comes back: everything is read
from the stream by its sequence, and live messages only say that there is more.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, aclosing
from types import TracebackType
from typing import Any, NamedTuple, Self, cast

import structlog
from nats.errors import Error as NatsError

from muster_gateway import entries
from muster_protocol.bus import Bus, Stored, newest, replay, tail
from muster_protocol.errors import BusError
from muster_protocol.events import RunClosed, VerdictReached
from muster_protocol.verdicts import Verdict

log = structlog.get_logger("muster.gateway")

GRACE_SECONDS = 1.0
"""How long a full buffer is tolerated, so that a burst does not cut off a client that keeps up."""
SETTLE_SECONDS = 0.2
"""How long no line may come after a run was closed: publishers do not wait for one another."""
CLOSING_SECONDS = 60.0
"""How long a run with a verdict may take to close its sessions before its lines count as told."""
RETRY_SECONDS = 0.5


class FellBehind(Exception):
    """The client takes its lines too slowly."""


class End(NamedTuple):
    """The run has its verdict, and every line was told."""

    status: str
    cause: str


Item = Stored | End


class Feed:
    """Reads a run's lines after a cursor into a bounded buffer, from which one client takes them.

    `broken` is set once nothing more will come: the client fell behind or, if `faulty`, through a fault of ours.
    """

    def __init__(self, bus: Bus, run: str, after: int, buffer: int) -> None:
        self.broken = asyncio.Event()
        self.faulty = False
        self.cursor = after
        """Sequence of the newest line in the buffer, or taken from it."""
        self._bus, self._run, self._limit = bus, run, buffer
        self._subject = bus.names.log(run, "*")
        self._queue: asyncio.Queue[Item] = asyncio.Queue(buffer)
        self._full_until: float | None = None
        self._moved = asyncio.Event()
        self._work: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._work = [asyncio.create_task(self._steadily(part)) for part in (self._read, self._finish)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await stop(self._work)

    async def next(self, patience: float) -> Item | None:
        """Return the next line or the end; None if none came in `patience` seconds.

        Raises:
            FellBehind: lines came faster than they were taken; what is in the buffer is given up.
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

    async def _steadily(self, part: Callable[[], Awaitable[None]]) -> None:
        """Do a part of the work until it is done, trying again while the bus is away; any other fault ends the feed."""
        while True:
            try:
                return await part()
            except FellBehind:
                return self.broken.set()
            except (TimeoutError, NatsError, BusError) as error:
                log.warning("a log cannot be read; trying again", run=self._run, error=repr(error))
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:
                self.faulty = True
                log.exception("following a log failed", run=self._run)
                return self.broken.set()

    async def _read(self) -> None:
        while True:
            await self._catch_up()
            await self._follow()

    async def _catch_up(self) -> None:
        """Read the backlog as fast as the client takes it, until what is left fits into the buffer."""
        read = self._limit
        while read >= self._limit:
            read = 0
            async with _closing(replay(self._bus, "LOGS", self._subject, self.cursor)) as backlog:
                async for line in backlog:
                    await self._queue.put(line)
                    self._move(line)
                    read += 1

    async def _follow(self) -> None:
        """Take lines as they are stored; returns when the connection to NATS was lost and is back.

        The first live messages after that may be newer than lines that were stored meanwhile, so it is for the
        backlog to go on from the cursor.
        """
        connection = self._bus.nc.stats["reconnects"]
        async with _closing(tail(self._bus, "LOGS", self._subject, self.cursor)) as lines:
            async for line in lines:
                if self._bus.nc.stats["reconnects"] != connection:
                    return
                await self._offer(line)
                self._move(line)

    async def _offer(self, line: Stored) -> None:
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

    def _move(self, line: Stored) -> None:
        self.cursor = line.seq
        self._moved.set()

    async def _finish(self) -> None:
        """Put the end behind the last line, once the run is closed and its lines have come to rest."""
        end = await run_end(self._bus, self._run)
        last = -1
        while last != (last := await self._last_line()):
            while self.cursor < last:
                self._moved.clear()
                await self._moved.wait()
            await asyncio.sleep(SETTLE_SECONDS)
        await self._queue.put(end)

    async def _last_line(self) -> int:
        found = await newest(self._bus, "LOGS", self._subject)
        return found.seq if found else 0


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for`, which nats-py waits with, may lose a cancellation."""
    going = set(tasks)
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=0.1)


async def run_end(bus: Bus, run: str) -> End:
    """Wait until a run is closed, and return how it ended."""
    verdict = await _verdict_at_close(bus, run) or entries.verdict_in(entries.known(await entries.read(bus, run)))
    return End(verdict.status, str(verdict.cause or "")) if verdict else End("", "")


async def _verdict_at_close(bus: Bus, run: str) -> Verdict | None:
    """Wait until a run is closed; return its verdict if that is reached meanwhile."""
    last = await newest(bus, "RUNS", bus.names.events(run))
    patience = asyncio.timeout(None)
    try:
        async with patience, _closing(tail(bus, "RUNS", bus.names.events(run), last.seq - 1 if last else 0)) as stored:
            return await _until_closed(stored, patience)
    except TimeoutError:
        if not patience.expired():
            raise
        return None


async def _until_closed(stored: AsyncIterator[Stored], patience: asyncio.Timeout) -> Verdict | None:
    verdict = None
    async for message in stored:
        entry = entries.parse(message)
        happened = [known.event for known in entries.known([entry] if entry else [])]
        for event in happened:
            if isinstance(event, VerdictReached):
                verdict = event.verdict
                patience.reschedule(asyncio.get_running_loop().time() + CLOSING_SECONDS)
        if any(isinstance(event, RunClosed) for event in happened):
            break
    return verdict


def _closing(lines: AsyncIterator[Stored]) -> AbstractAsyncContextManager[AsyncGenerator[Stored]]:
    """Have an iterator of the bus closed at the end of the block; they are generators, though not declared so."""
    return aclosing(cast("AsyncGenerator[Stored]", lines))
