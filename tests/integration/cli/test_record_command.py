"""`muster record` follows a person, here a program that uses the browser over its debugging interface."""

import asyncio
import socket
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from command_line import started
from pages import Site, Visit, site
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


@asynccontextmanager
async def recorded(folder: Path, shop: Site, output: Path) -> AsyncGenerator[Page]:
    """Yield the page that a person sees, and wait until the case is written of what is done there."""
    port = free_port()
    options = ("record", f"{shop.url}/", "--output", output, "--headless", "--debug-port", port)
    async with started(folder, *map(str, options)) as process, async_playwright() as playwright:
        address = f"http://127.0.0.1:{port}"
        await eventually(lambda: answers(address), "the browser", 30.0)
        browser = await playwright.chromium.connect_over_cdp(address)

        async def opened() -> Page | None:
            pages = [page for context in browser.contexts for page in context.pages]
            return next((page for page in pages if page.url.startswith(shop.url)), None)

        page = await eventually(opened, "the page", 20.0)
        await page.wait_for_selector("h1")
        yield page
        for one in page.context.pages:
            await one.close()
        assert await asyncio.wait_for(process.wait(), 30) == 0


def steps_of(output: Path) -> list[str]:
    return [line.strip() for line in output.read_text().splitlines() if "action" in line or "expected" in line]


@pytest.mark.slow
async def test_what_a_person_does_becomes_a_case_with_suggested_expectations_and_without_the_password(folder: Path):
    output = folder / "join.yaml"
    with site() as shop:
        shop.pages = {"/": FORM, "/done": _done}
        async with recorded(folder, shop, output) as page:
            await person(page)
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


DESK = """<!doctype html><title>Desk</title><h1>Desk</h1><label>Passphrase <input type="password" id="pw"></label>
<button onclick="pw.type = 'text'">Show</button> <label>PIN <input name="pin"></label>
<div id="card">Premium plan</div> <fancy-button><b>Ship it</b></fancy-button>
<label>Message <input id="chat"></label> <div contenteditable role="textbox" aria-label="Body"></div>
<p id="menu">Right here</p> <p id="twice">Twice here</p> <a href="/help" target="_blank">Help</a> <a href="/next">Next</a>
<p id="note" role="status"></p><script>
const say = (text) => { note.textContent = text; };
card.addEventListener("click", () => say("Chosen"));
customElements.define("fancy-button", class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: "open" }).innerHTML = "<button><slot></slot></button>";
  this.shadowRoot.firstChild.addEventListener("click", () => say("Shipped"));
} });
chat.addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); say(`Sent ${chat.value}`); chat.value = ""; }
});
menu.addEventListener("contextmenu", (event) => { event.preventDefault(); say("Menu"); });
twice.addEventListener("dblclick", () => say("Twice"));
</script>"""
OTHER = """<!doctype html><title>{0}</title><h1>{0} page</h1><button onclick="document.title = 'Used'">Use</button>"""


async def person_at_a_desk(page: Page) -> None:
    await page.get_by_role("button", name="Show").click()
    await page.get_by_label("Passphrase").press_sequentially("kingfisher")
    await page.get_by_label("PIN").press_sequentially("4711-81")
    await page.get_by_text("Premium plan").click()
    await page.get_by_text("Ship it").click()
    await page.get_by_label("Message").press_sequentially("Hello")
    await page.keyboard.press("Enter")
    await page.get_by_label("Body").press_sequentially("Dear Ann")
    await page.get_by_text("Right here").click(button="right")
    await page.get_by_text("Menu").wait_for()
    await page.get_by_text("Twice here").dblclick()
    await page.get_by_role("link", name="Next").click()
    await page.wait_for_url("**/next")
    await page.go_back()
    await page.wait_for_selector("#card")
    async with page.context.expect_page() as opening:
        await page.get_by_role("link", name="Help").click()
    other = await opening.value
    await other.get_by_role("button", name="Use").click()
    await other.close()
    await page.get_by_text("Premium plan").click()
    await page.get_by_text("Chosen").wait_for()


@pytest.mark.slow
async def test_nothing_that_a_person_does_is_lost_and_a_secret_that_is_shown_stays_one(folder: Path):
    output = folder / "desk.yaml"
    with site() as shop:
        shop.pages = {"/": DESK, "/help": OTHER.format("Help"), "/next": OTHER.format("Next")}
        async with recorded(folder, shop, output) as page:
            await person_at_a_desk(page)
    text = output.read_text()
    assert not [secret for secret in ("kingfisher", "4711") if secret in text]
    assert "secrets: [PASSPHRASE, PIN]" in text
    assert steps_of(output)[2:] == [
        "- action: 'Click the \"Show\" button'",
        '- action: \'Type "${secret:PASSPHRASE}" into the "Passphrase" field\'',
        '- action: \'Type "${secret:PIN}" into the "PIN" field\'',
        "- action: 'Click the \"Premium plan\"'",
        "expected: 'The text \"Chosen\" is visible'",
        "- action: 'Click the \"Ship it\" button'",
        "expected: 'The text \"Shipped\" is visible'",
        '- action: \'Type "Hello" into the "Message" field\'',
        "- action: 'Press Enter in the \"Message\" field'",
        "expected: 'The text \"Sent Hello\" is visible'",
        '- action: \'Type "Dear Ann" into the "Body" field\'',
        "- action: 'Right-click the \"Right here\"'",
        "expected: 'The text \"Menu\" is visible'",
        "- action: 'Double-click the \"Twice here\"'",
        "expected: 'The text \"Twice\" is visible'",
        "- action: 'Click the \"Next\" link'",
        'expected: \'The page title is "Next" and The text "Next page" is visible\'',
        "- action: 'Go back'",
        'expected: \'The page title is "Desk" and The text "Desk" is visible\'',
        "- action: 'Click the \"Help\" link'",
        'expected: \'The page title is "Help" and The text "Help page" is visible\'',
        "- action: 'Click the \"Use\" button'",
        "expected: 'The page title is \"Used\"'",
        "- action: 'Close the tab'",
        "- action: 'Click the \"Premium plan\"'",
        "expected: 'The text \"Chosen\" is visible'",
    ]
    assert not check_paths([output], {}).findings
