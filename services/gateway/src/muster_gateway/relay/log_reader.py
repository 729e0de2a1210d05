"""Reads the lines for one client: stored ones at its own pace, then live ones from the shared relay."""

import asyncio
import heapq
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from typing import NamedTuple

import structlog
from nats.js.errors import NotFoundError

from muster_bus import Bus, Stored, replay
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_gateway import metrics
from muster_gateway.relay.channels import Follower, RelaySetBack
from muster_gateway.relay.hub import RelayHub, read_last_sequence
from muster_gateway.relay.lines import FRAME_LINES, Batch, Filter, Item, Line, Live, drop_seen, read_line, split_batches
from muster_protocol.errors import BusError

log = structlog.get_logger("muster.gateway")

RETRY_SECONDS = 0.5


class Bounds(NamedTuple):
    """Maximum queue of a client."""

    lines: int
    joining: int
    """Lines behind at which a client joins the live relay; with more, it keeps reading the stream."""
    size: int = 8 * 2**20
    """Bytes; more than the relay keeps in memory, so that a joining client does not miss lines at once."""


async def follow(hub: RelayHub, wanted: Filter, after: int | None, bounds: Bounds) -> AsyncGenerator[Item]:
    """Yield a client's lines after a cursor (None: from now on), a `Live` once it has caught up, then live lines.

    If the stream is made again or restored meanwhile, a `Live` at 0 says so, and all of its lines follow. Close the
    generator with `contextlib.aclosing`.

    Raises:
        RelayBroken: the relay stopped.
    """
    while True:
        try:
            async with aclosing(_follow(hub, wanted, after, bounds)) as items:
                async for item in items:
                    yield item
        except RelaySetBack:
            after = 0
            yield Live(0)


async def _follow(hub: RelayHub, wanted: Filter, after: int | None, bounds: Bounds) -> AsyncGenerator[Item]:
    """Yield a client's items as long as the stream stays the same.

    Raises:
        RelaySetBack: it did not.
        RelayBroken: the relay stopped.
    """
    async with hub.live() as live:
        position = await live.position()
        seen = await _known_cursor(hub.bus, after or 0, position)
        follower = Follower(wanted, bounds.lines, bounds.size, seen)
        cursor = position if after is None else min(seen, position)
        while not live.join(follower, cursor, bounds.joining):
            until = await live.position()
            async with aclosing(backlog(hub.bus, wanted, cursor, until)) as stored:
                async for batch in stored:
                    if new := drop_seen(batch, seen):
                        yield new
            cursor = max(cursor, until)
        try:
            yield Live(max(cursor, seen))
            while True:
                yield await follower.next()
        finally:
            live.leave(follower)


async def _known_cursor(bus: Bus, after: int, position: int) -> int:
    """Return the cursor a client sent, perhaps from another gateway; 0 if it belongs to another stream."""
    return after if after <= position or after <= await read_last_sequence(bus) else 0


async def back_fill(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[Batch]:
    """Yield matching stored lines after one cursor, up to another or the end of the stream."""
    last = min(until, await read_last_sequence(bus))
    async with aclosing(backlog(bus, wanted, after, last)) as stored:
        async for batch in stored:
            yield batch


async def backlog(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[Batch]:
    """Yield matching stored lines after one cursor, up to another; retry while the bus is unreachable."""
    cursor = after
    while cursor < until:
        try:
            async with aclosing(_read_wanted(bus, wanted, cursor, until)) as read:
                async for lines in read:
                    cursor = lines[-1].seq
                    metrics.RELAY_BACKLOG.inc(len(lines))
                    for batch in split_batches(lines):
                        yield batch
            cursor = until
        except BUS_ERRORS as error:
            log.warning("cannot read stored log lines; trying again", error=describe_error(error))
            await asyncio.sleep(RETRY_SECONDS)


async def _read_wanted(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[list[Line]]:
    """Yield matching stored lines in lists."""
    lines: list[Line] = []
    async with aclosing(_merge(bus, wanted.runs, after, until)) as stored:
        async for message in stored:
            line = read_line(message)
            if wanted.takes(line):
                lines.append(line)
            if len(lines) == FRAME_LINES:
                yield lines
                lines = []
    if lines:
        yield lines


async def _merge(bus: Bus, runs: frozenset[str], after: int, until: int) -> AsyncGenerator[Stored]:
    """Yield stored messages of runs (none: all) after one cursor, up to another, in the order of cursors."""
    async with AsyncExitStack() as stack:
        readers: list[AsyncGenerator[Stored]] = []
        for run in sorted(runs) or ["*"]:
            reader = _read_stored(bus, bus.names.log(run, "*"), after, until)
            readers.append(await stack.enter_async_context(aclosing(reader)))
        heads: list[tuple[int, int, Stored]] = []
        for place, reader in enumerate(readers):
            if (first := await anext(reader, None)) is not None:
                heads.append((first.seq, place, first))
        heapq.heapify(heads)
        while heads:
            _, place, message = heads[0]
            yield message
            following = await anext(readers[place], None)
            if following is None:
                heapq.heappop(heads)
            else:
                heapq.heapreplace(heads, (following.seq, place, following))


async def _read_stored(bus: Bus, subject: str, after: int, until: int) -> AsyncGenerator[Stored]:
    """Yield all messages of a subject after one cursor, up to another; raise a BusError if some are missing."""
    seen = after
    async with aclosing(replay(bus, "LOGS", subject, after)) as messages:
        async for message in messages:
            if message.seq > until:
                return
            yield message
            seen = message.seq
    await require_end(bus, subject, seen, until)


async def require_end(bus: Bus, subject: str, seen: int, until: int) -> None:
    """Check with the stream's leader that a subject has no message after `seen`, up to `until`; replicas can lag.

    Raises:
        BusError, NatsError, TimeoutError: it has one, or the leader does not answer.
    """
    try:
        found = await bus.js.get_msg(bus.names.stream("LOGS"), seq=seen + 1, subject=subject, next=True)
    except NotFoundError:
        return
    if (found.seq or 0) <= until:
        raise BusError(f"{subject}: the replica lags and ends before line {found.seq}")
