"""The connection of a worker process to one session's browser, kept while the endpoint stays the same."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import structlog
from playwright.async_api import Browser, Error, Page, Playwright
from playwright.async_api import TimeoutError as ConnectTimeout

from muster_devices.web.browser_driver import BrowserDriver, connection_of
from muster_protocol.sessions import choice_text, chosen_index

log = structlog.get_logger("muster.attachment")

BrowserError: TypeAlias = Error
BrowserPage: TypeAlias = Page
CONNECT_SECONDS = 15.0
CONNECT_PAUSES = (0.1, 0.5)
"""Seconds before connecting again; a connection that broke while it was made has changed nothing."""
CLOSE_SECONDS = 5.0


def _forget_old_error(playwright: Playwright) -> None:
    """Drop an error that closing an earlier connection has left behind.

    Playwright keeps what fails in its own listeners and raises it at the next call, whatever that is and wherever: a
    worker that was frozen while it connected would fail a step of another session by it.
    """
    connection = connection_of(playwright)
    if connection._error is not None:
        log.warning("error of an earlier browser connection ignored", error=repr(connection._error))
        connection._error = None


class Link:
    """One browser: connected when first needed; knows its pages and which of them was chosen."""

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver
        self.endpoint = ""
        self.on_choice: Callable[[str], None] = lambda _text: None
        """Called with what is to be kept when the chosen page, or its place among the pages, changes."""
        self._browser: Browser | None = None
        self._chosen: Page | None = None
        self._connecting = asyncio.Lock()

    @property
    def pages(self) -> list[Page]:
        """The open pages, oldest first; none while not connected."""
        contexts = self._browser.contexts if self._browser else []
        return [page for context in contexts for page in context.pages if not page.is_closed()]

    @property
    def connected(self) -> bool:
        """Whether the connection is up."""
        return self._browser is not None and self._browser.is_connected()

    async def ready(self) -> None:
        """Have the driver started, and free of what an earlier connection left behind."""
        _forget_old_error(await self._driver.started())

    async def connect(self) -> bool:
        """Connect unless connected; return whether a new connection was made.

        Raises:
            playwright.async_api.Error: the browser cannot be reached.
        """
        async with self._connecting:
            if self.connected:
                return False
            self._browser = await self._connected()
            self._driver.on_end(self._cut)
            self._chosen = None
            for context in self._browser.contexts:
                context.on("page", self._opened)
                for page in context.pages:
                    page.on("close", self._closed)
            return True

    async def _connected(self) -> Browser:
        playwright = await self._driver.started()
        for pause in CONNECT_PAUSES:
            try:
                return await playwright.chromium.connect(self.endpoint, timeout=CONNECT_SECONDS * 1000)
            except ConnectTimeout:
                raise
            except Error as error:
                log.warning("cannot connect to the browser; trying again", error=error.message, seconds=pause)
                await asyncio.sleep(pause)
        return await playwright.chromium.connect(self.endpoint, timeout=CONNECT_SECONDS * 1000)

    async def current(self) -> Page:
        """Return the chosen page, else the newest; opens one if all are closed.

        Raises:
            playwright.async_api.Error: the connection was cut.
        """
        pages = self.pages
        if self._chosen in pages:
            return self._chosen
        if pages:
            return pages[-1]
        if self._browser is None or not self._browser.contexts:
            raise Error("the connection to the browser has been closed")
        return await self._browser.contexts[0].new_page()

    def choose(self, page: Page | None) -> None:
        """Make a page the current one, until another is opened."""
        self._chosen = page
        self._tell()

    def restore(self, text: str | None) -> None:
        """Choose the page that an earlier holder had chosen."""
        pages = self.pages
        index = chosen_index(text, len(pages))
        self._chosen = pages[index] if index is not None else None

    async def use(self, endpoint: str) -> None:
        """Use an endpoint from now on; a connection to another one is closed."""
        if endpoint != self.endpoint:
            self.endpoint = endpoint
            await self.close()

    async def close(self) -> None:
        """Disconnect; the browser and its pages stay as they are."""
        self._driver.remove(self._cut)
        browser, self._browser, self._chosen = self._browser, None, None
        if browser is None or not browser.is_connected():
            return
        try:
            await asyncio.wait_for(browser.close(), CLOSE_SECONDS)
        except (Error, TimeoutError) as error:
            log.warning("browser connection did not close", error=str(error) or type(error).__name__)

    def _cut(self) -> None:
        """Close the connection, as its driver has ended: calls that wait for an answer fail."""
        browser, self._browser, self._chosen = self._browser, None, None
        if browser is not None:
            connection_of(browser).close()

    def _opened(self, page: Page) -> None:
        page.on("close", self._closed)
        if self._chosen is not None:
            self.choose(None)

    def _closed(self, page: Page) -> None:
        if self._chosen is page:
            self.choose(None)
        elif self._chosen is not None:
            self._tell()

    def _tell(self) -> None:
        if self._browser is None or not self._browser.is_connected():
            return  # a connection that was cut closes its pages; that says nothing about the session's
        pages = self.pages
        self.on_choice(choice_text(pages.index(self._chosen), len(pages)) if self._chosen in pages else "")
