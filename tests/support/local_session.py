"""A session without a bus: the host's end holds browser, dialogs and shell, the worker's end is what tools get."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from browsing import launch_chromium
from playwright.async_api import Browser, BrowserContext, Dialog, Page, Playwright, async_playwright

from muster_devices.device import Device
from muster_devices.screen import Record
from muster_devices.web.page_events import Seen, hear_out
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
from muster_protocol.sessions import Author, OpenDialog
from muster_protocol.tool_calls import ToolCall
from muster_sessionhost.picture_text import read_picture
from muster_sessionhost.session_memory import encode_feed
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import SessionLost
from muster_text.redaction import Redactor

NUMBERS = itertools.count(1)


class LocalSession:
    """A session without a bus: implements `muster_subagent.tool_context.Session`."""

    def __init__(self, host: BrowserContext, worker: BrowserContext, folder: Path) -> None:
        self.host, self.worker, self.folder = host, worker, folder
        self.seen = Seen()
        self.seen.watch(host)
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
        if key in self._kept:
            return self._kept[key]
        return await encode_feed(self._feed, key, Redactor())

    async def _feed(self, name: str) -> tuple[Record, ...]:
        await hear_out(self.host)
        return self.seen.feed(name)


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
