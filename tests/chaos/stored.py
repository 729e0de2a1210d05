"""Reads what is stored when all is calm again: logs, journals, caches, queues, and what still runs."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar

import httpx
import msgspec
from msgspec import Struct

from chaos.history import JournalMessage, LogMessage, Order, Remains, Snapshot
from chaos.places import Fleet
from chaos.witness import digest
from muster_bus import Bus, Rows, replay
from muster_orchestrator import snapshot_store
from muster_protocol import codec
from muster_protocol.events import Entry
from muster_protocol.journal import JournalBatch
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.sessions import SessionRow

QUEUES = ("REQUESTS", "TASKS", "OPENINGS")
T = TypeVar("T")


class Message(NamedTuple):
    """One stored message as the server hands it out."""

    seq: int
    at: float
    subject: str
    data: bytes


class Kept(NamedTuple):
    """What the streams hold."""

    logs: dict[str, tuple[LogMessage, ...]]
    journals: dict[str, tuple[JournalMessage, ...]]
    digests: dict[str, dict[int, str]]
    first: dict[str, int]
    lines: dict[str, tuple[int, ...]]


async def messages(bus: Bus, stream: str) -> AsyncGenerator[Message]:
    """Yield every message of a stream, with the time at which the server stored it."""
    name = bus.names.stream(stream)
    state = (await bus.js.stream_info(name)).state
    if not state.messages:
        return
    reader = await bus.js.subscribe(">", stream=name, ordered_consumer=True)
    try:
        seq = 0
        while seq < state.last_seq:
            message = await reader.next_msg(timeout=10.0)
            about = message.metadata
            seq = about.sequence.stream
            yield Message(seq, about.timestamp.timestamp(), message.subject, message.data)
    finally:
        await reader.unsubscribe()


async def read_streams(bus: Bus) -> Kept:
    """Return logs and journals, the digests of all their messages, and where people's log lines stand."""
    logs, journals = defaultdict[str, list[LogMessage]](list), defaultdict[str, list[JournalMessage]](list)
    digests = defaultdict[str, dict[int, str]](dict)
    async for message in messages(bus, "RUNS"):
        digests["RUNS"][message.seq] = digest(message.data)
        entry = codec.decode(message.data, Entry)
        logs[message.subject.split(".")[-2]].append(LogMessage(message.seq, message.at, entry))
    async for message in messages(bus, "JOURNAL"):
        digests["JOURNAL"][message.seq] = digest(message.data)
        task = message.subject.partition(".journal.")[2]
        entries = codec.decode(message.data, JournalBatch).entries
        journals[task].append(JournalMessage(message.seq, message.at, entries))
    lines = defaultdict[str, list[int]](list)
    async for stored in replay(bus, "LOGS", bus.names.log("*", "*")):
        lines[stored.subject.split(".")[-2]].append(stored.seq)
    first = {name: (await bus.js.stream_info(bus.names.stream(name))).state.first_seq for name in ("RUNS", "JOURNAL")}
    return Kept(_fixed(logs), _fixed(journals), dict(digests), first, _fixed(lines))


def _fixed(found: Mapping[str, list[T]]) -> dict[str, tuple[T, ...]]:
    return {name: tuple(values) for name, values in found.items()}


async def read_snapshots(bus: Bus) -> dict[str, Snapshot]:
    """Return the stored state of each run, where there is one."""
    found = {run: await snapshot_store.read_snapshot(bus, run) for run in await read_rows(bus)}
    return {run: Snapshot(it.sequence, it.run) for run, it in found.items() if it is not None}


async def read_rows(bus: Bus) -> dict[str, RunRow]:
    """Return the row of each run."""
    return {row.run: row for row in await Rows(bus, "RUN_LIST", RunRow).all()}


class _Order(Struct):
    """An order as the shop tells of it."""

    id: str
    customer: str
    submitted: int


async def read_orders(shop: str) -> tuple[Order, ...]:
    """Return every order that was placed in the shop."""
    async with httpx.AsyncClient(timeout=10.0) as http:
        reply = await http.get(f"{shop}/api/orders")
    found = msgspec.json.decode(reply.raise_for_status().content, type=list[_Order])
    return tuple(Order(order.id, order.customer, order.submitted) for order in found)


async def queued(bus: Bus) -> dict[str, int]:
    """Return how many messages each work queue holds."""
    return {name: (await bus.js.stream_info(bus.names.stream(name))).state.messages for name in QUEUES}


async def open_sessions(bus: Bus) -> tuple[str, ...]:
    """Return the sessions that are listed."""
    return tuple(f"{row.run}.{row.name} on {row.host}" for row in await Rows(bus, "SESSIONS", SessionRow).all())


async def settled(look: Callable[[], Awaitable[bool]], seconds: float) -> bool:
    """Return whether `look` comes true in so many seconds."""
    deadline = time.monotonic() + seconds
    while not await look():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.25)
    return True


async def read_remains(bus: Bus, fleet: Fleet, patience: float) -> Remains:
    """Return what is left of all runs after waiting so many seconds for nothing to be."""

    async def nothing_left() -> bool:
        over = not any((await queued(bus)).values()) and not await open_sessions(bus)
        return over and not fleet.browsers() and not fleet.strays()

    await settled(nothing_left, patience)
    dead = (await bus.js.stream_info(bus.names.stream("DEAD"))).state.messages
    return Remains(
        queued=await queued(bus),
        sessions=await open_sessions(bus),
        browsers=tuple(fleet.browsers()),
        strays=tuple(fleet.strays()),
        presence=tuple(await Rows(bus, "WORKERS", WorkerRow).all()),
        dead=dead,
    )
