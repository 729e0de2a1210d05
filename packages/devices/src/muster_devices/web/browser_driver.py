"""Playwright's driver, one a process: started when it is first needed, and anew after it has ended by itself."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import structlog
from playwright.async_api import Browser, Error, Playwright, async_playwright

log = structlog.get_logger("muster.browsers")


class BrowserDriver:
    """Starts the driver on demand, and calls back those who use it if it ends by itself."""

    def __init__(self, prepare: Callable[[Playwright], Awaitable[object]] | None = None) -> None:
        """`prepare` is awaited with each driver that starts, before anyone uses it."""
        self._prepare = prepare
        self._running: asyncio.Task[Playwright] | None = None
        self._on_end: set[Callable[[], None]] = set()

    async def started(self) -> Playwright:
        """Return the driver; start it unless it runs. A caller that is cancelled does not stop the start.

        Raises:
            playwright.async_api.Error: it does not start.
            OSError: it does not start.
        """
        running = self._running
        if running is None or running.cancelled() or (running.done() and running.exception()):
            running = self._running = asyncio.create_task(self._start())
        return await asyncio.shield(running)

    def on_end(self, callback: Callable[[], None]) -> None:
        """Call a function if the driver ends by itself; its browsers and connections are gone then."""
        self._on_end.add(callback)

    def remove(self, callback: Callable[[], None]) -> None:
        """Undo `on_end`."""
        self._on_end.discard(callback)

    async def stop(self) -> None:
        """End the driver; browsers to which it had connected go on."""
        self._on_end.clear()
        running, self._running = self._running, None
        if running is not None:
            with suppress(Error, OSError):
                await (await running).stop()

    async def _start(self) -> Playwright:
        playwright = await async_playwright().start()
        if self._prepare is not None:
            await self._prepare(playwright)
        connection_of(playwright).on("close", self._ended)
        return playwright

    def _ended(self) -> None:
        if self._running is None:
            return  # it was stopped
        log.error("browser driver ended unexpectedly; it starts again when needed")
        self._running = None
        callbacks, self._on_end = self._on_end, set()
        for callback in callbacks:
            callback()


def connection_of(of: Playwright | Browser) -> Any:  # noqa: ANN401 - Playwright does not export its type
    """Return the connection behind a driver or a browser."""
    return of._impl_obj._connection  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportUnknownVariableType, reportAttributeAccessIssue]
