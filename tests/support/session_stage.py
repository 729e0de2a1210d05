"""A stage for tests of sessions: a private nats-server, session hosts, workers here and as processes, a small site."""

import asyncio
import itertools
import json
import os
import signal
import sys
import threading
from asyncio import subprocess
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self, cast

from envelopes import a_task
from fork_server import Process
from fork_server import start as start_process
from harmless import guard_shells
from msgspec import Struct
from msgspec.structs import replace
from waiting import eventually

from muster_agents import EVERYTHING, Permissions
from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected, provisioned_server
from muster_orchestrator.session_line import join_line
from muster_protocol.errors import Refused
from muster_protocol.requests import DeviceSpec
from muster_protocol.session_requests import CloseSession, Opening, OpenSession, SessionRequest
from muster_protocol.session_responses import Closed, Opened, SessionError, SessionReply
from muster_protocol.sessions import Holder
from muster_service.settings import load
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.attachment import Attachment
from muster_subagent.held_sessions import Attachments
from muster_subagent.secrets import Secrets

WORKER = Path(__file__).parents[1] / "integration" / "sessionhost" / "worker.py"
GUARDED_HOST = Path(__file__).with_name("guarded_host.py")
SECONDS = 20.0
NO_DEVICE = DeviceSpec(kind="none")
NUMBERS = itertools.count(1)

PAGES = {
    "/": """<title>Start</title><input id=name><button id=ask onclick="document.title = confirm('Sure?')">Ask</button>
        <button id=prompt onclick="document.title = prompt('Your name?', 'nobody')">Prompt</button>
        <button id=count onclick="document.title = 'Clicked ' + (window.n = (window.n || 0) + 1)">Count</button>
        <a id=popup href=/second target=_blank>Popup</a>""",
    "/second": "<title>Second</title><p>Second page</p>",
    "/login": """<title>Login</title><form method=post action=/echo><input type=password name=password id=password>
        <input name=shown id=shown><button id=send>Log in</button></form>
        <button id=json onclick="fetch('/echo', {method: 'POST', body: JSON.stringify({password: password.value})})
          .then(answer => answer.text()).then(text => { console.log('got ' + text); document.title = 'Sent'; })">J</button>
        <button id=encoded onclick="fetch('/echo?p=' + encodeURIComponent(password.value),
          {headers: {Authorization: 'Basic ' + btoa('me:' + password.value)}})
          .then(() => { document.cookie = 'token=' + encodeURIComponent(password.value);
            localStorage.setItem('kept', password.value); document.title = 'Encoded'; })">E</button>""",
}


class Site(BaseHTTPRequestHandler):
    """Serves the pages above; /echo answers with the body it was sent, as a page."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(PAGES.get(self.path.partition("?")[0], "<title>Echo</title>"))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        self._answer(f"<title>Echo</title><p>{body}</p>")

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, page: str) -> None:
        data = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Set-Cookie", "visited=yes; Path=/")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serving_site() -> Generator[str]:
    """Serve the site on loopback and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class WorkerProcess:
    """A worker in a process of its own, which can be stopped and killed."""

    def __init__(self, process: subprocess.Process) -> None:
        self._process = process
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, bus: Bus, *arguments: str) -> Self:
        command = (sys.executable, str(WORKER), bus.settings.nats_url, *arguments)
        shared = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=shared)
        made = cls(process)
        await made.outcome(0)
        return made

    async def do(self, *order: str) -> Any:
        """Have the worker do something and return what came of it."""
        answer = await self.outcome(self.begin(*order))
        assert "value" in answer, answer
        return answer["value"]

    def begin(self, *order: str) -> int:
        """Have the worker begin something; its number is for `outcome`."""
        self._count += 1
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": self._count, "do": order}).encode() + b"\n")
        return self._count

    async def outcome(self, begun: int) -> dict[str, Any]:
        """Return what came of an order that was begun: `value`, `lost` and `fenced`, or `error`."""
        return await asyncio.wait_for(asyncio.shield(self._future(begun)), SECONDS)

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    def _future(self, number: int) -> "asyncio.Future[dict[str, Any]]":
        return self._answers.setdefault(number, asyncio.get_running_loop().create_future())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            answer = json.loads(line)
            self._future(answer["id"]).set_result(answer)


class Stage:
    """One test's place: a nats-server, hosts, workers, and a run of its own."""

    def __init__(self, server: NatsServer, bus: Bus, folder: Path) -> None:
        self.server, self.bus, self.folder = server, bus, folder
        self.run = f"run-{next(NUMBERS)}"
        self.host = ""
        self.workers: dict[str, Attachments] = {}
        self._stack = AsyncExitStack()
        self._processes: list[WorkerProcess] = []
        self._hosts: list[Process] = []

    async def start_host(self, **settings: object) -> str:
        """Start a session host in this process, with settings by name; returns its id."""
        given = {
            "sessions_dir": self.folder,
            "session_heartbeat_seconds": 0.5,
            "session_drain_seconds": 0,
            "record_picture": "off",
            "unsandboxed_model_commands": "allow",
        } | settings
        guard_shells()
        made = load(SessionHostSettings, {name.upper(): str(value) for name, value in given.items()})
        bus = await self._stack.enter_async_context(connected(self.server))
        self.host = (await self._stack.enter_async_context(session_host(bus, made))).id
        return self.host

    async def start_host_process(self, host: str, **environment: str) -> Process:
        """Start a session host as a process of its own, which can be stopped and killed, and wait until it answers."""
        settings = {
            "NATS_URL": self.server.url,
            "HOST_ID": host,
            "SESSIONS_DIR": str(self.folder),
            "LOG_LEVEL": "error",
            "RECORD_PICTURE": "off",
            "UNSANDBOXED_MODEL_COMMANDS": "allow",
        }
        log = self.folder.with_name(f"{self.folder.name}-{host}.log")
        process = await start_process((str(GUARDED_HOST),), os.environ | settings | environment, log)
        self._hosts.append(process)

        async def answers() -> bool:
            try:
                await self.ask(self.bus.names.session_host(host), CloseSession(run="none"))
            except Refused:
                return False
            return True

        await eventually(answers, f"session host {host} answers")
        self.host = host
        return process

    async def start_worker(
        self, *, dispatch: int = 1, delivery: int = 1, name: str = "worker-process"
    ) -> WorkerProcess:
        """Start a worker as a process of its own, attached to the test's session."""
        arguments = (self.run, self.host, str(dispatch), str(delivery), name)
        self._processes.append(await WorkerProcess.start(self.bus, *arguments))
        return self._processes[-1]

    def attach(
        self,
        *,
        run: str = "",
        dispatch: int = 1,
        delivery: int = 1,
        worker: str = "worker-a",
        secrets: dict[str, str] | None = None,
        permissions: Permissions = EVERYTHING,
    ) -> AbstractAsyncContextManager[Attachment]:
        """Attach in this process, as the worker of that name."""
        run = run or self.run
        task = a_task(id=f"{run}.n.1", run=run, node="n", attempt=1, dispatch=dispatch, session="main", host=self.host)
        attachments = self.workers.setdefault(worker, Attachments(self.bus))
        return attachments.attach(task, delivery, Secrets(secrets or {}), worker, permissions)

    async def open(self, run: str = "", **more: Any) -> Opened:
        """Open a session as the orchestrator does: where the host that is asked cannot, in line for another."""
        request = OpenSession(run=run or self.run, **more)
        reply = await self.ask(self.bus.names.sessions_open, request)
        if isinstance(reply, SessionError) and reply.reason in {"full", "no_device", "no_workspace"}:
            await join_line(self.bus, Opening(run=request.run, sessions=(request,)), "normal")

            async def there() -> Opened | None:
                again = await self.ask(self.bus.names.sessions_open, replace(request, in_line=True))
                return again if isinstance(again, Opened) else None

            reply = await eventually(there, f"a session of {request.run} is open")
        assert isinstance(reply, Opened), reply
        self.host = reply.session.host
        return reply

    async def close(self, run: str = "") -> Closed:
        """Close a session as the orchestrator does."""
        reply = await self.ask(self.bus.names.session_host(self.host), CloseSession(run=run or self.run))
        assert isinstance(reply, Closed), reply
        return reply

    async def of(self, kind: Callable[..., SessionRequest], holder: Holder, **fields: Any) -> Any:
        """Ask the host of the test's session for something, as a holder."""
        request = kind(run=self.run, name="main", holder=holder, **fields)
        return await self.ask(self.bus.names.session_host(self.host), request)

    async def ask(self, subject: str, request: Struct) -> SessionReply:
        return cast("SessionReply", await self.bus.request(subject, request, cast("Any", SessionReply), SECONDS))

    async def end_workers(self) -> None:
        for process in self._processes:
            await process.end()

    async def end(self) -> None:
        await self.end_workers()
        for worker in self.workers.values():
            await worker.close()
        for host in self._hosts:
            if host.returncode is None:
                host.send_signal(signal.SIGCONT)
                host.terminate()
            await host.wait()
        await self._stack.aclose()


@asynccontextmanager
async def new_stage(folder: Path) -> AsyncGenerator[Stage]:
    async with provisioned_server() as server, connected(server) as bus:
        stage = Stage(server, bus, folder)
        try:
            yield stage
        finally:
            await stage.end()


MakeStage = Callable[[], AbstractAsyncContextManager[Stage]]


def processes_with(text: str) -> list[int]:
    """Return the processes of this machine whose command line holds a text (arguments are divided by NUL)."""
    return [pid for pid in _processes() if text.encode() in _read(Path(f"/proc/{pid}/cmdline"))]


def descendants(root: int) -> set[int]:
    """Return the processes that a process has started, and those they have started."""
    parents = {pid: _read(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()[1:2] for pid in _processes()}
    found = {root}
    while new := {pid for pid, parent in parents.items() if parent and int(parent[0]) in found} - found:
        found |= new
    return found - {root, os.getpid()}


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # the process has just ended
