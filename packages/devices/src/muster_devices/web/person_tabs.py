"""Which tabs a person has open, and where they go in them with the browser's own buttons and its address bar."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, cast

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

BACK, FORWARD, RELOAD = "back", "forward", "reload"


class PersonTabs:
    """The tabs of a context, numbered in the order in which they were opened, from 1.

    `told` hears of each tab `opened` (by the page, or `own`: by the person) and `closed`, and of each place that the
    person goes to (`go`): `back`, `forward`, `reload` or an address.
    """

    def __init__(self, told: Callable[[str, int, str], None]) -> None:
        self._told = told
        self._numbers: dict[Page, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.all_closed = asyncio.Event()

    def number(self, page: Page) -> int:
        """Return the number of a tab."""
        return self._numbers.setdefault(page, len(self._numbers) + 1)

    def add(self, page: Page) -> None:
        """Follow a tab from now on; its first page is none that the person has gone to, unless the tab is theirs."""
        number = self.number(page)
        own = page.url.startswith("chrome:")
        if number > 1:
            self._told("opened", number, "own" if own else "")
        page.on("close", self._close)
        task = asyncio.ensure_future(self._follow(page, _Travels(fresh=not own)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _close(self, page: Page) -> None:
        self._told("closed", self.number(page), "")
        if all(one.is_closed() for one in self._numbers):
            self.all_closed.set()

    async def _follow(self, page: Page, travels: "_Travels") -> None:
        with suppress(PlaywrightError):  # the tab is gone again
            session = await page.context.new_cdp_session(page)
            await session.send("Page.enable")
            tree = cast("Mapping[str, Any]", await session.send("Page.getFrameTree"))
            main: str = tree["frameTree"]["frame"]["id"]

            def started(event: Mapping[str, Any]) -> None:
                went = travels.start(event["url"], event["navigationType"]) if event["frameId"] == main else ""
                if went:
                    self._told("go", self.number(page), went)

            def requested(event: Mapping[str, Any]) -> None:
                if event["frameId"] == main:
                    travels.requested.add(event["url"])

            async def arrived(_: object) -> None:
                with suppress(PlaywrightError):
                    await travels.learn(session)

            session.on("Page.frameRequestedNavigation", requested)
            session.on("Page.frameStartedNavigating", started)
            session.on("Page.frameNavigated", arrived)
            session.on("Page.navigatedWithinDocument", arrived)
            await travels.learn(session)


class _Travels:
    """The history of a tab, which shows whether a navigation is the person's and where it leads."""

    def __init__(self, *, fresh: bool) -> None:
        self._fresh = fresh
        self._addresses: list[str] = []
        self._at = 0
        self.requested = set[str]()
        """Addresses that the page itself is about to open."""

    async def learn(self, session: CDPSession) -> None:
        history = cast("Mapping[str, Any]", await session.send("Page.getNavigationHistory"))
        self._addresses, self._at = [one["url"] for one in history["entries"]], history["currentIndex"]

    def start(self, address: str, kind: str) -> str:
        """Return where the person goes; empty: the page goes by itself."""
        asked, self.requested = address in self.requested, set()
        first, self._fresh = self._fresh, False
        if asked or first:
            return ""
        if kind.startswith("history"):
            return FORWARD if address in self._addresses[self._at + 1 :] and not self._is_before(address) else BACK
        if kind.startswith("reload"):
            return RELOAD
        return address if kind == "differentDocument" and address.startswith("http") else ""

    def _is_before(self, address: str) -> bool:
        return self._at > 0 and self._addresses[self._at - 1] == address
