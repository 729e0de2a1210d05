"""Sends events to the fleet."""

from muster_bus import Bus, NotStored, StoreRefused
from muster_bus.streams import LARGEST_EVENT
from muster_protocol import codec
from muster_protocol.cloud_events import STRUCTURED, CloudEvent
from muster_protocol.errors import Busy, InvalidRequest, TooLarge

MOST_BYTES = LARGEST_EVENT - 1024
"""Of an event; the rest is for the message's headers."""


async def send_event(bus: Bus, event: CloudEvent) -> bool:
    """Store an event for the triggers; return whether it is new: the same source and id count once a day.

    Raises:
        TooLarge: it is too large.
        InvalidRequest: it is nested too deeply.
        Busy: the fleet takes none now.
        TimeoutError: it may or may not be stored; sending it again is safe.
    """
    try:
        data = codec.encode(event)
    except RecursionError as error:
        raise InvalidRequest([f"event {event.id[:80]!r}: it is nested too deeply"]) from error
    if len(data) > MOST_BYTES:
        raise TooLarge(
            [f"event {event.id[:80]!r} has {len(data):,} bytes, the limit is {MOST_BYTES:,}; send a link to its data"]
        )
    headers = {"Nats-Msg-Id": event.key, "Content-Type": STRUCTURED}
    try:
        return not (await bus.store(bus.names.cloud_event(event.type), data, headers)).duplicate
    except (NotStored, StoreRefused) as error:
        raise Busy(f"the event cannot be stored now: {error}") from error
