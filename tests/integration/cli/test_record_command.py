"""`muster record` follows a person, here a program that uses the browser over its debugging interface."""

import asyncio
import socket
import tempfile
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from command_line import started
from pages import Visit, site
from playwright.async_api import Page, async_playwright
from waiting import eventually

from muster_authoring.case_check import check_paths

FORM = """<!doctype html><title>Join</title><h1>Sign up</h1><form action="/done">
<label>Name <input name="name"></label> <label>Password <input type="password" name="pin"></label>
<label>Plan <select><option>Free</option><option>Paid</option></select></label>
<label><input type="checkbox"> I agree</label>
<ul><li>Bag <button type="button" onclick="note.textContent='Bag added'">Add</button></li>
<li>Mug <button type="button" onclick="note.textContent='Mug added'">Add</button></li></ul>
<p id="note" role="status"></p><span onclick="void 0"><i>?</i></span>
<button onclick="return confirm('Really?')">Send</button></form>"""


def _done(visit: Visit) -> str:
    return f"<!doctype html><title>Done</title><h1>Welcome, {visit.fields['name']}</h1>"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


async def person(page: Page) -> None:
    """Do what a person would."""
    page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
    await page.get_by_label("Name").fill("Ann")
    await page.get_by_label("Name").fill('Ann "A" Field')
    await page.get_by_label("Password").fill("kingfisher-4711")
    await page.get_by_label("Plan").press("ArrowDown")  # a choice by program would be none of a person
    await page.get_by_label("I agree").check()
    await page.get_by_role("listitem").filter(has_text="Mug").get_by_role("button").click()
    await page.get_by_role("button", name="Send").click()
    await page.wait_for_url("**/done*")


async def answers(address: str) -> bool:
    """Return whether a browser's debugging interface is up."""
    try:
        async with httpx.AsyncClient() as client:
            return (await client.get(f"{address}/json/version")).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder with a short path: Chromium puts a socket below it."""
    with tempfile.TemporaryDirectory(prefix="rec-") as made:
        yield Path(made)


@pytest.mark.slow
async def test_what_a_person_does_becomes_a_case_with_suggested_expectations_and_without_the_password(folder: Path):
    output, port = folder / "join.yaml", free_port()
    with site() as shop:
        shop.pages = {"/": FORM, "/done": _done}
        options = ("record", f"{shop.url}/", "--output", output, "--headless", "--debug-port", port)
        async with started(folder, *map(str, options)) as process, async_playwright() as playwright:
            address = f"http://127.0.0.1:{port}"
            await eventually(lambda: answers(address), "the browser", 30.0)
            browser = await playwright.chromium.connect_over_cdp(address)

            async def opened() -> Page | None:
                pages = [page for context in browser.contexts for page in context.pages]
                return next((page for page in pages if page.url.startswith(shop.url)), None)

            page = await eventually(opened, "the page", 20.0)
            await page.wait_for_selector("text=Sign up")
            await person(page)
            await page.close()
            assert await asyncio.wait_for(process.wait(), 30) == 0
    text = output.read_text()
    assert "kingfisher" not in text
    assert [line.strip() for line in text.splitlines() if "action" in line] == [
        "- action: 'Open \"${base_url}/\"'",
        '- action: \'Type "Ann \\"A\\" Field" into the "Name" field\'',
        '- action: \'Type "${secret:PASSWORD}" into the "Password" field\'',
        '- action: \'Select "Paid" in the "Plan" dropdown\'',
        "- action: 'Check the \"I agree\" checkbox'",
        '- action: \'Click the "Add" button in "Mug"\'',
        "- action: 'Click the \"Send\" button and accept the dialog'",
    ]
    assert 'The text "Mug added" is visible' in text
    assert 'A dialog says "Really?" and The page title is "Done"' in text
    assert not check_paths([output], {}).findings
