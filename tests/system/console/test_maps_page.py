"""The maps page: maps of one app by keyboard alone, states with their ways and pictures, what is tried, and what has changed."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from browsing import NARROW, overflow, visiting
from playwright.async_api import Page, expect

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

APP = Path(__file__).parents[3] / "examples" / "screens" / "shop.yaml"


async def explored(api: httpx.AsyncClient, *faults: str) -> str:
    """Explore the simulated shop until it is over, and return the run."""
    device = {"kind": "screens", "definition": APP.read_text(), "source": "shop.yaml", "faults": faults}
    values = {"User name": "tester", "Password": "swordfish"}
    sent = await api.post("/explorations", json={"device": device, "values": values, "max_steps": 120})
    run = str(sent.raise_for_status().json()["run"])
    async with asyncio.timeout(120):
        while (await api.get(f"/runs/{run}")).json()["run"]["status"] not in ("done", "failed"):
            await asyncio.sleep(0.2)
    return run


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def maps(stage: Stage) -> AsyncGenerator[tuple[str, str]]:
    """Two maps of one app: of the broken one, then of the healthy one."""
    yield await explored(stage.api, "login-crash"), await explored(stage.api)


async def open_graph(page: Page) -> None:
    await expect(page.get_by_role("group", name="Graph of states")).to_be_visible()


async def test_a_map_by_keyboard_alone(stage: Stage, maps: tuple[str, str]) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_role("table", name="Runs")).to_be_visible()
        await page.keyboard.press("g")
        await page.keyboard.press("m")
        await page.get_by_role("table", name="Maps").get_by_role("link", name="shop.yaml").first.focus()
        await page.keyboard.press("Enter")
        await open_graph(page)
        await expect(page).to_have_url(stage.site.at(f"/console/maps/{maps[1]}"))
        start = page.get_by_role("button", name="Log in, start")
        await start.focus()
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("button", name="Products").first).to_be_focused()
        await page.keyboard.press("Enter")
        side = page.get_by_role("complementary", name="State")
        await expect(side.get_by_role("heading", name="Products")).to_be_focused()
        way = side.get_by_role("region", name="The way here")
        await expect(way).to_contain_text('Type "tester" into the "User name" field')
        picture = side.locator("img")
        await expect(picture).to_be_visible()
        assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        await expect(side.get_by_role("region", name="What can be done here")).to_contain_text("→")
        await page.keyboard.press("Escape")
        await expect(side).to_have_count(0)
        await page.get_by_role("tab", name="Graph").focus()
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("table", name="States")).to_contain_text("shop://products")
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("table", name="Coverage by element")).to_contain_text("button")
        assert await overflow(page) == 0


async def test_two_maps_are_compared_and_findings_show_their_state(stage: Stage, maps: tuple[str, str]) -> None:
    broken, healthy = maps
    async with visiting(stage.site, f"/console/maps/{healthy}?tab=changes", size=NARROW, theme="dark") as (page, _):
        await expect(page.get_by_role("region", name="New", exact=True)).to_contain_text("Products")
        await expect(page.get_by_role("region", name="Mended")).to_contain_text("NullPointerException")
        assert await overflow(page) == 0
        await page.get_by_label("Version").select_option(broken)
        await expect(page).to_have_url(stage.site.at(f"/console/maps/{broken}"))
        await page.get_by_role("tab", name="Findings").click()
        await expect(page.get_by_role("listitem")).to_contain_text("crash: ")
        assert await overflow(page) == 0


async def test_maps_are_downloaded_in_three_formats(stage: Stage, maps: tuple[str, str]) -> None:
    texts = [
        (await stage.api.get(f"/maps/{maps[1]}/file", params={"format": format})).raise_for_status().text
        for format in ("json", "mermaid", "graphml")
    ]
    assert [text[:12] for text in texts] == ['{"job":{"typ', "flowchart LR", "<?xml versio"]
    assert (await stage.api.get("/maps/run-none")).status_code == 404
