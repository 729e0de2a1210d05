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
from typing import Any, TypeVar, cast

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg

from muster_bus import Bus
from muster_bus.connection import HEADERS
from muster_bus.service import Load, Running
from muster_protocol import codec
from muster_protocol.session_requests import CloseSession, OpenSession, SessionRequest
from muster_protocol.session_responses import ExecDone, SessionError, SessionReply
from muster_protocol.sessions import NO_SANDBOX
from muster_service import tracing
from muster_sessionhost.host import BUS_FAULTS, SessionHost
from muster_sessionhost.host_devices import HostDevices
from muster_sessionhost.leases import Elsewhere
from muster_sessionhost.process_reaper import end_all
from muster_sessionhost.sandbox import find_sandbox
from muster_sessionhost.session import HolderRequest
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

QUEUE = "sessions"
HOPS = "Muster-Hops"
MAX_HOPS = 8
"""How often a host that is full, or lacks the device, passes a request on before it says so."""
MESSAGE_LIMIT = 1_000_000
R = TypeVar("R")


@asynccontextmanager
async def session_host(bus: Bus, settings: SessionHostSettings) -> AsyncGenerator[Running]:
    """Run a session host as long as the context lasts; at its end sessions are closed and their recordings stored."""
    with session_folder(settings.sessions_dir, keep=settings.keep_sessions) as root:
        sandbox = await find_sandbox(settings, root, os.environ)
        async with HostDevices.running(settings) as devices:
            host = SessionHost(bus, settings, devices, sandbox, root)
            async with _serving(bus, host):
                warnings = (*(() if sandbox.confines else (NO_SANDBOX,)), *devices.warnings)
                limit = settings.max_sessions
                yield Running(host.id, lambda: Load({"session": limit}, {"session": host.count}), warnings)


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
        await bus.subscribed()
    caring = asyncio.create_task(host.look_after())
    try:
        yield
    finally:
        caring.cancel()
        with contextlib.suppress(Exception):
            await opening.unsubscribe()
        await host.stop()
        with contextlib.suppress(Exception):
            await asking.unsubscribe()
        for task in tasks:
            task.cancel()


class _Server:
    def __init__(self, bus: Bus, host: SessionHost) -> None:
        self._bus, self._host = bus, host

    async def on_open(self, message: Msg) -> None:
        reply = await self._reply(message, self._host.close_wherever)
        if isinstance(reply, Elsewhere):
            subject = self._bus.names.session_host(reply.host)
            await self._bus.nc.publish(subject, message.data, reply=message.reply, headers=HEADERS)
            return
        hops = int((message.headers or {}).get(HOPS, "0"))
        if isinstance(reply, SessionError) and reply.reason in {"full", "no_device"} and hops < MAX_HOPS:
            headers = HEADERS | {HOPS: str(hops + 1)}  # the queue group hands it to whichever host is next
            await self._bus.nc.publish(message.subject, message.data, reply=message.reply, headers=headers)
            return
        await self._bus.respond(message, reply)

    async def on_request(self, message: Msg) -> None:
        await self._bus.respond(message, await self._reply(message, self._host.close))

    async def _reply(self, message: Msg, close: Callable[[CloseSession], Awaitable[R]]) -> SessionReply | R:
        """Return what comes of a request; `close` carries out one to close a session."""
        try:
            request = cast("SessionRequest", codec.decode(message.data, cast("Any", SessionRequest)))
        except (msgspec.DecodeError, RecursionError) as error:
            return SessionError(reason="invalid", text=f"the request cannot be read: {error}")
        with structlog.contextvars.bound_contextvars(run=request.run):
            return await self._answer(message, request, close)

    async def _answer(
        self, message: Msg, request: SessionRequest, close: Callable[[CloseSession], Awaitable[R]]
    ) -> SessionReply | R:
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
        reply = replace(reply, stdout=reply.stdout[-half:], stderr=reply.stderr[-half:], truncated=True)
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
