"""Asking the current page: every question is one bounded round trip that survives navigations and open dialogs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct
from playwright.async_api import Error, Frame, Page

from muster_devices.domains import allowed, outside
from muster_devices.errors import DeviceRefused
from muster_devices.web.page_script import ABSENT, CALL, SETTLE_SCRIPT
from muster_devices.web.untraced import evaluate, left
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

GRACE = 5.0
"""Seconds a page may take to answer beyond what it was asked to wait."""
DIALOG_PATIENCE = 600.0
"""Seconds an action waits for the answer to the dialog it opened."""
PATIENCE = 6
"""How many times the action timeout a navigation may take that an action started."""

Call = Callable[[Frame, str, object], Awaitable[Any]]
"""How a function of the reading script is called: frame, name, argument."""


class BrowserSession(Protocol):
    """A session with a browser, as its worker holds it."""

    @property
    def pages(self) -> list[Page]:
        """The open pages, oldest first; reading it never opens one."""
        ...

    async def page(self) -> Page:
        """Return the current page; the first call connects to the browser."""
        ...

    def use(self, page: Page) -> None:
        """Make a page the current one."""
        ...

    @property
    def dialog(self) -> OpenDialog | None:
        """The dialog that is open now, if any. While one is open the page answers nothing."""
        ...

    async def dialog_opened(self) -> OpenDialog:
        """Wait until a dialog is open and return it (at once if one is)."""
        ...

    async def answer_dialog(self, *, call: str, accept: bool, text: str = "") -> None:
        """Answer the open dialog; asked again with the same call id it is not answered twice."""
        ...

    async def recall(self, key: str) -> str | None:
        """Return as JSON what the host has seen: `document`, `console`, `network`, `dialog`."""
        ...


class Unanswered(DeviceRefused):
    """The page did not answer: its script is stuck, or the next document does not come."""


async def current(browser: BrowserSession, domains: Sequence[str]) -> Page:
    """Return the current page.

    Raises:
        DeviceRefused: it shows a host that is not allowed.
    """
    page = await browser.page()
    if not allowed(page.url, domains):
        text = f"the page has left the allowed hosts: {outside(page.url, domains)}; go back or navigate elsewhere"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=page.url)
    return page


async def bounded(browser: BrowserSession, work: Awaitable[T], seconds: float) -> T:
    """Wait for a page's answer; while a dialog is open, none can come and the clock stands still.

    Raises:
        Unanswered: the page did not answer in time.
    """
    task = asyncio.ensure_future(work)
    limit = monotonic() + DIALOG_PATIENCE
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
        while not done and browser.dialog is not None and monotonic() < limit:
            done, _ = await asyncio.wait({task}, timeout=1.0)
        if done:
            return task.result()
    finally:
        task.cancel()
    text = f"the page did not answer within {seconds:.0f} s: its script may be stuck; reload it or look at its console"
    raise Unanswered(text, failure=Failure.TIMED_OUT)


async def until_still(reading: Callable[[], Awaitable[T]], seconds: float) -> T:
    """Read a page, and read it again if one of its documents goes away meanwhile.

    Raises:
        Unanswered: documents kept going away for `seconds`.
    """
    limit = monotonic() + seconds
    while True:
        try:
            return await reading()
        except Error as error:
            if not left(error):
                raise
            if monotonic() > limit:
                text = f"the page could not be read: its documents kept changing for {seconds:.0f} s"
                raise Unanswered(text, failure=Failure.TIMED_OUT) from error


async def _traced(frame: Frame, name: str, argument: object) -> Any:  # noqa: ANN401 - JSON, converted by the caller
    """Call a function; a trace shows the document before and after that."""
    asked = [name, msgspec.to_builtins(argument)]
    value: Any = await frame.evaluate(CALL, asked)
    if value == ABSENT:  # a document from before the script was added, or one that has thrown it out
        await frame.evaluate(SETTLE_SCRIPT)
        value = await frame.evaluate(CALL, asked)
    return value


async def untraced(frame: Frame, name: str, argument: object) -> Any:  # noqa: ANN401 - JSON, converted by the caller
    """Call a function of a page's main frame past the trace."""
    value = await evaluate(frame.page, f"({CALL})({msgspec.json.encode([name, argument]).decode()})")
    return await _traced(frame, name, argument) if value == ABSENT else value


async def ask(
    browser: BrowserSession,
    frame: Frame,
    name: str,
    argument: object,
    answer: type[S],
    *,
    seconds: float,
    call: Call = _traced,
) -> S:
    """Call a function of the reading script in a frame; where the document changes meanwhile, ask the new one.

    Raises:
        Unanswered: the page did not answer within `seconds` and some grace.
    """
    deadline = monotonic() + seconds + GRACE
    while True:
        try:
            value = await bounded(browser, call(frame, name, argument), seconds + GRACE)
            return msgspec.convert(value, answer)
        except Error as error:
            gone = frame.is_detached() and frame.parent_frame is not None
            if not left(error) or gone or monotonic() > deadline:
                raise
