"""Pictures, recordings and other files of a run on its page."""

import pytest
from browsing import visiting
from playwright.async_api import expect

from muster_bus.artifact_store import put_artifact
from muster_protocol.requests import Step

from .conftest import Stage
from .run_pages import is_over, run_path, started, store_kept

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.slow
async def test_files_are_handed_out_and_pictures_open_large(stage: Stage) -> None:
    run = await started(stage, Step(action=f'Open "{stage.shop}/login"', expected='The text "Nobody" is visible'))
    async with visiting(stage.site, run_path(run, "?tab=files")) as (page, _):
        await is_over(page, "Failed")
        for title, ending in (("HTML", ".html"), ("JUnit", ".xml"), ("JSON", ".json")):
            async with page.expect_download() as started_download:
                await page.get_by_role("link", name=title, exact=True).click()
            download = await started_download.value
            assert download.suggested_filename.endswith(ending) and await download.failure() is None
        await page.locator(".run-pictures").get_by_role("button", name="failure-1.png").click()
        large = page.get_by_role("dialog", name="Picture")
        await expect(large.locator("img")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(large).to_be_hidden()


@pytest.mark.slow
async def test_recordings_are_downloaded_with_a_word_on_how_to_open_them(stage: Stage) -> None:
    run = await store_kept(stage.fleet.bus, "purchase")
    for name, kind in (("main-trace.zip", "application/zip"), ("main-network.har", "application/json")):
        await put_artifact(stage.fleet.bus, f"{run}/session/{name}", name.encode(), kind)
    async with visiting(stage.site, run_path(run, "?tab=files")) as (page, _):
        for name, hint in (("main-trace.zip", "npx playwright show-trace"), ("main-network.har", "Network panel")):
            row = page.get_by_role("table", name="Files of the run").get_by_role("row").filter(has_text=name)
            await expect(row).to_contain_text(hint)
            async with page.expect_download() as started_download:
                await row.get_by_role("link").click()
            assert (await (await started_download.value).path()).read_bytes() == name.encode()


@pytest.mark.slow
async def test_the_last_picture_is_there_while_a_run_goes_on_and_shows_what_was_touched(stage: Stage) -> None:
    steps = (
        Step(action=f'Open "{stage.shop}/login"', expected='The page title is "Demo shop"'),
        Step(action='Ask "Go on?" and remember the answer as ${answer}'),
        Step(action='Type "ada" into the "User name" field', expected='The text "Nobody" is visible'),
    )
    run = await started(stage, *steps)
    drawn = "() => document.querySelector('.run-plan-pane .run-shot img')?.naturalWidth === 1280"
    async with visiting(stage.site, run_path(run)) as (page, _):
        await page.wait_for_function(drawn, timeout=80_000)
        last = page.locator(".run-plan-pane .run-shot")
        await expect(last).to_contain_text("Last picture of the page")
        await expect(last.locator("time")).to_be_visible()
        question = page.get_by_role("region", name="The run asks you")
        await question.get_by_role("textbox").fill("yes")
        await question.get_by_role("textbox").press("Control+Enter")
        await is_over(page, "Failed")
        for shot in (last, page.locator(".run-failure .run-shot")):
            await expect(shot.locator(".run-touched rect")).to_be_attached()
            await expect(shot).to_contain_text("the touched element is marked")
            mark = await shot.locator(".run-touched rect").bounding_box()
            around = await shot.locator("img").bounding_box()
            assert mark is not None and around is not None
            assert around["x"] < mark["x"] and mark["x"] + mark["width"] < around["x"] + around["width"]
        await last.get_by_role("button").click()
        await expect(page.get_by_role("dialog", name="Picture").locator(".run-touched rect")).to_be_attached()
