"""What the session host observes of a session's pages: documents, console and network.

What pages say may be any text, and a listener must never raise.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TypeVar

import structlog
from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError
from playwright.async_api import Error as PlaywrightError

from muster_devices.device_host import ADDRESS_LIMIT, TEXT_LIMIT
from muster_devices.record_times import moment
from muster_devices.screen import KEPT_RECORDS, Record
from muster_devices.web.page_script import GIVEN_UP

log = structlog.get_logger("muster.sessions")

HEAR_SECONDS = 1.0
"""How long a page is waited for that may be stuck."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})

S = TypeVar("S")
E = TypeVar("E")


def whole(text: str) -> str:
    """Return a text that can be encoded: pages may hold halves of characters, which become question marks; pure."""
    return text.encode(errors="replace").decode()


def quiet(listener: Callable[[S, E], None]) -> Callable[[S, E], None]:
    """Return a listener that logs what goes wrong in it.

    Playwright would not call the listeners after it, and would raise the error in whatever call comes next.
    """

    @wraps(listener)
    def listening(self: S, event: E) -> None:
        try:
            listener(self, event)
        except Exception as error:  # what pages say may be anything; the error may quote it
            log.warning("page event not recorded", listener=listener.__name__, error=type(error).__name__)

    return listening


class Seen:
    """The last document, console messages and requests of a session's pages."""

    def __init__(self) -> None:
        self.document: deque[Record] = deque(maxlen=1)
        self.console: deque[Record] = deque(maxlen=KEPT_RECORDS)
        self.network: deque[Record] = deque(maxlen=KEPT_RECORDS)

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those opened later included."""
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("response", self._on_response)
        context.on("requestfailed", self._on_failure)

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what was seen, newest last: `document`, `console` or `network`; nothing of another name."""
        feeds = {"document": self.document, "console": self.console, "network": self.network}
        return tuple(feeds.get(name, ()))

    @quiet
    def _on_console(self, message: ConsoleMessage) -> None:
        where = message.location
        self._hear(message.type, message.text, where["url"] if where else "")

    @quiet
    def _on_error(self, error: WebError) -> None:
        page = error.page
        thrown = error.error
        name = f"{thrown.name}: " if thrown.name else ""
        said = thrown.message if thrown.message.startswith(name) else f"{name}{thrown.message}"
        self._hear("error", f"Uncaught {said}", page.url if page else "")

    def _hear(self, level: str, text: str, url: str) -> None:
        text, url = whole(text[:TEXT_LIMIT]), whole(url[:ADDRESS_LIMIT])
        self.console.append(Record(level=level, text=text, address=url, at=moment()))

    @quiet
    def _on_response(self, response: Response) -> None:
        now = moment()
        self._note(response.request, status=response.status)
        if brings_page(response):
            self.document.append(Record(address=whole(response.url), status=response.status, at=now))

    @quiet
    def _on_failure(self, request: Request) -> None:
        failure = request.failure or "failed"
        self._note(request, failure=failure)
        if _is_document(request) and not failure.startswith(GIVEN_UP):
            self.document.append(Record(address=whole(request.url), failure=failure, at=moment()))

    def _note(self, request: Request, status: int = 0, failure: str = "") -> None:
        if request.url.startswith(("data:", "blob:")):
            return
        self.network.append(
            Record(
                method=request.method,
                address=whole(request.url[:ADDRESS_LIMIT]),
                status=status,
                failure=failure,
                level=request.resource_type,
                at=moment(),
            )
        )


async def hear_out(context: BrowserContext) -> None:
    """Wait until all that the pages have said so far is heard: each answers in the order in which it speaks."""
    await asyncio.gather(*map(_hear_out, context.pages))


async def _hear_out(page: Page) -> None:
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(HEAR_SECONDS):
            await page.evaluate("0")


def brings_page(response: Response) -> bool:
    """Return whether a response is a page itself, not a way to one, a frame or a resource of it."""
    return response.status not in REDIRECTS and _is_document(response.request)


def _is_document(request: Request) -> bool:
    """Return whether the request was for a page itself, not for a frame or a resource of it."""
    if not request.is_navigation_request():
        return False
    try:
        return request.frame.parent_frame is None
    except PlaywrightError:  # the page of a popup's first request is not known yet: frames of it cannot load before
        return True
