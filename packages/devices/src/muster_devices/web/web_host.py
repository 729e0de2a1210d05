"""The session host half of the web: a Chromium that is kept, and lent to one worker at a time."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from msgspec import Struct, field
from playwright.async_api import Browser, BrowserContext, Dialog, Playwright
from playwright.async_api import Error as PlaywrightError

from muster_devices.device_host import Access, Left, Saved, Spec
from muster_devices.errors import DeviceLost
from muster_devices.screen import Record
from muster_devices.web.browser_driver import BrowserDriver
from muster_devices.web.browser_storage import Storage
from muster_devices.web.chromium import BrowserMissing, BrowserOptions, find_browser, start_chromium
from muster_devices.web.documents import Documents
from muster_devices.web.page_events import Seen, hear_out, whole
from muster_devices.web.page_picture import picture_of
from muster_devices.web.page_script import prepare, register
from muster_devices.web.page_state import PageState, WebState, bring_back, saved_of, state_of
from muster_devices.web.recorder import Recorder
from muster_protocol.ids import new_id
from muster_protocol.sessions import Holder, OpenDialog, chosen_index
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

BIND_SECONDS = 10.0
SAVE_SECONDS = 2.0
CLOSE_SECONDS = 20.0
QUICK_SECONDS = 0.4
QUICK_END_SECONDS = 1.0
"""What each part of closing, and the end itself, may take where nothing may run on."""
GONE = "the browser ended by itself"
VIEWPORT = {"width": 1280, "height": 800}


class Browsers:
    """Playwright's driver, shared by the browsers of one session host; a host that opens none needs none."""

    def __init__(self, options: BrowserOptions) -> None:
        """To be made by `running`."""
        self._options = options
        self._own: str | None = None
        self.driver = BrowserDriver(self._learn)

    @classmethod
    @asynccontextmanager
    async def running(cls, options: BrowserOptions) -> AsyncGenerator["Browsers"]:
        """Run the driver from the first browser on as long as the context lasts."""
        made = cls(options)
        if made.missing:  # Playwright may have a browser of its own, which only its driver knows
            await made.driver.started()
        try:
            yield made
        finally:
            await made.driver.stop()

    async def _learn(self, playwright: Playwright) -> None:
        await register(playwright)
        self._own = playwright.chromium.executable_path

    @property
    def missing(self) -> str:
        """Why no browser can be started here, and how to mend that; empty: one can."""
        try:
            find_browser(self._own, self._options.executable, os.environ)
        except BrowserMissing as error:
            return error.text
        return ""

    async def launch(self, spec: Spec) -> Browser:
        """Start a browser.

        Raises:
            BrowserMissing: there is none, or it does not start.
        """
        try:
            driver = await self.driver.started()
        except (PlaywrightError, OSError) as error:
            raise BrowserMissing(f"Playwright's driver does not start: {error}") from error
        return await start_chromium(driver, self._options, spec)

    def new(self) -> "WebHost":
        """Return a browser that is yet to be opened."""
        return WebHost(self, self._options)


class WebHost:
    """Implements `DeviceHost`: one browser with its context and pages, its dialogs, its recorder.

    All but `open` is for a browser that is open.
    """

    def __init__(self, browsers: Browsers, options: BrowserOptions) -> None:
        self._browsers, self._options = browsers, options
        self._endpoint = ""
        self._dialogs: list[Dialog] = []
        self._closing = False
        self._seen, self._documents = Seen(), Documents()

    async def open(self, spec: Spec, saved: Saved | None) -> bool:
        """Start a browser with one blank page, or with the pages of a checkpoint.

        Raises:
            BrowserMissing: there is none, or it does not start.
            DeviceLost: it ended while it was being opened.
        """
        state = _state_in(saved)
        self._recorder = Recorder(spec.folder, spec.plan, spec.limits)
        browser = self._browser = await self._launched(spec)
        try:
            with _lost():
                same = await self._fill(browser, state)
        except BaseException:
            await asyncio.shield(_quietly("close a browser that did not come up", browser.close(), CLOSE_SECONDS))
            raise
        return same and (saved is None or state is not None)

    async def _fill(self, browser: Browser, state: WebState | None) -> bool:
        self._context = await _new_context(browser, state)
        self._seen.watch(self._context)
        self._documents.watch(self._context)
        self._storage = Storage(self._context, state.storage if state else {})
        await self._recorder.start(self._context)
        return await self._open_pages(state.pages if state else ())

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Have functions called for each dialog a page opens, and when the browser ends by itself."""

        def opened(dialog: Dialog) -> None:
            self._dialogs.append(dialog)
            on_dialog(_described(dialog))

        def closed(dialog: Dialog) -> None:
            if dialog in self._dialogs:
                self._dialogs.remove(dialog)

        self._context.on("dialog", opened)
        self._context.on("dialogclosed", closed)
        self._on_gone = on_gone
        self._browser.on("disconnected", self._ended)
        self._browsers.driver.on_end(self._ended)

    def _ended(self, _: Browser | None = None) -> None:
        if not self._closing:
            self._on_gone(GONE)

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the browser's address; a fresh one cuts off whoever is connected through the old one."""
        await self._storage.settled()
        if fresh or not self._endpoint:
            with _lost():
                async with asyncio.timeout(BIND_SECONDS):
                    await self._bind()
        return Access(self._endpoint)

    async def _bind(self) -> None:
        if self._endpoint:
            self._endpoint = ""
            await self._browser.unbind()
        bound = await self._browser.bind(new_id("session"), host=self._options.bind, port=0)
        self._endpoint = advertised(bound["endpoint"], self._options.advertise)

    @property
    def dialogs(self) -> tuple[OpenDialog, ...]:
        """The dialogs that wait for an answer, the oldest first."""
        return tuple(map(_described, self._open_dialogs()))

    async def answer(self, accept: bool, text: str) -> bool:
        """Answer the oldest open dialog; False if none is open."""
        if not self._open_dialogs():
            return False
        dialog = self._dialogs.pop(0)
        with _lost():
            async with asyncio.timeout(BIND_SECONDS):
                if not accept:
                    await dialog.dismiss()
                elif dialog.type == "prompt":
                    await dialog.accept(text)
                else:
                    await dialog.accept()
        return True

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what was seen of the pages: `document`, `console`, `network`, or `downloads` that were stopped."""
        if name == "console" and not self._open_dialogs():
            await hear_out(self._context)
        return self._recorder.downloads.stopped if name == "downloads" else self._seen.feed(name)

    async def picture(self, chosen: str, known: Callable[[], Redactor]) -> bytes | None:
        """Return a JPEG of the page that was chosen (a text of `choice_text`), else of the newest."""
        pages = [page for page in self._context.pages if not page.is_closed()]
        if not pages or self._open_dialogs():
            return None
        index = chosen_index(chosen, len(pages))
        with _lost():
            return await picture_of(pages[-1 if index is None else index], known)

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return storage and pages without secrets, or None while a dialog blocks the pages.

        Raises:
            TimeoutError, DeviceLost: a page is busy, or is going elsewhere.
        """
        if self._open_dialogs():
            return None
        with _lost():
            async with asyncio.timeout(SAVE_SECONDS):
                open_pages = list(self._context.pages)  # before Playwright opens one of its own
                states = (state_of(page, redactor, self._documents) for page in open_pages)
                storage, pages = await asyncio.gather(self._storage.read(open_pages), asyncio.gather(*states))
        return saved_of(WebState(storage=storage, pages=tuple(pages)), redactor)

    async def bound(self, seconds: float) -> None:
        """Keep what is recorded within its limits."""
        await self._recorder.bound(seconds)

    async def close(self, quick: bool) -> Left:
        """Close the browser."""
        self._closing = True
        self._browsers.driver.remove(self._ended)
        seconds = QUICK_SECONDS if quick else CLOSE_SECONDS
        while self._open_dialogs():
            await _quietly("dismiss a dialog", self._dialogs.pop(0).dismiss(), min(seconds, BIND_SECONDS))
        await self._recorder.stop(seconds)
        await _quietly("close the browser's context", self._context.close(), seconds)
        await _quietly("close the browser", self._browser.close(), QUICK_END_SECONDS if quick else CLOSE_SECONDS)
        return self._recorder.left()

    async def _launched(self, spec: Spec) -> Browser:
        """Start Chromium; one that nobody waits for any more is closed as soon as it is up."""
        launch = asyncio.ensure_future(self._browsers.launch(spec))
        try:
            return await asyncio.shield(launch)
        except asyncio.CancelledError:
            with suppress(BrowserMissing):
                await _quietly("close a browser", (await launch).close(), CLOSE_SECONDS)
            raise

    def _open_dialogs(self) -> list[Dialog]:
        """Return the dialogs that wait; those of pages that were closed went with them, unannounced."""
        self._dialogs = [dialog for dialog in self._dialogs if not (dialog.page and dialog.page.is_closed())]
        return self._dialogs

    async def _open_pages(self, pages: Sequence[PageState]) -> bool:
        """Open the pages, one after the other so that they keep their order; return whether they read as they did."""
        if not pages:
            await self._context.new_page()
            return True
        opened = [await self._context.new_page() for _ in pages]
        return all(await asyncio.gather(*map(bring_back, opened, pages)))


def advertised(endpoint: str, host: str) -> str:
    """Return a browser's address with the name under which workers reach this host."""
    parts = urlsplit(endpoint)
    name = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{name}:{parts.port}").geturl()


def _state_in(saved: Saved | None) -> WebState | None:
    try:
        return msgspec.json.decode(saved.state, type=WebState) if saved and saved.state else None
    except msgspec.DecodeError:
        return None


class _Contexts(Struct):
    ids: list[str] = field(name="browserContextIds")


async def _new_context(browser: Browser, state: WebState | None) -> BrowserContext:
    options: dict[str, Any] = {"viewport": VIEWPORT, "accept_downloads": True}
    if state is not None:
        options["storage_state"] = state.storage
    context = await browser.new_context(**options)
    await _let_copy(browser)
    await prepare(context)
    return context


async def _let_copy(browser: Browser) -> None:
    """Let pages write to the clipboard without being asked, as browsers with a window do; headless ones refuse it.

    What is granted lasts as long as the connection by which it was, so that is left open.
    """
    tools = await browser.new_browser_cdp_session()
    answer = msgspec.convert(await tools.send("Target.getBrowserContexts"), _Contexts)
    for context in answer.ids:
        granted = {"permission": {"name": "clipboard-write"}, "setting": "granted", "browserContextId": context}
        await tools.send("Browser.setPermission", granted)


def _described(dialog: Dialog) -> OpenDialog:
    page = dialog.page
    message, default = whole(dialog.message), whole(dialog.default_value)
    return OpenDialog(kind=dialog.type, message=message, default=default, url=whole(page.url) if page else "")


@contextmanager
def _lost() -> Generator[None]:
    """Raise DeviceLost in place of Playwright's errors."""
    try:
        yield
    except PlaywrightError as error:
        raise DeviceLost(str(error)) from error


async def _quietly(what: str, doing: Any, seconds: float) -> None:  # noqa: ANN401 - any awaitable
    """Do what may fail without harm to the session; say so in the log."""
    try:
        await asyncio.wait_for(doing, seconds)
    except (PlaywrightError, TimeoutError, OSError) as error:
        said = (str(error) or type(error).__name__).splitlines()[0]  # what follows quotes the pages' consoles
        log.warning("could not " + what, error=said)
