"""Sends events to the fleet."""

from muster_bus import Bus, NotStored, StoreRefused
from muster_protocol import codec
from muster_protocol.cloud_events import STRUCTURED, CloudEvent
from muster_protocol.errors import Busy, TooLarge

MOST_BYTES = 512 * 1024


async def send_event(bus: Bus, event: CloudEvent) -> bool:
    """Store an event for the triggers; return whether it is new: the same source and id count once a day.

    Raises:
        TooLarge: it is too large.
        Busy: the fleet takes none now.
        TimeoutError: it may or may not be stored; sending it again is safe.
    """
    data = codec.encode(event)
    if len(data) > MOST_BYTES:
        raise TooLarge([f"the event has {len(data):,} bytes, the limit is {MOST_BYTES:,}; send a link to its data"])
    headers = {"Nats-Msg-Id": event.key, "Content-Type": STRUCTURED}
    try:
        return not (await bus.store(bus.names.cloud_event(event.type), data, headers)).duplicate
    except (NotStored, StoreRefused) as error:
        raise Busy(f"the event cannot be stored now: {error}") from error
