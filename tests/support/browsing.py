"""A person at the console: a real Chromium on a real gateway; whatever the browser complains about is a fault."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal, NamedTuple

from playwright.async_api import Browser, ConsoleMessage, Page, Playwright, async_playwright, expect

from muster_devices.web.chromium import QUIET, find_browser

PATIENCE_MS = 20_000
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDE, NARROW = (1280, 800), (360, 740)


class Site(NamedTuple):
    """Where the console is, and how to get in."""

    url: str
    key: str
    browser: Browser

    def at(self, path: str) -> str:
        """Return the address of a path such as `/console/fleet`."""
        return f"{self.url}{path}"


class Visit(NamedTuple):
    """A page that is looked at, and what the browser complained about so far."""

    page: Page
    faults: list[str]


async def launch_chromium(playwright: Playwright) -> Browser:
    """Start the Chromium that a session host would start."""
    found = find_browser(playwright.chromium.executable_path, "", os.environ)
    return await playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *QUIET])


@asynccontextmanager
async def a_browser() -> AsyncGenerator[Browser]:
    """Start a Chromium until left."""
    expect.set_options(timeout=PATIENCE_MS)  # the machine may be busy
    async with async_playwright() as playwright:
        browser = await launch_chromium(playwright)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def visiting(
    site: Site,
    path: str = "/console/",
    size: tuple[int, int] = WIDE,
    theme: Theme = "light",
    key: str | None = None,
    excused: tuple[str, ...] = (),
) -> AsyncGenerator[Visit]:
    """Open a page of the console as who has a key (None: the site's, empty: nobody); fail on faults that are not excused.

    `excused` are parts of complaints that are meant to come, such as `401`.
    """
    width, height = size
    context = await site.browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    visit = Visit(page, [])
    page.on("console", lambda said: _heard(visit, said))
    page.on("pageerror", lambda error: visit.faults.append(f"uncaught: {error}"))
    try:
        if key := site.key if key is None else key:
            await context.request.post(site.at("/login"), data={"key": key})
        await page.goto(site.at(path))
        yield visit
        faults = [fault for fault in visit.faults if not any(part in fault for part in excused)]
        assert not faults, faults
    finally:
        await context.close()


def _heard(visit: Visit, said: ConsoleMessage) -> None:
    if said.type in ("error", "warning"):
        visit.faults.append(f"{said.type}: {said.text} ({said.location.get('url', '')})")


async def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than what is seen of it; 0 is right."""
    return int(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
