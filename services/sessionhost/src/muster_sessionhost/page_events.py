"""What the host itself sees of a session's pages: documents, console and network."""

import time
from collections import deque
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import BrowserContext, ConsoleMessage, Request, Response, WebError
from playwright.async_api import Error as PlaywrightError

from muster_protocol import codec
from muster_protocol.sessions import REPLY_LIMIT, ConsoleSeen, DocumentSeen, NetworkSeen
from muster_sessionhost.page_listeners import quiet, whole
from muster_text.redaction import Redactor

KEPT = 500
TEXT_LIMIT = 2000
URL_LIMIT = 1000
REDIRECTS = frozenset({301, 302, 303, 307, 308})

S = TypeVar("S", bound=Struct)


class Seen:
    """The last documents, console messages and requests of a session's pages."""

    def __init__(self) -> None:
        self.document: DocumentSeen | None = None
        self.console: deque[ConsoleSeen] = deque(maxlen=KEPT)
        self.network: deque[NetworkSeen] = deque(maxlen=KEPT)

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those opened later included."""
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("response", self._on_response)
        context.on("requestfailed", self._on_failure)

    @quiet
    def _on_console(self, message: ConsoleMessage) -> None:
        where = message.location
        self._hear(message.type, message.text, where["url"] if where else "")

    @quiet
    def _on_error(self, error: WebError) -> None:
        page = error.page
        self._hear("error", str(error.error), page.url if page else "")

    def _hear(self, level: str, text: str, url: str) -> None:
        text, url = whole(text[:TEXT_LIMIT]), whole(url[:URL_LIMIT])
        self.console.append(ConsoleSeen(level=level, text=text, url=url, at=time.time()))

    @quiet
    def _on_response(self, response: Response) -> None:
        now = time.time()
        self._note(response.request, status=response.status)
        if brings_page(response):
            self.document = DocumentSeen(url=whole(response.url), status=response.status, at=now)

    @quiet
    def _on_failure(self, request: Request) -> None:
        self._note(request, failure=request.failure or "failed")

    def _note(self, request: Request, status: int = 0, failure: str = "") -> None:
        if request.url.startswith(("data:", "blob:")):
            return
        self.network.append(
            NetworkSeen(
                method=request.method,
                url=whole(request.url[:URL_LIMIT]),
                status=status,
                failure=failure,
                kind=request.resource_type,
                at=time.time(),
            )
        )


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


def as_json(entries: "deque[ConsoleSeen] | deque[NetworkSeen]", redactor: Redactor) -> str:
    """Return the entries as a JSON list, secrets masked, the oldest left out where one reply could not carry all."""
    texts, room = list[str](), REPLY_LIMIT // 2
    for entry in reversed(entries):
        text = codec.encode(_masked(entry, redactor)).decode()
        room -= len(text) + 1
        if room < 0:
            break
        texts.append(text)
    return f"[{','.join(reversed(texts))}]"


def _masked(entry: "ConsoleSeen | NetworkSeen", redactor: Redactor) -> "ConsoleSeen | NetworkSeen":
    match entry:
        case ConsoleSeen():
            text = _masked_text(entry.text, TEXT_LIMIT, redactor)
            return replace(entry, text=text, url=_masked_text(entry.url, URL_LIMIT, redactor))
        case NetworkSeen():
            return replace(entry, url=_masked_text(entry.url, URL_LIMIT, redactor))


def _masked_text(text: str, limit: int, redactor: Redactor) -> str:
    """Return a text masked; if it was cut at the limit, also without the part of a secret before the cut."""
    return redactor.mask(redactor.split(text)[0] if len(text) >= limit else text)
