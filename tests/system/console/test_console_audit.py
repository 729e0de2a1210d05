"""The console keeps the accessibility rules that explorations report, in both themes and at two widths."""

import asyncio
import json

import pytest
import pytest_asyncio
from browsing import NARROW, THEMES, WIDE, visiting
from playwright.async_api import Page, expect

from muster_devices.web.page_audit import RULES, audit_script

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]

CASE = """name: A page is opened
suite: shop
steps:
  - action: Open "{shop}"
    expected: The page title is "Nowhere"
"""
VIEWS = (
    *(
        "",
        "suites?open=shop",
        "library",
        "library/TC_NEW_01?new=1",
        "triggers",
        "health",
        "fleet",
        "secrets",
        "chat",
        "new",
        "maps",
    ),
    *("runs/{run}", "runs/{run}?tab=log", "runs/{run}?tab=files", "maps/{map}", "maps/{map}?tab=states"),
    *("maps/{map}?tab=coverage", "maps/{map}?tab=findings", "maps/{map}?tab=changes"),
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runs(stage: Stage) -> dict[str, str]:
    """A run that has failed, and one that has left a map."""
    yaml = {"Content-Type": "application/yaml"}
    run = (await stage.api.post("/runs", content=CASE.format(shop=stage.shop), headers=yaml)).json()["run"]
    map = (await stage.api.post("/explorations", json={"url": stage.shop, "max_steps": 15})).json()["run"]
    async with asyncio.timeout(150):
        for one in (run, map):
            while (await stage.api.get(f"/runs/{one}")).json()["run"]["status"] not in ("fail", "done", "failed"):
                await asyncio.sleep(0.3)
    return {"run": run, "map": map}


async def broken_rules(page: Page) -> list[str]:
    await expect(page.locator("main h1, main h2").first).to_be_attached()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))")
    found = json.loads(await page.evaluate(audit_script(), [list(RULES), 300]))
    return [f"{one['rule']}: {one['first']}" for one in found]


async def test_no_page_breaks_an_accessibility_rule(stage: Stage, runs: dict[str, str]) -> None:
    broken: dict[str, list[str]] = {}
    """By rule and element, the views where it shows."""
    for size in (WIDE, NARROW):
        for theme in THEMES:
            async with visiting(stage.site, "/console/", size=size, theme=theme, excused=("",)) as (page, _):
                for view in VIEWS:
                    await page.goto(stage.site.at(f"/console/{view.format(**runs)}"))
                    for rule in await broken_rules(page):
                        broken.setdefault(rule, []).append(f"{view} {size[0]} {theme}")
    assert broken == {}
