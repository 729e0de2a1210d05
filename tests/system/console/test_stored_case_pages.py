"""The pages of stored cases and of triggers: a case is written, saved, changed and run; a trigger is fired and paused."""

import pytest
from browsing import NARROW, overflow, visiting
from playwright.async_api import expect

from muster_client import trigger_store
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Schedule, Trigger

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

TEXT = """name: Somebody says {word}
covers: [REQ-7]
steps:
  - action: Run "echo {word}"
    expected: The output contains "{word}"
"""


async def test_a_case_is_written_saved_changed_and_run_in_an_older_version(stage: Stage) -> None:
    async with visiting(stage.site, "/console/library") as (page, _):
        await page.get_by_label("Id of a new case").fill("TC_HI")
        await page.keyboard.press("Enter")
        editor = page.get_by_label("Test case")
        await editor.fill("name: x\nsteps:\n  - acton: y\n")
        await expect(page.get_by_role("button", name="Save")).to_have_attribute("aria-disabled", "true")
        await editor.fill(TEXT.format(word="hi"))
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("link", name="Version 1")).to_be_visible()
        await editor.fill(TEXT.format(word="ho"))
        await page.get_by_label("Why it is changed").fill("another word")
        await page.keyboard.press("Control+s")
        await expect(page.get_by_role("region", name="Versions")).to_contain_text("another word")
        await page.get_by_role("link", name="Version 1").click()
        await expect(editor).to_have_value(TEXT.format(word="hi"))
        await page.get_by_role("button", name="Run", exact=True).click()
        await expect(page.get_by_role("heading", name="Somebody says hi")).to_be_visible()
        await page.get_by_role("link", name="Cases").click()
        await expect(page.get_by_role("table", name="Stored cases")).to_contain_text("Somebody says ho")
        await page.get_by_role("tab", name="Requirements").click()
        await expect(page.get_by_role("table", name="Requirements")).to_contain_text("TC_HI")


async def test_a_trigger_is_fired_paused_and_made_up_for(stage: Stage) -> None:
    never = Schedule(cron="0 0 1 1 *")
    runs = (RunRequest(job=Drill(name="a drill", count=1)),)
    await trigger_store.put_trigger(stage.fleet.bus, Trigger(id="yearly", schedule=never, runs=runs))
    async with visiting(stage.site, "/console/triggers", size=NARROW, theme="dark", excused=("400",)) as (page, _):
        yearly = page.get_by_role("region", name="Trigger yearly")
        await expect(yearly.get_by_role("listitem")).to_have_count(10)
        await yearly.get_by_role("button", name="Fire now").click()
        await expect(yearly.get_by_role("table")).to_contain_text("by hand")
        await yearly.get_by_role("button", name="Pause").click()
        await expect(yearly).to_contain_text("Its times pass and are not made up for")
        await expect(yearly.get_by_role("button", name="Resume")).to_be_visible()
        await yearly.get_by_text("Make up for times").click()
        await yearly.get_by_label("From").fill("2025-12-24T12:00")
        await yearly.get_by_label("to", exact=True).fill("2026-01-06T12:00")
        await yearly.get_by_role("button", name="Make up").click()
        await expect(yearly.get_by_role("table").locator("time[datetime^='2026-01-01']")).to_be_visible()
        await yearly.get_by_label("From").fill("2026-01-05T12:00")
        await yearly.get_by_role("button", name="Make up").click()
        await expect(yearly).to_contain_text("none of its times are in there")
        assert await overflow(page) == 0
