"""Follows a run over the bus: entries of its log, and log lines for people."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

import msgspec
from nats.errors import Error as NatsError

from muster_bus import Bus, Stored, replay, tail
from muster_bus.run_store import follow_entries
from muster_bus.stored_messages import heed_cancellation
from muster_cli.progress import Update
from muster_protocol import codec
from muster_protocol.events import Entry, RunClosed, VerdictReached
from muster_protocol.logs import LogRecord

T = TypeVar("T", Entry, LogRecord)

CLOSING_SECONDS = 30.0
"""How long to wait, after the verdict, for the run's sessions to be closed and its artifacts to be stored."""


async def follow(bus: Bus, run: str, report: Callable[[Update], None], closing: float = CLOSING_SECONDS) -> None:
    """Report all entries and log lines of a run, stored and new ones; return once it is closed.

    Waits while the connection is lost; set a timeout to limit that.

    Raises:
        RunGone: the run is stored nowhere any more.
    """
    seen = 0

    async def lines() -> None:
        nonlocal seen
        async with aclosing(lines_of(bus, run)) as records:
            async for sequence, record in records:
                report(record)
                seen = sequence

    reading = asyncio.create_task(lines())
    try:
        await _until_closed(bus, run, report, closing)
    finally:
        reading.cancel()
        await asyncio.wait({reading})
    async for message in replay(bus, "LOGS", bus.names.log(run, "*"), seen):
        if (record := _decode(message, LogRecord)) is not None:
            report(record)


async def _until_closed(bus: Bus, run: str, report: Callable[[Update], None], closing: float) -> None:
    loop = asyncio.get_running_loop()
    patience = asyncio.timeout(None)
    try:
        async with (
            patience,
            aclosing(entries_of(bus, run)) as entries,
        ):
            async for entry in entries:
                report(entry)
                if any(isinstance(event, RunClosed) for event in entry.events):
                    return
                if any(isinstance(event, VerdictReached) for event in entry.events):
                    patience.reschedule(loop.time() + closing)
    except TimeoutError:
        if not patience.expired():
            raise


async def entries_of(bus: Bus, run: str) -> AsyncGenerator[Entry]:
    """Yield the stored and new entries of a run's log, for ever; skip unreadable ones.

    Raises:
        RunGone: the run is stored nowhere any more.
    """
    async with aclosing(_patiently(bus, lambda after: follow_entries(bus, run, after))) as messages:
        async for message in messages:
            if (entry := _decode(message, Entry)) is not None:
                yield entry


async def lines_of(bus: Bus, run: str) -> AsyncGenerator[tuple[int, LogRecord]]:
    """Yield the stored and new log lines of a run, each with its sequence, for ever; skip unreadable ones."""
    async with aclosing(_patiently(bus, lambda after: tail(bus, "LOGS", bus.names.log(run, "*"), after))) as messages:
        async for message in messages:
            if (line := _decode(message, LogRecord)) is not None:
                yield message.seq, line


async def _patiently(bus: Bus, follow: Callable[[int], AsyncGenerator[Stored]]) -> AsyncGenerator[Stored]:
    """Yield the messages of a stream, for ever, also across lost connections; `follow` reads after a sequence."""
    after = 0
    while not bus.nc.is_closed:
        try:
            async with aclosing(follow(after)) as messages:
                async for message in messages:
                    after = message.seq
                    yield message
        except (NatsError, TimeoutError):
            heed_cancellation()
            await asyncio.sleep(0.5)  # NATS is away for a moment; the connection comes back by itself


def _decode(message: Stored, kind: type[T]) -> T | None:
    try:
        return codec.decode(message.data, kind)
    except msgspec.DecodeError:
        return None
