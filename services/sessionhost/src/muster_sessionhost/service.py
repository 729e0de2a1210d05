"""The session host on the bus: takes requests, each in a task of its own, and answers them."""

import asyncio
import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg

from muster_bus import Bus
from muster_bus.service import Load, Running
from muster_protocol import codec
from muster_protocol.session_requests import CloseSession, OpenSession, SessionRequest
from muster_protocol.session_responses import ExecDone, SessionError, SessionReply
from muster_protocol.sessions import NO_SANDBOX
from muster_service import tracing
from muster_sessionhost.command_output import last_part
from muster_sessionhost.host import BUS_FAULTS, SessionHost
from muster_sessionhost.host_devices import HostDevices
from muster_sessionhost.line_server import LineServer
from muster_sessionhost.network_trial import with_domains
from muster_sessionhost.process_reaper import end_all
from muster_sessionhost.sandbox import find_sandbox
from muster_sessionhost.session import HolderRequest
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

QUEUE = "sessions"
MESSAGE_LIMIT = 1_000_000


@asynccontextmanager
async def session_host(bus: Bus, settings: SessionHostSettings) -> AsyncGenerator[Running]:
    """Run a session host as long as the context lasts; at its end sessions are closed and their recordings stored.

    Raises:
        SettingsError: another host has the id that was chosen for this one.
    """
    with session_folder(settings.sessions_dir, keep=settings.keep_sessions) as root:
        sandbox = await find_sandbox(settings, root, os.environ)
        sandbox = await with_domains(sandbox, root, wanted=settings.exec_domains)
        async with HostDevices.running(settings) as devices:
            host = SessionHost(bus, settings, devices, sandbox, root)
            if settings.host_id:
                await host.refuse_twin()
            async with _serving(bus, host):
                warnings = (*(() if sandbox.confines else (NO_SANDBOX,)), *devices.warnings)
                limit = settings.max_sessions
                load = lambda: Load({"session": limit}, {"session": host.count})  # noqa: E731
                yield Running(host.id, load, warnings, devices.kinds, bool(settings.host_id))


@asynccontextmanager
async def _serving(bus: Bus, host: SessionHost) -> AsyncGenerator[None]:
    tasks = set[asyncio.Task[None]]()

    def spawn(answer: Callable[[Msg], Awaitable[None]]) -> Callable[[Msg], Awaitable[None]]:
        async def taken(message: Msg) -> None:
            task = asyncio.ensure_future(answer(message))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        return taken

    server = _Server(bus, host)
    opening = await bus.nc.subscribe(bus.names.sessions_open, QUEUE, cb=spawn(server.on_open))
    asking = await bus.nc.subscribe(bus.names.session_host(host.id), cb=spawn(server.on_request))
    for _ in range(2):  # nats-py sends the first one's PING ahead of what waits to be sent, the subscriptions included
        await bus.flush_subscriptions()
    caring = asyncio.create_task(host.look_after())
    line = LineServer(bus, host)
    await line.start()
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            await opening.unsubscribe()
        await line.stop()
        await host.drain()
        caring.cancel()
        await host.stop()
        with contextlib.suppress(Exception):
            await asking.unsubscribe()
        for task in tasks:
            task.cancel()


class _Server:
    def __init__(self, bus: Bus, host: SessionHost) -> None:
        self._bus, self._host = bus, host

    async def on_open(self, message: Msg) -> None:
        await self._bus.respond(message, await self._reply(message, self._host.close_wherever))

    async def on_request(self, message: Msg) -> None:
        await self._bus.respond(message, await self._reply(message, self._host.close))

    async def _reply(self, message: Msg, close: Callable[[CloseSession], Awaitable[SessionReply]]) -> SessionReply:
        """Return what comes of a request; `close` carries out one to close a session."""
        try:
            request = cast("SessionRequest", codec.decode(message.data, cast("Any", SessionRequest)))
        except (msgspec.DecodeError, RecursionError) as error:
            return SessionError(reason="invalid", text=f"the request cannot be read: {error}")
        actor = "orchestrator" if isinstance(request, OpenSession | CloseSession) else request.holder.worker
        with structlog.contextvars.bound_contextvars(run=request.run, session=request.name, actor=actor):
            return await self._answer(message, request, close)

    async def _answer(
        self, message: Msg, request: SessionRequest, close: Callable[[CloseSession], Awaitable[SessionReply]]
    ) -> SessionReply:
        name, told = type(request).__name__, {"muster.run": request.run, "muster.session": request.name}
        try:
            with tracing.span(f"session {name}", told, kind=tracing.SERVER, headers=message.headers):
                if isinstance(request, CloseSession):
                    return await close(request)
                return fitting(await self._carry_out(request))
        except BUS_FAULTS as error:
            log.warning("a request cannot be carried out now", request=name, error=repr(error))
            return SessionError(reason="busy", text=f"the bus does not answer the session host: {error!r}")
        except Exception as error:
            log.exception("a request failed", request=name)
            return SessionError(reason="fault", text=f"the session host failed: {type(error).__name__}")

    async def _carry_out(self, request: OpenSession | HolderRequest) -> SessionReply:
        if isinstance(request, OpenSession):
            return await self._host.open(request)
        return await self._host.handle(request)


def fitting(reply: SessionReply) -> SessionReply:
    """Return the reply so that it fits into one message; output full of escapes grows when it is encoded."""
    while isinstance(reply, ExecDone) and len(codec.encode(reply)) > MESSAGE_LIMIT:
        half = max(len(reply.stdout), len(reply.stderr)) // 2
        reply = replace(
            reply, stdout=last_part(reply.stdout, half), stderr=last_part(reply.stderr, half), truncated=True
        )
    return reply


@contextlib.contextmanager
def session_folder(wanted: str, *, keep: bool = False) -> Generator[Path]:
    """Give a folder for this process's sessions, removed at the end; what hosts that died left is ended and removed.

    Raises:
        PermissionError: the usual place belongs to another user.
    """
    parent = Path(wanted) if wanted else Path(tempfile.gettempdir()) / f"muster-sessions-{os.getuid()}"
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not wanted and parent.lstat().st_uid != os.getuid():
        raise PermissionError(f"{parent} is another user's: set SESSIONS_DIR")
    with contextlib.ExitStack() as mine:
        with _locked(parent):
            for folder in parent.glob("host-*"):
                with contextlib.suppress(BlockingIOError), _locked(folder, wait=False):
                    if ended := end_all(session.name for session in folder.iterdir()):
                        log.warning("processes of a session host that died were ended", count=ended)
                    shutil.rmtree(folder, ignore_errors=True)
            root = Path(tempfile.mkdtemp(prefix="kept-" if keep else "host-", dir=parent))
            mine.enter_context(_locked(root))
        try:
            yield root
        finally:
            if not keep:
                shutil.rmtree(root, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool = True) -> Generator[None]:
    """Hold a lock on a folder, which goes with the process however it ends."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)
