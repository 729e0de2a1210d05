"""Finds runs that began, are not over, and that no queue message stands for; and parked ones that have to go on."""

from datetime import datetime

import msgspec
import structlog

from muster_bus import Bus, newest, replay
from muster_orchestrator import metrics
from muster_orchestrator.machine import describe_host
from muster_orchestrator.presence import Presence
from muster_orchestrator.session_line import runs_in_line
from muster_orchestrator.submit_handler import requeue_run
from muster_protocol import codec
from muster_protocol.control import decode_control
from muster_protocol.events import Entry, Parked, RunClosed
from muster_protocol.logs import RunRow

log = structlog.get_logger("muster.orchestrator")


class Sweeper:
    """Keeps in mind which runs are not over: a sweep reads only the rows that were written since the one before."""

    def __init__(self, bus: Bus, presence: Presence) -> None:
        self._bus, self._presence = bus, presence
        self._bucket = bus.names.bucket("RUN_LIST")
        self._unfinished: dict[str, RunRow] = {}
        self._after = 0
        self._made: datetime | None = None

    @property
    def unfinished(self) -> frozenset[str] | None:
        """The runs that are not over, as far as their rows tell; None before the first sweep."""
        return frozenset(self._unfinished) if self._made is not None else None

    async def sweep(self) -> int:
        """Put back into the queue what has to be there, and return how many runs that were.

        Idempotent: a queue takes one message a run, so any number of orchestrators may sweep at once.

        Raises:
            BusError, NatsError, TimeoutError: it cannot be done now.
        """
        await self._read_rows()
        if not self._unfinished:
            return 0
        queued = await self._queued()
        lost = [row for run, row in self._unfinished.items() if run not in queued]
        in_line = await runs_in_line(self._bus)
        self._presence.parked_wait = bool(in_line)
        served = {run for run, kind in in_line.items() if not self._presence.lacks(describe_host(kind))}
        waiting = {row.run for row in lost if row.status == "parked" and row.run in served}  # hosts have them woken
        return sum([await self._check(row) for row in lost if row.run not in waiting])

    async def _read_rows(self) -> None:
        info = await self._bus.js.stream_info(f"KV_{self._bucket}")
        if info.created != self._made:  # another bucket than before: its sequence numbers begin again
            self._made, self._after = info.created, 0
            self._unfinished.clear()
        async for message in replay(self._bus, f"KV_{self._bucket}", f"$KV.{self._bucket}.>", self._after):
            self._after = message.seq
            row = _decode_row(message.data)
            if row is None:
                log.warning("unreadable row of the run list ignored", subject=message.subject)
            elif row.status in ("pass", "fail"):
                self._unfinished.pop(row.run, None)
            else:
                self._unfinished[row.run] = row

    async def _queued(self) -> set[str]:
        """Return the runs that a queue message stands for."""
        info = await self._bus.js.stream_info(self._bus.names.stream("REQUESTS"), self._bus.names.request("*"))
        return {subject.rsplit(".", 1)[-1] for subject in info.state.subjects or ()}

    async def _check(self, row: RunRow) -> bool:
        """Wake a run if it has to go on; keep in mind only what may have to, later."""
        last = await newest(self._bus, "RUNS", self._bus.names.events(row.run))
        if last is not None and last.version > codec.VERSION:
            metrics.NEWER.inc()
            return False  # a newer orchestrator's sweep puts it back
        entry = decode_entry(last.data) if last else None
        if last is None or (entry is not None and any(isinstance(event, RunClosed) for event in entry.events)):
            self._unfinished.pop(row.run, None)  # it is over, or never began; a new row brings it back
            return False
        parked = find_parking(entry)
        if parked is not None and not should_wake(
            parked, row.control, await self._newest_control(row.run), self._bus.clock.now()
        ):
            return False
        return await requeue_run(self._bus, row.run)

    async def _newest_control(self, run: str) -> str:
        """Return the id of what was asked of a run last, or "" if that was nothing, or cannot be read."""
        last = await newest(self._bus, "CONTROL", self._bus.names.control(run))
        try:
            return decode_control(last.data).id if last else ""
        except msgspec.DecodeError:
            return ""


def find_parking(entry: Entry | None) -> Parked | None:
    """Return the event that parked a run, if that is what its newest entry ends with. Pure."""
    last = entry.events[-1] if entry is not None and entry.events else None
    return last if isinstance(last, Parked) else None


def should_wake(parked: Parked, known: str, newest_control: str, now: float) -> bool:
    """Return whether a parked run has to go on. Pure.

    Something was asked that it does not know, its time is up, or it waits for a session for which it is no longer in
    line, or which nobody can open.
    """
    return bool(parked.session_host) or newest_control not in ("", known) or 0 < parked.until <= now


def _decode_row(data: bytes) -> RunRow | None:
    try:
        return codec.decode(data, RunRow)
    except msgspec.DecodeError:
        return None


def decode_entry(data: bytes) -> Entry | None:
    """Return an entry; None if it cannot be read, which is for the next owner to deal with."""
    try:
        return codec.decode(data, Entry)
    except msgspec.DecodeError:
        return None
