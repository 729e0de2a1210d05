"""Drives one run: what happened goes through the machine into the log, and only then are effects carried out.

Order of everything: fold what is stored, append, and after the append is acknowledged act. An append that is fenced
means that another orchestrator drives the run now: this one stops on the spot and sends nothing more.
"""

import asyncio
import time
from functools import partial

import structlog

from muster_orchestrator import metrics
from muster_orchestrator.effects import Effects
from muster_orchestrator.machine import Command, Conclude, Enqueue, OpenTheSession, Run, SetTimer, fold, settle
from muster_orchestrator.narration import lines
from muster_orchestrator.rows import Caches, read_snapshot
from muster_orchestrator.watching import Watch, changes
from muster_protocol import codec
from muster_protocol.bus import Bus, Claim, Log
from muster_protocol.errors import Fenced
from muster_protocol.events import Entry, Event, OwnerChanged, Policy, RunOpened, TimerFired
from muster_protocol.requests import RunRequest

log = structlog.get_logger("muster.orchestrator")


TAKEOVER_TRIES = 5


class Driver:
    """The owner of one run, from taking it to its close or to the loss of the claim."""

    def __init__(self, bus: Bus, claim: Claim, request: RunRequest, *, owner: str, policy: Policy, wait: float) -> None:
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
        self._caches = Caches(bus)
        self._resumed = False
        self._effects = Effects(bus, request.id, self._inbox.put_nowait, check=claim.check, session_wait=wait)
        self._watch = Watch(bus, request.id, self._inbox.put_nowait)

    async def drive(self) -> None:
        """Take the run and see it through.

        Raises:
            Fenced, ClaimLost: another owner has it or may have it; nothing more was sent.
        """
        with metrics.RUNS_ACTIVE.track_inprogress():
            try:
                if not await self._take():
                    return
                await self._go_on()
                await self._caches.finish()
                await self._claim.ack()
            finally:
                await self._let_go()

    async def _take(self) -> bool:
        """Become the owner; False if the run is over or this delivery is outdated."""
        await self._watch.start()
        try:
            if self._claim.delivery == 1:
                return await self._open()
        except Fenced:
            pass
        return await self._take_over()

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
        """Become the owner of a run that has a log; a last append of the owner before may still come in between."""
        for _ in range(TAKEOVER_TRIES):
            try:
                return await self._take_over_once()
            except Fenced:
                continue
        raise Fenced(self._log.subject, self._log.last, 0)

    async def _take_over_once(self) -> bool:
        """Fold what is stored, and append that this is the owner now."""
        claim = self._claim
        self._run = await self._read()
        if self._run.request is None:
            return await self._open()
        if self._run.closed:
            self._caches.offer(self._run, self._log.last)  # the owner may have been lost before it wrote the row
            await self._caches.finish()
            await claim.ack()
            return False
        if (claim.message, claim.delivery) <= (self._run.message, self._run.delivery):
            log.warning("an outdated delivery of a run is left alone", run=self._request.id)
            claim.release()
            return False
        epoch = self._run.epoch + 1
        taken = OwnerChanged(owner=self._owner, epoch=epoch, message=claim.message, delivery=claim.delivery)
        self._resumed = True
        await self._advance((taken, *await self._watch.controls()), epoch=epoch)
        metrics.TAKEOVERS.inc()
        return True

    async def _read(self) -> Run:
        """Return the fold of the log: from the snapshot if there is one that fits, else from the start."""
        stored = await self._log.read()
        snapshot = await read_snapshot(self._bus, self._request.id)
        start = Run()
        if snapshot is not None and any(message.seq == snapshot.sequence for message in stored):
            start, stored = snapshot.run, [message for message in stored if message.seq > snapshot.sequence]
        return fold(start, (codec.decode(message.data, Entry) for message in stored))

    async def _go_on(self) -> None:
        """Take in what happens until the run is closed."""
        while not self._run.closed:
            batch = [await self._inbox.get()]
            while not self._inbox.empty():
                batch.append(self._inbox.get_nowait())
            self._claim.check()
            happened = [event for event in batch if event is not None]
            if TimerFired(timer="run") in happened:  # what was stored in time counts, told of or not
                happened += await self._watch.outcomes()
            await self._advance(tuple(happened), epoch=self._run.epoch)

    async def _advance(self, happened: tuple[Event, ...], epoch: int) -> None:
        """Append what happened with all that follows from it, then carry out what is due."""
        news = tuple(event for event in happened if changes(event, self._run))
        if not news:
            return
        self._claim.check()
        run, entry, effects = settle(self._run, news, time.time(), epoch)
        await self._log.append(entry)
        self._run = run
        self._watch.follow(run)
        for line in (line for event in entry.events for line in lines(run, event)):
            self._effects.tell(line, entry.at)
        self._caches.offer(run, self._log.last)
        for effect in effects:
            self._begin(effect)

    def _begin(self, effect: Command) -> None:
        """Carry out an effect once in this ownership; its id makes it harmless if an earlier owner did too."""
        match effect:
            case SetTimer(id=id, at=at) if id not in self._timers:
                delay = max(0.0, at - time.time())
                fire = TimerFired(timer=id)
                self._timers[id] = asyncio.get_running_loop().call_later(delay, self._inbox.put_nowait, fire)
            case OpenTheSession() | Enqueue() | Conclude() if effect.id not in self._begun:
                self._begun.add(effect.id)
                self._effects.begin(effect, resumed=self._resumed)
            case _:
                pass

    async def _let_go(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await self._watch.stop()
        await self._effects.stop()
        await self._caches.stop()
