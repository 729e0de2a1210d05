"""Cancels runs that are still queued: nobody owns them yet, so their log is opened and closed in one entry."""

import asyncio
import time
from typing import Any, cast

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_orchestrator.effects import announce
from muster_orchestrator.intake import QUEUE_GROUP
from muster_orchestrator.machine import Run, settle
from muster_orchestrator.rows import row_of
from muster_protocol import codec
from muster_protocol.bus import Bus, Log, Rows, newest
from muster_protocol.control import Cancel, Control
from muster_protocol.errors import BusError, Fenced
from muster_protocol.events import ControlApplied, Entry, RunClosed, RunOpened
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_protocol.runs import find_request

log = structlog.get_logger("muster.orchestrator")


def cancelled_entry(request: RunRequest, control: Cancel, owner: str, now: float) -> tuple[Run, Entry]:
    """Return the whole log of a run that was cancelled before anybody began it. Pure."""
    opened = RunOpened(request=request, owner=owner, message=0, delivery=0)
    run, entry, _ = settle(Run(), (opened, ControlApplied(control=control)), now, 1)
    closed, last, _ = settle(run, (RunClosed(),), now, 1)
    return closed, Entry(epoch=1, at=now, events=(*entry.events, *last.events))


class QueuedCancels:
    """Listens to what is asked of all runs; one orchestrator looks at each, and acts if the run has no owner."""

    def __init__(self, bus: Bus, owner: str) -> None:
        self._bus, self._owner = bus, owner
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Begin to listen."""
        subject = self._bus.names.live(self._bus.names.control("*"))
        self._subscription = await self._bus.nc.subscribe(subject, queue=QUEUE_GROUP, cb=self._heard)

    async def stop(self) -> None:
        """Stop listening; what is being cancelled is finished."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)

    async def _heard(self, message: Msg) -> None:
        try:
            control = cast("Control", codec.decode(message.data, cast("Any", Control)))
        except msgspec.DecodeError:
            return  # the run's owner reports it
        if isinstance(control, Cancel):
            run = message.subject.rsplit(".", 1)[-1]
            task = asyncio.get_running_loop().create_task(self._try_to_cancel(run, control))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _try_to_cancel(self, id: str, control: Cancel) -> None:
        try:
            await self._cancel(id, control)
        except (BusError, NatsError, TimeoutError) as error:
            log.warning("a queued run is cancelled only when its turn comes", run=id, error=repr(error))

    async def _cancel(self, id: str, control: Cancel) -> None:
        if await newest(self._bus, "RUNS", self._bus.names.events(id)) is not None:
            return  # it has an owner, who hears of it too
        request = await find_request(self._bus, id)
        if request is None:
            return
        run, entry = cancelled_entry(request, control, self._owner, time.time())
        events = Log(self._bus, "RUNS", self._bus.names.events(id))
        try:
            await events.append(entry)
        except Fenced:
            return  # it was taken at this very moment; its owner reads what was asked of it
        log.info("a queued run was cancelled", run=id)
        await self._tell(run, events.last)

    async def _tell(self, run: Run, sequence: int) -> None:
        """Announce the verdict; the queue message is taken out by whoever pulls it, since the log is closed."""
        assert run.request is not None
        assert run.verdict is not None
        await announce(self._bus, run.verdict, run.request.reply_to)
        await self._rows.put(run.request.id, row_of(run, sequence))
