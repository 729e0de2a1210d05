"""Drives one run: events go through the machine into its log; only then are effects carried out.

The order is always the same: fold the stored log, append, act once the append is acknowledged. A fenced append means
that another orchestrator drives the run now; this one stops at once and sends nothing more.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog

from muster_bus import Bus, Claim, Log, newest
from muster_bus.definition_store import DefinitionStore
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator import metrics
from muster_orchestrator.effects import Effects
from muster_orchestrator.machine import (
    MAX_FOLLOWING,
    AcquireSession,
    Command,
    Conclude,
    Enqueue,
    Run,
    SetTimer,
    Settled,
    Withdraw,
    required_services,
    settle,
)
from muster_orchestrator.narration import describe_event
from muster_orchestrator.presence import Presence
from muster_orchestrator.recording_keeper import RecordingKeeper
from muster_orchestrator.run_analyst import RunAnalyst
from muster_orchestrator.run_loader import read_run
from muster_orchestrator.run_watch import RunWatch, is_relevant
from muster_orchestrator.session_line import runs_in_line
from muster_orchestrator.snapshots import RunCache
from muster_orchestrator.step_costs import StepCosts
from muster_orchestrator.submit_handler import requeue_run
from muster_orchestrator.verdict_delivery import deliver_verdict
from muster_protocol.errors import Fenced, Refused
from muster_protocol.estimates import Estimate
from muster_protocol.events import (
    ControlApplied,
    Entry,
    Event,
    GivenUp,
    OwnerChanged,
    Policy,
    RunOpened,
    TimerFired,
    Woken,
)
from muster_protocol.requests import RunRequest
from muster_service import tracing

log = structlog.get_logger("muster.orchestrator")


TAKEOVER_TRIES = 5


class RunDriver:
    """Owns one run, from taking it until it is closed or parked or the claim is lost."""

    def __init__(
        self,
        bus: Bus,
        claim: Claim,
        request: RunRequest,
        *,
        owner: str,
        policy: Policy,
        presence: Presence,
        definitions: DefinitionStore,
        analyst: RunAnalyst,
    ) -> None:
        self._bus, self._claim, self._request = bus, claim, request
        self._owner, self._policy = owner, policy
        self._log = Log(bus, "RUNS", bus.names.events(request.id))
        self._run = Run()
        self._inbox: asyncio.Queue[Event | None] = asyncio.Queue()
        """Events to process; None wakes the driver to check its claim."""
        claim.on_lost(partial(self._inbox.put_nowait, None))
        self._started: set[str] = set()
        """Ids of the effects that this owner has started."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._caches = RunCache(bus)
        self._recordings = RecordingKeeper(bus, claim.check)
        self._resumed = False
        self._traceparent = tracing.run_traceparent(request.id, request.traceparent)
        report = self._inbox.put_nowait
        self._effects = Effects(
            bus,
            request,
            report,
            check=claim.check,
            is_served=presence.has,
            traceparent=self._traceparent,
            analyst=analyst,
        )
        self._watch = RunWatch(bus, request.id, report)
        self._presence, self._presence_watch = presence, presence.watch(report)
        self._definitions = definitions

    async def drive(self) -> None:
        """Take the run and drive it until it is closed or parked.

        Raises:
            Fenced, ClaimLost: another owner has it or may have it; nothing more was sent.
        """
        named = structlog.contextvars.bound_contextvars(run=self._request.id)
        with metrics.RUNS_ACTIVE.track_inprogress(), named, tracing.use_span(self._traceparent):
            try:
                if not await self._take():
                    return
                epoch = self._run.owner.epoch
                log.info("run started" if epoch == 1 else "run taken over", epoch=epoch)
                await self._process_events()
                await self._caches.finish()
                await self._recordings.finish()
                await self._leave_queue()
                self._log_end()
            finally:
                await self._stop()

    async def _take(self) -> bool:
        """Become the owner; False if the run is over or this delivery is outdated."""
        await self._watch.start()
        try:
            if self._claim.delivery == 1:
                return await self._open()
        except Fenced:
            pass
        return await self._log.retry_fenced(self._take_over, TAKEOVER_TRIES)

    async def _open(self) -> bool:
        claim = self._claim
        opened = RunOpened(
            request=self._request,
            owner=self._owner,
            message=claim.message,
            delivery=claim.delivery,
            policy=self._policy,
            definitions=await self._definitions.newest(),
            estimate=await self._estimate(),
        )
        await self._advance((opened, *await self._watch.controls()), epoch=1)
        return True

    async def _estimate(self) -> Estimate | None:
        """Return what the run is likely to cost; None if past costs cannot be read, which does not stop the run."""
        try:
            return await StepCosts(self._bus).estimate(self._request)
        except BUS_ERRORS as error:
            log.warning("no estimate: the costs of earlier runs cannot be read", error=describe_error(error))
            return None

    async def _take_over(self) -> bool:
        """Fold the stored log and append that this orchestrator owns the run now; False as for `_take`.

        Raises:
            Fenced: the previous owner appended in between; calling again is safe.
        """
        claim = self._claim
        self._run = await read_run(self._bus, self._log, self._request.id)
        if self._run.request is None:
            self._resumed = True  # its log may have been deleted after sub-tasks were done
            return await self._open()
        if self._run.closed:
            await self._complete_closed_run()
            await claim.ack()
            return False
        if await self._is_outdated():
            log.warning("outdated delivery of a run ignored", run=self._request.id)
            claim.release()
            return False
        controls = await self._watch.controls()
        parked = self._run.parking.reason
        if parked and not self._should_wake(controls):
            self._caches.offer(self._run, self._log.last, self._log.size)  # a stale row made a sweep wake it
            await self._caches.finish()
            await claim.ack()
            return False
        epoch = self._run.owner.epoch + 1
        taken = OwnerChanged(owner=self._owner, epoch=epoch, message=claim.message, delivery=claim.delivery)
        woken = (Woken(reason=parked),) if parked else ()
        self._resumed = True
        await self._advance((taken, *woken, *controls), epoch=epoch)
        if not parked:
            metrics.TAKEOVERS.inc()
        return True

    async def _complete_closed_run(self) -> None:
        """Write a closed run's row again, and deliver its verdict again if it was cancelled while queued."""
        self._caches.offer(self._run, self._log.last, self._log.size)
        await self._caches.finish()
        run = self._run
        if not run.owner.message and run.verdict is not None and run.request is not None:
            await deliver_verdict(self._bus, run.verdict, run.request.reply_to)

    async def _is_outdated(self) -> bool:
        """Return whether the run was taken from a later delivery already.

        Message numbers restart when the stream is deleted and created again; then the message in the queue decides.
        """
        claim, run = self._claim, self._run
        if claim.message >= run.owner.message:
            return (claim.message, claim.delivery) <= (run.owner.message, run.owner.delivery)
        queued = await newest(self._bus, "REQUESTS", self._bus.names.request(self._request.id))
        return queued is None or queued.seq != claim.message

    def _should_wake(self, controls: Sequence[ControlApplied]) -> bool:
        """Return whether a parked run has a reason to continue: a new control, its session, or too long a wait."""
        late = 0 < self._run.parking.until <= self._bus.clock.now()
        served = bool(self._run.parking.session_host)  # it is requeued only once a host has served it or none can
        return late or served or any(is_relevant(event, self._run) for event in controls)

    async def _leave_queue(self) -> None:
        """Ack the queue message of a closed or parked run; requeue a parked one that got a control meanwhile."""
        if not self._run.parking.reason:
            await self._claim.ack()
            return
        await self._claim.ack(confirmed=True)
        run = self._request.id
        in_line = bool(self._run.parking.session_host) and await runs_in_line(self._bus, run)
        if not in_line and self._should_wake(await self._watch.controls()):
            await requeue_run(self._bus, run)

    def _log_end(self) -> None:
        """Log how the run ended, or that it is parked."""
        verdict = self._run.verdict
        if verdict is None:
            log.info("run parked", reason=self._run.parking.reason)
        else:
            log.info("run ended", status=verdict.status, cause=str(verdict.cause or ""), seconds=verdict.duration)

    async def _process_events(self) -> None:
        """Process events until the run is closed or parked."""
        while not (self._run.closed or self._run.parking.reason):
            batch = [await self._inbox.get()]
            while not self._inbox.empty():
                batch.append(self._inbox.get_nowait())
            self._claim.check()
            happened = [event for event in batch if event is not None]
            if any(_may_end(event) for event in happened):  # an outcome stored in time counts, reported or not
                happened += await self._watch.outcomes()
            await self._advance(tuple(happened), epoch=self._run.owner.epoch)

    async def _advance(self, happened: tuple[Event, ...], epoch: int) -> None:
        """Append events with all that follow from them, then start the effects that are due."""
        distinct = [event for number, event in enumerate(happened) if event not in happened[:number]]
        pending, most = tuple(event for event in distinct if is_relevant(event, self._run)), MAX_FOLLOWING
        while pending:
            self._claim.check()
            settled = settle(self._run, pending, max(self._run.now, self._bus.clock.now()), epoch, most)
            try:
                await self._log.append(settled.entry)
            except Refused as error:  # too large for one message: append smaller parts; one event too large ends it
                pending, most = split_entry(pending, settled.entry, str(error))
                continue
            pending = self._check_log_size(settled.rest)
            self._adopt(settled)

    def _check_log_size(self, rest: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return the events still to settle; once the log exceeds its limit, only that the run is given up."""
        limit = self._run.policy.log_bytes
        if self._log.size <= limit or self._run.given_up or self._run.verdict is not None:
            return rest
        return (GivenUp(reason=f"its log holds more than {limit / 2**20:g} MB (ORCHESTRATOR_RUN_LOG_MB)"),)

    def _adopt(self, settled: Settled) -> None:
        """Adopt the stored state: count it, publish its log lines, start the effects that are due."""
        self._run = run = settled.run
        self._watch.follow(run)
        self._presence_watch.update(required_services(settled.effects), run.unserved)
        for event in settled.entry.events:
            metrics.observe(run, event)
            self._recordings.observe(run, event)
            if (line := describe_event(run, event)) is not None:
                self._effects.lines.publish(line, settled.entry.at)
        self._caches.offer(run, self._log.last, self._log.size)
        for effect in settled.effects:
            self._begin(effect)

    def _begin(self, effect: Command) -> None:
        """Start an effect once per ownership; its id makes it harmless if an earlier owner did so too."""
        match effect:
            case SetTimer(id=id, at=at) if id not in self._timers:
                delay = max(0.0, at - self._bus.clock.now())
                fire = TimerFired(timer=id)
                self._timers[id] = asyncio.get_running_loop().call_later(delay, self._inbox.put_nowait, fire)
            case AcquireSession() | Enqueue() | Withdraw() | Conclude() if effect.id not in self._started:
                self._started.add(effect.id)
                self._effects.begin(effect, resumed=self._resumed)
            case _:
                pass

    async def _stop(self) -> None:
        self._presence.forget(self._presence_watch)
        for timer in self._timers.values():
            timer.cancel()
        await self._watch.stop()
        await self._effects.stop()
        await self._caches.stop()
        await self._recordings.stop()


def split_entry(pending: tuple[Event, ...], entry: Entry, why: str) -> tuple[tuple[Event, ...], int]:
    """Return the events to settle after an entry was too large to store, and the most events per entry. Pure.

    Halves a longer entry; replaces a single event by `GivenUp`.

    Raises:
        Refused: even `GivenUp` is too large.
    """
    if len(entry.events) > 1:
        return pending, len(entry.events) // 2
    if isinstance(pending[0], GivenUp):
        raise Refused(why)
    return (GivenUp(reason=why), *pending[1:]), 1


def _may_end(event: Event) -> bool:
    """Return whether an event is a timer that may end the run."""
    return isinstance(event, TimerFired) and event.timer.startswith(("run", "unserved:"))
