"""Fires triggers: looks every second which are due, and starts their runs once, however many orchestrators look.

Events are decided the same way when they come.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime

import structlog

from muster_bus import Bus, Rows
from muster_bus.faults import Rounds
from muster_client.event_rules import matches
from muster_client.runs import send_control
from muster_orchestrator import metrics
from muster_orchestrator.submit_handler import SubmitHandler
from muster_orchestrator.trigger_rules import decide_event, finish, give_up, next_decision, requests_of
from muster_protocol import codec
from muster_protocol.cloud_events import CloudEvent
from muster_protocol.control import Cancel
from muster_protocol.logs import RunRow
from muster_protocol.requests import OVER
from muster_protocol.submit_replies import Accepted
from muster_protocol.triggers import TriggerRow

log = structlog.get_logger("muster.orchestrator")

TICK_SECONDS = 1.0
MOST_AT_ONCE = 50
"""Decisions about one trigger in one tick; the others come in the next."""


class TriggerClock:
    """Fires triggers. Decisions are stored by compare-and-set before their runs start, whose ids follow from them."""

    def __init__(self, bus: Bus, submits: SubmitHandler) -> None:
        self._bus, self._submits = bus, submits
        self._rows, self._runs = Rows(bus, "TRIGGERS", TriggerRow), Rows(bus, "RUN_LIST", RunRow)
        self._known: dict[str, TriggerRow] = {}
        self._after, self._reading = 0, asyncio.Lock()
        self._bucket_created: datetime | None = None

    async def run(self) -> None:
        """Tick until cancelled."""
        rounds = Rounds("triggers")
        while True:
            await asyncio.sleep(TICK_SECONDS)
            with rounds.outlast():
                await self.tick()

    async def tick(self) -> None:
        """Decide and start what is due now."""
        await self._read()
        now = self._bus.clock.now()
        for id, row in list(self._known.items()):
            if row.pending or next_decision(row, now, overlapping=False) is not None:
                await self._serve(id)

    async def take_event(self, event: CloudEvent) -> bool:
        """Decide an event for each trigger that waits for it; False if one cannot be decided now.

        Call it again then: a trigger that has decided it does nothing.
        """
        await self._read()
        # In a thread: a long text takes a second for each pattern, and meanwhile no claim would be renewed.
        waiting = await asyncio.to_thread(_waiting_for, event, dict(self._known))
        return all([await self._offer(id, event) for id in waiting])

    async def _offer(self, id: str, event: CloudEvent) -> bool:
        for _ in range(MOST_AT_ONCE):
            await self._serve(id)  # whatever is due or pending comes first
            found = await self._rows.entry(id)
            if found is None:
                return True
            row, revision = found
            if row.pending:
                return row.pending.event == event.key
            overlapping = row.trigger.overlap != "allow" and bool(await self._unfinished(row))
            changed = decide_event(row, event, self._bus.clock.now(), overlapping=overlapping)
            if changed is None:
                return True
            if await self._rows.update(id, changed, revision) is not None:
                if changed.pending is None:
                    _tell(id, changed)
                await self._serve(id)
                return True
        return False

    async def _read(self) -> None:
        async with self._reading:
            await self._read_changes()

    async def _read_changes(self) -> None:
        kept = await self._rows.state()
        if kept.created != self._bucket_created:  # deleted and created again: its sequence numbers restart
            self._bucket_created, self._after = kept.created, 0
            self._known.clear()
        if kept.last <= self._after:
            return
        async for written in self._rows.written_after(self._after):
            self._after = written.sequence
            if written.row is None:
                self._known.pop(written.key, None)
            else:
                self._known[written.key] = written.row

    async def _serve(self, id: str) -> None:
        """Take one step after another with a trigger until nothing is due; another orchestrator may take some."""
        for _ in range(MOST_AT_ONCE):
            found = await self._rows.entry(id)
            if found is None:
                return
            row, revision = found
            changed = await self._start(row) if row.pending else await self._decide(row)
            if changed is None or await self._rows.update(id, changed, revision) is None:
                return
            if changed.pending is None:
                _tell(id, changed)

    async def _decide(self, row: TriggerRow) -> TriggerRow | None:
        now = self._bus.clock.now()
        due = next_decision(row, now, overlapping=False)
        if due is None or due.pending is None or row.trigger.overlap == "allow" or row.asked_at:
            return due
        return next_decision(row, now, overlapping=bool(await self._unfinished(row)))

    async def _start(self, row: TriggerRow) -> TriggerRow | None:
        """Start the runs of a pending time; None if the fleet has no room now."""
        assert row.pending is not None
        if row.trigger.overlap == "cancel":
            await self._cancel(row)
        runs: list[str] = []
        for request in requests_of(row.trigger, row.pending):
            reply = await self._submits.accept(codec.encode(request), by_trigger=True)
            if isinstance(reply, Accepted):
                runs.append(reply.run)
            elif reply.kind == "busy":
                return give_up(row, self._bus.clock.now(), "; ".join(reply.reasons))
            else:
                return finish(row, tuple(runs), "; ".join(reply.reasons))
        return finish(row, tuple(runs))

    async def _cancel(self, row: TriggerRow) -> None:
        assert row.pending is not None
        for run in await self._unfinished(row):
            id = f"trigger-{row.trigger.id}-{int(row.pending.due)}"
            reason = f"trigger {row.trigger.id} starts the next runs"
            await send_control(self._bus, run, Cancel(id=id, reason=reason, by=f"trigger {row.trigger.id}"))

    async def _unfinished(self, row: TriggerRow) -> list[str]:
        found = [await self._runs.get(run) for run in row.running]
        return [one.run for one in found if one is not None and one.status not in OVER]


def _waiting_for(event: CloudEvent, known: Mapping[str, TriggerRow]) -> list[str]:
    """Return the triggers that wait for an event. Pure."""
    return [id for id, row in known.items() if row.trigger.event and matches(row.trigger.event, event)]


def _tell(id: str, row: TriggerRow) -> None:
    """Count and log what became of a trigger's newest time."""
    fire = row.fires[-1]
    metrics.TRIGGER_FIRES.labels(fire.outcome).inc()
    log.info("trigger handled", trigger=id, outcome=fire.outcome, runs=list(fire.runs), reason=fire.why)
