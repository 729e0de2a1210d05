"""Serves the line of runs that wait for sessions: the oldest of the highest priority first, whenever there is room."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, cast

import msgspec
import structlog
from nats.aio.msg import Msg

from muster_bus import Bus, Claim
from muster_bus.pull_requests import Pull
from muster_protocol import codec
from muster_protocol.requests import PRIORITIES
from muster_protocol.session_requests import Opening, SessionsReady
from muster_protocol.session_responses import Done, SessionError, SessionReply
from muster_sessionhost.host import FAULTS, SessionHost

log = structlog.get_logger("muster.sessions")

COLLECT_SECONDS = 0.02
"""How long what was asked of all queues has to arrive, so that the first of them can be told."""
ASK_SECONDS = 1.0
TELL_SECONDS = 5.0
AGAIN_SECONDS = 1.0
"""Until a run that could not be served now is offered again, to this host or another."""
TOO_LARGE_SECONDS = 10.0


class _Taken(NamedTuple):
    """A run taken from the line; sorted by who is to be served first."""

    rank: int
    message: int
    claim: Claim
    opening: Opening


class LineServer:
    """One host's share of the line. A run in line is taken out only after an orchestrator knows that it is served."""

    def __init__(self, bus: Bus, host: SessionHost) -> None:
        self._bus, self._host = bus, host
        stream = bus.names.stream("OPENINGS")
        self._pulls = [
            Pull(bus, stream, bus.names.openings_consumer(kind, priority), partial(self._on_message, rank))
            for rank, priority in enumerate(PRIORITIES)
            for kind in host.kinds
        ]
        self._taken: list[_Taken] = []
        self._behind: dict[str, int] = {}
        """How many runs waited behind the last one that came, by the subject of its queue."""
        self._serving: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to take runs."""
        for pull in self._pulls:
            await pull.start()
        self._bus.on_reconnect(self._on_reconnect)
        self._task = asyncio.create_task(self._serve())

    async def stop(self) -> None:
        """Take no more, and give back those that are not begun."""
        self._bus.off_reconnect(self._on_reconnect)
        if self._task is not None:
            self._task.cancel()
        await asyncio.gather(*(pull.stop() for pull in self._pulls))
        await self._give_back(self._taken)
        if self._serving:
            await asyncio.wait(self._serving, timeout=TELL_SECONDS)

    async def _serve(self) -> None:
        while True:
            self._host.changed.clear()
            if self._host.room and not self._taken:
                for pull in self._pulls:
                    await pull.ask(1)
            try:
                await asyncio.wait_for(self._host.changed.wait(), ASK_SECONDS)
            except TimeoutError:
                self._note_behind({} if self._host.room else self._behind)  # nobody came though there was room
            if self._taken:
                await asyncio.sleep(COLLECT_SECONDS)
                with suppress(*FAULTS):  # what could not be given back comes again by itself
                    await self._begin_next()

    async def _begin_next(self) -> None:
        """Begin with the first ones as long as there is room; one that needs more of it holds up those behind it."""
        self._taken = sorted(it for it in self._taken if it.claim.is_held)
        while self._taken and len(self._taken[0].opening.sessions) <= self._host.room:
            first = self._taken.pop(0)
            opening = asyncio.gather(*(self._host.open(session, served=True) for session in first.opening.sessions))
            task = asyncio.create_task(self._finish(first, opening))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            await asyncio.sleep(0)  # then its sessions count
        await self._give_back(self._taken[1:] if self._host.room else self._taken)

    async def _give_back(self, taken: Sequence[_Taken]) -> None:
        self._taken = [it for it in self._taken if it not in taken]
        for it in taken:
            await it.claim.nak()

    async def _on_message(self, rank: int, message: Msg) -> None:
        claim = Claim(self._bus, message, "OPENINGS")
        self._note_behind({**self._behind, claim.subject.rsplit(".", 2)[0]: claim.pending})
        try:
            opening = codec.decode(claim.data, Opening)
        except (msgspec.DecodeError, RecursionError) as error:
            log.error("a run in line cannot be read", subject=claim.subject, error=str(error))
            await claim.term("unreadable")
            return
        if not self._host.room:
            await claim.nak()  # asked for when there was room; another host has some
        elif len(opening.sessions) > self._host.most:
            await claim.nak(TOO_LARGE_SECONDS)  # for a larger host
        else:
            self._taken.append(_Taken(rank, claim.message, claim, opening))
            self._host.changed.set()

    def _note_behind(self, behind: dict[str, int]) -> None:
        self._behind = behind
        self._host.line = any(behind.values())

    async def _finish(self, taken: _Taken, opening: Awaitable[list[SessionReply]]) -> None:
        """Take a run out of the line once its sessions are open, or can never be, and it has been told."""
        with structlog.contextvars.bound_contextvars(run=taken.opening.run):
            try:
                refused = [it for it in await opening if isinstance(it, SessionError) and it.reason in {"full", "busy"}]
                served = not refused and await self._tell(taken.opening)
            except FAULTS as error:
                log.warning("cannot serve a waiting run now", error=repr(error))
                served = False
        await (taken.claim.ack() if served else taken.claim.nak(AGAIN_SECONDS))

    async def _tell(self, opening: Opening) -> bool:
        """Have the run woken; what could not be opened for it, it hears when it asks."""
        names = tuple(session.name for session in opening.sessions)
        ready = SessionsReady(run=opening.run, host=self._host.id, names=names)
        subject = self._bus.names.sessions_ready
        reply = await self._bus.request(subject, ready, cast("Any", SessionReply), TELL_SECONDS)
        return isinstance(reply, Done)

    def _on_reconnect(self) -> None:
        for pull in self._pulls:
            pull.forget()
        self._host.changed.set()
