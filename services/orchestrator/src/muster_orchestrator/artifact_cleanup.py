"""Removes artefacts nobody can need any more, and the oldest where the store is nearly full."""

import asyncio
import random
from collections.abc import Callable, Collection, Iterable
from contextlib import aclosing

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.artifact_store import list_subjects, oldest_artifacts, read_contents, remove_artifact, remove_stored
from muster_bus.server_clock import ServerClock
from muster_protocol.errors import BusError

log = structlog.get_logger("muster.orchestrator")

DAY = 86_400.0
FULL, ROOMY = 0.9, 0.8
"""Share of the store's limit from which on the oldest artefacts go, and down to which; a full one takes no new ones."""


class ArtifactCleaner:
    """Clears the object store: of runs whose log is gone, of what is too old, and of the oldest if it fills up.

    Any number of orchestrators may do so at once: what is removed is named by its place in the store, and removing it
    twice is harmless. One pass costs two requests, and a few more for each artefact that goes.
    """

    def __init__(self, bus: Bus, days: float, unfinished: Callable[[], Collection[str] | None]) -> None:
        self._bus, self._days, self._unfinished = bus, days, unfinished
        """`unfinished` names the runs that are not over, whose artefacts stay; None: that is not known yet."""

    async def clean(self, now: float) -> int:
        """Make one pass at a time (Unix seconds), and return how many artefacts went.

        Raises:
            BusError, NatsError, TimeoutError: it cannot be done now.
        """
        busy = self._unfinished()
        if busy is None:
            return 0
        held = await read_contents(self._bus)  # before the logs: whoever stores something has one
        if not held.names:
            return 0
        events = self._bus.names.events("*")
        logs = await list_subjects(self._bus, self._bus.names.stream("RUNS"), events)
        lost = find_orphans(held.names, (subject.split(".")[-2] for subject in logs.subjects), busy)
        freed = sum([await remove_artifact(self._bus, name) for name in lost])
        return len(lost) + await self._remove_oldest(now, excess_bytes(held.size - freed, held.most), busy)

    async def _remove_oldest(self, now: float, too_much: int, busy: Collection[str]) -> int:
        removed = 0
        async with aclosing(oldest_artifacts(self._bus)) as artifacts:
            async for artifact in artifacts:
                if too_much <= 0 and now - artifact.at < self._days * DAY:
                    break
                if run_of(artifact.name) not in busy:
                    too_much -= await remove_stored(self._bus, artifact)
                    removed += 1
        return removed


def find_orphans(names: Iterable[str], logged: Iterable[str], busy: Collection[str]) -> list[str]:
    """Return the artefacts of runs that have no log any more and are not under way. Pure."""
    known = {*logged, *busy}
    return [name for name in names if run_of(name) not in known]


def excess_bytes(size: int, most: int) -> int:
    """Return how many bytes have to go from a store of so many bytes that may have so many (0 or less: any). Pure."""
    return int(size - ROOMY * most) if most > 0 and size > FULL * most else 0


def run_of(name: str) -> str:
    """Return the run that an artefact belongs to. Pure."""
    return name.partition("/")[0]


async def clean_periodically(clearer: ArtifactCleaner, period: float, clock: ServerClock) -> None:
    """Clear about every so many seconds; orchestrators started together do not do it together."""
    while True:
        await asyncio.sleep(period * random.uniform(0.5, 1.5))
        try:
            if removed := await clearer.clean(clock.now()):
                log.info("artefacts removed", count=removed)
        except (BusError, NatsError, TimeoutError) as error:
            log.warning("artefact cleanup failed; trying again", error=repr(error))
