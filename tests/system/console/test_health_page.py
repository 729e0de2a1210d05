"""The health page: what is broken, flaky or healthy, since when, and fails that look alike."""

import time
from collections.abc import Sequence

import pytest
import pytest_asyncio
from browsing import NARROW, overflow, visiting
from playwright.async_api import expect
from run_rows import store

from muster_protocol.logs import RunRow

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

NOW = time.time()
ALIKE = 'expected "Total: $39.98", seen "Total: $29.99"'


def history(name: str, ends: str, suite: str = "shop", tokens: int = 0) -> list[RunRow]:
    """Return the runs of a test, newest first: `p` passed, `f` failed."""
    return [
        RunRow(
            run=f"run-{name.replace(' ', '-').lower()}-{number}",
            name=name,
            suite=suite,
            status="pass" if end == "p" else "fail",
            cause="" if end == "p" else "product",
            summary="" if end == "p" else ALIKE,
            requested_at=NOW - 600.0 * (number + 1),
            started_at=NOW - 600.0 * (number + 1),
            ended_at=NOW - 600.0 * (number + 1) + 12,
            tokens=tokens,
            cost=tokens / 100_000,
        )
        for number, end in enumerate(ends)
    ]


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def rows(stage: Stage) -> Sequence[RunRow]:
    """Have something to look at."""
    made = [
        *history("Totals are right", "ffff" + "p" * 26),
        *history("Search finds things", "pfpppfpppppfppppfpppppfp", tokens=500),
        *history("A visitor buys", "p" * 30, tokens=2_000),
        *history("Brand new", "pp", suite="billing"),
    ]
    await store(stage.fleet.bus, made)
    return made


async def test_tests_are_told_apart_and_a_break_leads_to_its_first_run(stage: Stage) -> None:
    async with visiting(stage.site) as (page, _):
        await page.get_by_role("link", name="Health").click()
        tests = page.get_by_role("table", name="Tests", exact=True)
        broken = tests.get_by_role("row").filter(has_text="Totals are right")
        await expect(broken).to_contain_text("Broken")
        await expect(broken).to_contain_text("4 of 30")
        await expect(tests.get_by_role("row").filter(has_text="Search finds things")).to_contain_text("Flaky")
        await expect(tests.get_by_role("row").filter(has_text="A visitor buys")).to_contain_text("Healthy")
        await expect(tests.get_by_role("row").filter(has_text="Brand new")).to_contain_text("Unknown")
        await expect(tests.get_by_role("row").nth(1)).to_contain_text("Totals are right")
        await expect(broken.get_by_role("link").nth(1)).to_have_attribute(
            "href", "/console/runs/run-totals-are-right-3"
        )
        costs = page.get_by_role("table", name="What costs most").get_by_role("row")
        await expect(costs).to_have_count(3)
        await expect(costs.nth(1)).to_contain_text("A visitor buys30")
        await expect(costs.nth(2)).to_contain_text("Search finds things")
        alike = page.get_by_role("table", name="Fails that look alike")
        await expect(alike.get_by_role("row").nth(1)).to_contain_text("Total: $#")


async def test_one_suite_is_chosen_and_stays_in_the_address(stage: Stage) -> None:
    async with visiting(stage.site, "/console/health") as (page, _):
        await page.get_by_label("Suite").select_option("billing")
        tests = page.get_by_role("table", name="Tests", exact=True)
        await expect(tests.get_by_role("row")).to_have_count(2)
        await expect(page).to_have_url(stage.site.at("/console/health?suite=billing"))
        await page.reload()
        await expect(tests.get_by_role("row")).to_have_count(2)
        await page.keyboard.press("g")
        await page.keyboard.press("s")
        await expect(page.get_by_role("heading", name="Suites")).to_be_visible()
        await page.keyboard.press("g")
        await page.keyboard.press("h")
        await expect(page.get_by_role("heading", name="Health")).to_be_visible()


async def test_it_fits_a_narrow_screen(stage: Stage) -> None:
    async with visiting(stage.site, "/console/health", size=NARROW, theme="dark") as (page, _):
        await expect(page.get_by_role("table", name="Tests", exact=True)).to_be_visible()
        assert await overflow(page) == 0


async def test_the_last_days_show_what_their_runs_came_to(stage: Stage) -> None:
    rows = [
        RunRow(
            run=f"run-daily-{day}",
            name="Daily",
            suite="trend",
            status="pass" if day % 3 else "fail",
            cause="" if day % 3 else "product",
            summary="" if day % 3 else ALIKE,
            started_at=NOW - 86_400.0 * day - 12,
            ended_at=NOW - 86_400.0 * day,
        )
        for day in range(6)
    ]
    await store(stage.fleet.bus, rows)
    async with visiting(stage.site, "/console/health?suite=trend") as (page, _):
        days = page.get_by_role("region", name="Last days").get_by_role("listitem")
        await expect(days).to_have_count(6)
        await expect(days.last).to_contain_text("1 run, 1 failed")
        await expect(days.nth(4)).to_contain_text("1 run, 1 passed")


async def test_ten_thousand_tests_are_there_within_a_second(stage: Stage) -> None:
    """Ten runs of each; the page has the worst first, and finds any other by its name."""
    rows = [
        RunRow(
            run=f"run-many-{test}-{run}",
            name=f"Test number {test}",
            suite="many",
            status="fail" if (failed := test % 50 == 0 and run > 5) else "pass",
            cause="product" if failed else "",
            summary=ALIKE if failed else "",
            started_at=NOW - 3_600.0 * (10 - run) - 12,
            ended_at=NOW - 3_600.0 * (10 - run),
        )
        for test in range(10_000)
        for run in range(10)
    ]
    await store(stage.fleet.bus, rows)
    async with visiting(stage.site, "/console/health?suite=trend") as (page, _):
        tests = page.get_by_role("table", name="Tests", exact=True)
        await expect(tests).to_be_visible(timeout=60_000)
        took: list[float] = []
        for suite in ("many", "", "many"):
            began = time.monotonic()
            await page.get_by_label("Suite").select_option(suite)
            await expect(tests.get_by_role("row")).to_have_count(201)
            took.append(time.monotonic() - began)
            await page.get_by_label("Suite").select_option("trend")
            await expect(tests.get_by_role("row")).to_have_count(2)
        await page.get_by_label("Suite").select_option("many")
        await page.get_by_label("Search tests").fill("number 4711")
        await expect(tests.get_by_role("row")).to_have_count(2)
    assert min(took) < 1.0, f"the list took {took} s"
