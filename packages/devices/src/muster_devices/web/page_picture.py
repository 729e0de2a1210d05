"""A picture of a page as its window shows it; nothing is put into the page for it."""

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from muster_devices.web.drawn_text import shows_secret
from muster_devices.web.page_tree import tree_of
from muster_text.redaction import Redactor

DETACH_SECONDS = 0.3
CAPTURES = 4
CAPTURE_WAIT_SECONDS = 0.25
NO_FRAME = "Unable to capture screenshot"
"""What Chromium answers while its compositor, often just started on a busy machine, has no frame to give."""
BLANK = "about:blank"
"""Where a browser is that nobody uses."""
JPEG = {"format": "jpeg", "quality": 60}
SHOWN = """() => [document.documentElement?.innerText ?? '',
  ...[...document.querySelectorAll('input, textarea, select')].map((field) => String(field.value))].join('\\n')"""
T = TypeVar("T")


async def picture_of(page: Page, known: Callable[[], Redactor]) -> bytes | None:
    """Return a JPEG of what the window shows; None if it shows a secret, before or after, or one came meanwhile.

    Raises:
        playwright.async_api.Error: the page is gone.
    """
    redactor = known()
    if page.url == BLANK or await _shows_secret(page, redactor):
        return None
    tools = await page.context.new_cdp_session(page)
    try:
        picture = await captured_by(tools, JPEG)
    finally:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(tools.detach(), DETACH_SECONDS)
    if known() is not redactor or await _shows_secret(page, redactor):
        return None
    return picture


async def captured_by(tools: CDPSession, how: dict[str, Any]) -> bytes:
    """Return the picture that a page gives by `Page.captureScreenshot` with these parameters; raises as `captured`."""

    async def ask() -> str:
        return cast("dict[str, str]", await tools.send("Page.captureScreenshot", how))["data"]

    return base64.b64decode(await captured(ask))


async def captured(capture: Callable[[], Awaitable[T]]) -> T:
    """Return the result of a capture; while the browser has no frame yet, try again, up to `CAPTURES` times in all.

    Raises:
        playwright.async_api.Error: the browser gave none in the end, or failed otherwise.
    """
    for _ in range(CAPTURES - 1):
        try:
            return await capture()
        except PlaywrightError as error:
            if NO_FRAME not in str(error):
                raise
        await asyncio.sleep(CAPTURE_WAIT_SECONDS)  # no event tells that there is a frame
    return await capture()


async def _shows_secret(page: Page, redactor: Redactor) -> bool:
    """Return whether any frame of a page has a secret among its texts or in its fields."""
    if not redactor:
        return False
    if await shows_secret(page, redactor):
        return True
    texts = [page.url, await page.title(), await tree_of(page)]
    texts += [str(await frame.evaluate(SHOWN)) for frame in page.frames if not frame.is_detached()]
    return any(redactor.holds(text) for text in texts)
