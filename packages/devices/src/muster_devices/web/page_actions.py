"""Acting on the page: find the target, act once, wait until the page is settled, and see what changed."""

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec import Struct, convert
from msgspec.structs import replace
from playwright.async_api import Download, Error, Locator, Page, TimeoutError

from muster_devices.actions import Changes, Done, Target
from muster_devices.domains import allowed, outside, refuse_untrusted
from muster_devices.element_search import strategy_of
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, Use, Wait
from muster_devices.screen import Element, Place
from muster_devices.web.locator import locate, refusal
from muster_devices.web.page_access import PATIENCE, BrowserSession, Unanswered, ask, current, untraced
from muster_devices.web.page_health import explained, judged
from muster_devices.web.page_looks import find
from muster_devices.web.page_script import DESCRIBE
from muster_protocol.causes import Failure

POPUP_TIMEOUT = 3000
"""Milliseconds a tab may take to show up after the page asked for it."""

Gesture = Callable[[Locator, float], Awaitable[object]]
"""Acts on the located target; the number is its timeout in milliseconds."""


class Acting(NamedTuple):
    """One request to do something."""

    browser: BrowserSession
    domains: Sequence[str]
    """Hosts that it may lead to; empty: any."""
    limit: float
    """Seconds for the target to become usable, and again for the page to settle."""
    entrusted: Sequence[str] | None = None
    """Hosts whose pages may take what is entered, since it holds a secret; None: it holds none."""
    touched: list[Element] | None = None
    """Gets the element as it is before the action; None: nobody asks for it."""


class After(Struct, frozen=True):
    """The settled page after an action, as its script tells."""

    version: int
    place: Place
    pending: tuple[str, ...]
    popups: int
    fresh: bool
    """The document is a new one, so there is nothing to compare."""
    target: Element | None
    changes: Changes | None
    headings: tuple[str, ...]
    alerts: tuple[str, ...]
    opening: tuple[str, ...]


class Before(NamedTuple):
    """Where the browser was before an action."""

    page: Page
    address: str
    tabs: list[Page]


async def now(acting: Acting) -> Before:
    """Return where the browser is.

    Raises:
        DeviceRefused: the page shows a host that is not allowed.
    """
    page = await current(acting.browser, acting.domains)
    return Before(page, page.url, acting.browser.pages)


async def act(acting: Acting, target: Target, use: Use, gesture: Gesture) -> Done:
    """Act on a target once, and return what that did.

    Raises:
        DeviceRefused: the target is missing, unclear or cannot be used; nothing was done then.
    """
    before = await now(acting)
    with _downloads_of(before.page) as begun:
        done = await _act(acting, before, target, use, gesture)
    names = tuple(PurePosixPath(one.suggested_filename).name for one in begun)
    return replace(done, strategy=strategy_of(done.target, target), downloads=names)


@contextmanager
def _downloads_of(page: Page) -> Generator[list[Download]]:
    begun: list[Download] = []

    def note(one: Download) -> None:
        begun.append(one)

    page.on("download", note)
    try:
        yield begun
    finally:
        page.remove_listener("download", note)


async def _act(
    acting: Acting, before: Before, target: Target, use: Use, gesture: Gesture, *, again: bool = False
) -> Done:
    locator = await locate(acting.browser, before.page, target, use, acting.limit)
    late = False
    try:
        await _prepared(acting, locator)
        await gesture(locator, acting.limit * 1000)
    except Error as error:
        if before.page.is_closed():
            return await _closed(acting, error, before.address)
        late = was_sent(error)
        why = None if late else await _why(acting.browser, before.page, target, use, error)
        if isinstance(why, DeviceRefused) and why.obstacle is not None and why.obstacle.popup and not again:
            await before.page.keyboard.press("Escape")  # as people close a calendar; nothing else was sent so far
            return await _act(acting, before, target, use, gesture, again=True)
        if why is not None:
            raise why from error
    done = await seen(acting, before, late=late)
    return await _with_target(acting, target, use, done)


async def _prepared(acting: Acting, locator: Locator) -> None:
    """Describe the target as it is before the action, and refuse it a secret if another host's page has it.

    Raises:
        DeviceRefused: the action holds a secret, and the target is not of a host that may have it.
    """
    if acting.touched is not None:
        described = await locator.first.evaluate(DESCRIBE, timeout=acting.limit * 1000)
        acting.touched[:] = [convert(described, Element)] if described else []
    if acting.entrusted is None:
        return
    handle = await locator.element_handle(timeout=acting.limit * 1000)
    frame = await handle.owner_frame()
    while frame is not None and frame.url.startswith("about:") and frame.parent_frame is not None:
        frame = frame.parent_frame  # what it shows was written by the page around it
    refuse_untrusted(frame.url if frame else "", acting.entrusted)


async def seen(acting: Acting, before: Before, *, late: bool = False) -> Done:
    """Wait until the page is settled and return what an action did to it; a tab that it opened becomes the current one.

    Raises:
        DeviceRefused: the page has gone to a host that is not allowed.
    """
    try:
        after = await settle(acting.browser, before.page, acting.limit)
        tab = await _new_tab(acting.browser, before, expected=after.popups > 0)
    except Unanswered as error:
        if not late:
            raise
        text = "it was done, once, and is not repeated; but the page that it led to does not answer"
        raise DeviceRefused(text, failure=Failure.UNREACHABLE, where=before.address) from error
    except Error as error:
        if before.page.is_closed():
            return await _closed(acting, error, before.address)
        raise
    if tab is None:
        return await _done(acting, after, before.address, late=late)
    acting.browser.use(tab)
    opened = await settle(acting.browser, tab, acting.limit)
    window = opened.place.title or opened.place.address
    return await _done(acting, opened, before.address, late=late, window=window)


async def settle(browser: BrowserSession, page: Page, limit: float) -> After:
    """Wait until nothing is pending on the page, and return how it is then and what the action changed."""
    timeout = round(limit * 1000)
    question = {"timeout": timeout, "patience": timeout * PATIENCE}
    return await ask(browser, page.main_frame, "after", question, After, seconds=limit * PATIENCE, call=untraced)


async def _done(
    acting: Acting, after: After, before: str, *, late: bool = False, window: str = "", closed: bool = False
) -> Done:
    address = after.place.address
    if not allowed(address, acting.domains):
        led = outside(address, acting.domains)
        text = f"the action was done, but it led outside: {led}; go back or navigate elsewhere"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=address)
    place = judged(after.place)
    if place.failure == Failure.UNREACHABLE:
        place = await explained(acting.browser, place)
    return Done(
        place=place,
        before=before,
        target=after.target,
        changes=None if after.fresh else after.changes,
        headings=after.headings,
        alerts=after.alerts,
        opening=after.opening,
        pending=after.pending,
        window=window,
        closed=closed,
        late=late,
        failure=place.failure,
    )


async def _with_target(acting: Acting, target: Target, use: Use, done: Done) -> Done:
    """Return what was done with the target as it is now: looked for anew if the page has put another in its place."""
    moved = done.changes is None and done.place.address != done.before
    replaced = done.changes is not None and done.changes.detached
    reads_back = use in ("type", "select", "check") and not (done.window or done.closed)
    if (done.target is not None and not replaced) or target.ref or moved or not reads_back:
        return done
    question, wait = FindElements(target=target, use=use), Wait(settle=acting.limit)
    found = await find(acting.browser, await current(acting.browser, acting.domains), question, wait)
    return replace(done, target=found.matches[0] if found.total == 1 else None)


async def _new_tab(browser: BrowserSession, before: Before, *, expected: bool) -> Page | None:
    def fresh() -> list[Page]:
        return [tab for tab in browser.pages if tab not in before.tabs and not tab.is_closed()]

    if expected and not fresh():
        try:
            await before.page.context.wait_for_event("page", timeout=POPUP_TIMEOUT)
        except Error:
            return None  # a blocked pop-up never comes
    return fresh()[-1] if fresh() else None


async def _closed(acting: Acting, error: Error, before: str) -> Done:
    """Return what is left after an action closed its own tab; the last of the other tabs becomes the current one."""
    others = [page for page in acting.browser.pages if not page.is_closed()]
    if not others:
        raise error
    acting.browser.use(others[-1])
    after = await settle(acting.browser, others[-1], acting.limit)
    return await _done(acting, after, before, closed=True)


def was_sent(error: Error) -> bool:
    """Return whether the driver had already acted when it gave up, so that acting again would do it twice."""
    signs = ("performing click action", "performing dblclick action", "elementHandle.press(")
    return isinstance(error, TimeoutError) and any(sign in error.message for sign in signs)


async def _why(browser: BrowserSession, page: Page, target: Target, use: Use, error: Error) -> Exception:
    """Return the error to raise for a target that could not be used; what is not about the target stays as it is."""
    about = ("Timeout", "strict mode violation", "not attached", "is not an <", "Not a checkbox")
    if not any(sign in error.message for sign in about):
        return error
    return await refusal(browser, page, target, use, error)
