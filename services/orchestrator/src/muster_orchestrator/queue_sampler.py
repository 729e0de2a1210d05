"""Samples the length of queues and the level of streams for the metrics.

Every orchestrator samples: some twenty small requests in five seconds cost less than electing one of them, and no
sample is missing while one dies. A value that cannot be read is not shown.
"""

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from muster_bus import Bus
from muster_bus.faults import Rounds
from muster_bus.levels import QueueLevel, StreamLevel, queue_levels, stream_levels
from muster_orchestrator import metrics
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.orchestrator")

PERIOD = 5.0
"""Seconds between two samples, plus or minus a third, so that orchestrators do not all read at once."""


@asynccontextmanager
async def sample_queues(bus: Bus) -> AsyncGenerator[None]:
    """Keep the metrics of queues and streams up to date inside the block, if there is a metrics port."""
    if bus.settings.metrics_port < 0:
        yield
        return
    task = asyncio.create_task(_sample_periodically(bus))
    try:
        yield
    finally:
        await stop({task})


async def _sample_periodically(bus: Bus) -> None:
    rounds = Rounds("queue levels")
    while True:
        read = False
        with rounds.outlast():
            async with asyncio.timeout(PERIOD):
                queues, streams = await queue_levels(bus), await stream_levels(bus)
            set_gauges(queues, streams)
            _check_ack_wait(bus, queues)
            read = True
        if not read:
            clear_gauges()
        await asyncio.sleep(PERIOD * random.uniform(0.67, 1.33))


def _check_ack_wait(bus: Bus, queues: tuple[QueueLevel, ...]) -> None:
    """Report an ACK_WAIT_SECONDS unlike the server's: processes would take work from each other for ever."""
    mine = bus.settings.ack_wait_seconds
    other = next((it for it in queues if abs(it.ack_wait - mine) > 0.001), None)
    if other is None:
        bus.problems.resolve("ack_wait")
    else:
        text = f"ACK_WAIT_SECONDS is {mine:g} here and {other.ack_wait:g} in consumer {other.queue}; make them the same"
        bus.problems.report("ack_wait", text)


def clear_gauges() -> None:
    """Remove all sampled values, so that no stale one is shown."""
    for gauge in metrics.SAMPLED:
        gauge.clear()


def set_gauges(queues: tuple[QueueLevel, ...], streams: tuple[StreamLevel, ...]) -> None:
    """Set the gauges to what was read; remove those of queues and streams that are gone."""
    clear_gauges()
    for queue in queues:
        labels = (queue.queue, queue.priority)
        metrics.PENDING.labels(*labels).set(queue.pending)
        metrics.ACK_PENDING.labels(*labels).set(queue.ack_pending)
        metrics.REDELIVERED.labels(*labels).set(queue.redelivered)
        metrics.PULLS.labels(*labels).set(queue.waiting_pulls)
        metrics.OLDEST.labels(*labels).set(queue.oldest_seconds)
    for stream in streams:
        metrics.STREAM_MESSAGES.labels(stream.stream).set(stream.messages)
        metrics.STREAM_BYTES.labels(stream.stream).set(stream.bytes)
        metrics.STREAM_FULL.labels(stream.stream).set(stream.full)
        metrics.STREAM_CONSUMERS.labels(stream.stream).set(stream.consumers)
