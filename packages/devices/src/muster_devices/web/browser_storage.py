"""What a browser keeps beyond its pages, as Playwright's storage state: cookies, and local storage by origin."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Page, Response
from playwright.async_api import Error as PlaywrightError

from muster_devices.web.page_events import brings_page

SETTLED_SECONDS = 15.0


class Storage:
    """Reads it through the pages that are open.

    Only for an origin that was left since it was last read, Playwright is asked: it opens a page of its own for those,
    which whoever acts in the session must not take for one of the product's, so nobody may act before it is closed.
    """

    def __init__(self, context: BrowserContext, state: dict[str, Any]) -> None:
        """`state`: what the context began with."""
        self._context = context
        self._known: dict[str, Any] = {origin["origin"]: origin for origin in state.get("origins", ())}
        self._visited: set[str] = set()
        """Origins that were open at some time since what they keep was last read for good."""
        self._asked: asyncio.Future[Any] | None = None
        context.on("response", self._on_response)

    async def read(self, pages: Sequence[Page]) -> dict[str, Any]:
        """Return it; `pages` are those that are open.

        Raises:
            playwright.async_api.Error: the browser is gone.
        """
        here = {origin: page for page in pages if (origin := origin_of(page.url))}
        left = self._visited - here.keys()
        state = await (self._everything() if left else self._through(here))
        self._known = {origin["origin"]: origin for origin in state["origins"]}
        self._visited = set(here)
        return state

    async def _through(self, here: dict[str, Page]) -> dict[str, Any]:
        """Read what the origins of open pages keep through these, and take the rest for as it was."""
        try:
            found = await asyncio.gather(*(page.local_storage.items() for page in here.values()))
        except PlaywrightError:  # a page is going elsewhere, or may keep nothing
            return await self._everything()
        items = {origin: [dict(item) for item in kept] for origin, kept in zip(here, found, strict=True)}
        now = {origin: {"origin": origin, "localStorage": kept} for origin, kept in items.items() if kept}
        before = {origin: kept for origin, kept in self._known.items() if origin not in here}
        return {"cookies": await self._context.cookies(), "origins": [*before.values(), *now.values()]}

    async def _everything(self) -> dict[str, Any]:
        self._asked = asyncio.ensure_future(self._context.storage_state())
        self._asked.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        return cast("dict[str, Any]", dict(await asyncio.shield(self._asked)))

    async def settled(self) -> None:
        """Wait until Playwright has closed its page, should a reading have been given up half-way."""
        if self._asked is not None:
            await asyncio.wait([self._asked], timeout=SETTLED_SECONDS)

    def _on_response(self, response: Response) -> None:
        if brings_page(response):
            self._visited.add(origin_of(response.url))
            self._visited.discard("")


def origin_of(url: str) -> str:
    """Return the origin of a page's address, or "" if it has none that keeps anything. Pure."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if parts.scheme in ("http", "https") and host else ""
