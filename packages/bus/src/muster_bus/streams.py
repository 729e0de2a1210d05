"""What a fleet needs on the NATS server: streams and consumers; for its buckets see `muster_protocol.buckets`."""

from functools import partial
from typing import Any

from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RePublish,
    RetentionPolicy,
    StreamConfig,
)

from muster_protocol.buckets import BUCKETS, DAY
from muster_protocol.kinds import POOLS
from muster_protocol.requests import DEVICE_KINDS, PRIORITIES
from muster_protocol.subjects import Names
from muster_service.settings import BusSettings

GB = 2**30
DIRECT_READ = frozenset({"LOGS"})
"""Streams that any replica may be read from; decisions depend on the others, which are read from the leader."""

NUMBERED_ON = frozenset({"LOGS"})
"""Streams whose sequences clients keep: one that is made again begins above all of an earlier one's, so that what a
client brings back from there hides nothing."""

LARGEST_EVENT = 256 * 1024
"""Bytes of a message in EVENTS, headers included."""
EVENTS_CONSUMER = "events"
RUNS_CONSUMER = "runs"
CONTROLS_CONSUMER = "controls"
WEBHOOKS_CONSUMER = "webhooks"
"""Webhooks that wait for a retry stay pending in it, so it allows as many as may fail at once."""
OBJECTS = "ARTIFACTS"
"""The bucket of artifacts."""


def stream_configs(names: Names) -> tuple[StreamConfig, ...]:
    """Return the streams that Muster needs, as the server is configured with them."""
    prefix, stream = names.prefix, partial(_stream_config, names)
    consumed: dict[str, Any] = {"retention": RetentionPolicy.WORK_QUEUE}
    queue: dict[str, Any] = consumed | {"discard": DiscardPolicy.NEW}
    one_per_subject: dict[str, Any] = {
        **queue,
        "discard_new_per_subject": True,
        "max_msgs_per_subject": 1,
        "max_msgs": 100_000,
    }
    notices: dict[str, Any] = {"max_age": 3 * DAY, "max_bytes": GB // 4, "duplicate_window": DAY}
    history: dict[str, Any] = {"discard": DiscardPolicy.NEW, "max_age": 30 * DAY, "max_bytes": 4 * GB}
    return (
        stream("REQUESTS", [f"{prefix}.requests.*"], **one_per_subject, max_bytes=GB),
        stream("RUNS", [f"{prefix}.runs.*.events"], live=True, **history),
        stream("TASKS", [f"{prefix}.tasks.*.*"], **queue, max_msgs=1_000_000, max_bytes=2 * GB, duplicate_window=600),
        stream("OPENINGS", [f"{prefix}.openings.*.*.*.*"], **one_per_subject, max_bytes=GB // 2),
        stream("JOURNAL", [f"{prefix}.journal.*.*.*"], live=True, **history),
        stream("CONTROL", [f"{prefix}.control.*"], live=True, max_age=30 * DAY, max_msgs_per_subject=64),
        stream("LOGS", [f"{prefix}.logs.*.*"], live=True, max_age=7 * DAY, max_bytes=4 * GB, max_msg_size=256 * 1024),
        stream("WEBHOOKS", [f"{prefix}.webhooks.>"], **consumed, **notices),
        stream("EVENTS", [f"{prefix}.events.>"], live=True, **queue, **notices, max_msg_size=LARGEST_EVENT),
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


def first_sequence(names: Names, stream: str, now: float) -> int | None:
    """Return what a stream that is made now (Unix seconds) begins with: its time in microseconds, for no stream stores
    a million messages a second for long. None: with 1. Pure."""
    return int(now * 1e6) if stream in {names.stream(name) for name in NUMBERED_ON} else None


def stream_names(names: Names) -> list[str]:
    """Return the server's names of all streams, including those of buckets and artifacts."""
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
