"""Resolves a tester's name for an element to exactly one element of the page, or explains why that is impossible."""

from time import monotonic

import msgspec
from playwright.async_api import Error, Frame, Locator, Page

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, Use, Wait
from muster_devices.refusals import TOO_LATE, refusal_of
from muster_devices.web.page_access import BrowserSession
from muster_devices.web.page_looks import REF_TIMEOUT, Query, find, find_in_frame, query_of
from muster_devices.web.page_script import ENGINE
from muster_protocol.causes import Failure

_SIGNS = {
    "not stable": "moving",
    "detached from the DOM": "being replaced",
    "intercepts pointer events": "covered",
    "not visible": "hidden",
    "not enabled": "disabled",
    "not editable": "read-only",
    "outside of the viewport": "out of view",
}
"""What the driver logs while it waits for an element, and what that says of the element."""


async def locate(browser: BrowserSession, page: Page, target: Target, use: Use, limit: float) -> Locator:
    """Return the locator of a target. It looks again whenever it is used, so a re-rendered element is no matter.

    On a page with one frame this asks nothing: the element is found when the driver acts on it.

    Raises:
        DeviceRefused: a ref is not on the page any more.
    """
    if target.ref:
        return await _by_ref(page, target.ref)
    query = query_of(target, use)
    frame = page.main_frame if len(page.frames) == 1 else await _frame_of(browser, page, query, limit)
    return frame.locator(f"{ENGINE}={msgspec.json.encode(query).decode()}")


async def _by_ref(page: Page, ref: str) -> Locator:
    locator = page.get_by_ref(ref)
    try:
        await locator.evaluate("element => window.__muster?.begin(element)", timeout=REF_TIMEOUT)
    except Error as error:
        text = f"ref {ref!r} is not on the page any more: take a new snapshot and use its refs"
        raise DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=page.url) from error
    return locator


async def _frame_of(browser: BrowserSession, page: Page, query: Query, limit: float) -> Frame:
    """Return the frame that has the target, once one has it; else the main frame, which then says what is missing."""
    deadline = monotonic() + limit
    wait = Wait(settle=limit)
    while True:
        ranked: list[tuple[tuple[int, ...], int, Frame]] = []
        version = -1
        for index, frame in enumerate(page.frames):
            found = await find_in_frame(browser, frame, query, wait if index == 0 else Wait())
            version = found.version if found is not None and index == 0 else version
            if found is not None and found.rank is not None and found.shown:
                ranked.append((found.rank, index, frame))
        if ranked:
            return min(ranked, key=lambda entry: entry[:2])[2]
        if monotonic() > deadline:
            return page.main_frame
        wait = Wait(since=version, change=0.1)


async def refusal(browser: BrowserSession, page: Page, target: Target, use: Use, error: Error) -> DeviceRefused:
    """Return why a target could not be used, after a closer look at the page; `error` holds what the driver saw."""
    if target.ref:
        text = f"{target.words()} cannot be used: it is hidden, disabled, covered or no such field; take a new snapshot"
        return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=page.url)
    found = await find(browser, page, FindElements(target=target, use=use, explain=True), Wait())
    return refusal_of(target, use, found, _unsteady(error.message))


def _unsteady(log: str) -> str:
    """Return what the driver's log says of a target that it could not use; empty: it found it, and nothing wrong."""
    if "locator resolved to" not in log:
        return TOO_LATE
    seen = [words for sign, words in _SIGNS.items() if sign in log]
    return f"it was {' and '.join(seen)}" if seen else ""
