"""Drives one run: what happened goes through the machine into the log, and only then are effects carried out.

Order of everything: fold what is stored, append, and after the append is acknowledged act. An append that is fenced
means that another orchestrator drives the run now: this one stops on the spot and sends nothing more.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog

from muster_bus import Bus, Claim, Log, newest
from muster_orchestrator import metrics
from muster_orchestrator.effects import Effects
from muster_orchestrator.machine import (
    MAX_FOLLOWING,
    Command,
    Conclude,
    Enqueue,
    OpenTheSession,
    Run,
    SetTimer,
    Settled,
    required_services,
    settle,
)
from muster_orchestrator.narration import describe_event
from muster_orchestrator.presence import Presence
from muster_orchestrator.run_loader import read_run
from muster_orchestrator.run_watch import RunWatch, is_relevant
from muster_orchestrator.session_line import runs_in_line
from muster_orchestrator.snapshots import RunCache
from muster_orchestrator.submit_handler import requeue_run
from muster_orchestrator.verdict_delivery import publish_verdict, queue_webhook
from muster_protocol.errors import Fenced, Refused
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
    """The owner of one run, from taking it to its close or to the loss of the claim."""

    def __init__(
        self,
        bus: Bus,
        claim: Claim,
        request: RunRequest,
        *,
        owner: str,
        policy: Policy,
        presence: Presence,
    ) -> None:
        self._bus, self._claim, self._request = bus, claim, request
        self._owner, self._policy = owner, policy
        self._log = Log(bus, "RUNS", bus.names.events(request.id))
        self._run = Run()
        self._inbox: asyncio.Queue[Event | None] = asyncio.Queue()
        """What happened; None: look at the claim."""
        claim.on_lost(partial(self._inbox.put_nowait, None))
        self._begun: set[str] = set()
        """Ids of effects begun by this owner."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._caches = RunCache(bus)
        self._resumed = False
        self._place = tracing.run_traceparent(request.id, request.traceparent)
        self._effects = Effects(
            bus, request.id, self._inbox.put_nowait, check=claim.check, is_served=presence.has, place=self._place
        )
        self._watch = RunWatch(bus, request.id, self._inbox.put_nowait)
        self._presence, self._waiting = presence, presence.watch(self._inbox.put_nowait)

    async def drive(self) -> None:
        """Take the run and see it through.

        Raises:
            Fenced, ClaimLost: another owner has it or may have it; nothing more was sent.
        """
        named = structlog.contextvars.bound_contextvars(run=self._request.id)
        with metrics.RUNS_ACTIVE.track_inprogress(), named, tracing.use_span(self._place):
            try:
                if not await self._take():
                    return
                epoch = self._run.owner.epoch
                log.info("run started" if epoch == 1 else "run taken over", epoch=epoch)
                await self._process_events()
                await self._caches.finish()
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
        )
        await self._advance((opened, *await self._watch.controls()), epoch=1)
        return True

    async def _take_over(self) -> bool:
        """Fold what is stored, and append that this is the owner now.

        Raises:
            Fenced: a last append of the owner before came in between; the same again is safe.
        """
        claim = self._claim
        self._run = await read_run(self._bus, self._log, self._request.id)
        if self._run.request is None:
            self._resumed = True  # its log may be gone, and its sub-tasks done all the same
            return await self._open()
        if self._run.closed:
            await self._complete_closed_run()
            await claim.ack()
            return False
        if await self._is_outdated():
            log.warning("outdated delivery of a run ignored", run=self._request.id)
            claim.release()
            return False
        asked = await self._watch.controls()
        parked = self._run.parking.reason
        if parked and not self._should_wake(asked):
            self._caches.offer(self._run, self._log.last, self._log.size)  # a row that says otherwise had it woken
            await self._caches.finish()
            await claim.ack()
            return False
        epoch = self._run.owner.epoch + 1
        taken = OwnerChanged(owner=self._owner, epoch=epoch, message=claim.message, delivery=claim.delivery)
        woken = (Woken(reason=parked),) if parked else ()
        self._resumed = True
        await self._advance((taken, *woken, *asked), epoch=epoch)
        if not parked:
            metrics.TAKEOVERS.inc()
        return True

    async def _complete_closed_run(self) -> None:
        """Make good what may be missing of a closed run: its row, and, if it ended while queued, its verdict."""
        self._caches.offer(self._run, self._log.last, self._log.size)
        await self._caches.finish()
        run = self._run
        if not run.owner.message and run.verdict is not None and run.request is not None:
            await publish_verdict(self._bus, run.verdict, run.request.reply_to)
            await queue_webhook(self._bus, run.request.id)

    async def _is_outdated(self) -> bool:
        """Return whether a later delivery than this one had the run already.

        Message numbers start again where the queue was deleted and made anew; then what is in the queue now decides.
        """
        claim, run = self._claim, self._run
        if claim.message >= run.owner.message:
            return (claim.message, claim.delivery) <= (run.owner.message, run.owner.delivery)
        queued = await newest(self._bus, "REQUESTS", self._bus.names.request(self._request.id))
        return queued is None or queued.seq != claim.message

    def _should_wake(self, asked: Sequence[ControlApplied]) -> bool:
        """Return whether a parked run has a reason to continue: a new control, its session, or too long a wait."""
        late = 0 < self._run.parking.until <= self._bus.clock.now()
        served = bool(self._run.parking.session_host)  # only who knows that it has been, or cannot be, puts it back
        return late or served or any(is_relevant(event, self._run) for event in asked)

    async def _leave_queue(self) -> None:
        """Take the run out of the queue: it is closed, or parked. What was asked of it just now wakes it again."""
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
        """Take in what happens until the run is closed, or parked."""
        while not (self._run.closed or self._run.parking.reason):
            batch = [await self._inbox.get()]
            while not self._inbox.empty():
                batch.append(self._inbox.get_nowait())
            self._claim.check()
            happened = [event for event in batch if event is not None]
            if any(_may_end(event) for event in happened):  # what was stored in time counts, told of or not
                happened += await self._watch.outcomes()
            await self._advance(tuple(happened), epoch=self._run.owner.epoch)

    async def _advance(self, happened: tuple[Event, ...], epoch: int) -> None:
        """Append what happened with all that follows from it, then carry out what is due."""
        told = [event for number, event in enumerate(happened) if event not in happened[:number]]  # once is enough
        news = tuple(event for event in told if is_relevant(event, self._run))
        if not news:
            return
        pending, most = news, MAX_FOLLOWING
        while pending:
            self._claim.check()
            settled = settle(self._run, pending, max(self._run.now, self._bus.clock.now()), epoch, most)
            try:
                await self._log.append(settled.entry)
            except Refused as error:  # larger than the bus takes: in smaller parts, down to one event that is given up
                pending, most = split_entry(pending, settled.entry, str(error))
                continue
            pending = self._check_log_size(settled.rest)
            self._adopt(settled)

    def _check_log_size(self, rest: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return what is still to be settled; of a run whose log is full, that it is given up."""
        most = self._run.policy.log_bytes
        if self._log.size <= most or self._run.given_up or self._run.verdict is not None:
            return rest
        return (GivenUp(reason=f"its log holds more than {most / 2**20:g} MB (ORCHESTRATOR_RUN_LOG_MB)"),)

    def _adopt(self, settled: Settled) -> None:
        """Take over what was stored: publish its log lines, and start the effects that are due."""
        self._run = run = settled.run
        self._watch.follow(run)
        self._waiting.update(required_services(settled.effects), run.unserved)
        for event in settled.entry.events:
            metrics.observe(run, event)
            if (line := describe_event(run, event)) is not None:
                self._effects.lines.publish(line, settled.entry.at)
        self._caches.offer(run, self._log.last, self._log.size)
        for effect in settled.effects:
            self._begin(effect)

    def _begin(self, effect: Command) -> None:
        """Carry out an effect once in this ownership; its id makes it harmless if an earlier owner did too."""
        match effect:
            case SetTimer(id=id, at=at) if id not in self._timers:
                delay = max(0.0, at - self._bus.clock.now())
                fire = TimerFired(timer=id)
                self._timers[id] = asyncio.get_running_loop().call_later(delay, self._inbox.put_nowait, fire)
            case OpenTheSession() | Enqueue() | Conclude() if effect.id not in self._begun:
                self._begun.add(effect.id)
                self._effects.begin(effect, resumed=self._resumed)
            case _:
                pass

    async def _stop(self) -> None:
        self._presence.forget(self._waiting)
        for timer in self._timers.values():
            timer.cancel()
        await self._watch.stop()
        await self._effects.stop()
        await self._caches.stop()


def split_entry(pending: tuple[Event, ...], entry: Entry, why: str) -> tuple[tuple[Event, ...], int]:
    """Return what to settle instead of what made an entry too large to be stored, and how many events at once. Pure."""
    if len(entry.events) > 1:
        return pending, len(entry.events) // 2
    if isinstance(pending[0], GivenUp):
        raise Refused(why)
    return (GivenUp(reason=why), *pending[1:]), 1


def _may_end(event: Event) -> bool:
    """Return whether an event is a timer that may end the run."""
    return isinstance(event, TimerFired) and event.timer.startswith(("run", "unserved:"))
