"""Runs on the bus: stores requests, and reads and follows requests and logs."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import NamedTuple

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from muster_bus import Bus, Log, NotStored, Stored, StoreRefused, newest, tail
from muster_protocol import codec, events
from muster_protocol.errors import Busy, Conflict, RunGone
from muster_protocol.requests import RunRequest
from muster_protocol.submit_replies import Accepted
from muster_protocol.verdicts import Verdict
from muster_text.request_rules import check_size, may_hear, with_id_and_time

log = structlog.get_logger("muster.runs")


async def store_request(bus: Bus, request: RunRequest) -> Accepted:
    """Queue a valid request; a run that exists already is a duplicate, whatever its state.

    Raises:
        InvalidRequest: it is too large with its id and time.
        Conflict: the id belongs to another job, or its verdict goes to another sender.
        Busy: the queue does not take it now, or gave no answer; storing it again is safe.
    """
    request = with_id_and_time(request, bus.clock.now())
    if (known := await find_request(bus, request.id)) is None:
        check_size(len(codec.encode(request)))
        known, reason = await _try_store(bus, request)
        if known is None:
            raise Busy(reason)
        if known == request:
            return Accepted(run=request.id)
    _require_same(known, request, bus.names.prefix)
    return Accepted(run=request.id, duplicate=True)


def _require_same(known: RunRequest, again: RunRequest, prefix: str) -> None:
    """Refuse a request under the id of a run that is another one. Pure.

    Raises:
        Conflict: the id belongs to another job, or its verdict goes to another sender.
    """
    if (known.job, known.suite, known.labels) != (again.job, again.suite, again.labels):
        raise Conflict([f"run {known.id!r} exists with another job; use another id or idempotency key"])
    if not may_hear(known, again, prefix):
        raise Conflict([f"run {known.id!r} has its verdict sent elsewhere: use its reply_to, its key, or another id"])


async def _try_store(bus: Bus, request: RunRequest) -> tuple[RunRequest | None, str]:
    """Try to store a request; return the one that is then stored under its id, or None and why there is none."""
    try:
        await bus.store(bus.names.request(request.id), codec.encode(request))
    except NotStored:
        return None, "the bus is not ready to take requests; try again"
    except StoreRefused as error:  # the run is queued already, or the queue is full
        return await find_request(bus, request.id), f"the queue takes no more requests now: {error}"
    except (TimeoutError, NatsError):
        unclear = f"the bus does not answer: run {request.id!r} may or may not be queued; submitting again is safe"
        try:
            return await find_request(bus, request.id), unclear
        except (TimeoutError, NatsError):
            return None, unclear
    return request, ""


async def find_request(bus: Bus, run: str) -> RunRequest | None:
    """Return the request of a run that is queued, live or over; None if there is none that can be read."""
    try:
        queued = await bus.js.get_last_msg(bus.names.stream("REQUESTS"), bus.names.request(run))
        return codec.decode(queued.data or b"", RunRequest)
    except (NotFoundError, msgspec.DecodeError):
        return await opened_request(bus, run)


async def opened_request(bus: Bus, run: str) -> RunRequest | None:
    """Return the request in the first entry of a run's log; None if there is none that can be read."""
    try:
        first = await bus.js.get_msg(bus.names.stream("RUNS"), seq=1, subject=bus.names.events(run), next=True)
    except NotFoundError:
        return None
    entry = decode_entry(Stored(first.seq or 0, first.subject or "", first.data or b""))
    match entry.events if entry else ():
        case (events.RunOpened(request=request), *_):
            return request
        case _:
            return None


async def read_entries(bus: Bus, run: str) -> list[events.Entry]:
    """Return a run's log, oldest entry first; empty if it has none. Unreadable entries are left out with a warning."""
    return (await read_log(bus, run)).entries


async def follow_entries(bus: Bus, run: str, after: int = 0) -> AsyncGenerator[Stored]:
    """Yield the messages of a run's log like `muster_bus.tail`, but end if the run is gone. Use it to wait for a run.

    Raises:
        RunGone: neither the queue nor the run's log is there any more, so nothing more comes.
    """
    async with aclosing(tail(bus, "RUNS", bus.names.events(run), after, partial(_require_stored, bus, run))) as stored:
        async for message in stored:
            yield message


async def _require_stored(bus: Bus, run: str) -> None:
    """Raise RunGone if a run is neither queued nor has a log; a run leaves the queue only once it has one."""
    queued = await newest(bus, "REQUESTS", bus.names.request(run))
    if queued is None and await newest(bus, "RUNS", bus.names.events(run)) is None:
        raise RunGone(run)


class RunLog(NamedTuple):
    """A run's log, oldest entry first, and the number of its unreadable messages."""

    entries: list[events.Entry]
    unreadable: int


async def read_log(bus: Bus, run: str) -> RunLog:
    """Return a run's log and the number of its messages that this version cannot read."""
    stored = await Log(bus, "RUNS", bus.names.events(run)).read()
    entries = [entry for entry in map(decode_entry, stored) if entry is not None]
    return RunLog(entries, len(stored) - len(entries))


def decode_entry(message: Stored) -> events.Entry | None:
    """Return the entry in a message of a run's log; None, with a warning, if it cannot be read."""
    try:
        return codec.decode(message.data, events.Entry)
    except msgspec.DecodeError as error:
        newer = " (it was written by a newer version)" if message.version > codec.VERSION else ""
        said = f"unreadable entry of a run's log ignored{newer}"
        log.warning(said, log=message.subject, seq=message.seq, error=str(error))
        return None


def find_verdict(entries: list[events.Entry]) -> Verdict | None:
    """Return the verdict in a run's log, if it has been reached."""
    for entry in reversed(entries):
        for event in entry.events:
            if isinstance(event, events.VerdictReached):
                return event.verdict
    return None
