"""Levels of queues and streams, read from the server."""

from contextlib import suppress
from typing import NamedTuple

from nats.js.api import ConsumerConfig, ConsumerInfo
from nats.js.errors import NotFoundError

from muster_bus.connection import Bus
from muster_bus.streams import consumer_configs, stream_names
from muster_protocol.requests import PRIORITIES


class QueueLevel(NamedTuple):
    """One durable consumer: what it has to hand out, and what is at work."""

    queue: str
    """As in `TASKS/act` or `REQUESTS/runs`, like the metrics of slots."""
    priority: str
    """Of the pool; "" where a queue has no priorities."""
    pending: int
    ack_pending: int
    redelivered: int
    waiting_pulls: int
    oldest_seconds: float
    """Age of the oldest message that was never handed out; 0 if there is none."""
    ack_wait: float
    """Seconds a holder may be silent, as the server has it."""


class StreamLevel(NamedTuple):
    """One stream: what it holds."""

    stream: str
    """Its plain name, without the prefix of a team."""
    messages: int
    bytes: int
    consumers: int
    full: float
    """Share of its limit of messages or bytes, whichever is nearer; 0 without a limit."""


def split_consumer_name(consumer: str) -> tuple[str, str]:
    """Return pool and priority of a consumer's name; one without a priority is all pool. Pure."""
    pool, _, priority = consumer.rpartition("-")
    return (pool, priority) if pool and priority in PRIORITIES else (consumer, "")


def fullness(messages: int, most_messages: int, size: int, most_size: int) -> float:
    """Return the share of the nearer limit; a limit of 0 or less is none. Pure."""
    by_messages = messages / most_messages if most_messages > 0 else 0.0
    return max(by_messages, size / most_size if most_size > 0 else 0.0)


async def queue_levels(bus: Bus) -> tuple[QueueLevel, ...]:
    """Return how each queue stands; one that is missing is left out.

    Raises:
        NatsError, TimeoutError: it cannot be told now.
    """
    found = [await queue_level(bus, stream, config) for stream, config in consumer_configs(bus.names, bus.settings)]
    return tuple(level for level in found if level is not None)


async def queue_level(bus: Bus, stream: str, config: ConsumerConfig) -> QueueLevel | None:
    """Return how one of the `consumer_configs` stands; None if it is missing.

    Raises:
        NatsError, TimeoutError: it cannot be told now.
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
    except NotFoundError:  # taken and done with meanwhile
        return 0.0
    return max(0.0, bus.clock.now() - message.time.timestamp()) if message.time else 0.0


async def stream_levels(bus: Bus) -> tuple[StreamLevel, ...]:
    """Return how each stream stands, those of buckets and artefacts included; one that is missing is left out.

    Raises:
        NatsError, TimeoutError: it cannot be told now.
    """
    found: list[StreamLevel] = []
    for name in stream_names(bus.names):
        with suppress(NotFoundError):
            found.append(await stream_level(bus, name))
    return tuple(found)


async def stream_level(bus: Bus, name: str) -> StreamLevel:
    """Return how the stream of this name on the server stands.

    Raises:
        NotFoundError: it is missing.
        NatsError, TimeoutError: it cannot be read now.
    """
    info = await bus.js.stream_info(name)
    state, config = info.state, info.config
    full = fullness(state.messages, config.max_msgs or 0, state.bytes, config.max_bytes or 0)
    return StreamLevel(bus.names.plain(name), state.messages, state.bytes, state.consumer_count, full)
