"""Logging in to the console, and what each role may do in it."""

import re
import time

import pytest
from browsing import NARROW, overflow, visiting
from playwright.async_api import expect
from run_rows import made, store

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_without_a_key_one_is_asked_for_it_and_then_shown_what_was_wanted(stage: Stage, theme: str) -> None:
    async with visiting(
        stage.site, "/console/suites", NARROW, "dark" if theme == "dark" else "light", key="", excused=("401",)
    ) as (page, _):
        field = page.get_by_label("API key")
        await expect(field).to_be_focused()
        assert await overflow(page) == 0
        await field.fill("muster_wrong")
        await page.get_by_role("button", name="Log in").click()
        await expect(page.get_by_role("alert")).to_contain_text("Unknown key")
        await field.fill(stage.keys["viewer"])
        await field.press("Enter")
        await expect(page.get_by_role("heading", name="Suites", level=1)).to_be_visible()
        cookies = await page.context.cookies()
        assert [(cookie.get("httpOnly"), cookie.get("sameSite")) for cookie in cookies] == [(True, "Strict")]
        assert all(stage.keys["viewer"] not in str(cookie.get("value")) for cookie in cookies)
        stored = await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert stage.keys["viewer"] not in stored


async def test_a_link_with_a_key_logs_in_only_when_the_button_is_pressed(stage: Stage) -> None:
    key = stage.keys["viewer"]
    async with visiting(stage.site, f"/console/suites#key={key}", key="", excused=("401",)) as (page, _):
        await expect(page.get_by_label("API key")).to_have_value(key)
        await expect(page.get_by_text("This link contains a key")).to_be_visible()
        assert await page.context.cookies() == []
        assert key not in page.url
        await page.get_by_role("button", name="Log in").click()
        await expect(page.get_by_role("heading", name="Suites", level=1)).to_be_visible()
    async with visiting(stage.site, "/console/suites", key=stage.keys["admin"]) as (page, _):
        before = await page.context.cookies()
        await page.goto(stage.site.at(f"/console/suites?again=1#key={key}"))
        await expect(page.get_by_role("heading", name="Suites", level=1)).to_be_visible()
        assert [cookie.get("value") for cookie in await page.context.cookies()] == [it.get("value") for it in before]
        assert key not in page.url


async def test_a_viewer_sees_why_running_is_not_possible(stage: Stage) -> None:
    await store(stage.fleet.bus, made(40, time.time()))
    async with visiting(stage.site, "/console/new", key=stage.keys["viewer"], excused=("403",)) as (page, _):
        await expect(page.locator(".menu summary")).to_contain_text("viewer")
        run = page.get_by_role("button", name="Run", exact=True)
        await expect(run).to_have_attribute("aria-disabled", "true")
        await expect(run).to_have_attribute("title", re.compile("role runner"))
        await expect(page.get_by_text("needs the role runner").first).to_be_visible()
        await page.goto(stage.site.at("/console/cases/A%20visitor%20buys%20a%20backpack"))
        again = page.get_by_role("button", name="Run again")
        await expect(again).to_have_attribute("title", re.compile("role runner"))
        await again.click(force=True)
        await expect(page.locator(".toast")).to_contain_text("role runner")
        await expect(page).to_have_url(re.compile("/console/cases/"))


async def test_a_runner_may_run(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new", key=stage.keys["runner"]) as (page, _):
        await page.get_by_label("Start from an example").select_option(label="A command")
        await expect(page.get_by_text("can be run")).to_be_visible()
        await page.get_by_role("button", name="Run", exact=True).click()
        await expect(page).to_have_url(re.compile("/console/runs/run-"))


async def test_logging_out_forgets_everything_and_a_session_that_ends_asks_for_the_key(stage: Stage) -> None:
    async with visiting(stage.site, excused=("401",)) as (page, _):
        await expect(page.get_by_role("table", name="Runs")).to_be_visible()
        await page.context.clear_cookies()
        await page.get_by_role("button", name="Failed").click()
        await expect(page.get_by_label("API key")).to_be_visible()
        await page.get_by_label("API key").fill(stage.site.key)
        await page.get_by_role("button", name="Log in").click()
        await expect(page.get_by_role("button", name="Failed")).to_have_attribute("aria-pressed", "true")
        await page.locator(".menu summary").click()
        await page.get_by_role("button", name="Log out").click()
        await expect(page.get_by_label("API key")).to_be_visible()
        await page.reload()
        await expect(page.get_by_label("API key")).to_be_visible()
