"""Keeps recordings of steps and plans, and the costs of steps, in the background.

A recording that is lost costs a model call, no more.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from msgspec.structs import replace

from muster_bus import Bus, Log, Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator import metrics
from muster_orchestrator.machine import Run
from muster_orchestrator.machine.jobs.test_case.recording_rules import (
    DAY,
    KeepPlan,
    KeepStep,
    Touch,
    accepted_recording,
    find_memory,
    row_after,
)
from muster_orchestrator.step_costs import StepCosts
from muster_protocol import codec
from muster_protocol.errors import ClaimLost
from muster_protocol.events import Event, VerdictReached
from muster_protocol.journal import JournalBatch, StepRecorded
from muster_protocol.step_recordings import RecordingRow, StepRecording, digest_of, key_of_step
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.orchestrator")

TRIES = 3
FINISH_SECONDS = 5.0
LARGEST = 256 * 1024
"""Bytes of a row; a step that needs more is not recorded."""


class RecordingKeeper:
    """Keeps what one run's accepted attempts have recorded."""

    def __init__(self, bus: Bus, check: Callable[[], None]) -> None:
        self._bus, self._check = bus, check
        self._rows = Rows(bus, "RECORDINGS", RecordingRow)
        self._costs = StepCosts(bus)
        self._tasks: set[asyncio.Task[None]] = set()

    def observe(self, run: Run, event: Event) -> None:
        """Start to keep what follows from an event that the run has folded, if anything does."""
        match find_memory(run, event):
            case KeepStep() as keep:
                self._spawn(self._keep_step(run, keep))
            case KeepPlan() as keep:
                self._spawn(self._keep_plan(run, keep))
            case Touch() as touch:
                self._spawn(self._touch(touch))
            case None if isinstance(event, VerdictReached):
                self._spawn(self._costs.keep(run))
            case None:
                pass

    async def finish(self) -> None:
        """Wait until everything is kept, or for some seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_SECONDS)

    async def stop(self) -> None:
        """Cancel what is under way."""
        await stop(self._tasks)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BUS_ERRORS as error:
            if not isinstance(error, ClaimLost):
                log.warning("recording not stored", error=describe_error(error))

    async def _keep_step(self, run: Run, keep: KeepStep) -> None:
        claimed = await self._recorded(keep.result.task)
        if claimed is None:
            return
        recording = accepted_recording(run, keep, claimed)
        if isinstance(recording, str):
            log.warning("recording not stored", task=keep.result.task, reason=recording)
            return
        for _ in range(TRIES):
            found = await self._rows.entry(key_of_step(recording))
            row = row_after(found[0] if found else None, recording, keep, run.opened.id, self._bus.clock.now())
            if row is None or await self._write(row, found[1] if found else 0):
                return

    async def _keep_plan(self, run: Run, keep: KeepPlan) -> None:
        now = self._bus.clock.now()
        row = RecordingRow(key=keep.key, plan=keep.recording, run=run.opened.id, made_at=now, used_at=now)
        found = await self._rows.entry(keep.key)
        await self._write(row, found[1] if found else 0)

    async def _touch(self, touch: Touch) -> None:
        found = await self._rows.entry(touch.key)
        if found is None or found[0].step is None or digest_of(found[0].step) != touch.digest:
            return
        row, revision = found
        if touch.useless:
            self._check()
            await self._rows.remove(touch.key, revision)
            metrics.RECORDINGS_KEPT.labels("forgotten").inc()
            log.warning("recording dropped: it did not prove its step", key=touch.key)
        elif row.used_at < self._bus.clock.now() - DAY:
            await self._rows.update(touch.key, replace(row, used_at=self._bus.clock.now()), revision)

    async def _write(self, row: RecordingRow, revision: int) -> bool:
        """Write a row; False if another one came first."""
        if len(codec.encode(row)) > LARGEST:
            log.warning("recording too large; not stored", key=row.key)
            return True
        self._check()
        if revision:
            stored = await self._rows.update(row.key, row, revision) is not None
        else:  # also where one was dropped
            stored = await self._rows.create(row.key, row)
        if stored:
            metrics.RECORDINGS_KEPT.labels("proposed" if row.proposal else "kept").inc()
        return stored

    async def _recorded(self, task: str) -> StepRecording | None:
        """Return what the journal of an attempt has recorded, or None."""
        stored = await Log(self._bus, "JOURNAL", self._bus.names.journal(task)).read()
        entries = [entry for message in stored for entry in codec.decode(message.data, JournalBatch).entries]
        return next((entry.recording for entry in reversed(entries) if isinstance(entry, StepRecorded)), None)
