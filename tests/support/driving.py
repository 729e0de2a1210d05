"""A session without a bus, whose host's end holds browser, dialogs and shell, and a user of the tools."""

import asyncio
import hashlib
import itertools
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import msgspec
from browsing import launch_chromium
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Playwright,
    Request,
    Response,
    WebError,
    async_playwright,
)

from muster_devices.device import Device
from muster_devices.web.page_events import GIVEN_UP, hear_out
from muster_devices.web.page_script import prepare, register
from muster_devices.web.web_device import WebDevice
from muster_protocol.session_responses import (
    ExecDone,
    FileContent,
    FileEntry,
    PictureRead,
    SessionError,
    WorkspaceDone,
)
from muster_protocol.sessions import Author, ConsoleSeen, DocumentSeen, NetworkSeen, OpenDialog
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, ToolCall, ToolOutcome
from muster_sessionhost.picture_text import read_picture
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.session_client import SessionRefused
from muster_subagent.step_permissions import Permission
from muster_subagent.tool_context import SessionLost, ToolContext

PASSWORD = "s3cret-pass-phrase"
NUMBERS = itertools.count(1)


# ---- a session: the host's end holds browser, dialogs and shell, the worker's end is what tools get


class Seen:
    """What the host's end sees of the pages."""

    def __init__(self, context: BrowserContext) -> None:
        self.document: DocumentSeen | None = None
        self.console: deque[ConsoleSeen] = deque(maxlen=500)
        self.network: deque[NetworkSeen] = deque(maxlen=500)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def _console(self, message: ConsoleMessage) -> None:
        url = (message.location or {"url": ""})["url"]
        self.console.append(ConsoleSeen(level=message.type, text=message.text, url=url, at=time.time()))

    def _error(self, error: WebError) -> None:
        self.console.append(ConsoleSeen(level="error", text=str(error.error), at=time.time()))

    def _response(self, response: Response) -> None:
        asked, status = response.request, response.status
        self._note(asked, status=status)
        if _is_document(asked) and not 300 <= status < 400:
            self.document = DocumentSeen(url=response.url, status=status, at=time.time())

    def _failed(self, asked: Request) -> None:
        failure = asked.failure or "failed"
        self._note(asked, failure=failure)
        if _is_document(asked) and not failure.startswith(GIVEN_UP):
            self.document = DocumentSeen(url=asked.url, status=0, at=time.time(), failure=failure)

    def _note(self, asked: Request, status: int = 0, failure: str = "") -> None:
        seen = NetworkSeen(method=asked.method, url=asked.url, status=status, failure=failure, at=time.time())
        self.network.append(msgspec.structs.replace(seen, kind=asked.resource_type))


def _is_document(asked: Request) -> bool:
    try:
        return asked.is_navigation_request() and asked.frame.parent_frame is None
    except Error:  # the first document of a tab that is only just opening
        return True


class LocalSession:
    """A session without a bus: implements `muster_subagent.tool_context.Session`."""

    def __init__(self, host: BrowserContext, worker: BrowserContext, folder: Path) -> None:
        self.host, self.worker, self.folder = host, worker, folder
        self.seen = Seen(host)
        self.answered: list[bool] = []
        self._held: list[Dialog] = []
        self._there = asyncio.Event()
        self._chosen: Page | None = None
        self._kept: dict[str, str] = {}
        self._exec: dict[str, ExecDone] = {}
        self._device = WebDevice(self)
        host.on("dialog", self._opened)

    async def device(self) -> Device:
        return self._device

    @property
    def device_used(self) -> bool:
        return bool(self.pages)

    def allow(self, *domains: str) -> None:
        """Have the pages of these hosts alone looked at."""
        self._device = WebDevice(self, domains)

    def _opened(self, dialog: Dialog) -> None:
        self._held.append(dialog)
        self._there.set()

    @property
    def pages(self) -> list[Page]:
        return list(self.worker.pages)

    async def page(self) -> Page:
        if self._chosen is None or self._chosen.is_closed():
            if not self.worker.pages:
                raise SessionLost("another worker holds the session", fenced=True)
            self._chosen = self.worker.pages[-1]
        return self._chosen

    def use(self, page: Page) -> None:
        self._chosen = page

    @property
    def dialog(self) -> OpenDialog | None:
        if not self._held:
            return None
        held = self._held[0]
        return OpenDialog(kind=held.type, message=held.message, default=held.default_value)

    async def dialog_opened(self) -> OpenDialog:
        while (dialog := self.dialog) is None:
            self._there.clear()
            await self._there.wait()
        return dialog

    async def answer_dialog(self, *, call: str, accept: bool, text: str = "") -> None:
        if not self._held:
            raise SessionRefused("no_dialog", "no dialog is open")
        held = self._held.pop(0)
        self.answered.append(accept)
        await (held.accept(text) if accept else held.dismiss())

    kind = "web"
    has_workspace = False
    surroundings = ""

    async def use_workspace(self, asked: ToolCall, *, call: str, timeout_seconds: float) -> WorkspaceDone:
        raise SessionRefused("no_workspace", "this session was opened without a workspace")

    async def read_picture(self, picture: bytes) -> PictureRead:
        read = await read_picture(picture)
        if isinstance(read, SessionError):
            raise SessionRefused("no_reader", read.text)
        return read

    async def execute(
        self,
        command: str,
        *,
        call: str,
        timeout_seconds: float,
        background: bool = False,
        secrets: Mapping[str, str],
        on_output: Callable[[str, str], None] | None = None,
        author: Author = "model",
        approved: bool = False,
    ) -> ExecDone:
        if call not in self._exec:
            self._exec[call] = await self._run(command, timeout_seconds, background, secrets, on_output)
            self._kept["exec"] = msgspec.json.encode(self._exec[call]).decode()
        return self._exec[call]

    async def _run(
        self,
        command: str,
        seconds: float,
        background: bool,
        secrets: Mapping[str, str],
        on_output: Callable[[str, str], None] | None,
    ) -> ExecDone:
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", command),
            cwd=self.folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", **secrets},
        )
        if background:
            return ExecDone(exit_code=None, pid=process.pid)
        try:
            out, err = await asyncio.wait_for(process.communicate(), seconds)
        except TimeoutError:
            process.kill()
            await process.communicate()
            return ExecDone(exit_code=None, timed_out=True, pid=process.pid)
        if on_output is not None and out:
            on_output("stdout", out.decode())
        return ExecDone(exit_code=process.returncode, stdout=out.decode(), stderr=err.decode(), pid=process.pid)

    def _path(self, path: str) -> Path:
        full = (self.folder / path).resolve()
        if not full.is_relative_to(self.folder):
            raise SessionRefused("invalid", f"{path!r} is outside the session's directory")
        return full

    async def read_file(self, path: str, limit: int = 700_000) -> FileContent:
        full = self._path(path)
        if not full.is_file():
            raise SessionRefused("not_found", f"there is no {path!r} in the session's directory")
        content = full.read_bytes()
        return FileContent(content=content[:limit], size=len(content), truncated=len(content) > limit)

    async def write_file(self, path: str, content: bytes) -> None:
        full = self._path(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(content)

    async def list_files(self, path: str) -> tuple[FileEntry, ...]:
        full = self._path(path)
        if not full.is_dir():
            raise SessionRefused("not_found", f"there is no folder {path!r}")
        names = sorted(full.iterdir())
        return tuple(FileEntry(name=it.name, size=it.stat().st_size, folder=it.is_dir()) for it in names)

    async def keep(self, key: str, value: str) -> None:
        self._kept[key] = value

    async def recall(self, key: str) -> str | None:
        match key:
            case "document":
                return msgspec.json.encode(self.seen.document).decode() if self.seen.document else None
            case "console":
                await hear_out(self.host)
                return msgspec.json.encode(list(self.seen.console)).decode()
            case "network":
                return msgspec.json.encode(list(self.seen.network)).decode()
            case _:
                return self._kept.get(key)


@dataclass
class Host:
    """The browser and the two ends that drive it."""

    browser: Browser
    endpoint: str
    driver: Playwright
    worker: Playwright

    async def shut_out(self) -> None:
        """Let nobody who is connected go on, as another worker's attaching does."""
        await self.browser.unbind()
        self.endpoint = (await self.browser.bind("tools", host="127.0.0.1", port=0))["endpoint"]


@asynccontextmanager
async def launched() -> AsyncGenerator[Host]:
    """Launch a browser, and start the drivers of both ends."""
    async with async_playwright() as driver, async_playwright() as worker:
        await register(driver)
        browser = await launch_chromium(driver)
        endpoint = (await browser.bind("tools", host="127.0.0.1", port=0))["endpoint"]
        yield Host(browser, endpoint, driver, worker)
        await browser.close()


@asynccontextmanager
async def opened(host: Host, folder: Path) -> AsyncGenerator[LocalSession]:
    """Open a session in a browser context of its own, with one blank page."""
    context = await host.browser.new_context(accept_downloads=True)
    await prepare(context)
    page = await context.new_page()
    marked = f"about:blank?{next(NUMBERS)}"
    await page.goto(marked)
    connected = await host.worker.chromium.connect(host.endpoint)
    [mine] = [other for other in connected.contexts if any(page.url == marked for page in other.pages)]
    yield LocalSession(context, mine, folder)
    await connected.close()
    await context.close()


# ---- a user of the tools


class User:
    """Makes tool calls as the runner does."""

    def __init__(self, ctx: ToolContext, session: LocalSession, stored: dict[str, bytes]) -> None:
        self.ctx, self.session, self.stored = ctx, session, stored
        self.values: dict[str, str] = {}

    async def __call__(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call and return its outcome, whatever it is."""
        self.ctx.call = f"task:{next(NUMBERS)}"
        call = ToolCall(tool=tool, arguments=arguments)
        outcome = await asyncio.wait_for(tools.call(self.ctx, call, self.values), 30)
        self.values |= outcome.captured
        return outcome

    async def ok(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call that must come out well."""
        outcome = await self(tool, **arguments)
        assert outcome.status == "ok", f"{outcome.failure}: {outcome.text}"
        return outcome

    async def bad(self, tool: str, **arguments: ArgumentValue) -> ToolOutcome:
        """Make a call that must not come out well; it does not wait long, so the page must be complete.

        A busy machine can be too slow even so: what "could not be used in time" is tried again, with more of it.
        """
        looks = tool.startswith("check_") or tool == "remember"
        patience, self.ctx.action_timeout = self.ctx.action_timeout, 0.15 if looks else 0.5
        outcome = await self(tool, **arguments)
        self.ctx.action_timeout = patience * 3
        if "in time" in outcome.text:
            outcome = await self(tool, **arguments)
        self.ctx.action_timeout = patience
        assert outcome.status != "ok", outcome.text
        return outcome

    async def open(self, url: str) -> ToolOutcome:
        """Open a page."""
        return await self.ok("browser_navigate", url=url)

    async def script(self, text: str) -> object:
        """Run a script in the page, to prepare it or to see what tools must not be asked for."""
        return await (await self.session.page()).evaluate(text)


def user_of(session: LocalSession, http: httpx.AsyncClient) -> User:
    """Return a user of a session who knows one secret, and whose artefacts stay in memory."""
    stored: dict[str, bytes] = {}

    def store(name: str, content: bytes, kind: str) -> ArtifactRef:
        stored[name] = content
        digest = hashlib.sha256(content).hexdigest()
        return ArtifactRef(name=name, sha256=digest, size=len(content), content_type=kind)

    secrets = Secrets({"PASSWORD": PASSWORD})
    ctx = ToolContext(
        session=session,
        secrets=secrets,
        http=http,
        call="task:0",
        store=store,
        action_timeout=2.0,
        author="case",
        permission=Permission(secrets=frozenset({"PASSWORD", "NOBODY"}), hosts=("127.0.0.1", "localhost")),
    )
    return User(ctx, session, stored)
