"""Makes streams, consumers and buckets on the NATS server, and compares those it has with what a fleet needs.

Provisioning is idempotent: it creates what is missing, leaves what matches, and refuses what differs.
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum
from functools import partial
from typing import NamedTuple

from nats.js.api import ConsumerConfig, KeyValueConfig, ObjectStoreConfig, RePublish, StreamConfig
from nats.js.errors import BadRequestError, NotFoundError

from muster_bus.bus import Bus
from muster_bus.streams import GB, OBJECTS, consumer_configs, first_sequence, stream_configs
from muster_protocol.buckets import BUCKETS, DAY, Bucket
from muster_protocol.errors import ConfigDrift

AT_ONCE = 8
"""How many things are created at once: a slow server must answer each in time."""
EXISTS = 10058
"""The server's code for a stream that is there with another configuration."""


class Faults(NamedTuple):
    """What keeps the streams of a server from being those that a fleet needs."""

    missing: tuple[str, ...]
    differing: tuple[str, ...]
    """One sentence each: what differs, and how to change it."""
    empty: bool = False
    """Whether the server has nothing of a fleet: it is new, or has lost what it had."""


async def provision(bus: Bus) -> tuple[str, ...]:
    """Create what is missing on the server and return its names.

    Raises:
        ConfigDrift: a stream, consumer or bucket exists with other settings; says what differs.
    """
    copies = bus.settings.stream_replicas
    wanted = [config.evolve(num_replicas=copies) for config in stream_configs(bus.names)]
    made = await _some_at_once(*(partial(_provision_stream, bus, config) for config in wanted))
    consumers = consumer_configs(bus.names, bus.settings)
    made += await _some_at_once(*(partial(_provision_consumer, bus, *it) for it in consumers))
    buckets = (partial(_provision_bucket, bus, bucket) for bucket in BUCKETS)
    made += await _some_at_once(*buckets, partial(_provision_objects, bus))
    return tuple(made)


async def _some_at_once(*works: Callable[[], Awaitable[list[str]]]) -> list[str]:
    """Return what works have made, in their order; none of them is left half done, and none begun after a cancellation.

    Raises:
        Exception: that of the first one that failed.
    """
    room = asyncio.Semaphore(AT_ONCE)

    async def one(work: Callable[[], Awaitable[list[str]]]) -> list[str]:
        async with room:
            return await work()

    made: list[str] = []
    for done in await asyncio.gather(*map(one, works), return_exceptions=True):
        if isinstance(done, BaseException):
            raise done
        made += done
    return made


async def find_faults(bus: Bus) -> Faults:
    """Compare the server's streams, consumers and buckets with what this version and its settings need."""
    names, consumers = bus.names, consumer_configs(bus.names, bus.settings)
    checks: list[tuple[str, Callable[[], Awaitable[None]]]] = [
        *((str(it.name), partial(_check_stream, bus, it)) for it in stream_configs(names)),
        *((f"{at}/{it.name}", partial(_check_consumer, bus, at, it)) for at, it in consumers),
        *((names.bucket(it.name), partial(_check_bucket, bus, it)) for it in BUCKETS),
        (names.bucket(OBJECTS), partial(_check_objects, bus)),
    ]
    missing: list[str] = []
    differing: list[str] = []
    for name, check in checks:
        try:
            await check()
        except NotFoundError:
            missing.append(name)
        except ConfigDrift as error:
            differing.append(str(error))
    return Faults(tuple(missing), tuple(differing), len(missing) == len(checks))


async def _check_stream(bus: Bus, wanted: StreamConfig) -> None:
    """Compare a stream with the server's; raises NotFoundError or ConfigDrift, as all checks do."""
    live = (await bus.js.stream_info(str(wanted.name))).config
    _check_fields(f"stream {wanted.name}", wanted, live, _STREAM_FIELDS)
    _check_replicas(f"stream {wanted.name}", bus, live)


async def _check_consumer(bus: Bus, stream: str, wanted: ConsumerConfig) -> None:
    live = (await bus.js.consumer_info(stream, str(wanted.name))).config
    _check_fields(f"consumer {stream}/{wanted.name}", wanted, live, _CONSUMER_FIELDS)


async def _check_bucket(bus: Bus, bucket: Bucket) -> None:
    name = bus.names.bucket(bucket.name)
    live = (await bus.js.stream_info(f"KV_{name}")).config
    _check_fields(f"bucket {name}", StreamConfig(max_age=bucket.ttl or 0.0, allow_direct=True), live, _BUCKET_FIELDS)
    _check_replicas(f"bucket {name}", bus, live)


async def _check_objects(bus: Bus) -> None:
    name = bus.names.bucket(OBJECTS)
    _check_replicas(f"bucket {name}", bus, (await bus.js.stream_info(f"OBJ_{name}")).config)


async def _provision_stream(bus: Bus, wanted: StreamConfig) -> list[str]:
    assert wanted.name is not None
    try:
        await _check_stream(bus, wanted)
    except NotFoundError:
        try:
            first = first_sequence(bus.names, wanted.name, bus.clock.now())
            await bus.js.add_stream(wanted.evolve(first_seq=first))
        except BadRequestError as error:
            if error.err_code != EXISTS:
                raise
            await _check_stream(bus, wanted)  # another process has just created it, a moment earlier
            return []
        return [wanted.name]
    return []


async def _provision_consumer(bus: Bus, stream: str, wanted: ConsumerConfig) -> list[str]:
    try:
        await _check_consumer(bus, stream, wanted)
    except NotFoundError:
        await bus.js.add_consumer(stream, wanted)
        return [f"{stream}/{wanted.name}"]
    return []


async def _provision_bucket(bus: Bus, bucket: Bucket) -> list[str]:
    name = bus.names.bucket(bucket.name)
    try:
        await _check_bucket(bus, bucket)
    except NotFoundError:
        copies = bus.settings.stream_replicas
        await bus.js.create_key_value(KeyValueConfig(bucket=name, ttl=bucket.ttl, direct=True, replicas=copies))
        return [name]
    return []


async def _provision_objects(bus: Bus) -> list[str]:
    name = bus.names.bucket(OBJECTS)
    try:
        await _check_objects(bus)
    except NotFoundError:
        copies = bus.settings.stream_replicas
        config = ObjectStoreConfig(max_bytes=8 * GB, ttl=int(30 * DAY), replicas=copies)
        await bus.js.create_object_store(name, config=config)
        return [name]
    return []


def _check_replicas(what: str, bus: Bus, live: StreamConfig) -> None:
    """Raise ConfigDrift if a stream has fewer replicas than STREAM_REPLICAS; more are fine."""
    has, wanted = live.num_replicas or 1, bus.settings.stream_replicas
    if has < wanted:
        raise ConfigDrift(
            f"{what} is kept by {has} server(s), STREAM_REPLICAS asks for {wanted}. Change it with the nats tool: "
            f"`nats stream edit {live.name} --replicas {wanted}`."
        )


_STREAM_FIELDS = (
    *("subjects", "retention", "discard", "discard_new_per_subject", "max_age", "max_msgs_per_subject"),
    *("duplicate_window", "allow_direct", "republish"),
)
_BUCKET_FIELDS = ("max_age", "allow_direct")
_CONSUMER_FIELDS = ("filter_subject", "ack_policy", "ack_wait", "max_deliver", "max_ack_pending")


def _check_fields(what: str, wanted: object, live: object, fields: tuple[str, ...]) -> None:
    differences = [
        f"{field} is {_normalise(getattr(live, field))}, wanted {_normalise(getattr(wanted, field))}"
        for field in fields
        if _normalise(getattr(live, field)) != _normalise(getattr(wanted, field))
    ]
    if differences:
        raise ConfigDrift(
            f"{what} differs from what this version needs: {'; '.join(differences)}. "
            "Change it with the nats tool, or use another MUSTER_PREFIX."
        )


def _normalise(value: object) -> object:
    """Return a setting such that an absent one equals its default."""
    match value:
        case RePublish(src=source, dest=target):
            return (source, target)
        case Enum():
            return value.value
        case float():
            return round(value, 6) or None  # the server truncates times to whole nanoseconds
        case _:
            return None if value in (0, False, "") else value
