"""One client's way through the lines it wants: what is stored, at its own pace, then what all clients share."""

import asyncio
import heapq
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from typing import NamedTuple

import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from muster_bus import Bus, Stored, replay
from muster_gateway import metrics
from muster_gateway.relay.channels import Follower
from muster_gateway.relay.hub import RelayHub, read_last_sequence
from muster_gateway.relay.lines import FRAME_LINES, Batch, Filter, Item, Line, Live, drop_seen, read_line, split_batches
from muster_protocol.errors import BusError

log = structlog.get_logger("muster.gateway")

RETRY_SECONDS = 0.5


class Bounds(NamedTuple):
    """What may wait for a client at most."""

    lines: int
    joining: int
    """With how many lines still to take a client joins what comes live; with more, it goes on reading the stream."""
    size: int = 8 * 2**20
    """Bytes; more than what is kept of the newest lines, so that a client that joins misses nothing at once."""


async def follow(hub: RelayHub, wanted: Filter, after: int | None, bounds: Bounds) -> AsyncGenerator[Item]:
    """Yield a client's lines behind a cursor (None: from now on), word that they are live now, then those to come.

    Close it with `contextlib.aclosing`.

    Raises:
        Broken: a fault of the gateway.
    """
    async with hub.live() as live:
        position = await live.position()
        told = await _known_cursor(hub.bus, after or 0, position)
        follower = Follower(wanted, bounds.lines, bounds.size, told)
        cursor = position if after is None else min(after, position)
        while not live.join(follower, cursor, bounds.joining):
            until = await live.position()
            async with aclosing(backlog(hub.bus, wanted, cursor, until)) as stored:
                async for batch in stored:
                    if new := drop_seen(batch, told):
                        yield new
            cursor = max(cursor, until)
        try:
            yield Live(max(cursor, told))
            while True:
                yield await follower.next()
        finally:
            live.leave(follower)


async def _known_cursor(bus: Bus, after: int, position: int) -> int:
    """Return the cursor up to which a client has lines, perhaps sent by another gateway; 0: of another stream."""
    return after if after <= position or after <= await read_last_sequence(bus) else 0


async def back_fill(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[Batch]:
    """Yield what is stored of the lines wanted, behind one cursor and up to another or the end of the stream."""
    last = min(until, await read_last_sequence(bus))
    async with aclosing(backlog(bus, wanted, after, last)) as stored:
        async for batch in stored:
            yield batch


async def backlog(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[Batch]:
    """Yield what is stored of the lines wanted, behind one cursor and up to another; however long the bus is away."""
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
        except (BusError, NatsError, TimeoutError) as error:
            log.warning("cannot read stored log lines; trying again", error=repr(error))
            await asyncio.sleep(RETRY_SECONDS)


async def _read_wanted(bus: Bus, wanted: Filter, after: int, until: int) -> AsyncGenerator[list[Line]]:
    """Yield stored lines that are wanted, several at a time."""
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
    """Yield what is stored of some runs (none: of all) behind one cursor and up to another, in the order of cursors."""
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
    """Yield the messages of a subject behind one cursor and up to another: all of them, or a BusError."""
    seen = after
    async with aclosing(replay(bus, "LOGS", subject, after)) as messages:
        async for message in messages:
            if message.seq > until:
                return
            yield message
            seen = message.seq
    await require_end(bus, subject, seen, until)


async def require_end(bus: Bus, subject: str, seen: int, until: int) -> None:
    """Return if a subject has no message behind one cursor and up to another; a replica that lags does not know.

    Raises:
        BusError, NatsError, TimeoutError: it has, or the leader of the stream cannot be asked now.
    """
    try:
        found = await bus.js.get_msg(bus.names.stream("LOGS"), seq=seen + 1, subject=subject, next=True)
    except NotFoundError:
        return
    if (found.seq or 0) <= until:
        raise BusError(f"{subject}: the replica of the stream that was read ends before line {found.seq}")
