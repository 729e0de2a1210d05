"""A picture of a page as its window shows it; nothing is put into the page for it."""

import asyncio
import base64
import contextlib
from collections.abc import Callable
from typing import cast

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from muster_devices.web.drawn_text import shows_secret
from muster_devices.web.page_tree import tree_of
from muster_text.redaction import Redactor

DETACH_SECONDS = 0.3
BLANK = "about:blank"
"""Where a browser is that nobody uses."""
JPEG = {"format": "jpeg", "quality": 60}
SHOWN = """() => [document.documentElement?.innerText ?? '',
  ...[...document.querySelectorAll('input, textarea, select')].map((field) => String(field.value))].join('\\n')"""


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
        answer = cast("dict[str, str]", await tools.send("Page.captureScreenshot", JPEG))
    finally:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(tools.detach(), DETACH_SECONDS)
    if known() is not redactor or await _shows_secret(page, redactor):
        return None
    return base64.b64decode(answer["data"])


async def _shows_secret(page: Page, redactor: Redactor) -> bool:
    """Return whether any frame of a page has a secret among its texts or in its fields."""
    if not redactor:
        return False
    if await shows_secret(page, redactor):
        return True
    texts = [page.url, await page.title(), await tree_of(page)]
    texts += [str(await frame.evaluate(SHOWN)) for frame in page.frames if not frame.is_detached()]
    return any(redactor.holds(text) for text in texts)
