"""What holds for every view: names for screen readers, the keyboard, both themes, nothing from elsewhere, and cut connections."""

import time

import pytest
import pytest_asyncio
from browsing import NARROW, WIDE, overflow, visiting
from playwright.async_api import Page, expect
from run_rows import made, store

from muster_protocol.logs import RunRow

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

VIEWS = (
    *("", "suites?open=shop", "health", "cases/A%20visitor%20buys%20a%20backpack", "new", "fleet", "nowhere"),
    *("library", "library/TC_NEW_01?new=1", "triggers"),
)
NAMELESS = """() => [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=tab]')]
    .filter(one => one.checkVisibility() && !(
        one.getAttribute('aria-label') || one.innerText.trim() || one.title || one.labels?.length
        || one.querySelector('[aria-label]')))
    .map(one => one.outerHTML.slice(0, 200))"""
UNSEEN_FOCUS = """() => {
    const style = getComputedStyle(document.activeElement);
    const after = getComputedStyle(document.activeElement, '::after');
    const box = document.activeElement.closest('.editor');
    const seen = [style, after].some(one => one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0);
    return seen || (box && getComputedStyle(box).boxShadow !== 'none') ? '' : document.activeElement.outerHTML.slice(0, 200);
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def rows(stage: Stage) -> None:
    """Have something to look at."""
    await store(stage.fleet.bus, made(200, time.time() - 5))


async def settled(page: Page) -> None:
    await expect(page.locator("main h1, main h2").first).to_be_attached()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)


@pytest.mark.parametrize("path", VIEWS)
async def test_everything_one_can_press_has_a_name_and_shows_its_focus(stage: Stage, path: str) -> None:
    async with visiting(stage.site, f"/console/{path}") as (page, _):
        await settled(page)
        assert await page.evaluate(NAMELESS) == []
        assert await page.locator("svg.icon:empty").count() == 0, "each icon is drawn"
        assert await page.locator("h1").count() <= 1
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        for _ in range(25):
            await page.keyboard.press("Tab")
            if await page.evaluate("document.activeElement !== document.body"):
                assert await page.evaluate(UNSEEN_FOCUS) == ""
        await page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
        await settled(page)
        assert await page.evaluate(NAMELESS) == []
        assert await overflow(page) == 0


async def test_the_theme_follows_the_system_until_it_is_chosen_and_then_stays(stage: Stage) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    async with visiting(stage.site, theme="dark", size=WIDE) as (page, _):
        await settled(page)
        assert await page.evaluate(ground) == "rgb(15, 18, 22)"
        await page.keyboard.press("t")
        await expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
        assert await page.evaluate(ground) == "rgb(255, 255, 255)"
        await page.reload()
        await settled(page)
        assert await page.evaluate(ground) == "rgb(255, 255, 255)"
        await page.emulate_media(color_scheme="light")
        await page.keyboard.press("t")
        assert await page.evaluate(ground) == "rgb(15, 18, 22)"
        await page.keyboard.press("t")
        await expect(page.get_by_role("button", name="Theme: as the system")).to_be_visible()
        assert await page.evaluate(ground) == "rgb(255, 255, 255)"


async def test_the_policy_lets_no_script_in_that_the_gateway_does_not_serve(stage: Stage) -> None:
    async with visiting(stage.site, excused=("Content Security Policy", "violates")) as (page, faults):
        await settled(page)
        await page.evaluate(
            """() => {
                const script = document.createElement('script');
                script.textContent = 'window.harmed = 1';
                document.body.append(script);
                document.body.setAttribute('onclick', 'window.harmed = 1');
                document.body.click();
            }"""
        )
        assert await page.evaluate("window.harmed") is None
        assert faults


async def test_after_a_cut_connection_the_list_goes_on_by_itself(stage: Stage) -> None:
    async with visiting(stage.site, excused=("net::ERR",)) as (page, _):
        await expect(page.get_by_text("Live", exact=True)).to_be_visible()
        await page.context.set_offline(True)
        await page.get_by_role("button", name="Queued").click()
        await expect(page.get_by_role("alert")).to_contain_text("does not answer")
        await store(
            stage.fleet.bus,
            [RunRow(run="run-while-away", name="While away", status="queued", requested_at=time.time())],
        )
        await page.context.set_offline(False)
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_role("row").filter(has_text="While away")).to_be_visible()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_an_address_of_the_console_opens_the_same_view_again(stage: Stage) -> None:
    async with visiting(stage.site, "/console/suites") as (page, _):
        await page.get_by_role("button", name="billing").click()
        await expect(page.locator(".case").first).to_be_visible()
        first = await page.locator(".case-name").first.inner_text()
        await page.reload()
        await expect(page.locator(".case-name").first).to_have_text(first)
        await page.locator(".case-name").first.click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(first)
        await page.go_back()
        await expect(page.locator(".case-name").first).to_have_text(first)
        await page.get_by_role("link", name="Runs", exact=True).nth(1).click()
        await expect(page.get_by_role("table", name="Runs")).to_be_visible()
