"""The page as a tree of its elements, and as a picture; both without passwords."""

import asyncio
from collections.abc import Sequence

from playwright.async_api import Locator, Page

from muster_devices.errors import DeviceRefused
from muster_devices.outline import elements_of, masked, part_of_lines, wanted, without_icons
from muster_devices.screen import Screen
from muster_devices.web.drawn_text import black_out, secret_boxes
from muster_devices.web.page_access import GRACE, BrowserSession, bounded
from muster_devices.web.page_actions import settle
from muster_devices.web.page_picture import captured
from muster_devices.web.page_tree import tree_of
from muster_protocol.causes import Failure
from muster_text.masking import MASK
from muster_text.redaction import Redactor
from muster_text.text_match import listed, nearest, quote

SETTLE_SECONDS = 5.0
SNAPSHOT_TIMEOUT = 15.0


async def screen_of(browser: BrowserSession, page: Page, part: str, depth: int) -> Screen:
    """Return the settled page, or the smallest part of it that has some words, so many levels deep (0: all).

    Raises:
        DeviceRefused: there is no such part.
    """
    after = await settle(browser, page, SETTLE_SECONDS)
    text = await bounded(browser, tree_of(page, depth), SNAPSHOT_TIMEOUT)
    hidden: list[str] = []
    for frame in page.frames:
        passwords = frame.locator("input[type=password]").evaluate_all("fields => fields.map((f) => f.value)")
        hidden += await bounded(browser, passwords, GRACE)
    lines = masked(without_icons(text.splitlines()), [value for value in hidden if value], MASK)
    shown = part_of_lines(lines, part) if part else lines
    if part and not shown:
        raise _no_part(part, lines, page.url)
    return Screen(place=after.place, version=after.version, elements=elements_of(shown), lines=tuple(shown))


def _no_part(part: str, lines: Sequence[str], where: str) -> DeviceRefused:
    like = nearest(part, [wanted(line) for line in lines])
    closest = f"; closest: {listed(like)}" if like else ""
    text = f"there is no part of the page named {quote(part)}{closest}"
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, where=where)


async def picture_of(browser: BrowserSession, page: Page, hide: Sequence[str]) -> bytes:
    """Return a PNG of what the window shows; password fields, and what holds one of the texts, are blacked out."""
    await settle(browser, page, SETTLE_SECONDS)
    places, redactor = await _secret_places(browser, page, hide), Redactor(hide)
    boxes = await bounded(browser, secret_boxes(page, redactor), GRACE) if redactor else []
    image = await captured(
        lambda: page.screenshot(mask=places, mask_color="#000000", animations="disabled", scale="css")
    )
    boxes += await bounded(browser, secret_boxes(page, redactor), GRACE) if redactor else []  # drawn meanwhile
    return await asyncio.to_thread(black_out, image, boxes) if boxes else image


async def _secret_places(browser: BrowserSession, page: Page, secrets: Sequence[str]) -> list[Locator]:
    places: list[Locator] = []
    for frame in page.frames:
        places.append(frame.locator("input[type=password]"))
        fields = frame.locator("input, textarea")
        reading = fields.evaluate_all("fields => fields.map((f) => String(f.value))")
        values: list[str] = await bounded(browser, reading, GRACE)
        holding = (index for index, value in enumerate(values) if any(secret in value for secret in secrets))
        places += [fields.nth(index) for index in holding]
        places += [frame.get_by_text(secret) for secret in secrets]
    return places
