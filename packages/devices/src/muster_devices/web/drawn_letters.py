"""Whether letters are drawn, where styles do not tell: on pictures, below them, through filters.

The page is pictured twice, with and without the letters. If the two are alike, nobody can read them.
"""

from io import BytesIO
from typing import cast

from msgspec.structs import replace
from PIL import Image, ImageChops
from playwright.async_api import Error, Page

from muster_devices.observations import TextSeen
from muster_devices.web.page_access import GRACE, BrowserSession, bounded, untraced
from muster_devices.web.page_picture import captured_by
from muster_devices.web.untraced import session_of
from muster_protocol.tool_calls import Box

SAME = 6
"""Of 255: colours that differ by no more are one to a person."""


async def with_drawn_letters(browser: BrowserSession, page: Page, seen: TextSeen) -> TextSeen:
    """Return what can be read without the texts that a picture of the page shows to be not drawn."""
    if not seen.untold or len(seen.untold) != len(seen.sources):
        return seen
    try:
        lost = await bounded(browser, _lost(page, [one.box for one in seen.untold]), GRACE)
    except Error:  # the page is just going: whoever looks again sees the next one
        return seen
    gone = tuple(source for source, is_lost in zip(seen.sources, lost, strict=True) if is_lost)
    kept = tuple(source for source, is_lost in zip(seen.sources, lost, strict=True) if not is_lost)
    return replace(seen, sources=kept, unseen=(*seen.unseen, *gone))


async def _lost(page: Page, boxes: list[Box]) -> list[bool]:
    """Return, for each place, whether it looks the same without the letters."""
    before = [await _pictured(page, box) for box in boxes]
    try:
        await untraced(page.main_frame, "veil", {"on": True})
        return [_is_alike(one, await _pictured(page, box)) for one, box in zip(before, boxes, strict=True)]
    finally:
        await untraced(page.main_frame, "veil", {"on": False})


async def _pictured(page: Page, box: Box) -> bytes:
    clip = {"x": box.x, "y": box.y, "width": max(1.0, box.width), "height": max(1.0, box.height), "scale": 1}
    return await captured_by(await session_of(page), {"format": "png", "clip": clip})


def _is_alike(one: bytes, other: bytes) -> bool:
    """Return whether a person can tell no difference between two pictures (PNG). Pure."""
    first, second = (Image.open(BytesIO(data)).convert("RGB") for data in (one, other))
    if first.size != second.size:
        return False
    bands = cast("tuple[tuple[int, int], ...]", ImageChops.difference(first, second).getextrema())
    return all(most <= SAME for _, most in bands)
