"""Secrets that a page draws in ways that are no field and no plain text: no picture shows them."""

import base64
from collections.abc import AsyncGenerator
from io import BytesIO

import pytest
from browsing import launch_chromium
from PIL import Image, ImageChops
from playwright.async_api import Page, async_playwright
from sampling import mostly_slow

from muster_devices.web.drawn_text import Drawn, black_out, nodes_with_secrets, secret_boxes, shows_secret
from muster_devices.web.page_picture import captured
from muster_text.redaction import Redactor

SECRET = "swordfish-77"
HONEST = "harmless-00"
PLACES = {
    "text": "<p>{}</p>",
    "text in pieces": "<p>{0[0]}<b>{0[1]}</b></p>",
    "field": "<input value='{}'>",
    "area": "<textarea>{}</textarea>",
    "select": "<select><option>{}</option></select>",
    "placeholder": "<input placeholder='{}' size=40>",
    "alt": "<img src=/no.png alt='{}' width=300 height=40>",
    "generated": "<style>p::before {{ content: '{}' }}</style><p></p>",
    "button": "<input type=button value='{}'>",
    "closed shadow": "<div id=h></div><script>h.attachShadow({{mode: 'closed'}}).innerHTML = '<p>{}</p>'</script>",
    "upper case": "<p style='text-transform: uppercase'>{}</p>",
    "frame": "<iframe srcdoc='<p>{}</p>'></iframe>",
    "svg": "<svg width=300 height=60><text y=30>{}</text></svg>",
    "legend": "<details open><summary>{}</summary></details>",
    "base64": "<p>data: {1}</p>",
}


@pytest.fixture
async def page() -> AsyncGenerator[Page]:
    async with async_playwright() as driver:
        browser = await launch_chromium(driver)
        yield await browser.new_page()
        await browser.close()


def written(place: str, text: str) -> str:
    encoded = base64.b64encode(f"key={text};".encode()).decode()
    if "{0[0]}" in place:
        return place.format((text[:5], text[5:]))
    return place.format(text, encoded)


@pytest.mark.parametrize("place", mostly_slow(PLACES.values(), 4), ids=PLACES)
async def test_what_draws_a_secret_is_found_and_painted_over_and_nothing_else_is(page: Page, place: str):
    redactor = Redactor([SECRET])
    await page.set_content(written(place, HONEST))
    assert not await shows_secret(page, redactor)
    assert await secret_boxes(page, redactor) == []
    await page.set_content(written(place, SECRET))
    assert await shows_secret(page, redactor)
    boxes = await secret_boxes(page, redactor)
    plain = Image.open(BytesIO(await captured(lambda: page.screenshot(scale="css")))).convert("RGB")
    masked = Image.open(BytesIO(black_out(await captured(lambda: page.screenshot(scale="css")), boxes)))
    left = ImageChops.difference(plain, masked).getbbox()
    assert left is not None, "something was drawn where it was painted over"
    for box in boxes:
        inside = masked.crop((int(box.x), int(box.y), int(box.x + box.width), int(box.y + box.height)))
        assert inside.getcolors() == [(inside.width * inside.height, (0, 0, 0))]


def test_a_secret_that_goes_on_in_the_next_node_is_one():
    redactor = Redactor(["abcdef"])
    assert nodes_with_secrets([Drawn("x abc", 1), Drawn("def", 2), Drawn("abc", 3), Drawn("x", 4)], redactor) == {1, 2}
