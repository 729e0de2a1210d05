"""The page of a run: what failed and why, the plan as it goes, evidence, log and files, and steering by button."""

import re
from pathlib import Path

import pytest
from browsing import NARROW, WIDE, Theme, visiting
from envelopes import a_task, result_of
from playwright.async_api import expect

from muster_bus.run_store import find_verdict, read_entries
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.events import Entry, PlanMade, RunOpened, SubTaskDispatched, SubTaskEnded
from muster_protocol.kinds import StepOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.step_recordings import Described, RecordedCall, Replay

from .conftest import Stage
from .run_pages import is_over, run_path, started, store_kept

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENDING = Step(action='Run the command "echo last"', expected='The output contains "last"')


def _recorded(name: str) -> RecordedCall:
    return RecordedCall(tool="click", effect="act", does="point", target=Described(role="button", name=name))


@pytest.mark.slow
async def test_a_heal_that_was_refused_is_shown_as_a_diff(stage: Stage) -> None:
    run, task = "run-00000000000000ea", "run-00000000000000ea.step-1.1"
    step = Step(action="Send it", expected='The text "Thanks" is visible')
    replay = Replay(
        key="step-1", digest="d", miss="none", why="it is gone", left=(_recorded("Send"),), done=(_recorded("Drop"),)
    )
    ended = result_of(
        task,
        status="fail",
        summary="missed",
        failure=Failure.RECORDING_MISSED,
        source="model",
        output=StepOutput(replay=replay),
    )
    node = PlanNode(id="step-1", description=step.action, expected_result=step.expected, covers=(0,))
    happened = (
        RunOpened(
            request=RunRequest(job=TestCase(name="Healed", steps=(step,)), id=run), owner="o", message=1, delivery=1
        ),
        PlanMade(plan=Plan(nodes=(node,))),
        SubTaskDispatched(sub_task=a_task(task, run=run, node="step-1", heal="use", description=step.action)),
        SubTaskEnded(outcome=ended),
    )
    for number, event in enumerate(happened):
        entry = Entry(epoch=1, at=1_700_000_000.0 + number, events=(event,))
        await stage.fleet.bus.js.publish(stage.fleet.bus.names.events(run), codec.encode(entry))
    async with visiting(stage.site, run_path(run)) as (page, _):
        heal = page.locator(".run-healing")
        await expect(heal).to_contain_text("The recording missed (none)")
        await expect(heal).to_contain_text("refused: it is not shown to be the same thing")
        await expect(heal.locator(".is-old")).to_have_text('- click button "Send"')
        await expect(heal.locator(".is-new")).to_have_text('+ click button "Drop"')


@pytest.mark.slow
async def test_a_failing_run_says_what_was_expected_and_seen_where_and_why(stage: Stage) -> None:
    opening = Step(
        action=f'Open "{stage.shop}/login"',
        expected='The page title is "Demo shop" and the text "Hello, nobody" is visible',
    )
    run = await started(
        stage, Step(action='Run the command "echo one"', expected='The output contains "one"'), opening, ENDING
    )
    async with visiting(stage.site, run_path(run)) as (page, _):
        await is_over(page, "Failed")
        failure = page.get_by_role("region", name="What went wrong")
        await expect(failure).to_contain_text(f'2. Open "{stage.shop}/login"')
        await expect(failure.locator(".is-expected mark")).to_have_text("Hello, nobody")
        await expect(failure).to_contain_text("product: the product did not do what was expected")
        await expect(failure).to_contain_text(f"{stage.shop}/login")
        picture = failure.get_by_role("button", name="Show the picture")
        await expect(picture).to_be_visible()
        await page.wait_for_function("() => document.querySelector('.run-failure img')?.naturalWidth > 100")

        plan = page.get_by_role("complementary", name="Plan").get_by_role("listitem")
        states = [await row.locator(".mark").get_attribute("title") for row in await plan.all()]
        assert states == ["passed", "passed", "failed", "not run"]

        clauses = page.locator(".run-clause")
        await expect(clauses.nth(0)).to_have_class(re.compile("is-proven"))
        await expect(clauses.nth(0)).to_contain_text('check_title(title="Demo shop")')
        await expect(clauses.nth(1)).to_have_class(re.compile("is-refuted"))
        await expect(clauses.nth(1).locator("mark").first).to_have_text("Hello, nobody")

        await page.keyboard.press("l")
        await expect(page).to_have_url(re.compile("tab=log"))
        line = page.locator(".run-logline").filter(has_text='execute_command("echo one")')
        await line.click()
        await expect(page.locator(".run-node[aria-current=true]")).to_contain_text("echo one")
        await expect(page).to_have_url(re.compile("node=step-1"))
        await page.reload()
        await expect(page.locator(".run-logline.is-mine").first).to_contain_text("echo one")


@pytest.mark.slow
async def test_a_run_is_watched_while_it_goes_and_each_clause_stands_beside_its_proof(
    stage: Stage, tmp_path: Path
) -> None:
    sign = tmp_path / "seen"
    wait = f"for n in $(seq 400); do test -e {sign} && break; sleep 0.1; done; echo woke up"
    waiting = Step(action=f'Run the command "{wait}"', expected='The output contains "woke up"')
    run = await started(stage, waiting, ENDING)
    async with visiting(stage.site, run_path(run)) as (page, _):
        first = page.locator(".run-node[data-node=step-1]")
        await expect(first.locator(".mark")).to_have_attribute("title", "is running")
        await expect(page.locator(".run-moment")).to_contain_text("echo woke up")
        sign.touch()
        await is_over(page, "Passed")
        await expect(first.locator(".mark")).to_have_attribute("title", "passed")
        await first.click()
        await expect(page.locator(".run-clause")).to_contain_text('The output contains "woke up"')
        await expect(page.locator(".run-check")).to_contain_text('check_output(text="woke up")')
        bar = page.locator(".run-moment").first.locator(".run-bar i")
        assert (
            await bar.evaluate(
                "bar => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width"
            )
            > 0.8
        )
        await expect(page.get_by_role("button", name="Cancel", exact=True)).to_have_attribute(
            "title", "The run is over (pass)."
        )


@pytest.mark.slow
async def test_what_a_run_asks_is_answered_on_its_page(stage: Stage) -> None:
    asks = Step(action='Ask "Which code is in the mail?" and remember the answer as ${code}')
    uses = Step(action='Run the command "echo got ${code}"', expected='The output contains "got 4711"')
    run = await started(stage, asks, uses)
    async with visiting(stage.site, run_path(run)) as (page, _):
        question = page.get_by_role("region", name="The run asks you")
        await expect(question).to_contain_text("Which code is in the mail?", timeout=60_000)
        send = question.get_by_role("button", name="Send the answer")
        await expect(send).to_have_attribute("aria-disabled", "true")
        await question.get_by_role("textbox").fill("4711")
        await question.get_by_role("textbox").press("Control+Enter")
        await expect(question).to_be_hidden()
        await is_over(page, "Passed")


@pytest.mark.slow
async def test_a_run_is_paused_goes_on_is_cancelled_and_run_again_by_button(stage: Stage) -> None:
    steps = (Step(action='Run the command "sleep 2; echo done"', expected='The output contains "done"'),) * 12
    run = await started(stage, *steps, name="Steered")
    async with visiting(stage.site, run_path(run)) as (page, _):
        await page.get_by_role("button", name="Pause").click()
        await expect(page.locator(".run-title .status")).to_contain_text("Paused")
        await page.get_by_role("button", name="Resume").click()
        await expect(page.locator(".run-title .status")).to_contain_text("Running")
        await page.get_by_role("button", name="Cancel", exact=True).click()
        await page.get_by_role("dialog").get_by_label("Reason").fill("wrong build")
        await page.get_by_role("button", name="Cancel the run").click()
        await is_over(page, "Cancelled")
        await expect(page.get_by_role("region", name="What went wrong")).to_contain_text("wrong build")
        await page.get_by_role("button", name="Rerun").click()
        await expect(page).not_to_have_url(re.compile(run))
        await expect(page.locator(".run-facts").first).to_contain_text(run)
        again = page.url.rpartition("/")[2].partition("?")[0]
        await page.get_by_role("button", name="Cancel", exact=True).click()
        await page.get_by_role("button", name="Cancel the run").click()
        await is_over(page, "Cancelled")
    verdict = find_verdict(await read_entries(stage.fleet.bus, again))
    assert verdict is not None and verdict.cause == "cancelled"


@pytest.mark.slow
async def test_attempts_evaluation_recovery_and_takeovers_are_told(stage: Stage) -> None:
    recovered, lost = await store_kept(stage.fleet.bus, "recovered"), await store_kept(stage.fleet.bus, "worker-lost")
    async with visiting(stage.site, run_path(recovered, "?node=step-3&attempt=1")) as (page, _):
        attempts = page.get_by_role("group", name="Attempts")
        await expect(attempts.get_by_role("button", name="Attempt 1 · fail")).to_have_attribute("aria-pressed", "true")
        await expect(page.locator(".run-outcome")).to_contain_text("a command is not installed")
        await expect(page.locator(".run-moment.is-reply").first).to_contain_text(re.compile(r"\d{3} tokens"))
        tokens = page.get_by_role("complementary", name="Plan").locator(".run-node[data-node=step-3] .run-tokens")
        await expect(tokens).to_have_text(re.compile(r"^[\d.]+k? tok$"))
        await page.locator(".run-node", has_text="Evaluation").click()
        await expect(page.locator(".run-outcome")).to_contain_text("Decision: recover")
        await page.locator(".run-node", has_text="Recovery").click()
        await expect(page.locator(".run-moments")).to_contain_text("sh install.sh")
    async with visiting(stage.site, run_path(lost)) as (page, _):
        await expect(page.locator(".run-node[data-node=step-2]")).to_contain_text("taken over")
        await expect(page.locator(".run-moment.is-note")).to_contain_text("finished calls are not repeated")


@pytest.mark.slow
async def test_the_page_is_used_from_the_keyboard_alone(stage: Stage) -> None:
    run = await store_kept(stage.fleet.bus, "purchase")
    async with visiting(stage.site, run_path(run, "?node=step-1")) as (page, _):
        current = page.locator(".run-node[aria-current=true]")
        await expect(current).to_have_attribute("data-node", "step-1")
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await expect(current).to_have_attribute("data-node", "step-3")
        await page.keyboard.press("k")
        await expect(current).to_have_attribute("data-node", "step-2")
        for key, tab in (("l", "log"), ("f", "files"), ("c", "case"), ("Enter", "step")):
            await page.keyboard.press(key)
            await expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog")).to_contain_text("Next sub-task")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_every_part_fits_both_widths_and_each_button_has_a_name(stage: Stage, theme: Theme) -> None:
    run = await store_kept(stage.fleet.bus, "recovered")
    for size in (WIDE, NARROW):
        for tab in ("step", "log", "files", "case"):
            async with visiting(stage.site, run_path(run, f"?tab={tab}"), size, theme) as (page, _):
                await expect(page.locator(f"#panel-{tab}")).to_be_visible()
                assert await page.evaluate(
                    "document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth"
                )
                nameless = "[...document.querySelectorAll('main button, main a')].filter(one => !one.textContent.trim() && !one.getAttribute('aria-label')).length"
                assert await page.evaluate(nameless) == 0


@pytest.mark.slow
async def test_a_viewer_is_told_why_a_run_cannot_be_steered(stage: Stage) -> None:
    run = await started(stage, Step(action='Ask "Go on?" and remember the answer as ${answer}'), ENDING)
    async with visiting(stage.site, run_path(run), key=stage.keys["viewer"]) as (page, _):
        await expect(page.get_by_role("region", name="The run asks you")).to_contain_text("Go on?", timeout=60_000)
        for name in ("Pause", "Cancel", "Rerun", "Send the answer"):
            button = page.get_by_role("button", name=name, exact=True)
            await expect(button).to_have_attribute("aria-disabled", "true")
            await expect(button).to_have_attribute("title", re.compile("needs the role runner"))
    await stage.api.post(f"/runs/{run}/cancel")


@pytest.mark.slow
async def test_who_said_what_to_whom_is_drawn_and_shared_values_tell_where_they_come_from(stage: Stage) -> None:
    keeps = Step(
        action='Run the command "echo order=A-17" and remember what matches "A-[0-9]+" in the output as ${order}'
    )
    uses = Step(action='Run the command "echo got ${order}"', expected='The output contains "got A-17"')
    run = await started(stage, keeps, uses)
    async with visiting(stage.site, run_path(run, "?tab=messages")) as (page, _):
        await is_over(page, "Passed")
        await expect(page.locator(".run-sequence > b")).to_contain_text(["requester", "orchestrator"])
        await expect(page.locator(".run-arrow.is-answer").last).to_contain_text("verdict")
        await expect(page.get_by_role("row", name="order")).to_contain_text("A-17")
        await expect(page.get_by_role("row", name="order")).to_contain_text(
            "a command's output, the part that matches A-[0-9]+ (remember)"
        )
        arrows = await page.locator(".run-arrow").count()
        await page.locator(".run-talk select").select_option("requester")
        await expect(page.locator(".run-arrow")).to_have_count(2)
        assert arrows > 2


@pytest.mark.slow
async def test_a_run_nobody_knows_is_said_to_be_unknown(stage: Stage) -> None:
    async with visiting(stage.site, run_path("run-none"), excused=("404",)) as (page, _):
        await expect(page.get_by_role("heading", name="There is no such run")).to_be_visible()
