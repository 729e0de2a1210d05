"""The report of real runs: written by the command, opened from disk in a real Chromium, and read there."""

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_cli.shop import demo_shop

ROOT = Path(__file__).parents[3]
Muster = Callable[..., Awaitable[Any]]
CASES = """\
tags: [smoke]
variables: {base: BASE}
cases:
  - name: The shop has a door
    steps:
      - action: Open "${base}/login" and take a screenshot named "door"
        expected: The page title is "Demo shop" and the "Log in" button is visible
  - name: The shop has a window
    preconditions: ['Open "${base}/login"']
    steps:
      - action: Run the command "echo <b>bold</b>"
        expected: The output contains "bold"
      - action: Take a screenshot
        expected: The page title is "Demo shop" and the page title is "<i>Window</i>"
      - action: Open "${base}/late"
"""


@pytest.mark.slow
async def test_the_report_of_a_real_run_is_read_in_a_browser(muster: Muster, browser_page: Page, tmp_path: Path):
    report = tmp_path / "report"
    async with demo_shop(ROOT / "examples/shop/server.py", dict(os.environ)) as url:
        (tmp_path / "doors.yaml").write_text(CASES.replace("BASE", url))
        ended = await muster("run", tmp_path / "doors.yaml", "--workers", "1", "--report", report)
    assert ended.code == 1, ended.err
    assert f"Report: {report / 'index.html'}" in ended.err
    requests: list[str] = []
    browser_page.on("request", lambda request: requests.append(request.url))
    await browser_page.goto((report / "index.html").as_uri())
    await _filters_and_search(browser_page)
    await browser_page.click("text=The shop has a window")
    await _failed_run(browser_page, url)
    await _everything_linked_is_there(browser_page)
    await browser_page.click("text=All runs")
    await browser_page.click("text=The shop has a door")
    await _passed_run(browser_page)
    assert requests and all(request.startswith("file://") for request in requests)


async def _filters_and_search(page: Page) -> None:
    rows = page.locator("tbody tr:visible")
    await expect(rows).to_have_count(2)
    await page.click("label:has-text('Failed')")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("product")
    await page.keyboard.press("ArrowLeft")  # the filters are one group of radio buttons
    await expect(rows).to_contain_text("The shop has a door")
    await page.click("label:has-text('All')")
    await page.fill("#search", "smoke wind")
    await expect(rows).to_have_count(1)
    await page.fill("#search", "smoke nowhere")
    await expect(page.get_by_text("Nothing matches.")).to_be_visible()
    await page.fill("#search", "")


async def _failed_run(page: Page, url: str) -> None:
    await expect(page.locator("h1")).to_contain_text("fail · product")
    failure = page.locator(".failure")
    for text in ('"<i>Window</i>"', '"Demo shop"', f"{url}/login", "the product did not do what was expected"):
        await expect(failure).to_contain_text(text)
    failed = page.locator("details.task[open]")
    await expect(failed).to_have_count(1)
    await expect(failed.locator(".clause")).to_have_count(2)
    await expect(failed.locator(".moments img")).to_be_visible()
    assert await failed.locator(".moments img").evaluate("image => image.complete && image.naturalWidth") > 100
    told = [" ".join(text.split()) for text in await page.locator("details.task > summary").all_inner_texts()]
    wanted = ("✓ passed Precondition", "✓ passed Step 1", "✗ failed Step 2", "○ not run Step 3")
    assert [text.startswith(start) for text, start in zip(told, wanted, strict=True)] == [True] * 4
    command = page.locator("details.task", has_text="echo <b>bold</b>").first
    await command.locator("summary").first.focus()
    await page.keyboard.press("Enter")
    await expect(command.locator(".moments")).to_contain_text("execute_command")
    await page.set_viewport_size({"width": 390, "height": 800})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await page.set_viewport_size({"width": 1440, "height": 900})


async def _everything_linked_is_there(page: Page) -> None:
    here = Path(page.url.removeprefix("file://")).parent
    links = await page.locator("a[href], img[src]").evaluate_all(
        "all => all.map(it => it.getAttribute('href') || it.getAttribute('src'))"
    )
    targets = [link for link in links if not link.startswith("#")]
    assert [link for link in targets if not (here / link).is_file()] == []
    names = {Path(link).name for link in targets}
    assert {"main-trace.zip", "main-network.har", "log.txt", "verdict.json", "journals.jsonl", "index.html"} <= names
    journals = [json.loads(line) for line in (here / "journals.jsonl").read_text().splitlines()]
    assert len(journals) == 4  # planning, the precondition, two steps; the third was not begun


async def _passed_run(page: Page) -> None:
    await expect(page.locator("h1")).to_contain_text("pass")
    await expect(page.locator(".failure")).to_have_count(0)
    picture = page.locator(".moments img[src$='door.png']")
    await expect(picture).to_be_hidden()
    await page.click("text=Open all")
    await expect(picture).to_be_visible()
    await expect(page.locator(".clause")).to_have_count(2)


async def test_show_writes_the_report_of_a_run_that_is_over(
    muster: Muster, server: NatsServer, bus: Bus, player: Any, make_job: Callable[..., Any], tmp_path: Path
):
    await player.play(make_job("a", "product", run="run-over").case.request)
    report = tmp_path / "report"
    ended = await muster("show", "run-over", "--nats", server.url, "--report", report, "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["run"]["run"] == "run-over"
    (page,) = report.glob("*/index.html")
    assert page.parent.name == "Case-a-n-over"
    text = page.read_text()
    assert "the text &#34;Sorry&#34;" in text and "VERDICT of Case a" in text
    assert 'href="artifacts/main/page-31m.txt"' in text
    assert json.loads((report / "report.json").read_text())["runs"][0]["run"] == "run-over"


@pytest.mark.slow
async def test_show_refuses_the_report_of_a_run_that_is_not_over(
    muster: Muster, server: NatsServer, write_cases: Callable[..., Path], player: Any, tmp_path: Path
):
    submitted = await muster("submit", write_cases(a="hang"), "--nats", server.url)
    run = submitted.out.strip()
    ended = await muster("show", run, "--nats", server.url, "--report", tmp_path / "report")
    assert ended.code == 2
    assert f"run {run} has no verdict yet; `muster watch {run}` waits for it" in ended.err
    assert not (tmp_path / "report").exists()
