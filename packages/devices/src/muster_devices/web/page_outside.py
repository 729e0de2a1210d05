"""Clicks an empty place of the page: it closes open menus and dialogs, and takes the focus from a field."""

from playwright.async_api import ElementHandle, Locator, Page

from muster_devices.actions import ClickOutside, Done
from muster_devices.errors import DeviceRefused
from muster_devices.web.page_access import GRACE, PATIENCE, bounded
from muster_devices.web.page_actions import Acting, act, now, seen
from muster_devices.web.page_script import FREE_POINT
from muster_devices.web.page_typing import BEGIN_FOCUSED
from muster_protocol.causes import Failure

Spot = list[float] | None


async def click_outside(acting: Acting, action: ClickOutside) -> Done:
    """Click at an empty place of the page, outside of the target, the open dialog, or whatever has the focus.

    Raises:
        DeviceRefused: the target is missing or unclear, or there is no empty place.
    """
    if action.target is not None:
        return await act(acting, action.target, "read", _click_beside)
    before = await now(acting)
    await bounded(acting.browser, before.page.evaluate(BEGIN_FOCUSED), GRACE)
    spot: Spot = await bounded(acting.browser, before.page.evaluate(FREE_POINT), GRACE)
    await bounded(acting.browser, _click(before.page, spot, (0, 0)), acting.limit * PATIENCE)
    return await seen(acting, before)


async def _click_beside(target: Locator, milliseconds: float) -> None:
    handle = await target.element_handle(timeout=milliseconds)
    spot: Spot = await handle.evaluate(FREE_POINT)
    await _click(target.page, spot, await _corner_of_frame(handle))


async def _corner_of_frame(element: ElementHandle) -> tuple[float, float]:
    """Return where the document that an element is in begins in the window."""
    frame = await element.owner_frame()
    if frame is None or frame.parent_frame is None:
        return (0, 0)
    box = await (await frame.frame_element()).bounding_box()
    return (box["x"], box["y"]) if box else (0, 0)


async def _click(page: Page, spot: Spot, corner: tuple[float, float]) -> None:
    if spot is None:
        text = "there is no empty place on the page to click at: press Escape or Tab, or click something that is named"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL, where=page.url)
    await page.mouse.click(spot[0] + corner[0], spot[1] + corner[1])
