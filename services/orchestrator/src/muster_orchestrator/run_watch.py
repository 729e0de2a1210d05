"""Watches a run's journals for outcomes, and its control subject. Live messages may be lost: the streams decide."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_bus import Bus, NotStored, StoreRefused, newest, replay
from muster_bus.store_answers import describe_error
from muster_orchestrator.machine import Run, open_node, open_tasks
from muster_protocol import codec
from muster_protocol.control import decode_control
from muster_protocol.events import (
    Asked,
    ChildrenAsked,
    ControlApplied,
    Event,
    Served,
    SessionFailed,
    SessionOpened,
    SessionQueued,
    SubTaskEnded,
    TimerFired,
    Unserved,
)
from muster_protocol.journal import FINISHED_HEADER, Children, Finished, JournalBatch, Question, Suspended

log = structlog.get_logger("muster.orchestrator")

Report = Callable[[Event], None]
Outcome = SubTaskEnded | Asked | ChildrenAsked
"""Events for what a sub-task's journal can end with."""
T = TypeVar("T")


class RunWatch:
    """The subscriptions of one run; reports what is stored there as events."""

    def __init__(self, bus: Bus, run: str, report: Report) -> None:
        self._bus, self._run, self._report = bus, run, report
        self._subscriptions: list[Subscription] = []
        self._reading: asyncio.Task[None] | None = None
        self._open_tasks: tuple[str, ...] = ()

    async def start(self) -> None:
        """Subscribe, and report what is stored from now on."""
        names, nc = self._bus.names, self._bus.nc
        self._subscriptions = [
            await nc.listen(names.live(names.journal(f"{self._run}.*.*")), self._on_journal),
            await nc.listen(names.live(names.control(self._run)), self._on_control),
        ]
        self._bus.on_reconnect(self._reread)
        await nc.flush()

    async def stop(self) -> None:
        """Unsubscribe."""
        self._bus.off_reconnect(self._reread)
        if self._reading is not None:
            self._reading.cancel()
        if not self._bus.nc.is_closed:
            for subscription in self._subscriptions:
                await subscription.unsubscribe()

    async def controls(self) -> tuple[ControlApplied, ...]:
        """Return the run's stored controls, oldest first."""
        subject = self._bus.names.control(self._run)
        stored = [message.data async for message in replay(self._bus, "CONTROL", subject)]
        return tuple(applied for applied in (_decode_control(data) for data in stored) if applied)

    def follow(self, run: Run) -> None:
        """Remember which sub-tasks are open now."""
        self._open_tasks = tuple(task.id for task in open_tasks(run))

    async def outcomes(self) -> tuple[Outcome, ...]:
        """Return the stored outcomes of the open sub-tasks, reported before or not."""
        found = [await retry_until_done(partial(read_outcome, self._bus, task)) for task in self._open_tasks]
        return tuple(ended for ended in found if ended is not None)

    def _reread(self) -> None:
        """Read the streams after a reconnection: live messages may have been lost."""
        if self._reading is not None:
            self._reading.cancel()
        self._reading = asyncio.get_running_loop().create_task(self._read_all())

    async def _read_all(self) -> None:
        for event in (*await retry_until_done(self.controls), *await self.outcomes()):
            self._report(event)

    def _on_journal(self, message: Msg) -> None:
        if FINISHED_HEADER in (message.headers or {}):
            ended = _decode_outcome(message.subject.split(".", 3)[-1], message.data)
            if ended is not None:
                self._report(ended)

    def _on_control(self, message: Msg) -> None:
        applied = _decode_control(message.data)
        if applied is not None:
            self._report(applied)


def is_relevant(event: Event, run: Run) -> bool:
    """Return whether an event can change the run: outcomes count only for open attempts. Pure."""
    match event:
        case SubTaskEnded(outcome=outcome):
            return open_node(run, outcome.task) is not None and run.verdict is None
        case Asked(task=id, question=question):
            node = open_node(run, id)
            known = node is None or node.sub_task is None or question in node.sub_task.answers
            return not known and (node is None or node.status != "asking") and run.verdict is None
        case ChildrenAsked(task=id, call=call):
            node = open_node(run, id)
            return node is not None and call not in node.children and run.verdict is None
        case SessionQueued(name=name):
            return name not in run.sessions.queued and run.verdict is None
        case SessionOpened() | SessionFailed():
            return run.verdict is None
        case Unserved(what=what):
            return what not in run.unserved and run.verdict is None
        case Served(what=what):
            return what in run.unserved and run.verdict is None
        case ControlApplied(control=control):
            return control.id not in run.people.controls and run.verdict is None
        case TimerFired(timer=timer):
            return timer not in run.fired and run.verdict is None
        case _:
            return True


async def retry_until_done(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return an attempt's result; try again while the bus is unavailable or full, until the caller is cancelled."""
    for pause in itertools.chain((0.05, 0.2, 0.5), itertools.repeat(1.0)):
        try:
            return await attempt()
        except (NotStored, StoreRefused, TimeoutError, NatsError) as error:
            log.warning("NATS unavailable; trying again", error=describe_error(error))
        await asyncio.sleep(pause)
    raise AssertionError("unreachable")


async def read_outcome(bus: Bus, task: str) -> Outcome | None:
    """Return the outcome or question that a sub-task's journal ends with, or None."""
    last = await newest(bus, "JOURNAL", bus.names.journal(task))
    return _decode_outcome(task, last.data) if last is not None else None


def _decode_outcome(task: str, data: bytes) -> Outcome | None:
    try:
        last = codec.decode(data, JournalBatch).entries[-1:]
    except msgspec.DecodeError as error:
        log.error("unreadable journal entry; the sub-task stays open", error=str(error))
        return None
    match last:
        case (Finished(outcome=outcome),):
            return SubTaskEnded(outcome=outcome)
        case (Suspended(waits=Question(id=id, text=text), spent=spent),):
            return Asked(question=id, text=text, task=task, spent=spent)
        case (Suspended(waits=Children(call=call, children=children, max_concurrent=most), spent=spent),):
            return ChildrenAsked(task=task, call=call, children=children, max_concurrent=most, spent=spent)
        case _:
            return None


def _decode_control(data: bytes) -> ControlApplied | None:
    try:
        return ControlApplied(control=decode_control(data))
    except msgspec.DecodeError as error:
        log.warning("unreadable control ignored", error=str(error))
        return None
