"""The session host: opens sessions, keeps them alive, and closes them."""

import asyncio
import contextlib
from collections import OrderedDict
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.service import describe_twin
from muster_devices.errors import DeviceRefused
from muster_protocol.errors import BusError
from muster_protocol.ids import new_id
from muster_protocol.requests import DeviceKind
from muster_protocol.session_requests import CloseSession, OpenSession
from muster_protocol.session_responses import Closed, Elsewhere, Opened, SessionError, SessionReply
from muster_protocol.sessions import SessionRow
from muster_service.settings import SettingsError
from muster_sessionhost import metrics
from muster_sessionhost.checkpoint_cleanup import forget_checkpoint
from muster_sessionhost.finalizer import Departures
from muster_sessionhost.host_devices import HostDevices
from muster_sessionhost.leases import Leases
from muster_sessionhost.sandbox import Sandbox
from muster_sessionhost.session import HolderRequest, LiveSession
from muster_sessionhost.session_factory import Room, SessionFactory
from muster_sessionhost.session_replies import new_row, opened, opened_there, problem, ready
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

SURE_SECONDS = 10.0
SURE_PAUSE_SECONDS = 0.2
CLOSED = "it was closed"
STOPPING = "its host is stopping"
TAKEN = "another host opened it anew while this one could not be reached"
REMEMBERED = 1000
"""Closed sessions the host can still say something about."""
R = TypeVar("R")
BUS_FAULTS = (NatsError, BusError, TimeoutError)
FAULTS = (*BUS_FAULTS, OSError)


class SessionHost:
    """The sessions of one process. Each key (`<run>.<name>`) is opening, live or closing, one at a time."""

    def __init__(
        self, bus: Bus, settings: SessionHostSettings, devices: HostDevices, sandbox: Sandbox, root: Path
    ) -> None:
        self.id = settings.host_id or new_id("host")
        self._bus, self._settings, self._devices = bus, settings, devices
        self._leases = Leases(bus, self.id, settings.session_heartbeat_seconds)
        self._departures = Departures(bus, self.id, keep_files=settings.keep_sessions)
        room = Room(root, sandbox, devices)
        self._factory = SessionFactory(self.id, bus, settings, room, self._departures.tell)
        self._live: dict[str, LiveSession] = {}
        self._opening: dict[str, asyncio.Task[SessionReply]] = {}
        self._closing: dict[str, asyncio.Task[Closed]] = {}
        self._closed: OrderedDict[str, Closed | str] = OrderedDict()
        self._draining = self._stopping = False
        self.line = False
        """Whether runs are known to wait in line: rooms are theirs then."""
        self.changed = asyncio.Event()
        """Set whenever there may be room for another session."""
        metrics.begin(settings.max_sessions)

    @property
    def count(self) -> int:
        """How many sessions there are, those just opening included."""
        return len(self._live) + len(self._opening)

    @property
    def room(self) -> int:
        """How many sessions more there may be; 0 once the host is to stop."""
        return 0 if self._draining else max(0, self._settings.max_sessions - self.count)

    @property
    def most(self) -> int:
        """How many sessions there may be."""
        return self._settings.max_sessions

    @property
    def kinds(self) -> tuple[DeviceKind, ...]:
        """The kinds of device that it can keep."""
        return self._devices.kinds

    async def refuse_twin(self) -> None:
        """Make sure that no other host answers under this one's id: both would carry out what is asked.

        As long as that cannot be told, it waits.

        Raises:
            SettingsError: one does.
        """
        while (there := await self._leases.is_there(self.id)) is None:
            log.warning("waiting to learn whether another session host has this id", id=self.id)
            await asyncio.sleep(SURE_PAUSE_SECONDS)
        if there:
            raise SettingsError(describe_twin(self.id, "another session host"))

    async def open(self, request: OpenSession, *, served: bool = False) -> SessionReply:
        """Open a session here, or say which host has it; while runs wait in line, only one that is `served` from it."""
        key = f"{request.run}.{request.name}"
        if wrong := problem(request):
            return SessionError(reason="invalid", text=wrong)
        if key in self._closing:
            await asyncio.shield(self._closing[key])
        await self._be_sure(key)
        if key in self._live:
            return opened(self._live[key], fresh=False)
        if key in self._opening:
            reply = await asyncio.shield(self._opening[key])
            return msgspec.structs.replace(reply, fresh=False) if isinstance(reply, Opened) else reply
        passed_by = not served and (request.in_line or self.line)
        if passed_by or self.room == 0 or self._lacks(request):
            return await self._elsewhere(key, request)
        task = self._opening[key] = asyncio.create_task(self._open(key, request))
        task.add_done_callback(lambda _: self._forget_task(self._opening, key))
        return await asyncio.shield(task)

    async def handle(self, request: HolderRequest) -> SessionReply:
        """Hand a request to its session."""
        key = f"{request.run}.{request.name}"
        if key in self._opening:
            await asyncio.shield(self._opening[key])
        await self._be_sure(key)
        session = self._live.get(key)
        if session is not None:
            return await session.handle(request)
        known = self._closed.get(key, "this host never had it")
        why = known if isinstance(known, str) else CLOSED
        return SessionError(reason="no_session", text=f"there is no session {key} on this host: {why}")

    async def close(self, request: CloseSession) -> Closed:
        """Close a session at the end of its run; a closed one is answered the same."""
        key = f"{request.run}.{request.name}"
        if key in self._opening:
            await asyncio.shield(self._opening[key])
        if key in self._live:
            self._end(key, CLOSED, "closed", quick=request.quick, passed=request.passed)
        known = await asyncio.shield(self._closing[key]) if key in self._closing else self._closed.get(key)
        await forget_checkpoint(self._bus, request.run, request.name)  # by now none is being stored any more
        return known if isinstance(known, Closed) else Closed()

    async def close_wherever(self, request: CloseSession) -> Closed | Elsewhere:
        """Close a session whose host the asker does not know, or say which; what one that is gone left goes."""
        key = f"{request.run}.{request.name}"
        await self._be_sure(key)
        here = key in self._opening or key in self._live or key in self._closing
        if not here and (host := await self._leases.home(key)):
            return Elsewhere(host=host)
        return await self.close(request)

    async def _be_sure(self, key: str) -> None:
        """Before anything is done in it, find out whether a session is still this host's, if that is in doubt.

        A request may have waited in the socket while the process was stopped and others took its sessions over.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SURE_SECONDS):
                while key in self._live and self._leases.doubtful(key):
                    await self._renew(key)
                    if self._leases.doubtful(key):
                        await asyncio.sleep(SURE_PAUSE_SECONDS)
                return
        raise TimeoutError(f"whether session {key} is still this host's could not be found out")

    async def look_after(self) -> None:
        """Say until `stop` that the sessions live, give up those that are another host's, close those nobody uses."""
        came_back = asyncio.Event()
        self._bus.on_reconnect(came_back.set)
        while not self._stopping:
            await asyncio.gather(*(self._look_at(key) for key in list(self._live)))
            with contextlib.suppress(*FAULTS):
                await self._leases.look()
                await self._leases.forget_the_dead()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(came_back.wait(), self._settings.session_heartbeat_seconds)
            came_back.clear()

    async def drain(self) -> None:
        """Open nothing more, and wait until the runs have closed their sessions, as long as the settings say."""
        self._draining = True
        if self._live or self._opening:
            log.info("waiting for runs to end their sessions", count=self.count)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.session_drain_seconds):
                while self._live or self._opening or self._closing:
                    self.changed.clear()
                    await self.changed.wait()

    async def stop(self) -> None:
        """Have checkpoints stored, let sessions go so that others may open them anew, and close them, all in time."""
        self._draining = self._stopping = True
        if self._opening:
            await asyncio.wait(self._opening.values(), timeout=self._settings.shutdown_seconds / 2)
        keys = list(self._live)
        closing = [asyncio.create_task(self._hand_over(key)) for key in keys] + list(self._closing.values())
        if closing:
            _, late = await asyncio.wait(closing, timeout=self._settings.shutdown_seconds)
            if late:
                log.warning("sessions were cut off: closing them took too long", count=len(late))
        await self._departures.finish(self._settings.shutdown_seconds)

    async def _open(self, key: str, request: OpenSession) -> SessionReply:
        row = new_row(request, self.id, self._bus.clock.now())
        try:
            counts = await self._leases.claim(key, row, lost=request.checkpoint)
            if counts.host != self.id:
                return opened_there(await self._leases.ready(counts))
            session = await self._factory.build(
                key, request, row.instance, lambda why: self._end(key, why, "device_ended")
            )
        except BUS_FAULTS as error:
            metrics.FAILED.labels("busy").inc()
            log.warning("a session cannot be opened now", session=key, error=repr(error))
            await self._let_go(key)
            return SessionError(
                reason="busy", text=f"the bus does not answer the session host: {self._bus.trouble or repr(error)}"
            )
        except DeviceRefused as refused:
            metrics.FAILED.labels("fault").inc()
            await self._let_go(key)
            return SessionError(reason="invalid", text=f"the session's device cannot be opened: {refused.text}")
        except Exception as error:
            metrics.FAILED.labels("fault").inc()
            log.exception("a session could not be opened", session=key)
            await self._let_go(key)
            return SessionError(reason="fault", text=f"the session could not be opened: {type(error).__name__}")
        self._closed.pop(key, None)
        self._live[key] = session
        metrics.OPEN.set(len(self._live))
        await self._renew(key, ready(row, session))
        return opened(session, fresh=True)

    def _lacks(self, request: OpenSession) -> str:
        """Return why this host cannot keep the device that is wanted; empty: it can, or none is wanted yet."""
        kind = request.device.kind if request.device else "none"
        return "" if kind == "none" else self._devices.missing(kind)

    async def _elsewhere(self, key: str, request: OpenSession) -> SessionReply:
        row = await self._leases.find(key)
        if row is not None:
            return opened_there(await self._leases.ready(row))
        if request.device is not None and (why := self._lacks(request)):
            text = f"session host {self.id} cannot keep a device of kind {request.device.kind} ({why})"
            return SessionError(reason="no_device", text=text)
        return SessionError(reason="full", text=self._describe_full())

    def _describe_full(self) -> str:
        if self._draining:
            return f"session host {self.id} is stopping"
        if self.room:
            return f"the rooms of session host {self.id} are for those who wait in line"
        return f"session host {self.id} has {self.count} of its {self.most} sessions in use"

    async def _look_at(self, key: str) -> None:
        session = self._live.get(key)
        if session is None:
            return
        if session.idle_seconds > self._settings.session_idle_seconds:
            self._end(key, f"nobody used it for {self._settings.session_idle_seconds:g} seconds", "idle")
        else:
            await asyncio.gather(self._renew(key), session.bound())

    async def _renew(self, key: str, ready: SessionRow | None = None) -> None:
        try:
            if not await self._leases.renew(key, ready) and key in self._live:
                self._end(key, TAKEN, "taken_over")
        except Exception as error:  # whatever it is, the other sessions must be kept alive
            log.warning("a session's row was not renewed", session=key, error=str(error) or type(error).__name__)

    async def _hand_over(self, key: str) -> None:
        if (session := self._live.get(key)) is not None:
            await session.stored()
            await self._let_go(key)
            self._end(key, STOPPING, "host_stopping")
        if key in self._closing:
            await self._closing[key]

    def _end(self, key: str, reason: str, counted: str, *, quick: bool = False, passed: bool = False) -> None:
        """Begin to close a session, once, counted as so ended; from now on nobody can ask anything of it."""
        session = self._live.pop(key, None)
        if session is None:
            return
        metrics.OPEN.set(len(self._live))
        metrics.ENDED.labels(counted).inc()
        self._closed[key] = reason
        log.info("session ends", session=key, run=session.ref.run, reason=reason)
        task = self._closing[key] = asyncio.create_task(self._close(key, session, reason, quick, passed))
        task.add_done_callback(lambda _: self._forget_task(self._closing, key))

    def _forget_task(self, tasks: dict[str, asyncio.Task[R]], key: str) -> None:
        tasks.pop(key, None)
        self.changed.set()

    async def _close(self, key: str, session: LiveSession, reason: str, quick: bool, passed: bool) -> Closed:
        try:
            await session.end(reason, quick=quick, pictured=reason == CLOSED and not quick)
            artifacts = await self._departures.see_off(session, passed=passed, wait=reason == CLOSED and not quick)
        finally:
            await self._let_go(key)
        closed = Closed(artifacts=artifacts)
        if reason == CLOSED:
            self._closed[key] = closed
        while len(self._closed) > REMEMBERED:
            self._closed.popitem(last=False)
        return closed

    async def _let_go(self, key: str) -> None:
        try:
            await self._leases.release(key)
        except FAULTS as error:
            log.warning("a session's row was not removed", session=key, error=str(error) or type(error).__name__)
