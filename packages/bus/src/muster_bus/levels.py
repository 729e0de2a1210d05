"""Reads the levels of queues and streams from the server."""

from contextlib import suppress
from typing import NamedTuple

from nats.js.api import ConsumerConfig, ConsumerInfo
from nats.js.errors import NotFoundError

from muster_bus.bus import Bus
from muster_bus.streams import consumer_configs, stream_names
from muster_protocol.requests import PRIORITIES


class QueueLevel(NamedTuple):
    """The level of one durable consumer."""

    queue: str
    """`TASKS/act` or `REQUESTS/runs`, as in the metrics of slots."""
    priority: str
    """Empty if the queue has no priorities."""
    pending: int
    ack_pending: int
    redelivered: int
    waiting_pulls: int
    oldest_seconds: float
    """Age of the oldest message that was never delivered; 0 if there is none."""
    ack_wait: float
    """The server's limit in seconds for acking or renewing a message."""


class StreamLevel(NamedTuple):
    """The level of one stream."""

    stream: str
    """Its name without the prefix."""
    messages: int
    bytes: int
    consumers: int
    full: float
    """Share of its limit of messages or bytes, whichever is nearer; 0 without a limit."""


def split_consumer_name(consumer: str) -> tuple[str, str]:
    """Return the pool and priority in a consumer's name; without a priority, the name and "". Pure."""
    pool, _, priority = consumer.rpartition("-")
    return (pool, priority) if pool and priority in PRIORITIES else (consumer, "")


def fullness(messages: int, most_messages: int, size: int, most_size: int) -> float:
    """Return the share of the nearer limit; a limit of 0 or less is none. Pure."""
    by_messages = messages / most_messages if most_messages > 0 else 0.0
    return max(by_messages, size / most_size if most_size > 0 else 0.0)


async def queue_levels(bus: Bus) -> tuple[QueueLevel, ...]:
    """Return the level of each queue; a missing one is left out.

    Raises:
        NatsError, TimeoutError: the levels cannot be read now.
    """
    found = [await queue_level(bus, stream, config) for stream, config in consumer_configs(bus.names, bus.settings)]
    return tuple(level for level in found if level is not None)


async def queue_level(bus: Bus, stream: str, config: ConsumerConfig) -> QueueLevel | None:
    """Return the level of one of the `consumer_configs`; None if it is missing.

    Raises:
        NatsError, TimeoutError: the level cannot be read now.
    """
    assert config.name is not None
    try:
        info = await bus.js.consumer_info(stream, config.name)
    except NotFoundError:
        return None
    pool, priority = split_consumer_name(config.name)
    return QueueLevel(
        queue=f"{bus.names.plain(stream)}/{pool}",
        priority=priority,
        pending=info.num_pending or 0,
        ack_pending=info.num_ack_pending or 0,
        redelivered=info.num_redelivered or 0,
        waiting_pulls=info.num_waiting or 0,
        oldest_seconds=await _oldest_seconds(bus, stream, info),
        ack_wait=info.config.ack_wait or 0.0,
    )


async def _oldest_seconds(bus: Bus, stream: str, info: ConsumerInfo) -> float:
    if not info.num_pending or info.delivered is None:
        return 0.0
    try:
        after, subject = info.delivered.stream_seq + 1, info.config.filter_subject
        message = await bus.js.get_msg(stream, seq=after, subject=subject, next=True)
    except NotFoundError:  # it was delivered and acked meanwhile
        return 0.0
    return max(0.0, bus.clock.now() - message.time.timestamp()) if message.time else 0.0


async def stream_levels(bus: Bus) -> tuple[StreamLevel, ...]:
    """Return the level of each stream, including those of buckets and artifacts; a missing one is left out.

    Raises:
        NatsError, TimeoutError: the levels cannot be read now.
    """
    found: list[StreamLevel] = []
    for name in stream_names(bus.names):
        with suppress(NotFoundError):
            found.append(await stream_level(bus, name))
    return tuple(found)


async def stream_level(bus: Bus, name: str) -> StreamLevel:
    """Return the level of a stream, by its name on the server.

    Raises:
        NotFoundError: it is missing.
        NatsError, TimeoutError: it cannot be read now.
    """
    info = await bus.js.stream_info(name)
    state, config = info.state, info.config
    full = fullness(state.messages, config.max_msgs or 0, state.bytes, config.max_bytes or 0)
    return StreamLevel(bus.names.plain(name), state.messages, state.bytes, state.consumer_count, full)
