"""Caches of a run beside its log: a row for lists, and a snapshot for the next owner. The log is the truth."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

import structlog
from msgspec.structs import replace

from muster_bus import Bus, Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator.machine import Run, job_of
from muster_orchestrator.snapshot_store import SnapshotWriter, build_snapshot
from muster_protocol import codec
from muster_protocol.logs import RunRow, RunStatus, job_tag
from muster_service.task_cleanup import stop
from muster_text.text_match import both_ends
from muster_views.failure_signatures import site_of

log = structlog.get_logger("muster.orchestrator")

MIN_SECONDS = 0.5
"""Time between two writes of a run's row and snapshot; the last state is always written."""
WRITING_SHARE, MAX_SECONDS = 0.05, 10.0
"""Share of the time that writing may take, and the longest pause: a large run is written less often."""
ROW_MARGIN = 4096
"""Bytes of a message reserved for the subject and headers of a row."""
MAX_TEXT_CHARACTERS = 1000
"""Characters kept of each text of a row that is too large."""


def build_row(run: Run, sequence: int) -> RunRow:
    """Return a run's row in the run list. Pure."""
    verdict, request, (done, total) = run.verdict, run.opened, (run.graph.passed, run.graph.total)
    status: RunStatus = (
        verdict.status if verdict else "paused" if run.people.paused else "parked" if run.parking.reason else "running"
    )
    waits = "waiting: " + " and ".join(f"{what} is not running" for what in run.unserved) if run.unserved else ""
    waits = run.parking.reason if run.parking.session_host else waits
    return RunRow(
        run=request.id,
        name=job_of(run).title(run),
        status=status,
        job=job_tag(request),
        cause=str(verdict.cause or "") if verdict else "",
        summary=verdict.summary if verdict else waits,
        site=site_of(verdict) if verdict else None,
        suite=request.suite,
        labels=request.labels,
        tags=request.tags,
        done=done,
        total=total,
        requested_at=request.requested_at,
        started_at=run.clock.started_at,
        ended_at=verdict.ended_at if verdict else 0.0,
        owner=run.owner.id,
        tokens=run.usage.tokens,
        cost=run.usage.cost,
        model_calls=run.usage.model_calls,
        rerun_of=request.rerun_of,
        control=run.people.controls[-1] if run.people.controls else "",
        parked_until=run.parking.until,
        sequence=sequence,
    )


def shorten_row(row: RunRow, limit: int) -> RunRow:
    """Return a row unchanged if it has at most `limit` bytes, else with short texts, no labels and no tags. Pure."""
    if len(codec.encode(row)) <= limit:
        return row
    name, suite, summary = (both_ends(text, MAX_TEXT_CHARACTERS) for text in (row.name, row.suite, row.summary))
    return replace(row, name=name, suite=suite, summary=summary, site=None, labels={}, tags=())


class RunCache:
    """Writes one run's row and snapshot in the background: the newest state, at most every half second."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._snapshots = SnapshotWriter(bus)
        self._newest: tuple[Run, int, int] | None = None
        self._writing: asyncio.Task[None] | None = None
        self._revision: int | None = None

    def offer(self, run: Run, sequence: int, size: int = 0) -> None:
        """Schedule a state to be written, with its log's size in bytes; a state offered later replaces it."""
        self._newest = (run, sequence, size)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def finish(self) -> None:
        """Write the state offered last; return once that is done or has failed."""
        await self.stop()
        if self._newest is not None:
            await self._store(*self._newest)

    async def stop(self) -> None:
        """Cancel writing."""
        if self._writing is not None:
            await stop({self._writing})

    async def _write(self) -> None:
        while self._newest is not None:
            newest, began = self._newest, time.monotonic()
            await self._store(*newest)
            self._newest = None if self._newest is newest else self._newest
            await asyncio.sleep(min(max(MIN_SECONDS, (time.monotonic() - began) / WRITING_SHARE), MAX_SECONDS))

    async def _store(self, run: Run, sequence: int, size: int) -> None:
        """Write row and snapshot."""
        key, row = run.opened.id, shorten_row(build_row(run, sequence), self._bus.nc.max_payload - ROW_MARGIN)
        await _log_failure(key, partial(self._store_row, key, row))
        await _log_failure(key, partial(self._snapshots.write, key, build_snapshot(run, sequence, size)))

    async def _store_row(self, key: str, row: RunRow) -> None:
        """Write the row unless a newer one is stored."""
        for _ in range(3):
            if self._revision is None:
                found = await self._rows.entry(key)
                if found is not None and found[0].sequence > row.sequence:
                    return
                self._revision = found[1] if found else 0
            self._revision = await self._rows.update(key, row, self._revision)
            if self._revision is not None:
                return


async def _log_failure(run: str, write: Callable[[], Awaitable[object]]) -> None:
    try:
        await write()
    except BUS_ERRORS as error:
        log.warning("row or snapshot of a run not written; the log is complete", run=run, error=describe_error(error))
