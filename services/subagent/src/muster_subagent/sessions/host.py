"""The session host: opens sessions, keeps them alive, and closes them."""

import asyncio
import contextlib
import os
import time
from collections import OrderedDict
from functools import partial
from pathlib import Path

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError
from playwright.async_api import Playwright
from prometheus_client import Counter, Gauge

from muster_protocol import codec
from muster_protocol.bus import Bus
from muster_protocol.bus.artifacts import get_artifact, put_artifact
from muster_protocol.bus.streams import OBJECTS
from muster_protocol.errors import BusError
from muster_protocol.ids import is_token, new_id
from muster_protocol.sessions import (
    Closed,
    CloseSession,
    Opened,
    OpenSession,
    SessionError,
    SessionRef,
    SessionReply,
    SessionRow,
)
from muster_subagent.sessions.browser import BrowserMissing, SessionBrowser
from muster_subagent.sessions.checkpoint import Saved, artifact_name
from muster_subagent.sessions.leases import Leases
from muster_subagent.sessions.sandbox import Folders, Sandbox
from muster_subagent.sessions.session import HolderRequest, LiveSession, Parts
from muster_subagent.sessions.settings import SessionHostSettings
from muster_subagent.sessions.shell import Shell

log = structlog.get_logger("muster.sessions")

OPEN = Gauge("muster_sessions_open", "Live sessions on this host")
OPENED = Counter("muster_sessions_opened", "Sessions opened", ["how"])
ENDED = Counter("muster_sessions_ended", "Sessions that ended, by reason", ["reason"])

CLOSED = "it was closed"
REMEMBERED = 1000
"""Closed sessions the host can still say something about."""
FAULTS = (NatsError, BusError, TimeoutError, OSError)


class SessionHost:
    """The sessions of one process. Each key (`<run>.<name>`) is opening, live or closing, one at a time."""

    def __init__(
        self, bus: Bus, settings: SessionHostSettings, playwright: Playwright, sandbox: Sandbox, root: Path
    ) -> None:
        self.id = settings.host_id or new_id("host")
        self._bus, self._settings, self._playwright = bus, settings, playwright
        self._sandbox, self._root = sandbox, root
        self._leases = Leases(bus, self.id, settings.session_heartbeat_seconds)
        self._live: dict[str, LiveSession] = {}
        self._opening: dict[str, asyncio.Task[SessionReply]] = {}
        self._closing: dict[str, asyncio.Task[Closed]] = {}
        self._closed: OrderedDict[str, Closed | str] = OrderedDict()
        self._stopping = False

    @property
    def count(self) -> int:
        """How many sessions there are, those just opening included."""
        return len(self._live) + len(self._opening)

    async def open(self, request: OpenSession) -> SessionReply:
        """Open a session here, or say which host has it."""
        key = f"{request.run}.{request.name}"
        if problem := _problem(request):
            return SessionError(reason="invalid", text=problem)
        if key in self._closing:
            await asyncio.shield(self._closing[key])
        if key in self._live:
            return Opened(session=self._live[key].ref, fresh=False)
        if key in self._opening:
            reply = await asyncio.shield(self._opening[key])
            return msgspec.structs.replace(reply, fresh=False) if isinstance(reply, Opened) else reply
        if self._stopping or self.count >= self._settings.max_sessions:
            return await self._elsewhere(key)
        task = self._opening[key] = asyncio.create_task(self._open(key, request))
        task.add_done_callback(lambda _: self._opening.pop(key, None))
        return await asyncio.shield(task)

    async def handle(self, request: HolderRequest) -> SessionReply:
        """Hand a request to its session."""
        key = f"{request.run}.{request.name}"
        if key in self._opening:
            await asyncio.shield(self._opening[key])
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
            self._end(key, CLOSED)
            await self._forget_checkpoint(request)
        if key in self._closing:
            return await asyncio.shield(self._closing[key])
        known = self._closed.get(key)
        return known if isinstance(known, Closed) else Closed()

    async def look_after(self) -> None:
        """Say until `stop` that the sessions live, give up those that are another host's, close those nobody uses."""
        came_back = asyncio.Event()
        self._bus.on_reconnect(came_back.set)
        while not self._stopping:
            await asyncio.gather(*(self._look_at(key) for key in list(self._live)))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(came_back.wait(), self._settings.session_heartbeat_seconds)
            came_back.clear()

    async def stop(self) -> None:
        """Store checkpoints, let the sessions go so that others may open them anew, and close them, all in time."""
        self._stopping = True
        if self._opening:
            await asyncio.wait(self._opening.values(), timeout=self._settings.shutdown_seconds / 2)
        keys = list(self._live)
        closing = [asyncio.create_task(self._hand_over(key)) for key in keys] + list(self._closing.values())
        if closing:
            _, late = await asyncio.wait(closing, timeout=self._settings.shutdown_seconds)
            if late:
                log.warning("sessions were cut off: closing them took too long", count=len(late))

    async def _open(self, key: str, request: OpenSession) -> SessionReply:
        now = time.time()
        row = SessionRow(
            run=request.run, name=request.name, host=self.id, kind=request.kind, opened_at=now, seen_at=now
        )
        try:
            counts = await self._leases.claim(key, row, lost=request.checkpoint)
            if counts.host != self.id:
                return Opened(session=_reference(counts), fresh=False)
            session = await self._build(key, request)
        except Exception as error:
            log.exception("a session could not be opened", session=key)
            await self._let_go(key)
            return SessionError(reason="fault", text=f"the session could not be opened: {type(error).__name__}")
        self._closed.pop(key, None)
        self._live[key] = session
        OPEN.set(len(self._live))
        await self._renew(key, session.ref.capabilities)
        return Opened(session=session.ref)

    async def _build(self, key: str, request: OpenSession) -> LiveSession:
        saved = await self._checkpoint(request) if request.checkpoint else None
        folders = Folders(self._root / f"{key}-{new_id('s')}")
        await asyncio.to_thread(folders.make)
        environment = self._sandbox.environment(folders, os.environ.get("PATH", ""))
        shell = Shell(folders, self._sandbox, environment, self._settings.exec_memory_mb)
        browser, problem = await self._browser(request, folders, saved)
        ref = SessionRef(
            run=request.run,
            name=request.name,
            kind=request.kind,
            host=self.id,
            capabilities=("shell", "files", "browser") if browser else ("shell", "files"),
        )
        parts = Parts(folders, shell, browser, problem, saved.generation if saved else 0)
        publish = partial(self._bus.publish, self._bus.names.session_events(request.run, request.name))
        session = LiveSession(ref, parts, publish, partial(put_artifact, self._bus), self._settings.exec_output_limit)
        if browser is not None:
            browser.watch(session.dialog_opened, lambda why: self._end(key, why))
        OPENED.labels("checkpoint" if saved else "fresh").inc()
        log.info("session opened", session=key, browser=browser is not None, from_checkpoint=saved is not None)
        return session

    async def _browser(
        self, request: OpenSession, folders: Folders, saved: Saved | None
    ) -> tuple[SessionBrowser | None, str]:
        if request.kind != "web":
            return None, f"a session of kind {request.kind!r} has no browser"
        try:
            records, domains = folders.records, request.domains
            return await SessionBrowser.launch(self._playwright, self._settings, records, domains, saved), ""
        except BrowserMissing as error:
            log.error("a session was opened without a browser", problem=str(error))
            return None, str(error)

    async def _checkpoint(self, request: OpenSession) -> Saved | None:
        data = await get_artifact(self._bus, artifact_name(request.run, request.name))
        try:
            saved = codec.decode(data, Saved) if data else None
        except msgspec.DecodeError as error:
            log.warning("a checkpoint cannot be read", run=request.run, error=str(error))
            return None
        return msgspec.structs.replace(saved, generation=saved.generation + 1) if saved else None

    async def _forget_checkpoint(self, request: CloseSession) -> None:
        """Remove the checkpoint of a run that is over: it holds cookies."""
        try:
            store = await self._bus.js.object_store(self._bus.names.bucket(OBJECTS))
            await store.delete(artifact_name(request.run, request.name))
        except NotFoundError:
            pass  # there was none
        except FAULTS as error:
            log.warning("a checkpoint was not removed", run=request.run, error=str(error))

    async def _elsewhere(self, key: str) -> SessionReply:
        row = await self._leases.find(key)
        if row is not None:
            return Opened(session=_reference(row), fresh=False)
        limit = self._settings.max_sessions
        return SessionError(reason="full", text=f"every session host asked has its {limit} sessions already")

    async def _look_at(self, key: str) -> None:
        session = self._live.get(key)
        if session is None:
            return
        if session.idle_seconds > self._settings.session_idle_seconds:
            self._end(key, f"nobody used it for {self._settings.session_idle_seconds:g} seconds")
        else:
            await self._renew(key)

    async def _renew(self, key: str, capabilities: tuple[str, ...] | None = None) -> None:
        try:
            if not await self._leases.renew(key, capabilities) and key in self._live:
                self._end(key, "another host opened it anew while this one could not be reached")
        except Exception as error:  # whatever it is, the other sessions must be kept alive
            log.warning("a session's row was not renewed", session=key, error=str(error) or type(error).__name__)

    async def _hand_over(self, key: str) -> None:
        if (session := self._live.get(key)) is not None:
            await session.checkpoint()
            await self._let_go(key)
            self._end(key, "its host is stopping")
        if key in self._closing:
            await self._closing[key]

    def _end(self, key: str, reason: str) -> None:
        """Begin to close a session, once; from now on nobody can ask anything of it."""
        session = self._live.pop(key, None)
        if session is None:
            return
        OPEN.set(len(self._live))
        ENDED.labels(reason).inc()
        self._closed[key] = reason
        log.info("session ends", session=key, reason=reason)
        task = self._closing[key] = asyncio.create_task(self._close(key, session, reason))
        task.add_done_callback(lambda _: self._closing.pop(key, None))

    async def _close(self, key: str, session: LiveSession, reason: str) -> Closed:
        try:
            closed = Closed(artifacts=await session.close(reason, keep_files=self._settings.keep_sessions))
        finally:
            await self._let_go(key)
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


def _problem(request: OpenSession) -> str:
    if not (is_token(request.run) and is_token(request.name)):
        return "run and name must be letters, digits, - and _"
    if request.kind not in {"web", "shell"}:
        return f"this host opens sessions of kind web and shell, not {request.kind!r}"
    return ""


def _reference(row: SessionRow) -> SessionRef:
    return SessionRef(run=row.run, name=row.name, kind=row.kind, host=row.host, capabilities=row.capabilities)
