"""Serves the line of runs that wait for sessions, by priority and then by age, while the host has room."""

import asyncio
from collections.abc import Awaitable, Coroutine, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import msgspec
import structlog
from nats.aio.msg import Msg

from muster_bus import Bus, Claim
from muster_bus.faults import Rounds
from muster_bus.pull_requests import Pull
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_protocol import codec
from muster_protocol.errors import NewerVersion
from muster_protocol.requests import PRIORITIES
from muster_protocol.session_requests import Opening, SessionsReady
from muster_protocol.session_responses import Done, SessionError, SessionReply
from muster_sessionhost.host import SessionHost

log = structlog.get_logger("muster.sessions")

COLLECT_SECONDS = 0.02
"""How long to collect messages from all queues before choosing the first run."""
ASK_SECONDS = 1.0
WAKE_SECONDS = 5.0
RETRY_SECONDS = 1.0
"""Delay until a run that could not be served is offered again, to this host or another."""
TOO_LARGE_SECONDS = 10.0
LACKING_SECONDS = 0.3
"""Delay until a run is offered to another host because this one does not serve its workspace."""


class _Taken(NamedTuple):
    """A run taken from the line; sorts in the order of service."""

    rank: int
    message: int
    claim: Claim
    opening: Opening


class LineServer:
    """Serves the line for one host. A run leaves the line only after an orchestrator has confirmed that it wakes it."""

    def __init__(self, bus: Bus, host: SessionHost) -> None:
        self._bus, self._host = bus, host
        self._rounds = Rounds("OPENINGS")
        stream = bus.names.stream("OPENINGS")
        self._pulls = [
            Pull(bus, stream, bus.names.openings_consumer(kind, priority), partial(self._on_message, rank))
            for rank, priority in enumerate(PRIORITIES)
            for kind in host.kinds
        ]
        self._taken: list[_Taken] = []
        self._behind: dict[str, int] = {}
        """Number of runs that waited behind the last one received, by the subject of its queue."""
        self._serving: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to take runs from the line."""
        for pull in self._pulls:
            await pull.start()
        self._bus.on_reconnect(self._on_reconnect)
        self._task = asyncio.create_task(self._serve())

    async def stop(self) -> None:
        """Take no more runs, return those not begun to the line, and wait up to 5 s for those begun."""
        self._bus.off_reconnect(self._on_reconnect)
        if self._task is not None:
            self._task.cancel()
        await asyncio.gather(*(pull.stop() for pull in self._pulls))
        await self._give_back(self._taken)
        if self._serving:
            await asyncio.wait(self._serving, timeout=WAKE_SECONDS)

    async def _serve(self) -> None:
        while True:
            self._host.changed.clear()
            if self._host.room and not self._taken:
                for pull in self._pulls:
                    await pull.ask(1)
            try:
                await asyncio.wait_for(self._host.changed.wait(), ASK_SECONDS)
            except TimeoutError:
                self._note_behind({} if self._host.room else self._behind)  # no run came although there was room
            if self._taken:
                await asyncio.sleep(COLLECT_SECONDS)
                with self._rounds.outlast():  # NATS redelivers a run that could not be returned
                    await self._begin_next()

    async def _begin_next(self) -> None:
        """Serve runs in order while there is room; a run that needs more room blocks those behind it."""
        self._taken = sorted(it for it in self._taken if it.claim.is_held)
        while self._taken and len(self._taken[0].opening.sessions) <= self._host.room:
            first = self._taken.pop(0)
            opening = asyncio.gather(*(self._host.open(session, served=True) for session in first.opening.sessions))
            self._spawn(self._finish(first, opening))
            await asyncio.sleep(0)  # lets `open` begin, so that `room` counts its sessions
        await self._give_back(self._taken[1:] if self._host.room else self._taken)

    async def _give_back(self, taken: Sequence[_Taken]) -> None:
        self._taken = [it for it in self._taken if it not in taken]
        for it in taken:
            await it.claim.nak()

    def _on_message(self, rank: int, message: Msg) -> None:
        claim = Claim(self._bus, message, "OPENINGS")
        self._note_behind({**self._behind, claim.subject.rsplit(".", 2)[0]: claim.pending})
        try:
            claim.check_version()
            opening = codec.decode(claim.data, Opening)
        except NewerVersion as error:
            self._spawn(self._leave_to_newer(claim, error))
            return
        except msgspec.DecodeError as error:
            self._spawn(claim.drop(str(error)))
            return
        if not self._host.room:
            self._spawn(claim.nak())  # the room was used since the request; another host may have some
        elif len(opening.sessions) > self._host.limit:
            self._spawn(claim.nak(TOO_LARGE_SECONDS))  # only a larger host can serve it
        elif not all(map(self._host.serves, opening.sessions)):
            self._spawn(claim.nak(LACKING_SECONDS))  # only a host with its workspace can serve it
        else:
            self._taken.append(_Taken(rank, claim.message, claim, opening))
            self._host.changed.set()

    async def _leave_to_newer(self, claim: Claim, error: NewerVersion) -> None:
        if not await claim.leave_to_newer(error):
            await claim.drop(str(error))  # the run's owner puts it in line again

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    def _note_behind(self, behind: dict[str, int]) -> None:
        self._behind = behind
        self._host.line = any(behind.values())

    async def _finish(self, taken: _Taken, opening: Awaitable[list[SessionReply]]) -> None:
        """Take a run out of the line once its sessions are open or refused for good, and an orchestrator wakes it."""
        with structlog.contextvars.bound_contextvars(run=taken.opening.run):
            try:
                refused = [it for it in await opening if isinstance(it, SessionError) and it.reason in {"full", "busy"}]
                served = not refused and await self._wake_run(taken.opening)
            except (OSError, *BUS_ERRORS) as error:
                log.warning("waiting run not served; trying again", error=describe_error(error))
                served = False
        await (taken.claim.ack() if served else taken.claim.nak(RETRY_SECONDS))

    async def _wake_run(self, opening: Opening) -> bool:
        """Ask an orchestrator to continue the run; return whether it accepts.

        The run learns about sessions that could not be opened when it requests them.
        """
        names = tuple(session.name for session in opening.sessions)
        ready = SessionsReady(run=opening.run, host=self._host.id, names=names)
        subject = self._bus.names.sessions_ready
        reply = await self._bus.request(subject, ready, cast("Any", SessionReply), WAKE_SECONDS)
        return isinstance(reply, Done)

    def _on_reconnect(self) -> None:
        for pull in self._pulls:
            pull.forget()
        self._host.changed.set()
