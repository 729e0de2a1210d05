"""Reads run logs as raw entries, so that events of a newer Muster pass through unchanged."""

from typing import Any, cast

import msgspec
import structlog
from msgspec import Raw, Struct

from muster_bus import Bus, Stored, replay
from muster_gateway.webhooks.webhook_rules import hide_address
from muster_protocol import codec
from muster_protocol.codec import decode_untrusted
from muster_protocol.events import Event
from muster_views.history import History, TimedEvent, fold_events

log = structlog.get_logger("muster.gateway")


class RawEntry(Struct, frozen=True, kw_only=True):
    """One stored message of a run's log with its raw events."""

    sequence: int = 0
    epoch: int = 0
    at: float = 0.0
    events: tuple[Raw, ...] = ()


def decode_raw_entry(stored: Stored) -> RawEntry | None:
    """Decode a stored message; None if it is not a valid entry."""
    try:
        return msgspec.structs.replace(decode_untrusted(stored.data, RawEntry), sequence=stored.seq)
    except msgspec.DecodeError as error:
        log.warning("unreadable entry in a run log", subject=stored.subject, seq=stored.seq, error=str(error))
        return None


def hide_webhook(entry: RawEntry) -> RawEntry:
    """Return an entry with the address of a request's webhook reduced to its host. Pure."""
    return msgspec.structs.replace(entry, events=tuple(_hide_webhook(raw) for raw in entry.events))


def _hide_webhook(raw: Raw) -> Raw:
    if b'"webhook"' not in (data := bytes(raw)):
        return raw
    event = decode_untrusted(data, dict[str, Any])
    request = event.get("request")
    if not isinstance(request, dict) or "webhook" not in request:
        return raw
    request = cast("dict[str, Any]", request)
    return Raw(codec.encode({**event, "request": {**request, "webhook": hide_address(str(request["webhook"]))}}))


def known_events(entries: list[RawEntry]) -> list[TimedEvent]:
    """Return the events this version knows, in order."""
    found: list[TimedEvent] = []
    for entry in entries:
        for raw in entry.events:
            event = _decode_event(raw)
            if event is not None:
                found.append(TimedEvent(entry.at, event))
    return found


def _decode_event(raw: Raw) -> Event | None:
    try:
        return cast("Event", decode_untrusted(bytes(raw), cast("Any", Event)))
    except msgspec.DecodeError:
        return None


async def read_raw_entries(bus: Bus, run: str, after: int = 0) -> list[RawEntry]:
    """Return the entries of a run's log with a sequence above `after`, oldest first."""
    stored = [message async for message in replay(bus, "RUNS", bus.names.events(run), after)]
    return [entry for entry in map(decode_raw_entry, stored) if entry is not None]


async def read_history(bus: Bus, run: str) -> History:
    """Return a run's history, without events of a newer Muster; empty if it has no log."""
    return fold_events(known_events(await read_raw_entries(bus, run)), run)
