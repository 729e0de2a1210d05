"""How the pages of a session were loaded, and whether requesting an address again might repeat an act."""

from collections import deque
from urllib.parse import urldefrag, urlsplit

from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from muster_devices.web.page_events import brings_page

KEPT = 200


class Documents:
    """The last requests that were answered with a page of a browser's context, the oldest first."""

    def __init__(self) -> None:
        self._asked: deque[Request] = deque(maxlen=KEPT)

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those opened later included."""
        context.on("response", self._on_response)

    async def acted(self, page: Page) -> bool:
        """Return whether a page is, or may be, the answer to an action, so that its address is not asked for again.

        It is not if it was asked for with GET, and its address has no query or was gone to by itself: by a `goto`, not
        from a page. Only the browser knows the latter; it says so to secure and to loopback addresses.
        """
        if not page.url.startswith(("http:", "https:")):
            return False
        mine = [asked for asked in self._asked if _is_of(asked, page)]
        here = [asked for asked in mine if urldefrag(asked.url)[0] == urldefrag(page.url)[0]]
        newest = (here or mine)[-1:]
        if not newest or newest[0].method != "GET":
            return True
        return bool(urlsplit(page.url).query) and not (here and await _was_gone_to(newest[0]))

    def _on_response(self, response: Response) -> None:
        if brings_page(response):
            self._asked.append(response.request)


def _is_of(asked: Request, page: Page) -> bool:
    try:
        return asked.frame == page.main_frame
    except PlaywrightError:  # its page was never shown
        return False


async def _was_gone_to(asked: Request) -> bool:
    try:
        return (await asked.all_headers()).get("sec-fetch-site") == "none"
    except PlaywrightError:  # it was too long ago
        return False
