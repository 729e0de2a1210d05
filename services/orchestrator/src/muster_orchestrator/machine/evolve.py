"""Applies events to a run. Total: an event never fails to apply, and a late or repeated one changes nothing."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from muster_orchestrator.machine.core import attempt_ends, dispatch, parking, session_loss, trees
from muster_orchestrator.machine.core.commands import Effect, Record
from muster_orchestrator.machine.core.state import Clock, Run
from muster_orchestrator.machine.decide import decide
from muster_orchestrator.machine.job_rules import job_of
from muster_protocol import events
from muster_protocol.events import Entry, Event

EVENTS_VERSION = 7
"""Version of the meaning of events; raise it when an event changes a run differently, so that snapshots are rebuilt."""

MAX_FOLLOWING = 100_000
"""Most events that may follow from one; a run of ten thousand parallel sub-tasks needs that many."""


class Settled(NamedTuple):
    """The run after events, the entry to append, events left for the next entry, and the effects due after it."""

    run: Run
    entry: Entry
    rest: tuple[Event, ...]
    effects: tuple[Effect, ...]


def fold(run: Run, entries: Iterable[Entry]) -> Run:
    """Return the run after entries of its log."""
    for entry in entries:
        run = _advance_clock(run, entry.at, entry.epoch)
        for event in entry.events:
            run = evolve(run, event)
    return run


def settle(run: Run, happened: tuple[Event, ...], at: float, epoch: int, most: int = MAX_FOLLOWING) -> Settled:
    """Apply events and all that follow from them, up to `most` events in one entry.

    If events are left over, settle them next; no effect is due before.
    """
    run, recorded, pending = _advance_clock(run, at, epoch), list[Event](), deque(happened)
    while True:
        while pending and len(recorded) < most:
            recorded.append(pending.popleft())
            run = evolve(run, recorded[-1])
        commands = () if pending else decide(run)
        following = [event for command in commands if isinstance(command, Record) for event in command.events]
        if pending or not following or len(recorded) >= most:
            break
        pending.extend(following)
    if most == MAX_FOLLOWING and (pending or following):
        raise AssertionError(f"what follows from {recorded[0]} never ends")
    effects = () if following else tuple(it for it in commands if not isinstance(it, Record))
    entry = Entry(epoch=epoch, at=at, events=tuple(recorded))
    return Settled(run, entry, (*pending, *following), effects)


def evolve(run: Run, event: Event) -> Run:  # noqa: C901, PLR0912 - one short branch an event, on purpose
    """Return the run after one event."""
    match event:
        case (
            events.PlanMade()
            | events.PlanRefused()
            | events.RecoveryPlanned()
            | events.SubTaskEnded()
            | events.ChildrenAsked()
        ) if run.request is None:
            return run  # its log is damaged: there is no job to ask
        case events.ControlApplied(control=control) if run.request is not None:
            told = parking.apply_control(run, control)
            return told if told is run else job_of(run).apply(told, event)
        case events.RunOpened():
            return _open(run, event)
        case events.PlanMade() | events.PlanRefused() | events.RecoveryPlanned():
            return job_of(run).apply(run, event)
        case events.SessionOpened():
            return session_loss.apply_opened(run, event)
        case events.SessionFailed(name=name, reason=reason):
            return session_loss.mark_failed(run, name, reason)
        case events.SubTaskDispatched(sub_task=task):
            return dispatch.apply_dispatch(run, task)
        case events.SubTaskEnded(outcome=outcome):
            return attempt_ends.apply_result(run, job_of(run), outcome)
        case events.ChildrenAsked():
            return trees.apply_children(run, job_of(run), event)
        case events.RetryPlanned():
            return attempt_ends.apply_retry(run, event)
        case events.TimerFired(timer=timer):
            return run if timer in run.fired else replace(run, fired=(*run.fired, timer))
        case events.GivenUp(reason=reason):
            return replace(run, given_up=run.given_up or reason)
        case events.VerdictReached(verdict=verdict):
            return replace(run, verdict=run.verdict or verdict)
        case events.RunClosed():
            return replace(run, closed=True)
        case events.Continued(snapshot=snapshot):
            return msgspec.json.decode(snapshot, type=Run)
        case _:
            return parking.evolve(run, event)


def _advance_clock(run: Run, at: float, epoch: int) -> Run:
    return replace(run, clock=replace(run.clock, now=at), owner=replace(run.owner, epoch=epoch))


def _open(run: Run, event: events.RunOpened) -> Run:
    if run.request is not None:
        return run
    owner = replace(run.owner, id=event.owner, epoch=1, message=event.message, delivery=event.delivery)
    clock = Clock(now=run.clock.now, started_at=run.clock.now)
    run = replace(run, request=event.request, policy=event.policy, owner=owner, clock=clock)
    run = replace(run, definitions=event.definitions, estimate=event.estimate)
    return replace(run, job=job_of(run).start(run))
