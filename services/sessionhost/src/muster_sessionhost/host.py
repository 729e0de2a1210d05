"""The session host: opens sessions, keeps them alive, and closes them."""

import asyncio
import contextlib
from collections import OrderedDict
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog

from muster_bus import Bus
from muster_bus.faults import Rounds
from muster_bus.lease_store import LeaseStore
from muster_bus.process_row import describe_twin
from muster_bus.store_answers import BUS_ERRORS
from muster_protocol.ids import new_id
from muster_protocol.requests import DeviceKind
from muster_protocol.session_requests import CloseSession, OpenSession
from muster_protocol.session_responses import Closed, Elsewhere, Opened, SessionError, SessionReply
from muster_protocol.sessions import SessionRow
from muster_service.settings import SettingsError
from muster_sessionhost import metrics
from muster_sessionhost.checkpoint_cleanup import remove_checkpoint
from muster_sessionhost.finalizer import ExportQueue
from muster_sessionhost.host_devices import HostDevices
from muster_sessionhost.leases import Leases
from muster_sessionhost.machine_limits import find_shortage, tell_shortage
from muster_sessionhost.sandbox import Sandbox
from muster_sessionhost.served_workspaces import served_workspaces
from muster_sessionhost.session import HolderRequest, LiveSession
from muster_sessionhost.session_factory import HostResources, SessionFactory
from muster_sessionhost.session_replies import (
    explain_failed_open,
    find_lacking,
    find_problem,
    make_opened,
    make_ready_row,
    make_reply_of_other,
    make_row,
)
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

VERIFY_SECONDS = 10.0
VERIFY_PAUSE_SECONDS = 0.2
CLOSED = "it was closed"
STOPPING = "its host is stopping"
TAKEN_OVER = "another host reopened it while this one could not be reached"
REMEMBERED = 1000
"""How many closed sessions the host remembers, to answer later requests for them."""
R = TypeVar("R")


class SessionHost:
    """The sessions of one process. Each key (`<run>.<name>`) is opening, live or closing, one at a time."""

    def __init__(
        self, bus: Bus, settings: SessionHostSettings, devices: HostDevices, sandbox: Sandbox, root: Path
    ) -> None:
        """Raises SettingsError if the setting WORKSPACES cannot be used."""
        self.id, self._root = settings.host_id or new_id("host"), root
        self._bus, self._settings, self._devices, self._rounds = bus, settings, devices, Rounds("sessions")
        self.workspaces = served_workspaces(settings.workspaces)
        self._leases = Leases(bus, self.id, settings.session_heartbeat_seconds)
        self._exports = ExportQueue(bus, self.id, keep_files=settings.keep_sessions)
        room = HostResources(root, sandbox, devices, self.workspaces)
        self._factory = SessionFactory(self.id, bus, settings, room, self._exports.announce)
        self._live: dict[str, LiveSession] = {}
        self._opening: dict[str, asyncio.Task[SessionReply]] = {}
        self._closing: dict[str, asyncio.Task[Closed]] = {}
        self._closed: OrderedDict[str, Closed | str] = OrderedDict()
        self._draining = self._stopping = False
        self.line = False
        """Whether runs wait in line; if so, free room is reserved for them."""
        self.changed = asyncio.Event()
        """Set when a session has opened or ended, or a run from the line arrived: there may be room or work."""
        metrics.begin(settings.max_sessions)

    @property
    def count(self) -> int:
        """Number of sessions, including those that are opening."""
        return len(self._live) + len(self._opening)

    @property
    def room(self) -> int:
        """Number of sessions that can still be opened; 0 while the host is stopping or its machine lacks something."""
        lacking = self._draining or find_shortage(self._root)
        return 0 if lacking else max(0, self._settings.max_sessions - self.count)

    @property
    def limit(self) -> int:
        """Maximum number of sessions on this host."""
        return self._settings.max_sessions

    @property
    def kinds(self) -> tuple[DeviceKind, ...]:
        """The kinds of device that this host can run."""
        return self._devices.kinds

    async def ensure_unique_id(self) -> None:
        """Check that no other host answers under this id: both would carry out each request.

        Wait while NATS gives no clear answer.

        Raises:
            SettingsError: another host answers.
        """
        while (there := await self._leases.is_answering(self.id)) is None:
            log.warning(
                "cannot check whether another session host has this id: NATS does not answer; trying again", id=self.id
            )
            await asyncio.sleep(VERIFY_PAUSE_SECONDS)
        if there:
            raise SettingsError(describe_twin(self.id, "another session host"))

    async def open(self, request: OpenSession, *, served: bool = False) -> SessionReply:
        """Open a session on this host, or return the host that has it.

        While runs wait in line, only sessions `served` from the line are opened.
        """
        key = f"{request.run}.{request.name}"
        if wrong := find_problem(request):
            return SessionError(reason="invalid", text=wrong)
        if key in self._closing:
            await asyncio.shield(self._closing[key])
        await self._verify_lease(key)
        if key in self._live:
            return make_opened(self._live[key], fresh=False)
        if key in self._opening:
            reply = await asyncio.shield(self._opening[key])
            return msgspec.structs.replace(reply, fresh=False) if isinstance(reply, Opened) else reply
        leases = await LeaseStore(self._bus).in_force() if request.kind == "appium" else {}
        if key in self._opening or key in self._live:  # meanwhile
            return await self.open(request, served=served)
        must_wait = (not served and (request.in_line or self.line)) or self.room == 0 or self._missing(request)
        if must_wait or not self._devices.loans.lend(key, request.device, leases):
            return await self._decline(key, request, self._devices.loans.describe(leases))
        task = self._opening[key] = asyncio.create_task(self._open(key, request))
        task.add_done_callback(lambda _: self._discard_task(self._opening, key))
        return await asyncio.shield(task)

    async def handle(self, request: HolderRequest) -> SessionReply:
        """Forward a request to its session and return the reply."""
        key = f"{request.run}.{request.name}"
        if key in self._opening:
            await asyncio.shield(self._opening[key])
        await self._verify_lease(key)
        session = self._live.get(key)
        if session is not None:
            return await session.handle(request)
        known = self._closed.get(key, "this host never had it")
        why = known if isinstance(known, str) else CLOSED
        return SessionError(reason="no_session", text=f"there is no session {key} on this host: {why}")

    async def close(self, request: CloseSession) -> Closed:
        """Close a session at the end of its run; closing it again returns the same reply."""
        key = f"{request.run}.{request.name}"
        if key in self._opening:
            await asyncio.shield(self._opening[key])
        if key in self._live:
            self._end(key, CLOSED, "closed", quick=request.quick, passed=request.passed)
        known = await asyncio.shield(self._closing[key]) if key in self._closing else self._closed.get(key)
        await remove_checkpoint(self._bus, request.run, request.name)  # safe: the closed session stores no more
        return known if isinstance(known, Closed) else Closed()

    async def close_or_redirect(self, request: CloseSession) -> Closed | Elsewhere:
        """Close a session if it is on this host, or return the host that has it.

        If its host is gone, remove its row and checkpoint. For callers who do not know the session's host.
        """
        key = f"{request.run}.{request.name}"
        await self._verify_lease(key)
        here = key in self._opening or key in self._live or key in self._closing
        if not here and (host := await self._leases.find_host(key)):
            return Elsewhere(host=host)
        return await self.close(request)

    async def _verify_lease(self, key: str) -> None:
        """Renew the session's lease if it is in doubt, before a request is carried out.

        A request may have waited in the socket while this process was stopped and another host claimed the session.

        Raises:
            TimeoutError: the lease could not be renewed in time.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(VERIFY_SECONDS):
                while key in self._live and self._leases.is_in_doubt(key):
                    await self._renew(key)
                    if self._leases.is_in_doubt(key):
                        await asyncio.sleep(VERIFY_PAUSE_SECONDS)
                return
        raise TimeoutError(f"NATS did not confirm within {VERIFY_SECONDS:g} s that session {key} is still on this host")

    async def maintain_sessions(self) -> None:
        """Until `stop`, renew the sessions' leases, close sessions that another host has claimed or nobody uses."""
        came_back = asyncio.Event()
        self._bus.on_reconnect(came_back.set)
        while not self._stopping:
            await asyncio.gather(*(self._maintain(key) for key in list(self._live)))
            with self._rounds.outlast():
                tell_shortage(self._bus.problems, self._root)
                await self._leases.check_bucket()
                await self._leases.remove_dead_rows()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(came_back.wait(), self._settings.session_heartbeat_seconds)
            came_back.clear()

    async def drain(self) -> None:
        """Open no more sessions, and wait up to `session_drain_seconds` until the runs have closed theirs."""
        self._draining = True
        if self._live or self._opening:
            log.info("waiting for runs to end their sessions", count=self.count)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.session_drain_seconds):
                while self._live or self._opening or self._closing:
                    self.changed.clear()
                    await self.changed.wait()

    async def stop(self) -> None:
        """Store all checkpoints, release the sessions so that other hosts can reopen them, and close them.

        Each stage takes at most `shutdown_seconds`.
        """
        self._draining = self._stopping = True
        if self._opening:
            await asyncio.wait(self._opening.values(), timeout=self._settings.shutdown_seconds / 2)
        keys = list(self._live)
        closing = [asyncio.create_task(self._hand_over(key)) for key in keys] + list(self._closing.values())
        if closing:
            _, late = await asyncio.wait(closing, timeout=self._settings.shutdown_seconds)
            if late:
                log.warning("some sessions did not close in time and were cut off", count=len(late))
        await self._exports.finish(self._settings.shutdown_seconds)

    async def _open(self, key: str, request: OpenSession) -> SessionReply:
        row = make_row(request, self.id, self._bus.clock.now())
        try:
            claimed = await self._leases.claim(key, row, lost=request.checkpoint)
            if claimed.host != self.id:
                return make_reply_of_other(claimed, await self._leases.wait_until_ready(claimed))
            session = await self._factory.build(
                key, request, row.instance, lambda why: self._end(key, why, "device_ended")
            )
            self._closed.pop(key, None)
            self._live[key] = session
            metrics.OPEN.set(len(self._live))
        except Exception as error:
            why = explain_failed_open(error, request, self._bus.trouble)
            metrics.FAILED.labels(why.reason).inc()
            log.warning("session not opened", session=key, reason=why.text, exc_info=why.reason == "fault")
            await self._release(key)
            return why
        finally:
            if key not in self._live:
                self._devices.loans.give_back(key)
        await self._renew(key, make_ready_row(row, session))
        return make_opened(session, fresh=True)

    def serves(self, request: OpenSession) -> bool:
        """Return whether this host has what a session asks for, now or once it has room."""
        return self._missing(request) is None

    def _missing(self, request: OpenSession) -> SessionError | None:
        """Return why this host cannot run the requested device or has not the requested workspace; None if it can."""
        device = request.device
        why = self._devices.missing(device.kind, device.name) if device and device.kind != "none" else ""
        return find_lacking(request, self.id, why, self.workspaces)

    async def _decline(self, key: str, request: OpenSession, lent: str) -> SessionReply:
        """Return the session on another host if one has it, else the reason why this host does not open it."""
        row = await self._leases.find(key)
        if row is not None:
            return make_reply_of_other(row, await self._leases.wait_until_ready(row))
        if missing := self._missing(request):
            return missing
        why = "it is stopping" if self._draining else find_shortage(self._root)
        if not why and self.room:
            why = f"no phone is free: {lent}" if lent else "its free sessions are for runs that wait in line"
        why = why or f"{self.count} of its {self.limit} sessions are in use"
        return SessionError(reason="full", text=f"session host {self.id} has no room: {why}")

    async def _maintain(self, key: str) -> None:
        if (session := self._live.get(key)) is None:
            return
        if session.idle_seconds > self._settings.session_idle_seconds:
            self._end(key, f"nobody used it for {self._settings.session_idle_seconds:g} seconds", "idle")
        else:
            with self._rounds.outlast():
                await asyncio.gather(self._renew(key), session.limit_recordings())

    async def _renew(self, key: str, ready: SessionRow | None = None) -> None:
        try:
            if not await self._leases.renew(key, ready) and key in self._live:
                self._end(key, TAKEN_OVER, "taken_over")
        except Exception as error:  # one failure must not stop the renewal of the other sessions
            log.warning("session lease not renewed", session=key, error=str(error) or type(error).__name__)

    async def _hand_over(self, key: str) -> None:
        if (session := self._live.get(key)) is not None:
            await session.wait_until_stored()
            await self._release(key)
            self._end(key, STOPPING, "host_stopping")
        if key in self._closing:
            await self._closing[key]

    def _end(self, key: str, reason: str, counted: str, *, quick: bool = False, passed: bool = False) -> None:
        """Begin to close a session unless it is closing already; it takes no more requests.

        `counted` is the reason in the metric of ended sessions.
        """
        session = self._live.pop(key, None)
        if session is None:
            return
        metrics.OPEN.set(len(self._live))
        metrics.ENDED.labels(counted).inc()
        self._closed[key] = reason
        log.info("session ends", session=key, run=session.ref.run, reason=reason)
        task = self._closing[key] = asyncio.create_task(self._close(key, session, reason, quick, passed))
        task.add_done_callback(lambda _: self._discard_task(self._closing, key))

    def _discard_task(self, tasks: dict[str, asyncio.Task[R]], key: str) -> None:
        tasks.pop(key, None)
        self.changed.set()

    async def _close(self, key: str, session: LiveSession, reason: str, quick: bool, passed: bool) -> Closed:
        try:
            await session.end(reason, quick=quick, last_picture=reason == CLOSED and not quick)
            artifacts = await self._exports.export_later(session, passed=passed, wait=reason == CLOSED and not quick)
        finally:
            self._devices.loans.give_back(key)
            await self._release(key)
        closed = Closed(artifacts=artifacts)
        if reason == CLOSED:
            self._closed[key] = closed
        while len(self._closed) > REMEMBERED:
            self._closed.popitem(last=False)
        return closed

    async def _release(self, key: str) -> None:
        try:
            await self._leases.release(key)
        except (OSError, *BUS_ERRORS) as error:
            log.warning("session row not removed", session=key, error=str(error) or type(error).__name__)
