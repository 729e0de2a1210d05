"""Going somewhere in the browser: addresses, back and forward, and its tabs."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace
from playwright.async_api import Error, Page, Response

from muster_devices.actions import Changes, CloseWindow, Done, Navigate, OpenWindow, Restart, Rotate, Swipe, UseApp
from muster_devices.domains import address, checked, refuse_untrusted
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Place, Window
from muster_devices.web.page_access import GRACE, BrowserSession, bounded
from muster_devices.web.page_actions import Acting, Before, seen
from muster_devices.web.page_health import answered
from muster_protocol.causes import Failure

TIMEOUT = 30.0
"""Seconds a page may take to answer a navigation."""
NO_PAGE = "about:blank"
"""Address of a tab in which nothing was opened yet."""


async def go(acting: Acting, action: Navigate | OpenWindow | CloseWindow | Restart | Swipe | UseApp | Rotate) -> Done:
    """Do what concerns no element: go somewhere, open or close a tab.

    Raises:
        DeviceRefused: that cannot be done.
    """
    match action:
        case Navigate():
            return await _navigate(acting, action)
        case OpenWindow():
            return await _open_window(acting, action.address)
        case CloseWindow():
            return await _close_window(acting, action.window)
        case Restart():
            return await _restart(acting)
        case Swipe():
            text = "a page in a browser is not swiped: scroll it"
            raise DeviceRefused(text, failure=Failure.INVALID_CALL)
        case UseApp() | Rotate():
            text = "a browser is not a phone: it has no apps and cannot be turned"
            raise DeviceRefused(text, failure=Failure.INVALID_CALL)


async def _restart(acting: Acting) -> Done:
    """Close all tabs but one, and forget what the site of the current page and the cookies kept."""
    page = await acting.browser.page()
    for other in [one for one in acting.browser.pages if one is not page]:
        await other.close()
    with suppress(Error):  # an empty page keeps nothing, and may not be asked
        await bounded(acting.browser, page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }"), GRACE)
    await page.context.clear_cookies()
    return await _go(acting, page, Way(partial(page.goto, NO_PAGE), to=NO_PAGE))


class Way(NamedTuple):
    """A navigation: how it is asked for, and to which address; empty: to wherever the browser was or will be."""

    go: Callable[[], Awaitable[Response | None]]
    to: str = ""


def _way(page: Page, action: Navigate, full: str) -> Way:
    match action.to:
        case "address":
            return Way(partial(page.goto, full, wait_until="commit", timeout=TIMEOUT * 1000), to=full)
        case "back":
            return Way(partial(page.go_back, wait_until="commit", timeout=TIMEOUT * 1000))
        case "forward":
            return Way(partial(page.go_forward, wait_until="commit", timeout=TIMEOUT * 1000))
        case "reload":
            return Way(partial(page.reload, wait_until="commit", timeout=TIMEOUT * 1000))


async def _navigate(acting: Acting, action: Navigate) -> Done:
    """Go to an address, back, forward, or load the page again; where there is nowhere to go, nothing changes.

    Raises:
        DeviceRefused: the address is none, not allowed, or cannot be reached.
    """
    page = await acting.browser.page()
    full = _full(acting, action.address, page.url) if action.to == "address" else ""
    return await _go(acting, page, _way(page, action, full))


def _full(acting: Acting, url: str, base: str) -> str:
    """Return the full address that is meant.

    Raises:
        DeviceRefused: it is none, or its host is not allowed, or not with a secret in the address.
    """
    full = checked(address(url, base), acting.domains)
    if acting.entrusted is not None:
        refuse_untrusted(full, acting.entrusted)
    return full


async def _go(acting: Acting, page: Page, way: Way) -> Done:
    before = Before(page, page.url, acting.browser.pages)
    try:
        response = await bounded(acting.browser, _gone(way), TIMEOUT + 5)
    except Error as error:
        raise _unreachable(error, way.to or before.address) or error from error
    done = await seen(acting, before)
    moved = bool(way.to) or response is not None or done.place.address != before.address
    return done if moved else replace(done, changes=Changes())


async def _gone(way: Way) -> Response | None:
    """Go; to an address again, if the page was just going elsewhere by itself, as to the browser's page of an error."""
    for _ in range(2 if way.to else 0):
        try:
            return await way.go()
        except Error as error:
            ways = _INTERRUPTED.search(error.message)
            if ways is None:
                raise
            if ways.group(1) == ways.group(2):
                return None  # it is the earlier of two ways to the same page that got there
    return await way.go()


_INTERRUPTED = re.compile(r'Navigation to "(.*?)" is interrupted by another navigation to "(.*?)"')


def _unreachable(error: Error, url: str) -> DeviceRefused | None:
    """Return what to tell the caller about a navigation that failed; None if that was not the network's doing."""
    code = re.search(r"net::(ERR_[A-Z_]+)(?: at (\S+))?", error.message)
    if "Download is starting" in error.message:
        text = "this address is a download, not a page: download it with the link to it"
        return DeviceRefused(text, failure=Failure.INVALID_CALL, where=url)
    if code:
        where = code.group(2) or url
        reason = code.group(1).removeprefix("ERR_").replace("_", " ").lower()
        failure = Failure.SERVER_ERROR if answered(error.message) else Failure.UNREACHABLE
        return DeviceRefused(f"{where} cannot be reached: {reason}", failure=failure, seen=reason, where=where)
    if "Timeout" in error.message:
        text = f"{url} did not answer within {TIMEOUT:.0f} s"
        return DeviceRefused(text, failure=Failure.UNREACHABLE, seen=text, where=url)
    if "invalid URL" in error.message:
        return DeviceRefused(f"{url!r} is not a web address", failure=Failure.INVALID_CALL, where=url)
    return None


# ---- tabs


def _tabs(browser: BrowserSession) -> list[Page]:
    return [page for page in browser.pages if not page.is_closed()]


async def windows(browser: BrowserSession) -> tuple[Window, ...]:
    """Return the tabs, oldest first; their ids are numbers from 1."""
    current = await browser.page()
    return tuple(
        [
            Window(id=str(number), title=await page.title(), address=page.url, current=page == current)
            for number, page in enumerate(_tabs(browser), 1)
        ]
    )


def tab_of(browser: BrowserSession, window: str) -> Page:
    """Return the tab of an id.

    Raises:
        DeviceRefused: there is none.
    """
    page = {str(number): page for number, page in enumerate(_tabs(browser), 1)}.get(window)
    if page is None:
        raise DeviceRefused(f"there is no tab {window}", failure=Failure.ELEMENT_MISSING)
    return page


async def _open_window(acting: Acting, url: str) -> Done:
    """Open a tab, and an address in it; it becomes the current one."""
    before = await acting.browser.page()
    full = _full(acting, url, before.url) if url not in ("", NO_PAGE) else ""
    page = await before.context.new_page()
    acting.browser.use(page)
    if not full:
        return Done(place=Place(address=page.url), before=before.url)
    return await _go(acting, page, _way(page, Navigate(), full))


async def _close_window(acting: Acting, window: str) -> Done:
    """Close a tab; if it is the current one, the last of the others becomes that.

    Raises:
        DeviceRefused: it is the last one.
    """
    current = await acting.browser.page()
    page = tab_of(acting.browser, window) if window else current
    if len(_tabs(acting.browser)) < 2:
        raise DeviceRefused("this is the last tab: navigate it elsewhere instead", failure=Failure.INVALID_CALL)
    await page.close()
    if page == current:
        acting.browser.use([other for other in _tabs(acting.browser) if other != page][-1])
    left = await acting.browser.page()
    return Done(place=Place(address=left.url), before=current.url, closed=True)
