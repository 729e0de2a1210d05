"""What is kept beside the log for quick reading: a row for lists and a snapshot. Caches, never the truth."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal

import msgspec
import structlog
from msgspec import Struct
from nats.errors import Error as NatsError

from muster_orchestrator.machine import Run
from muster_protocol.bus import Bus, Rows
from muster_protocol.errors import BusError
from muster_protocol.logs import RunRow
from muster_protocol.requests import TestCase

log = structlog.get_logger("muster.orchestrator")

Status = Literal["queued", "running", "paused", "parked", "pass", "fail"]

MIN_SECONDS = 0.5
"""Between two writes of the same run's row and snapshot; the last one is always written."""


class Snapshot(Struct, frozen=True, kw_only=True):
    """A run as the fold of its log up to a sequence."""

    sequence: int
    run: Run


def row_of(run: Run, sequence: int) -> RunRow:
    """Return the list's row of a run. Pure."""
    assert run.request is not None
    nodes, verdict, request = run.planned(), run.verdict, run.request
    status: Status = verdict.status if verdict else "paused" if run.paused else "parked" if run.parked else "running"
    return RunRow(
        run=request.id,
        name=request.job.name,
        status=status,
        cause=str(verdict.cause or "") if verdict else "",
        summary=verdict.summary if verdict else "",
        suite=request.suite,
        labels=request.labels,
        tags=request.job.tags if isinstance(request.job, TestCase) else (),
        done=sum(node.status in ("passed", "failed", "skipped") for node in nodes),
        total=len(nodes),
        requested_at=request.requested_at,
        started_at=run.started_at,
        ended_at=verdict.ended_at if verdict else 0.0,
        owner=run.owner,
        sequence=sequence,
    )


class Caches:
    """Writes one run's row and snapshot in the background: the newest state, at most every half second."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._snapshots = Rows(bus, "SNAPSHOTS", Snapshot)
        self._newest: tuple[Run, int] | None = None
        self._writing: asyncio.Task[None] | None = None
        self._revision: int | None = None

    def offer(self, run: Run, sequence: int) -> None:
        """Have the state written soon; one offered later replaces it."""
        self._newest = (run, sequence)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def finish(self) -> None:
        """Write what was offered last and return when it is stored, or cannot be."""
        await self.stop()
        if self._newest is not None:
            await self._store(*self._newest)

    async def stop(self) -> None:
        """Write nothing more."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait({self._writing})

    async def _write(self) -> None:
        while self._newest is not None:
            newest = self._newest
            await self._store(*newest)
            self._newest = None if self._newest is newest else self._newest
            await asyncio.sleep(MIN_SECONDS)

    async def _store(self, run: Run, sequence: int) -> None:
        """Write both; a run too large for a snapshot still has its row."""
        assert run.request is not None
        key = run.request.id
        await _tried(key, partial(self._store_row, key, row_of(run, sequence)))
        await _tried(key, partial(self._snapshots.put, key, Snapshot(sequence=sequence, run=run)))

    async def _store_row(self, key: str, row: RunRow) -> None:
        """Write the row unless a newer one is there."""
        for _ in range(3):
            if self._revision is None:
                found = await self._rows.entry(key)
                if found is not None and found[0].sequence > row.sequence:
                    return
                self._revision = found[1] if found else 0
            self._revision = await self._rows.update(key, row, self._revision)
            if self._revision is not None:
                return


async def _tried(run: str, write: Callable[[], Awaitable[object]]) -> None:
    try:
        await write()
    except (TimeoutError, NatsError, BusError) as error:
        log.warning("a run's row or snapshot was not written; the log has everything", run=run, error=repr(error))


async def read_snapshot(bus: Bus, run: str) -> Snapshot | None:
    """Return the newest snapshot that can be read, or None; the log is read instead then."""
    try:
        return await Rows(bus, "SNAPSHOTS", Snapshot).get(run)
    except (TimeoutError, NatsError, msgspec.DecodeError) as error:
        log.warning("a snapshot cannot be read and is ignored", run=run, error=repr(error))
        return None
