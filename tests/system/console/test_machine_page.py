"""The tab Machine of a run: the node a tour is at, what led there, when it goes on, and why nothing more is due."""

import re

import pytest
from browsing import NARROW, overflow, visiting
from playwright.async_api import expect

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

NOWHERE = "http://127.0.0.1:9/"
"""Nothing listens there, so the node that opens it is tried again after a pause."""


async def explored(stage: Stage, url: str) -> str:
    sent = await stage.api.post("/explorations", json={"url": url, "max_steps": 20})
    return str(sent.raise_for_status().json()["run"])


async def test_a_node_that_is_tried_again_is_shown_with_reason_and_next_moment(stage: Stage) -> None:
    run = await explored(stage, NOWHERE)
    async with visiting(stage.site, f"/console/runs/{run}?tab=machine") as (page, _):
        row = page.get_by_role("region", name="Now").get_by_role("row", name=re.compile("LaunchOrAttach"))
        await expect(row).to_contain_text(re.compile(r"attempt [23] of 3"), timeout=60_000)
        await expect(row).to_contain_text("LaunchOrAttach: ")
        await expect(row).to_contain_text(re.compile(r"waiting until \d\d:\d\d:\d\d"))
        due = page.get_by_role("region", name="Why nothing more is due")
        await expect(due).to_contain_text("tour-00001 is queued or with a worker")
        told = page.get_by_role("table", name="Transitions")
        back = told.get_by_role("row", name=re.compile("LaunchOrAttach → ProvisionApp"))
        await expect(back.first).to_contain_text("backtrack", timeout=60_000)
        await stage.api.post(f"/runs/{run}/cancel", json={"reason": "seen"})
        await expect(page.get_by_role("region", name="Now")).to_contain_text("The run is over.", timeout=60_000)
        await expect(due).to_contain_text("it is over", timeout=30_000)


async def test_the_machine_of_a_tour_at_work_and_of_a_run_without_one_fit_a_narrow_screen(stage: Stage) -> None:
    run = await explored(stage, stage.shop)
    async with visiting(stage.site, f"/console/runs/{run}?tab=machine", NARROW) as (page, _):
        told = page.get_by_role("table", name="Transitions")
        await expect(told.get_by_role("row", name=re.compile("Choose → Finish")).first).to_be_visible(timeout=90_000)
        assert await overflow(page) == 0
    sent = await stage.api.post("/runs", json={"job": {"type": "drill", "count": 1}})
    async with visiting(stage.site, f"/console/runs/{sent.json()['run']}?tab=machine") as (page, _):
        await expect(page.get_by_text("No transitions yet")).to_be_visible()
