"""Streams, consumers and buckets on the NATS server, and their provisioning.

Provisioning is idempotent: it creates what is missing, leaves what matches, and refuses what differs.
"""

import asyncio
from collections.abc import Awaitable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    KeyValueConfig,
    ObjectStoreConfig,
    RePublish,
    RetentionPolicy,
    StreamConfig,
)
from nats.js.errors import BadRequestError, BucketNotFoundError, NotFoundError

from muster_bus.connection import Bus
from muster_protocol.errors import ConfigDrift
from muster_protocol.kinds import POOLS
from muster_protocol.requests import DEVICE_KINDS, PRIORITIES
from muster_protocol.subjects import Names
from muster_service.settings import BusSettings

DAY = 86_400.0
GB = 2**30
DIRECT_READ = frozenset({"LOGS"})
"""Streams that any replica may be read from; decisions depend on the others, which are read from the leader."""

LARGEST_EVENT = 256 * 1024
"""Bytes of a message in EVENTS, headers included."""
EVENTS_CONSUMER = "events"
RUNS_CONSUMER = "runs"
CONTROLS_CONSUMER = "controls"
WEBHOOKS_CONSUMER = "webhooks"
"""Webhooks that wait for a retry stay pending in it, so it allows as many as may fail at once."""


class Bucket(NamedTuple):
    """A key-value bucket: its name and the lifetime of a row (seconds; None: unlimited)."""

    name: str
    ttl: float | None = None


BUCKETS = (
    Bucket("SNAPSHOTS", 30 * DAY),
    Bucket("RUN_LIST", 30 * DAY),
    Bucket("SESSIONS"),
    Bucket("FLEET"),
    Bucket("TRIGGERS"),
    Bucket("DEFINITIONS"),
    Bucket("CASES"),
    Bucket("SECRETS"),
    Bucket("RECORDINGS", 90 * DAY),
    Bucket("COSTS", 90 * DAY),
    Bucket("NOTES", 30 * DAY),
    Bucket("HISTORIES", 90 * DAY),
    Bucket("GRAPHS", 30 * DAY),
    Bucket("LEASES", DAY),
    Bucket("PACE", 3600.0),
    Bucket("WORKERS", 30.0),
)
OBJECTS = "ARTIFACTS"
AT_ONCE = 8
"""How many things are created at once: a slow server must answer each in time."""


def stream_configs(names: Names) -> tuple[StreamConfig, ...]:
    """Return the streams that Muster needs, as the server is configured with them."""
    prefix, stream = names.prefix, partial(_stream_config, names)
    queue: dict[str, Any] = {"retention": RetentionPolicy.WORK_QUEUE, "discard": DiscardPolicy.NEW}
    one_per_subject: dict[str, Any] = {
        **queue,
        "discard_new_per_subject": True,
        "max_msgs_per_subject": 1,
        "max_msgs": 100_000,
    }
    history: dict[str, Any] = {"discard": DiscardPolicy.NEW, "max_age": 30 * DAY, "max_bytes": 4 * GB}
    return (
        stream("REQUESTS", [f"{prefix}.requests.*"], **one_per_subject, max_bytes=GB),
        stream("RUNS", [f"{prefix}.runs.*.events"], live=True, **history),
        stream("TASKS", [f"{prefix}.tasks.*.*"], **queue, max_msgs=1_000_000, max_bytes=2 * GB, duplicate_window=600),
        stream("OPENINGS", [f"{prefix}.openings.*.*.*.*"], **one_per_subject, max_bytes=GB // 2),
        stream("JOURNAL", [f"{prefix}.journal.*.*.*"], live=True, **history),
        stream("CONTROL", [f"{prefix}.control.*"], live=True, max_age=30 * DAY, max_msgs_per_subject=64),
        stream("LOGS", [f"{prefix}.logs.*.*"], live=True, max_age=7 * DAY, max_bytes=4 * GB, max_msg_size=256 * 1024),
        stream(
            "WEBHOOKS",
            [f"{prefix}.webhooks.>"],
            retention=RetentionPolicy.WORK_QUEUE,
            max_age=3 * DAY,
            max_bytes=GB // 4,
            duplicate_window=DAY,
        ),
        stream(
            "EVENTS",
            [f"{prefix}.events.>"],
            live=True,
            retention=RetentionPolicy.WORK_QUEUE,
            discard=DiscardPolicy.NEW,
            max_age=3 * DAY,
            max_bytes=GB // 4,
            max_msg_size=LARGEST_EVENT,
            duplicate_window=DAY,
        ),
        stream("DEAD", [f"{prefix}.dead.*"], max_age=90 * DAY, max_bytes=GB, duplicate_window=DAY),
        stream("ADVISORIES", _advisories(names), max_age=30 * DAY, max_bytes=GB // 16),
    )


def _stream_config(
    names: Names, name: str, subjects: list[str], *, live: bool = False, **settings: object
) -> StreamConfig:
    """Return a stream's configuration, with the common settings; a `live` stream republishes what it stores."""
    fixed = subjects[0].split("*", 1)[0].removesuffix(">")
    source = f"{fixed}>"  # the server copies only a `>` into the destination unchanged
    republish = RePublish(src=source, dest=names.live(source)) if live else None
    config = StreamConfig(name=names.stream(name), subjects=subjects, republish=republish, duplicate_window=120)
    config.allow_direct, config.retention = name in DIRECT_READ, RetentionPolicy.LIMITS
    return config.evolve(**settings)


def stream_names(names: Names) -> list[str]:
    """Return the server's names of all streams, including those of buckets and artefacts."""
    buckets = [f"KV_{names.bucket(bucket.name)}" for bucket in BUCKETS]
    return [*(str(config.name) for config in stream_configs(names)), *buckets, f"OBJ_{names.bucket(OBJECTS)}"]


def _advisories(names: Names) -> list[str]:
    """Return the subjects of the server's advisories about messages it no longer delivers."""
    return [
        f"$JS.EVENT.ADVISORY.CONSUMER.{kind}.{names.stream(queue)}.>"
        for kind in ("MAX_DELIVERIES", "MSG_TERMINATED")
        for queue in ("REQUESTS", "TASKS")
    ]


def consumer_configs(names: Names, settings: BusSettings) -> tuple[tuple[str, ConsumerConfig], ...]:
    """Return (stream, consumer) for each work queue; sub-tasks and openings have one per priority."""

    def consumer(name: str, subject: str, max_ack_pending: int) -> ConsumerConfig:
        return ConsumerConfig(
            name=name,
            durable_name=name,
            filter_subject=subject,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=settings.ack_wait_seconds,
            max_deliver=-1,
            max_ack_pending=max_ack_pending,
            max_waiting=4096,
        )

    tasks = [
        (names.stream("TASKS"), consumer(names.tasks_consumer(pool, priority), names.tasks(pool, priority), 100_000))
        for pool in POOLS
        for priority in PRIORITIES
    ]
    openings = [
        (names.stream("OPENINGS"), consumer(name, names.opening(kind, priority, "*", "*"), 10_000))
        for kind in DEVICE_KINDS
        for priority in PRIORITIES
        for name in (names.openings_consumer(kind, priority),)
    ]
    return (
        (names.stream("REQUESTS"), consumer(RUNS_CONSUMER, names.request("*"), settings.max_runs)),
        (names.stream("CONTROL"), consumer(CONTROLS_CONSUMER, names.control("*"), 10_000)),
        (names.stream("EVENTS"), consumer(EVENTS_CONSUMER, names.cloud_event(">"), 10_000)),
        (names.stream("WEBHOOKS"), consumer(WEBHOOKS_CONSUMER, names.webhook(">"), 100_000)),
        *tasks,
        *openings,
    )


async def provision(bus: Bus) -> tuple[str, ...]:
    """Create what is missing on the server and return its names.

    Raises:
        ConfigDrift: a stream, consumer or bucket exists with other settings; says what differs.
    """
    copies = bus.settings.stream_replicas
    wanted = [config.evolve(num_replicas=copies) for config in stream_configs(bus.names)]
    made = await _some_at_once(*(_provision_stream(bus, config) for config in wanted))
    consumers = consumer_configs(bus.names, bus.settings)
    made += await _some_at_once(*(_provision_consumer(bus, stream, config) for stream, config in consumers))
    made += await _some_at_once(*(_provision_bucket(bus, bucket) for bucket in BUCKETS), _provision_objects(bus))
    return tuple(made)


async def _some_at_once(*works: Awaitable[list[str]]) -> list[str]:
    """Return what works have made, in their order; none of them is left half done.

    Raises:
        Exception: that of the first one that failed.
    """
    room = asyncio.Semaphore(AT_ONCE)

    async def one(work: Awaitable[list[str]]) -> list[str]:
        async with room:
            return await work

    made: list[str] = []
    for done in await asyncio.gather(*map(one, works), return_exceptions=True):
        if isinstance(done, BaseException):
            raise done
        made += done
    return made


async def _provision_stream(bus: Bus, wanted: StreamConfig) -> list[str]:
    assert wanted.name is not None
    try:
        live = (await bus.js.stream_info(wanted.name)).config
    except NotFoundError:
        try:
            await bus.js.add_stream(wanted)
        except BadRequestError as error:
            if error.err_code == 10058:  # another process has just created it with other settings
                raise ConfigDrift(f"stream {wanted.name}: {error.description}") from error
            raise
        return [wanted.name]
    _check_fields(f"stream {wanted.name}", wanted, live, _STREAM_FIELDS)
    _check_replicas(f"stream {wanted.name}", bus, live)
    return []


async def _provision_consumer(bus: Bus, stream: str, wanted: ConsumerConfig) -> list[str]:
    assert wanted.name is not None
    try:
        live = (await bus.js.consumer_info(stream, wanted.name)).config
    except NotFoundError:
        await bus.js.add_consumer(stream, wanted)
        return [f"{stream}/{wanted.name}"]
    _check_fields(f"consumer {stream}/{wanted.name}", wanted, live, _CONSUMER_FIELDS)
    return []


async def _provision_bucket(bus: Bus, bucket: Bucket) -> list[str]:
    name = bus.names.bucket(bucket.name)
    try:
        live = (await bus.js.stream_info(f"KV_{name}")).config
    except NotFoundError:
        copies = bus.settings.stream_replicas
        await bus.js.create_key_value(KeyValueConfig(bucket=name, ttl=bucket.ttl, direct=True, replicas=copies))
        return [name]
    _check_fields(f"bucket {name}", StreamConfig(max_age=bucket.ttl or 0.0, allow_direct=True), live, _BUCKET_FIELDS)
    _check_replicas(f"bucket {name}", bus, live)
    return []


async def _provision_objects(bus: Bus) -> list[str]:
    name = bus.names.bucket(OBJECTS)
    try:
        await bus.js.object_store(name)
    except BucketNotFoundError:
        copies = bus.settings.stream_replicas
        config = ObjectStoreConfig(max_bytes=8 * GB, ttl=int(30 * DAY), replicas=copies)
        await bus.js.create_object_store(name, config=config)
        return [name]
    _check_replicas(f"bucket {name}", bus, (await bus.js.stream_info(f"OBJ_{name}")).config)
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
