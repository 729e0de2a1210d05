"""Finds unfinished runs without a queue message, and parked runs that have to go on."""

from datetime import datetime

import msgspec

from muster_bus import Bus, Rows, newest
from muster_bus.run_store import decode_entry
from muster_orchestrator import metrics
from muster_orchestrator.machine import describe_host
from muster_orchestrator.presence import Presence
from muster_orchestrator.session_line import runs_in_line
from muster_orchestrator.submit_handler import is_closed, requeue_run
from muster_protocol import codec
from muster_protocol.control import decode_control
from muster_protocol.events import Entry, Parked
from muster_protocol.logs import RunRow
from muster_protocol.requests import OVER


class Sweeper:
    """Requeues these runs. Remembers unfinished ones, so that a sweep reads only rows written since the last sweep."""

    def __init__(self, bus: Bus, presence: Presence) -> None:
        self._bus, self._presence = bus, presence
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._unfinished: dict[str, RunRow] = {}
        self._after = 0
        self._bucket_created: datetime | None = None

    @property
    def unfinished(self) -> frozenset[str] | None:
        """Runs that are not over, by their rows; None before the first sweep."""
        return frozenset(self._unfinished) if self._bucket_created is not None else None

    async def sweep(self) -> int:
        """Requeue these runs and return how many there were.

        Idempotent: the queue takes one message per run, so any number of orchestrators may sweep at once.

        Raises:
            BusError, NatsError, TimeoutError: the bus is unavailable.
        """
        await self._read_rows()
        if not self._unfinished:
            return 0
        queued = await self._queued()
        lost = [row for run, row in self._unfinished.items() if run not in queued]
        in_line = await runs_in_line(self._bus)
        self._presence.parked_wait = bool(in_line)
        served = {run for run, kind in in_line.items() if not self._presence.lacks(describe_host(kind))}
        waiting = {row.run for row in lost if row.status == "parked" and row.run in served}  # hosts wake these
        return sum([await self._check(row) for row in lost if row.run not in waiting])

    async def _read_rows(self) -> None:
        kept = await self._rows.state()
        if kept.created != self._bucket_created:  # deleted and created again: its sequence numbers restart
            self._bucket_created, self._after = kept.created, 0
            self._unfinished.clear()
        async for written in self._rows.written_after(self._after):
            self._after, row = written.sequence, written.row
            if row is not None and row.status in OVER:
                self._unfinished.pop(row.run, None)
            elif row is not None:
                self._unfinished[row.run] = row

    async def _queued(self) -> set[str]:
        """Return the runs that have a queue message."""
        info = await self._bus.js.stream_info(self._bus.names.stream("REQUESTS"), self._bus.names.request("*"))
        return {subject.rsplit(".", 1)[-1] for subject in info.state.subjects or ()}

    async def _check(self, row: RunRow) -> bool:
        """Requeue a run if it has to go on; forget it if it is over."""
        last = await newest(self._bus, "RUNS", self._bus.names.events(row.run))
        if last is not None and last.version > codec.VERSION:
            metrics.NEWER.inc()
            return False  # a newer orchestrator's sweep puts it back
        if last is None or is_closed(last):
            self._unfinished.pop(row.run, None)  # it is over, or never began; a new row adds it again
            return False
        parked = find_parking(decode_entry(last))
        control = await self._newest_control(row.run) if parked else ""
        if parked and not should_wake(parked, row.control, control, self._bus.clock.now()):
            return False
        return await requeue_run(self._bus, row.run)

    async def _newest_control(self, run: str) -> str:
        """Return the id of a run's newest control, or "" if there is none that can be read."""
        last = await newest(self._bus, "CONTROL", self._bus.names.control(run))
        try:
            return decode_control(last.data).id if last else ""
        except msgspec.DecodeError:
            return ""


def find_parking(entry: Entry | None) -> Parked | None:
    """Return the event that parked a run, if its newest entry ends with one. Pure."""
    last = entry.events[-1] if entry is not None and entry.events else None
    return last if isinstance(last, Parked) else None


def should_wake(parked: Parked, known: str, newest_control: str, now: float) -> bool:
    """Return whether a parked run has to go on. Pure.

    It has a new control, its time is up, or it was parked for a session; callers leave out runs that are still in line.
    """
    return bool(parked.session_host) or newest_control not in ("", known) or 0 < parked.until <= now
