"""Which services live processes offer: one reader for all runs of an orchestrator, active only while a run waits."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import product
from time import monotonic

import structlog

from muster_bus import Bus, Rows
from muster_bus.faults import Rounds
from muster_bus.process_row import SILENCE
from muster_orchestrator import metrics
from muster_orchestrator.machine import POOL, SESSION_HOST, describe_host, names_in
from muster_protocol.events import Event, Served, Unserved
from muster_protocol.logs import WorkerRow
from muster_service.task_cleanup import stop
from muster_text.text_match import nearest

log = structlog.get_logger("muster.orchestrator")

PERIOD = 1.0
"""Seconds between two reads of the rows of live processes."""


def services_of(row: WorkerRow) -> frozenset[str]:
    """Return the services that a process offers: `pool act`, or `session host for web` with room for 1, 2 … and each
    of its workspaces and phones. Pure."""
    if row.service == "sessions":
        counts = range(1, row.slots.get("session", 1) + 1)
        named = ("", *row.workspaces)
        phones = (describe_host("appium", 1, *it) for it in product(named, (phone.name for phone in row.phones)))
        return frozenset((*phones, *(describe_host(*it) for it in product(row.devices, counts, named))))
    pools = row.slots if row.service == "subagent" else {}
    return frozenset(f"{POOL}{pool}" for pool, slots in pools.items() if slots > 0)


class Sightings:
    """When each service was last seen, in seconds of the caller's clock. Pure."""

    def __init__(self) -> None:
        self._beats: dict[str, float] = {}
        self._seen: dict[str, float] = {}
        self._warnings: dict[str, tuple[str, ...]] = {}
        self._workspaces, self._phones, self._heard = set[str](), set[str](), set[str]()
        self._has_hosts = False
        self._read_at = self._since = float("-inf")
        """`_since`: when reading without a pause began."""

    def update(self, now: float, rows: Iterable[WorkerRow]) -> None:
        """Take the rows read now; a row unchanged since the last read is no heartbeat."""
        if now - self._read_at > 3 * PERIOD:
            self._since = now
        self._read_at = now
        beats: dict[str, float] = {}
        self._warnings, served, phones, hosts = {}, set[str](), set[str](), False
        for row in rows:
            served |= set(row.workspaces)
            phones |= {phone.name for phone in row.phones}
            beats[row.id] = row.seen_at
            self._warnings[row.service] = (*self._warnings.get(row.service, ()), *row.warnings)
            hosts = hosts or row.service == "sessions"
            if self._beats.get(row.id) != row.seen_at:
                self._seen.update(dict.fromkeys(services_of(row), now))
        self._beats, self._workspaces, self._phones, self._has_hosts = beats, served, phones, hosts
        self._heard |= served | phones

    def is_missing(self, what: str) -> bool:
        """Return whether no process has offered a service for `SILENCE` seconds."""
        return self._read_at - max(self._since, self._seen.get(what, self._since)) > SILENCE

    def is_unheard(self, what: str) -> bool:
        """Return whether hosts are live, and none was ever seen that has the workspace or phone that is named."""
        return self._has_hosts and not names_in(what) <= self._heard

    def explain(self, what: str) -> str:
        """Return the warnings of live session hosts if a session host is missing, else ""."""
        if not what.startswith(SESSION_HOST):
            return ""
        names = ", ".join(sorted(self._workspaces)) or "none"
        served = (f"workspaces that are served: {names} (setting WORKSPACES)",) if " workspace " in what else ()
        meant = [near for it in sorted(names_in(what)) for near in nearest(it, self._workspaces | self._phones, 1)]
        close = tuple(f"did you mean {it!r}?" for it in meant if self.is_unheard(what))
        names = ", ".join(sorted(self._phones)) or "none"
        phones = (f"phones that there are: {names} (setting PHONES)",) if " for appium" in what else ()
        told = "; ".join(dict.fromkeys((*served, *phones, *self._warnings.get("sessions", ()))))
        return " ".join((*close, told))

    def is_live(self, what: str) -> bool:
        """Return whether a process that offers a service has sent a heartbeat lately."""
        return self._read_at - self._seen.get(what, float("-inf")) <= SILENCE


def presence_events(needs: Collection[str], unserved: Collection[str], sightings: Sightings) -> tuple[Event, ...]:
    """Return the events for a run, given the services it needs and those it knows to be missing. Pure."""
    see = sightings
    lost = [what for what in needs if what not in unserved and see.is_missing(what)]
    found = [what for what in unserved if what not in needs or not see.is_missing(what)]
    return (
        *(Unserved(what=what, why=see.explain(what), unheard=see.is_unheard(what)) for what in sorted(lost)),
        *(Served(what=what) for what in sorted(found)),
    )


class PresenceWatch:
    """The services that one run waits for; `report` gets an event when one goes missing, and when it is back."""

    def __init__(self, report: Callable[[Event], None]) -> None:
        self.needs: frozenset[str] = frozenset()
        self.unserved: frozenset[str] = frozenset()
        self.report = report

    def update(self, needs: frozenset[str], unserved: Iterable[str]) -> None:
        """Set the services that the run waits for now, and those that its log says are missing."""
        self.needs, self.unserved = needs, frozenset(unserved)


class Presence:
    """Reads every second which services are live, while a run waits for one."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "WORKERS", WorkerRow)
        self._sightings = Sightings()
        self._watches: set[PresenceWatch] = set()
        self._counted: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self.parked_wait = False
        """Whether parked runs wait for a service."""

    def start(self) -> None:
        """Start reading."""
        self._task = asyncio.get_running_loop().create_task(self._check_periodically())

    async def stop(self) -> None:
        """Stop reading."""
        if self._task is not None:
            await stop({self._task})

    def watch(self, report: Callable[[Event], None]) -> PresenceWatch:
        """Return a new watch for a run; end it with `forget`."""
        watch = PresenceWatch(report)
        self._watches.add(watch)
        return watch

    def has(self, what: str) -> bool:
        """Return whether a service is known to be live."""
        return self._sightings.is_live(what)

    def lacks(self, what: str) -> bool:
        """Return whether a service is known to be missing."""
        return self._sightings.is_missing(what)

    def forget(self, watch: PresenceWatch) -> None:
        """End a run's watch."""
        self._watches.discard(watch)

    async def _check_periodically(self) -> None:
        rounds = Rounds("presence")
        while True:
            await asyncio.sleep(PERIOD)
            with rounds.outlast():
                if self.parked_wait or any(watch.needs or watch.unserved for watch in self._watches):
                    self._sightings.update(monotonic(), await self._rows.all())
                    self._report()
                self._count()

    def _report(self) -> None:
        for watch in list(self._watches):
            for event in presence_events(watch.needs, watch.unserved, self._sightings):
                watch.report(event)

    def _count(self) -> None:
        """Set the metric: how many runs wait for a missing service."""
        missing = [what for watch in self._watches for what in watch.unserved]
        self._counted |= set(missing)
        for what in self._counted:
            metrics.UNSERVED.labels(what).set(missing.count(what))
