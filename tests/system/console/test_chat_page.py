"""The chat page: a conversation by keyboard alone, with its calls, an approval, links, and an answer that is stopped."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from browsing import NARROW, Site, a_browser, overflow, visiting
from chatting import ChatStage, chat_stage
from model_server import Answer, Asked, does, says
from playwright.async_api import expect
from waiting import eventually

from muster_bus.definition_store import DefinitionStore
from muster_client.runs import submit
from muster_protocol.requests import Drill, RunRequest
from muster_text.hidden_text import drop_hidden

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def talk(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[tuple[ChatStage, Site]]:
    """A fleet whose gateway needs no key, and a Chromium."""
    folder = tmp_path_factory.mktemp("fleet")
    async with chat_stage(folder, ("orchestrator", "subagent"), THINK_SLOTS="2") as made, a_browser() as browser:
        yield made, Site(f"http://127.0.0.1:{made.port}", "", browser)


async def test_markup_in_a_chat_is_text_wherever_it_is_shown(talk: tuple[ChatStage, Site]) -> None:
    stage, site = talk
    evil = (
        "<img src=x onerror=window.hacked=1><script>window.hacked=1</script> [Open](javascript:window.hacked=1) "
        "![x](http://evil.test/a.png) <a href=http://evil.test>run</a> \u202ehidden\U000e0041"
    )
    stage.replies[drop_hidden(evil)] = lambda asked: (
        does(("show_runs", {"text": evil})) if asked.turn == 0 else says(f"Said {evil}")
    )
    chat = await stage.opens()
    await chat.asks(evil)
    async with visiting(site, f"/console/chat/{chat.id}") as (page, _):
        await expect(page.get_by_role("log", name="Messages")).to_contain_text("Said <img src=x")
        await expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x")
        await expect(page.get_by_role("complementary").or_(page.get_by_role("navigation")).first).to_be_visible()
        assert await page.evaluate("window.hacked") is None
        assert (
            await page.locator("main img, main script, main iframe, a[href*='evil'], a[href^='javascript']").count()
            == 0
        )
        shown = await page.locator("main").inner_text()
    assert "\u202e" not in shown and "\U000e0041" not in shown
    assert (await stage.api.delete(f"/conversations/{chat.id}")).status_code == 204


async def test_a_conversation_by_keyboard_alone(talk: tuple[ChatStage, Site]) -> None:
    stage, site = talk
    run = (await submit(stage.fleet.bus, RunRequest(job=Drill(name="TC_AUTH_01", count=1)))).run
    await stage.fleet.verdict(run)

    def cancels(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("show_runs", {"text": "TC_AUTH_01"}))
        if asked.turn == 1:
            return does(("load_skill", {"name": "execution"}), ("control_run", {"run": run, "action": "cancel"}))
        return says(f"I left {run} <b>alone</b>.")

    stage.replies["Cancel TC_AUTH_01"] = cancels
    stage.replies["Tell me everything"] = lambda _: says("too late")._replace(wait=stage.model.closing)
    stage.replies["Which tests are flaky?"] = lambda _: says("None.")
    async with visiting(site, f"/console/runs/{run}") as (page, _):
        await page.keyboard.press("g")
        await page.keyboard.press("a")
        await expect(page.get_by_role("button", name="Which tests are flaky?")).to_be_visible()
        await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
        await page.keyboard.type("Cancel TC_AUTH_01")
        await page.keyboard.press("Enter")
        said = page.get_by_role("log", name="Messages")
        await expect(said).to_contain_text("May assistant make this call?")
        await expect(said).to_contain_text('show_runs(text="TC_AUTH_01")')
        await page.get_by_role("textbox", name="Your answer").fill("no")
        await page.keyboard.press("Enter")
        await expect(said).to_contain_text(f"I left {run} <b>alone</b>.")
        await expect(said.get_by_role("link", name=run).last).to_have_attribute("href", f"/console/runs/{run}")
        await page.get_by_role("textbox", name="Message").fill("Tell me everything")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Stop")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(said).to_contain_text("Stopped")
        await page.reload()
        await expect(said).to_contain_text("Answered: no")
        await expect(said).to_contain_text("Stopped")
        assert await overflow(page) <= 0
    asked = stage.asked_about("Cancel TC_AUTH_01")[0]
    assert f"# The person has this page of the console open\n/console/runs/{run}" in asked.question


async def test_a_conversation_on_a_narrow_screen_and_its_deletion(talk: tuple[ChatStage, Site]) -> None:
    stage, site = talk
    stage.replies["Which tests are flaky?"] = lambda _: says("None.")
    async with visiting(site, "/console/chat", size=NARROW, theme="dark") as (page, _):
        await page.get_by_role("button", name="Which tests are flaky?").click()
        await expect(page.get_by_role("log", name="Messages")).to_contain_text("None.")
        assert await overflow(page) <= 0
        await expect(page.get_by_role("link", name="Chat", exact=True)).to_be_in_viewport()
        await page.get_by_role("button", name="Delete").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(page.get_by_role("heading", name="Chat")).to_be_visible()


async def test_an_answer_leads_to_the_page_of_a_run_only_for_who_lets_it(talk: tuple[ChatStage, Site]) -> None:
    stage, site = talk
    run = (await submit(stage.fleet.bus, RunRequest(job=Drill(name="TC_LED", count=1)))).run
    await stage.fleet.verdict(run)

    def leads(asked: Asked) -> Answer:
        return does(("lead_to", {"run": run})) if asked.turn == 0 else says(f"There: {asked.last}")

    stage.replies |= {"Show it": leads, "Show it now": leads}
    async with visiting(site, "/console/chat") as (page, _):
        await page.get_by_role("textbox", name="Message").fill("Show it")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("log", name="Messages")).to_contain_text(
            "There: error: this conversation cannot open pages for a person"
        )
        await page.get_by_role("checkbox", name="Follow links").check()
        await page.get_by_role("textbox", name="Message").fill("Show it now")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/console/runs/{run}")


async def test_an_agent_that_was_pushed_can_be_chosen(talk: tuple[ChatStage, Site]) -> None:
    stage, site = talk
    text = "kind: converse\nnickname: Bard\ndefault: true\ndescription: It rhymes.\ntools: [fleet]\nsuggestions: [Rhyme]\ninstructions: You rhyme.\n"
    await DefinitionStore(stage.fleet.bus).push({"poet.yaml": text})

    async def known() -> bool:
        workers = (await stage.api.get("/workers")).json()["workers"]
        return any(one["id"] == "poet" for row in workers for one in row.get("talkers", ()))

    await eventually(known, "the worker tells of it", 30)
    async with visiting(site, "/console/chat") as (page, _):
        await expect(page.get_by_label("Agent")).to_have_value("poet")
        await page.get_by_label("Agent").select_option("assistant")
        await page.get_by_label("Agent").select_option("Bard")
        await expect(page.get_by_role("button", name="Rhyme")).to_be_visible()
