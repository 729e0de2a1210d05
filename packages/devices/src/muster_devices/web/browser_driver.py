"""Playwright's driver, one a process: started when it is first needed, and anew after it has ended by itself."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import structlog
from playwright.async_api import Browser, Error, Playwright, async_playwright

log = structlog.get_logger("muster.browsers")


async def _nothing(_: Playwright) -> None:
    pass


class BrowserDriver:
    """Starts the driver, and tells who uses it when it has ended."""

    def __init__(self, prepare: Callable[[Playwright], Awaitable[object]] = _nothing) -> None:
        """`prepare` is called with each driver that has started."""
        self._prepare = prepare
        self._running: asyncio.Task[Playwright] | None = None
        self._users: set[Callable[[], None]] = set()

    async def started(self) -> Playwright:
        """Return the driver; start it unless it runs. Who is cancelled meanwhile leaves it to the next one.

        Raises:
            playwright.async_api.Error: it does not start.
            OSError: it does not start.
        """
        running = self._running
        if running is None or running.cancelled() or (running.done() and running.exception()):
            running = self._running = asyncio.create_task(self._start())
        return await asyncio.shield(running)

    def tell(self, user: Callable[[], None]) -> None:
        """Have a function called if the driver ends by itself: its browsers and connections are gone then."""
        self._users.add(user)

    def tell_no_more(self, user: Callable[[], None]) -> None:
        """Undo `tell`."""
        self._users.discard(user)

    async def stop(self) -> None:
        """End the driver; browsers to which it had connected go on."""
        self._users.clear()
        running, self._running = self._running, None
        if running is not None:
            with suppress(Error, OSError):
                await (await running).stop()

    async def _start(self) -> Playwright:
        playwright = await async_playwright().start()
        await self._prepare(playwright)
        connection_of(playwright).on("close", self._ended)
        return playwright

    def _ended(self) -> None:
        if self._running is None:
            return  # it was to end
        log.error("the browsers' driver ended by itself; it starts again when it is needed")
        self._running = None
        users, self._users = self._users, set()
        for user in users:
            user()


def connection_of(of: Playwright | Browser) -> Any:  # noqa: ANN401 - Playwright does not export its type
    """Return the connection to the driver, or through it to a browser."""
    return of._impl_obj._connection  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportUnknownVariableType, reportAttributeAccessIssue]
