"""Removes artifacts of deleted runs, artifacts that are too old, and the oldest while the store is nearly full."""

import asyncio
import random
from collections.abc import Callable, Collection, Iterable
from contextlib import aclosing

import structlog

from muster_bus import Bus
from muster_bus.artifact_store import (
    list_subjects,
    oldest_artifacts,
    read_contents,
    remove_artifact,
    remove_stored,
    run_of,
)
from muster_bus.faults import Rounds
from muster_bus.server_clock import ServerClock

log = structlog.get_logger("muster.orchestrator")

DAY = 86_400.0
HIGH_WATER, LOW_WATER = 0.9, 0.8
"""Shares of the store's limit: above the first, the oldest artifacts are removed down to the second."""


class ArtifactCleaner:
    """Cleans the object store: artifacts of runs without a log, older than `days`, or the oldest if it fills up.

    Any number of orchestrators may clean at once: an artifact is removed by its sequence, so doing it twice is
    harmless. One pass costs two requests, and a few more per removed artifact.
    """

    def __init__(self, bus: Bus, days: float, unfinished: Callable[[], Collection[str] | None]) -> None:
        self._bus, self._days, self._unfinished = bus, days, unfinished
        """`unfinished` returns the runs that are not over, whose artifacts stay; None while that is unknown."""

    async def clean(self, now: float) -> int:
        """Make one pass; `now` is in Unix seconds. Return how many artifacts were removed.

        Raises:
            BusError, NatsError, TimeoutError: the bus is unavailable.
        """
        busy = self._unfinished()
        if busy is None:
            return 0
        held = await read_contents(self._bus)  # before the logs: a run has a log before it has artifacts
        if not held.names:
            return 0
        events = self._bus.names.events("*")
        logs = await list_subjects(self._bus, self._bus.names.stream("RUNS"), events)
        lost = find_orphans(held.names, (subject.split(".")[-2] for subject in logs.subjects), busy)
        freed = sum([await remove_artifact(self._bus, name) for name in lost])
        return len(lost) + await self._remove_oldest(now, excess_bytes(held.size - freed, held.most), busy)

    async def _remove_oldest(self, now: float, excess: int, busy: Collection[str]) -> int:
        removed = 0
        async with aclosing(oldest_artifacts(self._bus)) as artifacts:
            async for artifact in artifacts:
                if excess <= 0 and now - artifact.at < self._days * DAY:
                    break
                if run_of(artifact.name) not in busy:
                    excess -= await remove_stored(self._bus, artifact)
                    removed += 1
        return removed


def find_orphans(names: Iterable[str], logged: Iterable[str], busy: Collection[str]) -> list[str]:
    """Return the artifacts of runs that have no log and are not in progress. Pure."""
    known = {*logged, *busy}
    return [name for name in names if run_of(name) not in known]


def excess_bytes(size: int, limit: int) -> int:
    """Return how many bytes to remove from a store of `size` bytes; a limit of 0 or less is none. Pure."""
    return int(size - LOW_WATER * limit) if limit > 0 and size > HIGH_WATER * limit else 0


async def clean_periodically(cleaner: ArtifactCleaner, period: float, clock: ServerClock) -> None:
    """Clean about every `period` seconds; at random, so that orchestrators started together do not do it together."""
    rounds = Rounds("artifact cleanup")
    while True:
        await asyncio.sleep(period * random.uniform(0.5, 1.5))
        with rounds.outlast():
            if removed := await cleaner.clean(clock.now()):
                log.info("artifacts removed", count=removed)
