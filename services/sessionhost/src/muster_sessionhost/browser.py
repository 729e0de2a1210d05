"""The browser of a session: launched and kept by the host, lent to one worker at a time."""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from playwright.async_api import Browser, BrowserContext, Dialog, Page, Playwright
from playwright.async_api import Error as PlaywrightError

from muster_devices.web.page_script import prepare
from muster_protocol.errors import MusterError
from muster_protocol.ids import new_id
from muster_protocol.sessions import OpenDialog, chosen_index
from muster_sessionhost.browser_storage import Storage
from muster_sessionhost.checkpoint import ACTED, PageState, Saved
from muster_sessionhost.documents import Documents
from muster_sessionhost.page_events import Seen
from muster_sessionhost.page_listeners import whole
from muster_sessionhost.page_state import bring_back, state_of
from muster_sessionhost.process_reaper import MARK
from muster_sessionhost.recorder import Recorder, downloads_folder, traces_folder
from muster_sessionhost.settings import SessionHostSettings
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

LAUNCH_SECONDS = 30.0
BIND_SECONDS = 10.0
SAVE_SECONDS = 2.0
CLOSE_SECONDS = 20.0
QUICK_SECONDS = 0.4
QUICK_END_SECONDS = 1.0
GONE = "the browser ended by itself"
"""What each part of closing, and the end itself, may take where nothing may run on."""
VIEWPORT = {"width": 1280, "height": 800}
QUIET = (
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"),
    *("--disable-quic", "--disable-gpu", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"),
)
ON_THE_PATH = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MEND = "run `make setup`, or `playwright install chromium`, or install the package chromium-headless-shell"


class BrowserMissing(MusterError):
    """No browser can be started on this host; the message says how to mend that."""


def launch_arguments(domains: Sequence[str]) -> list[str]:
    """Return Chromium's arguments; with domains, no other host (nor address) can be reached, by whatever protocol."""
    if not domains:
        return list(QUIET)
    allowed = (f"EXCLUDE {name}" for domain in domains for name in (domain, f"*.{domain}"))
    return [*QUIET, f"--host-resolver-rules={', '.join(('MAP * ~NOTFOUND', *allowed))}"]


def advertised(endpoint: str, host: str) -> str:
    """Return a browser's address with the name under which workers reach this host."""
    parts = urlsplit(endpoint)
    name = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{name}:{parts.port}").geturl()


class SessionBrowser:
    """One session's browser: its context and pages, its dialogs, its recorder."""

    def __init__(
        self,
        browser: Browser,
        context: BrowserContext,
        recorder: Recorder,
        settings: SessionHostSettings,
        kept: dict[str, Any],
    ) -> None:
        """`kept`: the storage state that the context began with."""
        self._browser, self.context = browser, context
        self.recorder, self._settings = recorder, settings
        self._endpoint = ""
        self._dialogs: list[Dialog] = []
        self._closing = False
        self.same = True
        """Whether the pages of the checkpoint it was launched from read as they did."""
        self.seen = Seen()
        self.seen.watch(context)
        self._documents = Documents()
        self._documents.watch(context)
        self._storage = Storage(context, kept)

    @classmethod
    async def launch(
        cls,
        playwright: Playwright,
        settings: SessionHostSettings,
        recorder: Recorder,
        domains: Sequence[str] = (),
        saved: Saved | None = None,
    ) -> "SessionBrowser":
        """Start a browser with one blank page, or with the pages of a checkpoint.

        Raises:
            BrowserMissing: there is none, or it does not start.
        """
        browser = await _start(playwright, settings, recorder.folder, domains)
        try:
            context = await _new_context(browser, saved)
            await recorder.start(context)
            made = cls(browser, context, recorder, settings, saved.state if saved else {})
            made.same = await made._open_pages(saved.pages if saved else ())
        except BaseException:
            await asyncio.shield(_quietly("close a browser that did not come up", browser.close(), CLOSE_SECONDS))
            raise
        return made

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Have functions called for each dialog a page opens, and when the browser ends by itself."""

        def opened(dialog: Dialog) -> None:
            self._dialogs.append(dialog)
            on_dialog(_described(dialog))

        def closed(dialog: Dialog) -> None:
            if dialog in self._dialogs:
                self._dialogs.remove(dialog)

        def ended(_: Browser) -> None:
            if not self._closing:
                on_gone(GONE)

        self.context.on("dialog", opened)
        self.context.on("dialogclosed", closed)
        self._browser.on("disconnected", ended)

    @property
    def dialogs(self) -> tuple[OpenDialog, ...]:
        """The dialogs that wait for an answer, the oldest first."""
        return tuple(map(_described, self._open_dialogs()))

    def current(self, chosen: str | None) -> Page | None:
        """Return the page that was chosen (a text of `link.choice_text`), else the newest; None if all are closed."""
        pages = [page for page in self.context.pages if not page.is_closed()]
        index = chosen_index(chosen, len(pages))
        return pages[-1 if index is None else index] if pages else None

    async def endpoint(self, *, fresh: bool) -> str:
        """Return the address for the holder; a fresh one cuts off whoever is connected through the old one."""
        await self._storage.settled()
        if not fresh and self._endpoint:
            return self._endpoint
        async with asyncio.timeout(BIND_SECONDS):
            if self._endpoint:
                self._endpoint = ""
                await self._browser.unbind()
            bound = await self._browser.bind(new_id("session"), host=self._settings.bind_host, port=0)
        self._endpoint = advertised(bound["endpoint"], self._settings.advertise_host)
        return self._endpoint

    async def answer(self, *, accept: bool, text: str) -> bool:
        """Answer the oldest open dialog; False if none is open."""
        if not self._open_dialogs():
            return False
        dialog = self._dialogs.pop(0)
        async with asyncio.timeout(BIND_SECONDS):
            if not accept:
                await dialog.dismiss()
            elif dialog.type == "prompt":
                await dialog.accept(text)
            else:
                await dialog.accept()
        return True

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return what it takes to go on elsewhere, or None while a dialog blocks the pages.

        Raises:
            TimeoutError, playwright.async_api.Error: a page is busy, or is going elsewhere.
        """
        if self._open_dialogs():
            return None
        async with asyncio.timeout(SAVE_SECONDS):
            open_pages = list(self.context.pages)  # before Playwright opens one of its own
            states = (state_of(page, redactor, self._documents) for page in open_pages)
            state, pages = await asyncio.gather(self._storage.read(open_pages), asyncio.gather(*states))
        missing = ACTED if any(page.acted for page in pages) else ""
        return Saved(state=state, pages=tuple(pages), missing=missing)

    async def close(self, *, quick: bool = False) -> None:
        """Close the browser; what it recorded is in its recorder's folder then."""
        self._closing = True
        seconds = QUICK_SECONDS if quick else CLOSE_SECONDS
        while self._open_dialogs():
            await _quietly("dismiss a dialog", self._dialogs.pop(0).dismiss(), min(seconds, BIND_SECONDS))
        await self.recorder.stop(seconds)
        await _quietly("close the browser's context", self.context.close(), seconds)
        await _quietly("close the browser", self._browser.close(), QUICK_END_SECONDS if quick else CLOSE_SECONDS)

    def _open_dialogs(self) -> list[Dialog]:
        """Return the dialogs that wait; those of pages that were closed went with them, unannounced."""
        self._dialogs = [dialog for dialog in self._dialogs if not (dialog.page and dialog.page.is_closed())]
        return self._dialogs

    async def _open_pages(self, pages: Sequence[PageState]) -> bool:
        """Open the pages, one after the other so that they keep their order; return whether they read as they did."""
        if not pages:
            await self.context.new_page()
            return True
        opened = [await self.context.new_page() for _ in pages]
        return all(await asyncio.gather(*map(bring_back, opened, pages)))


async def _start(
    playwright: Playwright, settings: SessionHostSettings, records: Path, domains: Sequence[str]
) -> Browser:
    executable = find_browser(playwright.chromium.executable_path, settings.browser_executable, os.environ)
    confined = not settings.browser_no_sandbox and os.geteuid() != 0

    async def launch(*, confined: bool) -> Browser:
        return await playwright.chromium.launch(
            executable_path=executable,
            headless=settings.headless,
            chromium_sandbox=confined,
            args=launch_arguments(domains),
            downloads_path=downloads_folder(records),
            traces_dir=traces_folder(records),
            env={**os.environ, MARK: records.parent.name},
            timeout=LAUNCH_SECONDS * 1000,
            # a signal to the whole process group must not end the browsers before their recordings are stored
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )

    try:
        try:
            return await launch(confined=confined)
        except PlaywrightError:
            if not confined:
                raise
            log.warning("Chromium does not start with its own sandbox here, so it is started without")
            return await launch(confined=False)
    except PlaywrightError as error:
        raise BrowserMissing(f"the browser {executable or ''} does not start: {error.message}") from error


def find_browser(
    playwrights_own: str, wanted: str, environ: Mapping[str, str], beside: Path = Path(sys.executable).parent
) -> Path | None:
    """Return the browser to launch; None means Playwright's own. One in the virtual environment (`beside`) comes first.

    Raises:
        BrowserMissing: there is none.
    """
    if wanted:
        if not Path(wanted).exists():
            raise BrowserMissing(f"BROWSER_EXECUTABLE names {wanted}, which does not exist")
        return Path(wanted)
    if (installed := beside / ON_THE_PATH[0]).exists():
        return installed
    own = Path(playwrights_own)
    shells = own.parent.parent.parent.glob("chromium_headless_shell-*/*/*headless*shell*")
    if own.exists() or any(shells):
        return None
    found = (shutil.which(name, path=environ.get("PATH")) for name in ON_THE_PATH)
    for executable in filter(None, found):
        return Path(executable)
    raise BrowserMissing(f"no Chromium was found on the session host: {MEND}")


async def _new_context(browser: Browser, saved: Saved | None) -> BrowserContext:
    options: dict[str, Any] = {"viewport": VIEWPORT, "accept_downloads": True}
    if saved is not None:
        options["storage_state"] = saved.state
    context = await browser.new_context(**options)
    await prepare(context)
    return context


def _described(dialog: Dialog) -> OpenDialog:
    page = dialog.page
    message, default = whole(dialog.message), whole(dialog.default_value)
    return OpenDialog(kind=dialog.type, message=message, default=default, url=whole(page.url) if page else "")


async def _quietly(what: str, doing: Any, seconds: float) -> None:  # noqa: ANN401 - any awaitable
    """Do what may fail without harm to the session; say so in the log."""
    try:
        await asyncio.wait_for(doing, seconds)
    except (PlaywrightError, TimeoutError, OSError) as error:
        log.warning("could not " + what, error=str(error) or type(error).__name__)
