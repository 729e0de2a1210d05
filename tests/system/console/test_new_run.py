"""Writing a case in the console, being told what is wrong with it, and running it."""

import re

import pytest
from browsing import NARROW, overflow, visiting
from playwright.async_api import Page, expect

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

GREETS = """name: A tool greets
steps:
  - action: Run the command "echo Hello, ${who}"
    expected: The output contains "Hello, Ada"
"""
BROKEN = """name: A tool greets
steps:
  - action: Run the command "echo Hello"
    expect: The output contains "Hello"
"""


async def write(page: Page, text: str) -> None:
    await page.get_by_label("Test case").fill(text)


UNREAD = """name: A tool greets
steps:
  - action: Get rid of the banner
    expected: The output contains "Hello"
  - action: Run the command "echo Hello"
    expected: It looks friendly
"""


async def test_a_case_that_is_written_here_runs_and_the_list_shows_how_it_ended(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        await write(page, UNREAD)
        await expect(page.get_by_text("1 case, 2 steps: can be run, with a model", exact=True)).to_be_visible()
        await page.get_by_text("2 sentences that no phrase reads").click()
        unread = page.locator("#problems li")
        await expect(unread).to_have_count(2)
        await expect(unread.nth(0)).to_contain_text("Get rid of the banner")
        await expect(unread.nth(1)).to_contain_text("It looks friendly")
        await write(page, GREETS)
        await expect(page.get_by_text("1 case, 1 step: can be run", exact=True)).to_be_visible()
        await expect(page.get_by_text("that no phrase reads")).to_be_hidden()
        await page.get_by_label("who").fill("Ada")
        await page.get_by_label("Suite").fill("from-the-console")
        await page.get_by_label("Test case").press("Control+Enter")
        await expect(page).to_have_url(re.compile(r"/console/runs/run-"))
        await page.keyboard.press("g")
        await page.keyboard.press("r")
        row = page.get_by_role("row").filter(has_text="A tool greets")
        await expect(row).to_contain_text("Passed")  # by itself: nothing is loaded anew
        await expect(row).to_contain_text("from-the-console")
        await expect(row).to_contain_text("1/1")


async def test_the_editor_completes_a_sentence_tells_its_meaning_and_mends_one_that_is_not_read(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        await write(
            page,
            'name: A visitor pays\nsteps:\n  - action: Open "http://shop/"\n    expected: One can find "Thanks" somewhere\n',
        )
        await page.get_by_role("button", name='Write instead: The text "Thanks" is visible').click()
        field = page.get_by_label("Test case")
        await expect(field).to_have_value(re.compile('    expected: The text "Thanks" is visible\n$'))

        await field.press("Control+End")
        await field.press_sequentially("  - action: clic")
        first = page.get_by_role("listbox", name="Can be written here").get_by_role("option").first
        await expect(first).to_contain_text("Click")
        await field.press("ArrowDown")
        await expect(first).to_have_attribute("aria-selected", "true")
        await field.press("Enter")
        await expect(field).to_have_value(re.compile(r'\n  - action: Click .*".+"'))
        await page.keyboard.type("Save")  # the first value is selected
        await expect(field).to_have_value(re.compile(r"\n  - action: Click .*Save"))
        await expect(page.get_by_text("Step, read as")).to_be_visible()


@pytest.mark.slow
async def test_a_problem_is_marked_at_its_line_and_running_waits_for_it_to_be_mended(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        await write(page, BROKEN)
        problem = page.get_by_role("button", name="unknown key 'expect'")
        await expect(problem).to_contain_text("4:5")
        await expect(page.locator(".editor-gutter .bad").filter(has_text="4")).to_be_visible()
        await expect(page.locator(".editor-marks mark").first).to_be_attached()
        run = page.get_by_role("button", name="Run", exact=True)
        await expect(run).to_have_attribute("aria-disabled", "true")
        await problem.click()
        place = await page.get_by_label("Test case").evaluate("field => field.selectionStart")
        assert BROKEN[place:].startswith("expect:")
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_role("status").filter(has_text="to fix first").first).to_be_visible()
        await write(page, BROKEN.replace("expect:", "expected:"))
        await expect(run).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.slow
async def test_every_example_can_be_run_as_it_stands(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        examples = page.get_by_label("Start from an example")
        await expect(examples.locator("option")).not_to_have_count(0)
        titles = await examples.locator("option").all_inner_texts()
        assert len(titles) > 5
        for title in titles[1:]:
            await write(page, "")
            await expect(page.get_by_text("can be run")).to_be_hidden()
            await examples.select_option(label=title)
            await expect(page.get_by_text("can be run")).to_be_visible()


@pytest.mark.slow
async def test_several_cases_become_several_runs_with_what_is_set_beside_them(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        await page.get_by_label("Start from an example").select_option(label="Several cases")
        await page.get_by_label("More tags").fill("nightly, cheap")
        await page.get_by_role("button", name="Run 2 cases").click()
        await expect(page).to_have_url(re.compile(r"/console/$"))
        for name in ("A file is written", "A command fails loudly"):
            row = page.get_by_role("row").filter(has_text=name)
            await expect(row).to_contain_text("Passed")
            await expect(row).to_contain_text("nightly")
            await expect(row).to_contain_text("tools")


@pytest.mark.slow
async def test_the_text_survives_a_reload_and_gherkin_is_known_when_it_is_opened(stage: Stage) -> None:
    feature = (
        'Feature: Files\n  Scenario: One is written\n    When I run the command "true"\n    Then the exit code is 0\n'
    )
    async with visiting(stage.site, "/console/new") as (page, _):
        file = {"name": "files.feature", "mimeType": "text/plain", "buffer": feature.encode()}
        await page.locator("input[type=file]").set_input_files(file)  # pyright: ignore[reportArgumentType]
        await expect(page.get_by_text("1 case, 1 step: can be run")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("radio", name="Gherkin")).to_be_checked()
        await expect(page.get_by_label("Test case")).to_have_value(feature)


@pytest.mark.slow
async def test_a_run_is_edited_as_the_case_it_was(stage: Stage) -> None:
    texts = ["Run the command \"echo 'It''s: #1' > a.txt\"", 'The exit code is 0 and the file "a.txt" contains "#1"']
    job = {
        "type": "test_case",
        "name": 'Quotes: "all" & #kinds',
        "steps": [{"action": texts[0], "expected": texts[1]}],
        "variables": {"on": "yes", "n": "1.10"},
        "tags": ["a"],
    }
    asked = {"job": job, "suite": "quoting", "limits": {"timeout_seconds": 60}, "correlation_id": "b 7"}
    sent = await stage.api.post("/runs", json=asked)
    run = sent.json()["run"]
    async with visiting(stage.site, f"/console/new?from={run}") as (page, _):
        await expect(page.get_by_text("1 case, 1 step: can be run")).to_be_visible()
        field = page.get_by_label("Test case")
        await expect(field).to_have_value(re.compile("Quotes"))
        text = await field.input_value()
        await expect(page).to_have_url(re.compile("/console/new$"))
        await expect(page.get_by_text("Not copied from that run")).to_contain_text("correlation_id")
        await write(page, GREETS)
        await page.reload()
        await expect(field).to_have_value(GREETS)  # what was written since, not the case once more
    read = (await stage.api.post("/cases/validate", content=text, headers={"Content-Type": "application/yaml"})).json()
    request = read["requests"][0]
    assert request["job"] == job
    assert request["suite"] == "quoting"
    assert request["limits"] == {"timeout_seconds": 60}


@pytest.mark.slow
async def test_the_editor_fits_a_telephone(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new", size=NARROW) as (page, _):
        await expect(page.get_by_text("can be run")).to_be_visible()
        assert await overflow(page) == 0
        await expect(page.get_by_role("button", name="Run", exact=True)).to_be_in_viewport()


LEFT_AT_ONCE = """async () => {
    const { follow } = await import("/console/live.js");
    const made = new Promise((opened) => {
        const Real = WebSocket;
        window.WebSocket = class extends Real {
            constructor(...given) {
                super(...given);
                this.addEventListener("close", opened);
            }
        };
    });
    follow({ path: () => "/logs?run=run-left", onLines() {} })();
    await made;
}"""


async def test_a_log_that_is_left_before_its_connection_is_made_leaves_no_complaint(stage: Stage) -> None:
    async with visiting(stage.site, "/console/new") as (page, _):
        await page.evaluate(LEFT_AT_ONCE)
