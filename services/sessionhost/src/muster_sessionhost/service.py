"""The session host on NATS: receives requests and answers each in its own task."""

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
from muster_bus.bus import HEADERS, header_size
from muster_bus.process_row import Load, Running
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_protocol import codec
from muster_protocol.session_requests import CloseSession, OpenSession, SessionRequest
from muster_protocol.session_responses import ExecDone, SessionError, SessionReply
from muster_protocol.sessions import NO_SANDBOX
from muster_service import tracing
from muster_service.settings import SettingsError
from muster_sessionhost.command_output import keep_end
from muster_sessionhost.host import SessionHost
from muster_sessionhost.host_devices import HostDevices
from muster_sessionhost.line_server import LineServer
from muster_sessionhost.network_trial import probe_domains
from muster_sessionhost.process_reaper import kill_all
from muster_sessionhost.sandbox import find_sandbox
from muster_sessionhost.session import HolderRequest
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

QUEUE = "sessions"
MESSAGE_LIMIT = 1_000_000


@asynccontextmanager
async def session_host(bus: Bus, settings: SessionHostSettings) -> AsyncGenerator[Running]:
    """Run a session host inside the context; on exit, close its sessions and store their recordings.

    Raises:
        SettingsError: another host already has the id in `HOST_ID`.
    """
    with session_folder(settings.sessions_dir, keep=settings.keep_sessions) as root:
        sandbox = await find_sandbox(settings, root, os.environ)
        sandbox = await probe_domains(sandbox, root, wanted=settings.exec_domains)
        async with HostDevices.running(settings) as devices:
            host = SessionHost(bus, settings, devices, sandbox, root)
            if settings.host_id:
                await host.ensure_unique_id()
            async with _serving(bus, host):
                warnings = (*(() if sandbox.confines else (NO_SANDBOX,)), *devices.warnings)
                limit = settings.max_sessions
                load = lambda: Load({"session": limit}, {"session": host.count})  # noqa: E731
                yield Running(
                    host.id,
                    load,
                    warnings,
                    devices.kinds,
                    tuple(sorted(host.workspaces)),
                    phones=devices.loans.rows,
                    chosen=bool(settings.host_id),
                )


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
    for _ in range(2):  # nats-py sends the first flush's PING ahead of pending data, including the subscriptions
        await bus.flush_subscriptions()
    maintenance = asyncio.create_task(host.maintain_sessions())
    line = LineServer(bus, host)
    await line.start()
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            await opening.unsubscribe()
        await line.stop()
        await host.drain()
        maintenance.cancel()
        await host.stop()
        with contextlib.suppress(Exception):
            await asking.unsubscribe()
        for task in tasks:
            task.cancel()


class _Server:
    def __init__(self, bus: Bus, host: SessionHost) -> None:
        self._bus, self._host = bus, host

    async def on_open(self, message: Msg) -> None:
        await self._bus.respond(message, await self._reply(message, self._host.close_or_redirect))

    async def on_request(self, message: Msg) -> None:
        await self._bus.respond(message, await self._reply(message, self._host.close))

    async def _reply(self, message: Msg, close: Callable[[CloseSession], Awaitable[SessionReply]]) -> SessionReply:
        """Decode and carry out a request, and return the reply; `close` handles a request to close a session."""
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
        name, attributes = type(request).__name__, {"muster.run": request.run, "muster.session": request.name}
        try:
            with tracing.span(f"session {name}", attributes, kind=tracing.SERVER, headers=message.headers):
                if isinstance(request, CloseSession):
                    return await close(request)
                return fit_message(await self._carry_out(request), self._bus.nc.max_payload - header_size(HEADERS))
        except BUS_ERRORS as error:
            log.warning("request not carried out: NATS does not answer", request=name, error=describe_error(error))
            return SessionError(reason="busy", text=f"NATS does not answer the session host: {error!r}")
        except Exception as error:
            log.exception("request failed with an unexpected error", request=name)
            return SessionError(reason="fault", text=f"the session host failed: {type(error).__name__}")

    async def _carry_out(self, request: OpenSession | HolderRequest) -> SessionReply:
        if isinstance(request, OpenSession):
            return await self._host.open(request)
        return await self._host.handle(request)


def fit_message(reply: SessionReply, most: int) -> SessionReply:
    """Shorten a command's output until the reply fits into one message; JSON escapes can make it grow.

    Any other reply of more than `most` bytes, which NATS would not take, becomes an error: whoever asks gets an answer.
    """
    while isinstance(reply, ExecDone) and len(codec.encode(reply)) > min(MESSAGE_LIMIT, most):
        half = max(len(reply.stdout), len(reply.stderr)) // 2
        reply = replace(reply, stdout=keep_end(reply.stdout, half), stderr=keep_end(reply.stderr, half), truncated=True)
    if (size := len(codec.encode(reply))) > most:
        return SessionError(reason="fault", text=f"the answer has {size} bytes, and NATS takes {most} (max_payload)")
    return reply


@contextlib.contextmanager
def session_folder(wanted: str, *, keep: bool = False) -> Generator[Path]:
    """Create the folder for this process's sessions, and remove it on exit unless `keep` is set.

    First kill the processes and remove the folders that dead session hosts left behind.

    Raises:
        SettingsError: the default parent folder belongs to another user.
        OSError: the folder cannot be made.
    """
    parent = Path(wanted) if wanted else Path(tempfile.gettempdir()) / f"muster-sessions-{os.getuid()}"
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not wanted and parent.lstat().st_uid != os.getuid():
        raise SettingsError(f"{parent} belongs to another user: set SESSIONS_DIR to a folder of your own")
    with contextlib.ExitStack() as mine:
        with _locked(parent):
            for folder in parent.glob("host-*"):
                with contextlib.suppress(BlockingIOError), _locked(folder, wait=False):
                    if ended := kill_all(session.name for session in folder.iterdir()):
                        log.warning("killed leftover processes of a dead session host", count=ended)
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
    """Hold an exclusive lock on a folder; the system releases it when the process ends, however it ends.

    Raises:
        BlockingIOError: another process holds it, and `wait` is false.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)
