"""What the page of a run is given to show: very long logs, hostile texts, pictures; and the rules it goes by."""

import re
import time

import pytest
from browsing import NARROW, WIDE, overflow, visiting
from playwright.async_api import expect
from run_rows import store_branches

from muster_bus import Bus
from muster_bus.artifact_store import put_artifact
from muster_devices.web.page_picture import captured
from muster_protocol import codec
from muster_protocol.events import Entry, PlanMade, RunOpened
from muster_protocol.logs import LogKind, LogRecord
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

LINES = 20_000
MARKUP = "<img src=x onerror=window.harmed=1><script>window.harmed=1</script>"
HOSTILE = f"{MARKUP} \x1b[31mred\x1b[0m \u202egnp.exe \u05e9\u05dc\u05d5\u05dd {'long-' * 60}"


async def store_long_log(bus: Bus, run: str, lines: int = LINES) -> None:
    """Store a run under way whose log has very many lines, a thousand for each of its sub-tasks."""
    steps = tuple(Step(action=f"Import list {number}") for number in range(1, 21))
    ids = [f"step-{number}" for number in range(1, 21)]
    nodes = tuple(
        PlanNode(id=id, needs=(ids[at - 1],) if at else (), covers=(at,), description=steps[at].action)
        for at, id in enumerate(ids)
    )
    request = RunRequest(id=run, job=TestCase(name="Imports", steps=steps), requested_at=time.time())
    opened = RunOpened(request=request, owner="orchestrator-1", message=1, delivery=1)
    entry = Entry(epoch=1, at=time.time(), events=(opened, PlanMade(plan=Plan(nodes=nodes))))
    await bus.js.publish(bus.names.events(run), codec.encode(entry))
    kinds: tuple[LogKind, ...] = ("tool_call", "tool_result", "message", "thinking")
    for number in range(lines):
        level = "error" if number % 1000 == 999 else "info"
        await bus.publish(
            bus.names.log(run, f"worker-{number % 3}"),
            LogRecord(
                run=run,
                source=f"worker-{number % 3}",
                number=number,
                at=time.time(),
                kind=kinds[number % 4],
                text=f"row {number} of the list",
                level=level,
                node=ids[number // 1000],
            ),
        )
        if number % 500 == 0:
            await bus.nc.flush()
    await bus.nc.flush()


async def test_twenty_thousand_lines_scroll_are_searched_and_followed_until_one_scrolls_up(stage: Stage) -> None:
    run, bus = "run-long-log", stage.fleet.bus
    await store_long_log(bus, run)
    async with visiting(stage.site, f"/console/runs/{run}?tab=log") as (page, _):
        lines, follow = page.locator(".run-logline"), page.get_by_role("button", name="Follow")
        await expect(page.locator(".run-count")).to_have_text("20,000 lines", timeout=60_000)
        await expect(lines.last).to_contain_text("row 19999")
        assert await lines.count() < 150
        await expect(follow).to_have_attribute("aria-pressed", "true")

        await page.locator(".run-lines").evaluate("list => list.scrollTop = 9000 * 22")
        await expect(follow).to_have_attribute("aria-pressed", "false")
        await expect(lines.filter(has_text="row 9005 ")).to_be_visible()
        late = LogRecord(run=run, source="worker-1", number=LINES, at=time.time(), kind="message", text="one more line")
        await bus.publish(bus.names.log(run, "worker-1"), late)
        await expect(page.locator(".run-count")).to_have_text("20,001 lines")
        await expect(lines.filter(has_text="row 9005 ")).to_be_visible()

        await page.keyboard.press(".")
        await expect(lines.last).to_contain_text("one more line")
        await page.locator(".run-node[data-node=step-4]").click()
        await expect(lines.filter(has_text="row 3000 ")).to_be_visible()

        await page.get_by_label("Level").select_option("error")
        await expect(page.locator(".run-count")).to_have_text("20 of 20,001")
        await page.get_by_label("Source").select_option("worker-0")
        await page.keyboard.press("/")
        await page.get_by_label("Search the log").fill("12999")
        await expect(page.locator(".run-count")).to_have_text("1 of 20,001")
        await expect(lines.locator("mark")).to_have_text("12999")
        await expect(page).to_have_url(re.compile("level=error"))


async def test_hostile_texts_are_shown_as_text_wherever_they_stand(stage: Stage) -> None:
    bus, run = stage.fleet.bus, "run-hostile"
    case = TestCase(
        name=HOSTILE[:290],
        steps=(Step(action=HOSTILE, expected=f'"{MARKUP}" is visible'),),
        tags=(MARKUP,),
        variables={"x": HOSTILE},
    )
    request = RunRequest(id=run, job=case, suite=MARKUP, labels={MARKUP: HOSTILE}, requested_at=time.time())
    node = PlanNode(id="step-1", covers=(0,), description=HOSTILE, expected_result=case.steps[0].expected)
    opened = RunOpened(request=request, owner="orchestrator-1", message=1, delivery=1)
    entry = Entry(epoch=1, at=time.time(), events=(opened, PlanMade(plan=Plan(nodes=(node,)))))
    await bus.js.publish(bus.names.events(run), codec.encode(entry))
    record = LogRecord(
        run=run,
        source="worker-1",
        number=1,
        at=time.time(),
        kind="tool_result",
        text=f"  [Sub-agent] {HOSTILE}",
        node="step-1",
    )
    await bus.publish(bus.names.log(run, "worker-1"), record)
    for size in (WIDE, NARROW):
        async with visiting(stage.site, f"/console/runs/{run}", size) as (page, _):
            await expect(page.locator("h1")).to_contain_text(MARKUP)
            for tab in ("step", "log", "files", "case"):
                await page.locator(f"#tab-{tab}").click()
                await expect(page.locator(f"#panel-{tab}")).to_be_visible()
                assert await overflow(page) == 0
            await page.locator("#tab-log").click()
            await expect(page.locator(".run-logline")).to_contain_text(f"{MARKUP} red")
            assert await page.evaluate(
                "document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth"
            )
            shown = str(await page.locator("main").inner_text())
            assert "\x1b" not in shown and "\u202e" not in shown and MARKUP in shown
            assert await page.evaluate("window.harmed") is None
            assert await page.locator("main img, main script").count() == 0


TOUCHED = """async (address) => {
  const {h, render} = await import('/console/html.js')
  const {Kept, Picture} = await import('/console/run/pictures.js')
  const [run, name] = address
  const place = document.body.appendChild(document.createElement('section'))
  const picture = h(Picture, {run, picture: {name, element: {x: 100, y: 50, width: 200, height: 40}}})
  render(h(Kept.Provider, {value: {names: new Set([name]), over: true}}, picture), place)
}"""


async def test_what_was_touched_is_marked_where_it_was_on_the_picture(stage: Stage) -> None:
    await store_long_log(stage.fleet.bus, "run-pictured", 1)
    async with visiting(stage.site, "/console/nowhere") as (page, _):
        await expect(page.locator("main")).to_be_visible()
        picture = await captured(page.screenshot)
        await put_artifact(stage.fleet.bus, "run-pictured/step-1/page.png", picture, "image/png")
        await page.evaluate(TOUCHED, ["run-pictured", "step-1/page.png"])
        frame, mark = page.locator(".run-picture img"), page.locator(".run-touched rect")
        await expect(mark).to_be_attached()
        shown, around = await mark.bounding_box(), await frame.bounding_box()
        assert shown is not None and around is not None
        scale = around["width"] / WIDE[0]
        assert abs((shown["x"] - around["x"]) - 96 * scale) < 3
        assert abs((shown["y"] - around["y"]) - 46 * scale) < 3
        assert abs(shown["width"] - 208 * scale) < 4


async def test_a_plan_that_branches_is_a_graph_whose_circles_have_states_and_lead_to_their_sub_tasks(
    stage: Stage,
) -> None:
    run = "run-branches"
    await store_branches(stage.fleet.bus, run)
    async with visiting(stage.site, f"/console/runs/{run}") as (page, _):
        circles = page.locator(".run-graph svg g")
        await expect(circles).to_have_count(5)
        await expect(page.locator(".run-graph svg circle")).to_have_count(5)
        await expect(page.locator(".run-graph svg path")).to_have_count(5)
        await expect(circles.nth(0)).to_have_class(re.compile("s-running"))
        await expect(circles.nth(0).locator("title")).to_have_text("1. Do a (is running)")
        await expect(circles.nth(3)).not_to_have_class(re.compile("s-running"))
        await circles.nth(2).click()
        await expect(page).to_have_url(re.compile("node=c"))
        await expect(circles.nth(2)).to_have_class(re.compile("is-current"))
        await expect(page.locator(".run-node[aria-current=true]")).to_have_attribute("data-node", "c")


RULES = """async () => {
  const model = await import('/console/run/model.js')
  return {
    live: model.refusals({refused: {resume: 'The run is not paused.'}}, ''),
    viewer: model.refusals({refused: {resume: 'The run is not paused.'}}, 'only to look'),
    marked: model.marked('$29.99 for 2, and 2', ['2']).filter((part) => part.hit).length,
    markup: model.marked('a.b (c', ['.b (']).map((part) => part.text),
    graph: model.graph([['a', []], ['b', ['a']], ['c', ['a']], ['d', ['b', 'c', 'gone']], ['e', ['e']]].map(([id, needs]) => ({id, needs, number: 1}))).places.map((place) => place.row),
    chain: model.isChain([{id: 'a', number: 1}, {id: 'b', needs: ['a'], number: 2}]),
    bars: model.waterfall([{started_at: 12, ended_at: 13, status: 'ok'}, {started_at: 13, ended_at: 14, status: 'ok'}]).map((bar) => Math.round(bar.left)),
  }
}"""


async def test_the_rules_of_the_page_hold(stage: Stage) -> None:
    async with visiting(stage.site, "/console/") as (page, _):
        found = await page.evaluate(RULES)
    assert [name for name, why in found["live"].items() if not why] == ["cancel", "pause", "rerun", "answer"]
    assert set(found["viewer"].values()) == {"only to look"}
    assert found["marked"] == 2
    assert found["markup"] == ["a", ".b (", "c"]
    assert found["graph"] == [0, 1, 1, 2, 1]
    assert found["chain"] is True
    assert found["bars"] == [0, 50]
