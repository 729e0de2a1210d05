"""What a browser keeps is read without a page that whoever acts in the session could take for one of the product's."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest_asyncio
from browsing import launch_chromium
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from waiting import eventually

from muster_devices.web.browser_storage import Storage, origin_of


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        made = await launch_chromium(playwright)
        yield made
        await made.close()


async def pages_seen(context: BrowserContext, page: Page) -> list[str]:
    """Return a list to which every target that the browser makes from now on is added."""
    seen: list[str] = []
    cdp = await context.new_cdp_session(page)

    def made(event: dict[str, Any]) -> None:
        seen.append(event["targetInfo"]["targetId"])

    cdp.on("Target.targetCreated", made)
    await cdp.send("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]})
    seen.clear()  # those that were there
    return seen


async def keep(page: Page, url: str, name: str) -> None:
    await page.goto(url)
    await page.evaluate("name => localStorage.setItem(name, 'kept')", name)


def kept(state: dict[str, Any]) -> dict[str, list[str]]:
    return {it["origin"]: [item["name"] for item in it["localStorage"]] for it in state["origins"]}


async def test_while_pages_are_open_what_they_keep_is_read_through_them_alone(browser: Browser, site: str) -> None:
    context = await browser.new_context()
    page, storage = await context.new_page(), Storage(context, {})
    await keep(page, site, "cart")
    seen = await pages_seen(context, page)
    state = await storage.read(context.pages)
    assert kept(state) == {site: ["cart"]}
    assert [cookie["name"] for cookie in state["cookies"]] == ["visited"]
    assert state == {"cookies": state["cookies"], "origins": dict[str, Any](await context.storage_state())["origins"]}
    assert seen == []
    await context.close()


async def test_of_an_origin_that_was_left_it_is_read_once_more_and_then_known(browser: Browser, site: str) -> None:
    elsewhere = site.replace("127.0.0.1", "localhost")
    context = await browser.new_context()
    page, storage = await context.new_page(), Storage(context, {})
    await keep(page, site, "cart")
    await storage.read(context.pages)
    await page.evaluate("localStorage.setItem('late', 'kept')")
    await keep(page, elsewhere, "theme")
    both = {site: ["cart", "late"], elsewhere: ["theme"]}
    seen = await pages_seen(context, page)
    assert kept(await storage.read(context.pages)) == both
    asked = len(seen)
    assert asked  # Playwright's own page
    assert kept(await storage.read(context.pages)) == both
    assert len(seen) == asked
    await context.close()


async def test_what_a_session_was_opened_with_is_kept_though_nobody_goes_there(browser: Browser, site: str) -> None:
    origins = [{"origin": "http://sso.example", "localStorage": [{"name": "token", "value": "1"}]}]
    context = await browser.new_context()
    page, storage = await context.new_page(), Storage(context, {"origins": origins})
    await keep(page, site, "cart")
    assert kept(await storage.read(context.pages)) == {"http://sso.example": ["token"], site: ["cart"]}
    await context.close()


async def test_nobody_goes_on_before_a_reading_that_was_given_up_has_ended(browser: Browser, site: str) -> None:
    context = await browser.new_context()
    page, storage = await context.new_page(), Storage(context, {})
    await keep(page, site, "cart")
    await keep(page, site.replace("127.0.0.1", "localhost"), "theme")
    seen = await pages_seen(context, page)
    reading = asyncio.create_task(storage.read(context.pages))

    async def under_way() -> bool:
        return bool(seen)

    await eventually(under_way, "Playwright opens its page")
    reading.cancel()
    await asyncio.wait([reading])
    await storage.settled()
    cdp = await context.new_cdp_session(page)
    targets = cast("dict[str, Any]", await cdp.send("Target.getTargets", {"filter": [{"type": "page"}]}))
    assert len(targets["targetInfos"]) == 1
    await context.close()


def test_an_origin_is_that_of_the_address_without_who_asks() -> None:
    assert origin_of("https://ada:pw@shop.example:8443/cart?x#y") == "https://shop.example:8443"
    assert origin_of("about:blank") == origin_of("data:text/html,x") == origin_of("file:///etc/hosts") == ""
