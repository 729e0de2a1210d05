"""What the pages of a session read: noted for a checkpoint, and looked for again when it is opened anew."""

import asyncio

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from muster_sessionhost.checkpoint import PageState, digest, reading, restoring_script
from muster_sessionhost.documents import Documents
from muster_text.redaction import Redactor

GO_SECONDS = 15.0
SAME_SECONDS = 3.0
"""How long a page that was opened anew may take until it reads as it did."""
LOOK_SECONDS = 0.1
FILES = "[...document.querySelectorAll('input[type=file]')].map((field) => field.files.length).join()"


async def state_of(page: Page, redactor: Redactor, documents: Documents) -> PageState:
    """Return what a checkpoint has of a page.

    Raises:
        playwright.async_api.Error: the page is going elsewhere, or is gone.
    """
    text, storage, acted = await asyncio.gather(_read(page), _stored(page), documents.acted(page))
    reads = "" if redactor.holds(text) else digest(text)
    return PageState(url=page.url, storage=storage, reads=reads, acted=acted)


async def _stored(page: Page) -> dict[str, str]:
    try:
        return {item["name"]: item["value"] for item in await page.session_storage.items()}
    except PlaywrightError:  # a blank page has none
        return {}


async def bring_back(page: Page, state: PageState) -> bool:
    """Go where a page was, and return whether it reads as it did, within a few seconds; never do an action again."""
    if state.acted:
        return False
    try:
        if state.url.startswith(("http:", "https:")):
            async with await page.add_init_script(restoring_script(state)):
                await page.goto(state.url, wait_until="domcontentloaded", timeout=GO_SECONDS * 1000)
        if not state.reads:
            return False
        async with asyncio.timeout(SAME_SECONDS):
            while True:
                if await _reads(page, state.reads):
                    return True
                await asyncio.sleep(LOOK_SECONDS)
    except (PlaywrightError, TimeoutError):
        return False


async def _reads(page: Page, wanted: str) -> bool:
    try:
        return digest(await _read(page)) == wanted
    except PlaywrightError:  # it is just going on to another page
        return False


async def _read(page: Page) -> str:
    files, title, tree = await asyncio.gather(page.evaluate(FILES), page.title(), page.aria_snapshot(mode="ai"))
    return reading(page.url, title, str(files), tree)
