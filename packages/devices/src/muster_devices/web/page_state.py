"""The text and storage of a session's pages: saved in a checkpoint, and compared after the session is reopened."""

import asyncio
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from muster_devices.device_host import Saved
from muster_devices.web.documents import Documents
from muster_devices.web.page_tree import tree_of
from muster_devices.web.untraced import evaluate
from muster_text.redaction import Redactor

GO_SECONDS = 15.0
SAME_SECONDS = 3.0
"""How long a page that was opened anew may take until it reads as it did."""
LOOK_SECONDS = 0.1
FILES = "[...document.querySelectorAll('input[type=file]')].map((field) => field.files.length).join()"
ACTED = "its page was, or may have been, the answer to an action, which is not done again"
SECRET_LEFT_OUT = "it held a secret, which no checkpoint has"
NO_TEXT = "its page keeps data that is not Unicode text, such as some libraries compress"
MARKS = re.compile(r" \[(?:ref=[^\]]*|active|cursor=[^\]]*)\]")
"""What a snapshot says of elements beside what they are: references, focus, pointer."""


class PageState(Struct, frozen=True, kw_only=True):
    """One open page: where it was, its session storage, and a digest of what it read."""

    url: str
    storage: dict[str, str] = {}
    reads: str = ""
    """Empty where it read a secret: a digest of that could be guessed."""
    acted: bool = False
    """Whether it was, or may have been, the answer to an action; then its address is not asked for again."""


class WebState(Struct, frozen=True, kw_only=True):
    """What is saved of a browser."""

    storage: dict[str, Any] = {}
    """Playwright's storage state: cookies, and local storage by origin."""
    pages: tuple[PageState, ...] = ()


def reading(url: str, title: str, files: str, snapshot: str) -> str:
    """Return all that a page reads as one text; `files` says how many files its fields hold. Pure."""
    lines = (" ".join(MARKS.sub("", line).split()) for line in snapshot.splitlines())
    return "\n".join((url, title, files, *filter(None, lines)))


def digest(text: str) -> str:
    """Return what is stored of what a page reads. Pure."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def without_secrets(state: WebState, redactor: Redactor) -> WebState:
    """Return the state without every cookie, stored item and page address that holds a secret. Pure."""

    def clean(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [item for item in items if not redactor.holds(json.dumps(item, ensure_ascii=False))]

    origins = [
        origin | {"localStorage": clean(origin.get("localStorage", ()))} for origin in state.storage.get("origins", ())
    ]
    pages = tuple(
        replace(
            page,
            url=_clean_url(page.url, redactor),
            storage={
                key: value
                for key, value in page.storage.items()
                if not redactor.holds(key) and not redactor.holds(value)
            },
        )
        for page in state.pages
    )
    return WebState(storage={"cookies": clean(state.storage.get("cookies", ())), "origins": origins}, pages=pages)


def saved_of(state: WebState, redactor: Redactor) -> Saved:
    """Return what is stored of a browser: no secrets, and what is missing for that or another reason. Pure."""
    clean = without_secrets(state, redactor)
    kept = clean == replace(state, storage={"cookies": [], "origins": [], **state.storage})
    acted = ACTED if any(page.acted for page in state.pages) else ""
    try:
        return Saved(state=msgspec.json.encode(clean), missing=acted or ("" if kept else SECRET_LEFT_OUT))
    except UnicodeEncodeError:
        return Saved(state=b"", missing=NO_TEXT)


def _clean_url(url: str, redactor: Redactor) -> str:
    """Return an address without the parts that hold a secret, from the end."""
    for part in (url, url.partition("#")[0], url.partition("?")[0]):
        if not redactor.holds(part):
            return part
    return "about:blank"


def restoring_script(page: PageState) -> str:
    """Return a script that fills the session storage of a page of the same origin, before its own scripts run."""
    parts = urlsplit(page.url)
    origin, stored = json.dumps(f"{parts.scheme}://{parts.netloc}"), json.dumps(dict(page.storage))
    return f"""((origin, stored) => {{
      if (location.origin === origin)
        for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
    }})({origin}, {stored})"""


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
    files, title, tree = await asyncio.gather(evaluate(page, FILES), page.title(), tree_of(page))
    return reading(page.url, title, str(files), tree)
