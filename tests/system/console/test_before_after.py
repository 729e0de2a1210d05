"""The page before and after an act, side by side in the console."""

from collections.abc import Generator

import pytest
from browsing import visiting
from playwright.async_api import expect

from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase

from .conftest import Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def recorded() -> Generator[None]:
    """Have the workers of this module record the steps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECORD_STEPS", "on")
        yield


@pytest.mark.slow
async def test_an_act_opens_to_the_page_before_and_after_it_with_what_changed(recorded: None, stage: Stage) -> None:
    steps = (
        Step(action=f'Open "{stage.shop}/login"', expected='The page title is "Demo shop"'),
        Step(action='Type "tester" into the "User name" field and type "swordfish" into the "Password" field'),
        Step(action='Click the "Log in" button', expected='The text "Hello, nobody" is visible'),
    )
    run = (await submit(stage.fleet.bus, RunRequest(job=TestCase(name="Sides", steps=steps)))).run
    async with visiting(stage.site, f"/console/runs/{run}") as (page, _):
        await expect(page.locator(".run-title .status")).to_contain_text("Failed", timeout=60_000)
        changed = page.locator("details", has_text="Before and after").first
        await changed.locator("summary").click()
        pictures = changed.locator(".run-sides img")
        await expect(pictures).to_have_count(2, timeout=20_000)
        await expect(changed).to_contain_text("Hello, tester")
        left, right = [await picture.bounding_box() for picture in await pictures.all()]
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]
        assert abs(left["y"] - right["y"]) < 2
