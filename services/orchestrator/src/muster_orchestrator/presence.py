"""Is anybody there who can do what runs wait for? One reader for all runs of a process, and only while one waits."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from time import monotonic

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_bus.service import PRESENCE_SECONDS
from muster_orchestrator import metrics
from muster_orchestrator.machine import POOL, SESSION_HOST, describe_host
from muster_protocol.errors import BusError
from muster_protocol.events import Event, Served, Unserved
from muster_protocol.logs import WorkerRow
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.orchestrator")

PERIOD = 1.0
"""Seconds between two looks."""
SILENCE = 2.5 * PRESENCE_SECONDS
"""Seconds without a sign of life after which nobody is there; the rows of killed processes stay for longer."""


def services_of(row: WorkerRow) -> frozenset[str]:
    """Return what a process can do: `pool act` and the like, or `session host for web` with room for so many. Pure."""
    if row.service == "sessions":
        rooms = range(1, row.slots.get("session", 1) + 1)
        return frozenset(describe_host(kind, count) for kind in row.devices for count in rooms)
    pools = row.slots if row.service == "subagent" else {}
    return frozenset(f"{POOL}{pool}" for pool, slots in pools.items() if slots > 0)


class Sightings:
    """When each service was last seen, in seconds of the caller's clock. Pure."""

    def __init__(self) -> None:
        self._beats: dict[str, float] = {}
        self._seen: dict[str, float] = {}
        self._warnings: dict[str, tuple[str, ...]] = {}
        self._looked = self._since = float("-inf")

    def update(self, now: float, rows: Iterable[WorkerRow]) -> None:
        """Take note of the rows that are there; one that did not change since the last look is no sign of life."""
        if now - self._looked > 3 * PERIOD:  # nothing is known of the time between
            self._since = now
        self._looked = now
        beats: dict[str, float] = {}
        self._warnings = {}
        for row in rows:
            beats[row.id] = row.seen_at
            self._warnings[row.service] = (*self._warnings.get(row.service, ()), *row.warnings)
            if self._beats.get(row.id) != row.seen_at:
                self._seen.update(dict.fromkeys(services_of(row), now))
        self._beats = beats

    def is_missing(self, what: str) -> bool:
        """Return whether it has been missing for too long."""
        return self._looked - max(self._since, self._seen.get(what, self._since)) > SILENCE

    def explain(self, what: str) -> str:
        """Return what session hosts say of what they lack, where it is one of them that is missing."""
        warnings = self._warnings.get("sessions", ()) if what.startswith(SESSION_HOST) else ()
        return "; ".join(dict.fromkeys(warnings))

    def is_there(self, what: str) -> bool:
        """Return whether it has shown lately that it lives."""
        return self._looked - self._seen.get(what, float("-inf")) <= SILENCE


def presence_events(
    needs: Collection[str], unserved: Collection[str], missing: Callable[[str], bool], explain: Callable[[str], str]
) -> tuple[Event, ...]:
    """Return the events for a run, given what it needs and what it knows to be missing. Pure."""
    lost = [what for what in needs if what not in unserved and missing(what)]
    found = [what for what in unserved if what not in needs or not missing(what)]
    return (
        *(Unserved(what=what, why=explain(what)) for what in sorted(lost)),
        *(Served(what=what) for what in sorted(found)),
    )


class PresenceWatch:
    """What one run waits for; `report` gets an event when it is missing, and when it is back."""

    def __init__(self, report: Callable[[Event], None]) -> None:
        self.needs: frozenset[str] = frozenset()
        self.unserved: frozenset[str] = frozenset()
        self.report = report

    def update(self, needs: frozenset[str], unserved: Iterable[str]) -> None:
        """Take note of what the run waits for now, and of what its log says is missing."""
        self.needs, self.unserved = needs, frozenset(unserved)


class Presence:
    """Looks every second who is there, while a run waits for anybody."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "WORKERS", WorkerRow)
        self._sightings = Sightings()
        self._waiting: set[PresenceWatch] = set()
        self._counted: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self.parked_wait = False
        """Whether runs that nobody holds wait for somebody."""

    def start(self) -> None:
        """Start."""
        self._task = asyncio.get_running_loop().create_task(self._check_periodically())

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            await stop({self._task})

    def watch(self, report: Callable[[Event], None]) -> PresenceWatch:
        """Return the place where one run says what it waits for, until it is forgotten."""
        place = PresenceWatch(report)
        self._waiting.add(place)
        return place

    def has(self, what: str) -> bool:
        """Return whether it is certain that somebody is there who can do it."""
        return self._sightings.is_there(what)

    def lacks(self, what: str) -> bool:
        """Return whether it is certain that nobody has been there for a while who can do it."""
        return self._sightings.is_missing(what)

    def forget(self, place: PresenceWatch) -> None:
        """Stop watching for a run."""
        self._waiting.discard(place)

    async def _check_periodically(self) -> None:
        while True:
            await asyncio.sleep(PERIOD)
            try:
                if self.parked_wait or any(place.needs or place.unserved for place in self._waiting):
                    self._sightings.update(monotonic(), await self._rows.all())
                    self._report()
                self._count()
            except (BusError, NatsError, TimeoutError) as error:
                log.debug("cannot read which processes are present; trying again", error=repr(error))

    def _report(self) -> None:
        for place in list(self._waiting):
            events = presence_events(place.needs, place.unserved, self._sightings.is_missing, self._sightings.explain)
            for event in events:
                place.report(event)

    def _count(self) -> None:
        """Set the metric: how many runs wait for a missing service."""
        missing = [what for place in self._waiting for what in place.unserved]
        self._counted |= set(missing)
        for what in self._counted:
            metrics.UNSERVED.labels(what).set(missing.count(what))
