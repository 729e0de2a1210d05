"""Handles the controls of runs without an owner: cancels queued ones, wakes parked ones, submits reruns.

Controls sent while no orchestrator is running wait in a durable consumer. A control that is delivered twice is applied
once. The owner of a run reads the run's controls itself.
"""

import msgspec
import structlog
from msgspec.structs import replace

from muster_bus import Bus, Claim, Intake, Log, Rows, newest
from muster_bus.run_store import decode_entry, find_request, store_request
from muster_bus.streams import CONTROLS_CONSUMER
from muster_orchestrator.admission import RunAdmission
from muster_orchestrator.machine import Run, settle
from muster_orchestrator.run_loader import read_run
from muster_orchestrator.snapshots import build_row
from muster_orchestrator.submit_handler import add_queued_row, requeue_run
from muster_orchestrator.sweeper import find_parking
from muster_orchestrator.verdict_delivery import deliver_verdict
from muster_protocol.control import Cancel, Control, Rerun, decode_control
from muster_protocol.errors import Fenced, InvalidRequest, NewerVersion
from muster_protocol.events import ControlApplied, Entry, OwnerChanged, RunClosed, RunOpened, Woken
from muster_protocol.ids import run_id_for
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest

log = structlog.get_logger("muster.orchestrator")

AT_ONCE = 16
"""Controls handled at once."""


def cancel_queued(request: RunRequest, control: Cancel, owner: str, now: float) -> tuple[Run, Entry]:
    """Return a run that was cancelled while queued, and the one entry of its log. Pure."""
    opened = RunOpened(request=request, owner=owner, message=0, delivery=0)
    ended = settle(Run(), (opened, ControlApplied(control=control)), now, 1)
    closed = settle(ended.run, (RunClosed(),), now, 1)
    return closed.run, Entry(epoch=1, at=now, events=(*ended.entry.events, *closed.entry.events))


def cancel_parked(run: Run, control: Cancel, owner: str, now: float) -> tuple[Run, Entry]:
    """Return a cancelled run that was parked, and the entry with its verdict; its next owner cleans up. Pure."""
    epoch, before = run.owner.epoch + 1, run.owner
    taken = OwnerChanged(owner=owner, epoch=epoch, message=before.message, delivery=before.delivery)
    woken = Woken(reason=run.parking.reason)
    ended, entry, *_ = settle(run, (taken, woken, ControlApplied(control=control)), now, epoch)
    return ended, entry


def build_rerun(request: RunRequest, control: Rerun) -> RunRequest:
    """Return the request that repeats a run; the same control gives the same request. Pure."""
    id = run_id_for(f"{request.id}.{control.id}")
    return replace(request, id=id, idempotency_key="", rerun_of=request.id, requested_at=0.0)


class ControlHandler:
    """Handles this process's share of all controls."""

    def __init__(self, bus: Bus, owner: str, admission: RunAdmission) -> None:
        self._bus, self._owner, self._admission = bus, owner, admission
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._intake = Intake(bus, "CONTROL", [CONTROLS_CONSUMER], slots=AT_ONCE, handler=self._handle)

    async def start(self) -> None:
        """Start pulling controls."""
        await self._intake.start()

    async def stop(self) -> None:
        """Stop pulling, and finish the controls being handled."""
        await self._intake.stop(grace=5.0)

    async def _handle(self, claim: Claim) -> None:
        run = claim.subject.rsplit(".", 1)[-1]
        try:
            claim.check_version()
        except NewerVersion as error:
            if await claim.leave_to_newer(error):
                return
        try:
            control = decode_control(claim.data)
        except msgspec.DecodeError as error:
            await claim.drop(str(error))
            return
        await self._apply(run, control)
        await claim.ack()

    async def _apply(self, run: str, control: Control) -> None:
        if isinstance(control, Rerun):
            await self._rerun(run, control)
            return
        last = await newest(self._bus, "RUNS", self._bus.names.events(run))
        if last is not None and find_parking(decode_entry(last)):
            cancel = control if isinstance(control, Cancel) and await self._admission.find_shortage() else None
            if cancel is None or not await self._cancel_parked(run, cancel):
                await requeue_run(self._bus, run)
        elif last is None and isinstance(control, Cancel):
            await self._cancel_queued(run, control)

    async def _rerun(self, id: str, control: Rerun) -> None:
        request = await find_request(self._bus, id)
        if request is None:
            log.warning("cannot rerun: no such run", run=id)
            return
        again = build_rerun(request, control)
        try:
            accepted = await store_request(self._bus, again)
        except InvalidRequest as error:
            log.warning("cannot rerun", run=id, error=str(error))
            return
        if not accepted.duplicate:
            await add_queued_row(self._rows, again)
            log.info("run submitted again", run=id, new=accepted.run)

    async def _cancel_parked(self, id: str, control: Cancel) -> bool:
        """Append a parked run's verdict here: while streams are full, its wake-up may be queued behind new runs.

        Return False if the run has an owner again, which applies the control.
        """
        events = Log(self._bus, "RUNS", self._bus.names.events(id))
        try:
            parked = await read_run(self._bus, events, id)
            if not parked.parking.reason:
                return False
            run, entry = cancel_parked(parked, control, self._owner, self._bus.clock.now())
            await events.append(entry)
        except (Fenced, NewerVersion):
            return False
        await requeue_run(self._bus, id)  # before its row says that it is over: until then a sweep wakes it, too
        log.info("parked run cancelled", run=id)
        await self._deliver_verdict(run, events.last)
        return True

    async def _cancel_queued(self, id: str, control: Cancel) -> None:
        """Open and close the log of a queued run in one entry; whoever pulls its queue message acks it."""
        request = await find_request(self._bus, id)
        if request is None:
            return
        run, entry = cancel_queued(request, control, self._owner, self._bus.clock.now())
        events = Log(self._bus, "RUNS", self._bus.names.events(id))
        try:
            await events.append(entry)
        except Fenced:
            return  # an orchestrator has just taken it and reads the control itself
        log.info("queued run cancelled", run=id)
        await self._deliver_verdict(run, events.last)

    async def _deliver_verdict(self, run: Run, sequence: int) -> None:
        """Deliver the verdict of a run that ended here, and write its row."""
        assert run.verdict is not None
        await deliver_verdict(self._bus, run.verdict, run.opened.reply_to)
        await self._rows.put(run.opened.id, build_row(run, sequence))
