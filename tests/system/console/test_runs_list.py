"""The list of runs with 5,000 of them: scrolling, filters in the address, keys, and changes as they happen."""

import re
import time
from urllib.parse import parse_qs, urlsplit

import pytest
import pytest_asyncio
from browsing import NARROW, Theme, overflow, visiting
from msgspec.structs import replace
from playwright.async_api import Page, expect
from run_rows import made, store

from muster_protocol.logs import RunRow

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

COUNT = 5000
JUMPS = """async box => {
    const began = performance.now();
    for (let at = 0; at < 30; at++) {
        box.scrollTop = box.scrollHeight * 0.8 * ((at * 7) % 30) / 30;
        await new Promise(requestAnimationFrame);
    }
    return (performance.now() - began) / 30;
}"""
"""Milliseconds for each of 30 jumps to and fro."""
HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b> \u202egnp.exe \x1b[31mred'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rows(stage: Stage) -> list[RunRow]:
    """Store 5,000 runs."""
    found = made(COUNT, time.time() - 60)
    await store(stage.fleet.bus, found)
    return found


async def test_scrolling_brings_all_runs_and_keeps_few_in_the_page(stage: Stage, rows: list[RunRow]) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_text("100 runs loaded")).to_be_visible()
        box = page.locator(".runs-list")
        with_few = await box.evaluate(JUMPS)
        for _ in range(20):
            if await page.get_by_text(f"{COUNT:,} runs", exact=True).count():
                break
            told = page.locator(".runs-told").get_by_role("status").first
            loaded = await told.inner_text()
            await box.evaluate("box => box.scrollTop = box.scrollHeight")
            await expect(told).not_to_have_text(loaded)
        await expect(page.get_by_text(f"{COUNT:,} runs", exact=True)).to_be_visible()
        await box.evaluate("box => box.scrollTop = box.scrollHeight")
        oldest = page.locator(f'a[href="/console/runs/{rows[-1].run}"]')
        await expect(oldest).to_be_in_viewport()
        assert await page.locator(".vlist-row").count() < 120
        assert await box.evaluate(JUMPS) < 4 * with_few + 20  # the machine may be busy: only the two of them compare


async def test_filters_are_kept_in_the_address_and_survive_a_reload(stage: Stage, rows: list[RunRow]) -> None:
    async with visiting(stage.site) as (page, _):
        await page.get_by_role("button", name="Failed").click()
        await page.get_by_label("Cause").select_option("environment")
        await page.get_by_label("Suite").select_option("billing")
        await page.get_by_label("Search runs").fill("INVOICES")
        await expect(page).to_have_url(re.compile("text=INVOICES"))
        wanted = [
            row for row in rows if row.cause == "environment" and row.suite == "billing" and "invoices" in row.name
        ]
        assert len(wanted) > 5
        await expect(page.locator(".runs-told [role=status]").first).to_contain_text(f"{min(100, len(wanted))} runs")
        asked = parse_qs(urlsplit(page.url).query)
        assert asked == {"status": ["fail"], "cause": ["environment"], "suite": ["billing"], "text": ["INVOICES"]}
        await page.reload()
        await expect(page.get_by_role("button", name="Failed")).to_have_attribute("aria-pressed", "true")
        await expect(page.get_by_label("Search runs")).to_have_value("INVOICES")
        first = page.get_by_role("row").nth(1)
        await expect(first).to_contain_text("Failed")
        await expect(first).to_contain_text("environment")
        await page.get_by_role("button", name="Clear filters").first.click()
        await expect(page).to_have_url(re.compile("/console/$"))
        await expect(page.get_by_text("100 runs loaded")).to_be_visible()


async def test_a_row_tells_what_a_run_has_spent(stage: Stage, rows: list[RunRow]) -> None:
    spent = replace(rows[9], run="run-spent", name="Spent", tokens=12_400, cost=0.31, requested_at=time.time())
    await store(stage.fleet.bus, [spent, replace(spent, run="run-unspent", tokens=0, cost=0.0)])
    async with visiting(stage.site, "/console/?text=Spent") as (page, _):
        for run, tokens, cost in (("run-spent", "12.4k", "$0.31"), ("run-unspent", "–", "–")):
            row = page.locator(".run-row", has=page.locator(f'a[href="/console/runs/{run}"]'))
            await expect(row.locator(".c-tokens")).to_have_text(tokens)
            await expect(row.locator(".c-cost")).to_have_text(cost)


async def test_time_and_tag_narrow_the_list_and_no_fit_is_said(stage: Stage, rows: list[RunRow]) -> None:
    hour = [row for row in rows if row.requested_at > time.time() - 3600 and "export" in row.tags]
    async with visiting(stage.site, "/console/?within=1h&tag=export") as (page, _):
        told = page.locator(".runs-told [role=status]").first
        await expect(told).to_contain_text(re.compile(rf"^({len(hour)}|{len(hour) - 1}) runs?$"))
        await page.get_by_label("Search runs").fill("nothing has this name")
        await expect(page.get_by_role("heading", name="No run matches these filters")).to_be_visible()


async def test_a_run_that_begins_and_ends_is_seen_without_loading_anew(stage: Stage, rows: list[RunRow]) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_text("Live", exact=True)).to_be_visible()
        new = RunRow(run="run-live", name="A live run", status="running", total=4, done=1, requested_at=time.time())
        new = replace(new, started_at=time.time())
        await store(stage.fleet.bus, [new])
        row = page.get_by_role("row").filter(has_text="A live run")
        await expect(row).to_contain_text("Running")
        first = page.get_by_role("row").nth(1).get_by_role("link").first
        await expect(first).to_have_attribute("href", "/console/runs/run-live")
        ended = replace(new, status="fail", cause="product", done=2, summary="seen 3", ended_at=time.time())
        await store(stage.fleet.bus, [ended])
        await expect(row).to_contain_text("Failed")
        await expect(row).to_contain_text("seen 3")


async def test_what_is_read_stays_in_place_while_runs_come_in_above(stage: Stage, rows: list[RunRow]) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_text("Live", exact=True)).to_be_visible()
        box = page.locator(".runs-list")
        await box.evaluate("box => box.scrollTop = 1500")
        seen = page.get_by_role("row").filter(has=page.locator(f'a[href="/console/runs/{rows[36].run}"]'))
        await expect(seen).to_be_in_viewport()
        before = await seen.bounding_box()
        new = [RunRow(run=f"run-new-{n}", name=f"New {n}", status="queued", requested_at=time.time()) for n in range(5)]
        height = await box.evaluate("box => box.scrollHeight")
        await store(stage.fleet.bus, new)
        await page.wait_for_function("before => document.querySelector('.runs-list').scrollHeight > before", arg=height)
        after = await seen.bounding_box()
        assert before and after
        assert abs(before["y"] - after["y"]) <= 1


async def test_keys_choose_and_open_a_run_and_going_back_finds_the_list_as_it_was(
    stage: Stage, rows: list[RunRow]
) -> None:
    async with visiting(stage.site, "/console/?suite=tools", excused=("404",)) as (page, _):
        await expect(page.get_by_text("100 runs loaded")).to_be_visible()
        for _ in range(30):
            await page.keyboard.press("j")
        await page.keyboard.press("k")
        chosen = page.locator(".vlist-row.active")
        await expect(chosen).to_be_in_viewport()
        href = await chosen.locator("a").first.get_attribute("href")
        wanted = [row for row in rows if row.suite == "tools"][28]
        assert href == f"/console/runs/{wanted.run}"
        place = await page.locator(".runs-list").evaluate("box => box.scrollTop")
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(stage.site.at(f"/console/runs/{wanted.run}"))
        await page.go_back()
        await expect(chosen).to_be_in_viewport()
        assert abs(place - await page.locator(".runs-list").evaluate("box => box.scrollTop")) < 60
        await page.keyboard.press("/")
        await page.keyboard.type("command")
        await expect(page).to_have_url(re.compile("suite=tools&text=command"))


async def test_the_help_lists_the_keys_and_leaves_with_escape(stage: Stage) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_role("table", name="Runs")).to_be_visible()
        await page.keyboard.press("?")
        help = page.get_by_role("dialog")
        for told in ("Next run", "Open the run", "Search", "New run", "Fleet"):
            await expect(help.get_by_text(told, exact=True)).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(help).to_have_count(0)
        for keys, address in (("gs", "suites"), ("gf", "fleet"), ("gn", "new"), ("gr", "")):
            for key in keys:
                await page.keyboard.press(key)
            await expect(page).to_have_url(stage.site.at(f"/console/{address}"))
            await page.locator("h1").first.evaluate("title => title.tabIndex = -1")


async def test_texts_of_runs_are_shown_as_text(stage: Stage, rows: list[RunRow]) -> None:
    hostile = RunRow(
        run="run-hostile",
        name=HOSTILE,
        status="fail",
        cause="product",
        suite=HOSTILE,
        tags=(HOSTILE, "javascript:alert(1)"),
        summary=HOSTILE * 40,
        requested_at=time.time() + 30,
        started_at=time.time(),
        ended_at=time.time(),
        total=1,
    )
    await store(stage.fleet.bus, [hostile])
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_role("row").nth(1)).to_contain_text("<b>bold</b>")
        await _unharmed(page)
        await page.get_by_role("row").nth(1).locator(".run-suite").click()
        await expect(page).to_have_url(re.compile("suite="))
        await page.goto(stage.site.at("/console/suites"))
        await expect(page.locator(".suite-name").first).to_contain_text("<b>bold</b>")
        await page.locator(".suite-toggle").first.click()
        await page.locator(".case-name").first.click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("<b>bold</b>")
        await expect(page.get_by_role("cell").filter(has_text="Failed")).to_be_visible()
        await _unharmed(page)


async def _unharmed(page: Page) -> None:
    assert await page.title() != "1"
    assert await page.locator("main img, main b b").count() == 0
    text = await page.locator("main").inner_text()
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert await overflow(page) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "suites?open=shop", "cases/A%20visitor%20buys%20a%20backpack", "nowhere"])
async def test_every_view_fits_a_telephone_in_both_themes(
    stage: Stage, rows: list[RunRow], path: str, theme: Theme
) -> None:
    async with visiting(stage.site, f"/console/{path}", size=NARROW, theme=theme) as (page, _):
        await expect(page.locator("main h1, main h2").first).to_be_attached()
        await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        assert await overflow(page) == 0
        ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(255, 255, 255)" if theme == "light" else "rgb(15, 18, 22)")


async def test_the_first_link_skips_to_the_content(stage: Stage) -> None:
    async with visiting(stage.site) as (page, _):
        await expect(page.get_by_role("heading", name="Runs")).to_be_visible()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#main")).to_be_focused()
        await expect(page).to_have_url(re.compile("/console/#main$"))


async def test_the_history_of_a_case_is_of_the_suite_it_was_opened_from(stage: Stage) -> None:
    now = time.time()
    failed = RunRow(run="", name="The same name", status="fail", requested_at=now, started_at=now - 9, ended_at=now)
    new = [replace(failed, run=f"run-h-{suite}", suite=suite, cause="product") for suite in ("here", "there")]
    await store(stage.fleet.bus, new)
    async with visiting(stage.site, "/console/suites?open=here") as (page, _):
        await page.get_by_role("link", name="The same name").click()
        await expect(page.locator('a[href="/console/runs/run-h-here"]').first).to_be_visible()
        await expect(page.locator('a[href="/console/runs/run-h-there"]')).to_have_count(0)
        await expect(page.locator(".tiles > div", has_text="Median duration")).to_contain_text("– no run has passed")
