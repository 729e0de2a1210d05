"""Runs that ask a person: parked with nobody at work, woken by the answer, never by anything that stands for one."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from controlled_page import controlled_page
from fleet import Fleet, fleet
from model_server import Answer as Reply
from model_server import Asked, does, gives, passes
from thinking import Play, Stage, stage
from waiting import eventually

from muster_bus import Rows
from muster_bus.run_store import read_entries
from muster_client.runs import send_control, submit
from muster_protocol.control import Answer
from muster_protocol.events import Parked, SessionOpened
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow


async def parked(group: Fleet, run: str) -> str:
    """Return why a run is parked, once it is and its request is no longer claimed."""

    async def look() -> str | None:
        row = await Rows(group.bus, "RUN_LIST", RunRow).get(run)
        claimed = (await group.bus.js.stream_info("REQUESTS")).state.messages
        events = [event for entry in await read_entries(group.bus, run) for event in entry.events]
        reasons = [event.reason for event in events if isinstance(event, Parked)]
        return reasons[-1] if row is not None and row.status == "parked" and not claimed else None

    return await eventually(look, f"{run} is parked")


@pytest.mark.slow
async def test_a_run_that_asks_is_parked_and_goes_on_with_the_answer_though_every_process_was_replaced(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path) as group:
        with controlled_page() as page:
            await group.start("sessions")
            first = [await group.start(service) for service in ("orchestrator", "subagent")]
            ask = 'Click the "Count" button, ask "Which code?" and remember the answer as ${code}'
            case = TestCase(
                name="Asking",
                steps=(
                    Step(action=f'Open "{page.url}"', expected='The page title is "Counter"'),
                    Step(action=ask, expected='The text "Count: 1" is visible'),
                    Step(action='Run the command "echo got ${code}"', expected='The output contains "got 4711"'),
                    Step(action='Click the "Count" button', expected='The text "Count: 2" is visible'),
                ),
            )
            run = (await submit(group.bus, RunRequest(job=case))).run

            assert "Which code?" in await parked(group, run)
            for process in first:
                process.kill()
                await process.wait()
            for service in ("orchestrator", "subagent"):
                await group.start(service)
            await send_control(group.bus, run, Answer(id="a1", question=f"{run}.step-2.1:1", text="4711"))
            verdict = await group.verdict(run)

            assert verdict.status == "pass", verdict.summary
            assert page.counted == 2
            assert [result.attempt for result in verdict.results] == [1, 1, 1, 1]
            await group.closed(run)


@pytest.mark.slow
async def test_a_session_that_is_gone_when_the_answer_comes_is_opened_anew_and_nobody_is_asked_again(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path, SESSION_IDLE_SECONDS="5", SESSION_HEARTBEAT_SECONDS="0.5") as group:
        with controlled_page() as page:
            for service in ("sessions", "orchestrator", "subagent"):
                await group.start(service)
            case = TestCase(
                name="Asking",
                steps=(
                    Step(action=f'Open "{page.url}"', expected='The page title is "Counter"'),
                    Step(action='Ask "Which button?" and remember the answer as ${button}'),
                    Step(action='Click the "${button}" button', expected='The text "Count: 1" is visible'),
                ),
            )
            run = (await submit(group.bus, RunRequest(job=case))).run
            await parked(group, run)

            async def gone() -> bool:
                return not await Rows(group.bus, "SESSIONS", SessionRow).all()

            await eventually(gone, "the session nobody used is closed")
            await send_control(group.bus, run, Answer(id="a1", question="", text="Count"))
            verdict = await group.verdict(run)
            entries = await group.closed(run)

            assert verdict.status == "pass", verdict.summary
            assert page.counted == 1
            opened = [event for entry in entries for event in entry.events if isinstance(event, SessionOpened)]
            assert [event.restored for event in opened] == ["no", "same"]
            assert sum(isinstance(event, Parked) for entry in entries for event in entry.events) == 1


@pytest_asyncio.fixture
async def on_stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    async with stage(tmp_path) as made:
        yield made


FORM = """<h1>Confirm</h1><form action="@/done"><label>Code <input name="code"></label><button>Send</button></form>"""
PAGES = {"": FORM, "done": "<h1>Welcome</h1><p>Order number: A-17</p>"}


async def answered(on_stage: Stage, text: str) -> None:
    """Answer the one question that is asked in the fleet, once it is."""

    async def asking() -> str | None:
        rows = await Rows(on_stage.fleet.bus, "RUN_LIST", RunRow).all()
        return next((row.run for row in rows if row.status == "parked"), None)

    run = await eventually(asking, "run parked")
    await send_control(on_stage.fleet.bus, run, Answer(id="a1", question="", text=text))


@pytest.mark.slow
async def test_a_model_asks_for_what_only_a_person_knows_and_uses_it(on_stage: Stage):
    def script(asked: Asked) -> Reply:
        if asked.role == "planner":
            return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in (1, 2)]})
        if asked.turn == 0:
            return does(("ask_person", {"question": "Which code is in the mail?", "name": "code"}))
        assert 'A person answers "4711"' in asked.text.replace("\\", "")
        fill = ("type", {"element": "Code", "text": "${code}"})
        return does(fill, ("click", {"element": "Send"}), passes())

    steps = [
        ('Open "@/"', 'The title is "Page"'),
        ("Confirm with the code from the mail", 'The text "Welcome" is visible'),
    ]
    (verdict, run), _ = await asyncio.gather(
        on_stage.run(Play(PAGES, steps, script)),
        answered(on_stage, "4711"),
    )

    assert verdict.status == "pass", verdict.summary
    assert verdict.results[-1].step.captured == {}
    assert verdict.results[-1].iterations == 2
    assert any('A person answers "4711"' in line for line in await on_stage.lines(run))


async def test_a_value_of_the_page_that_a_model_had_told_by_a_person_is_refused(on_stage: Stage):
    def script(asked: Asked) -> Reply:
        if asked.role == "planner":
            return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in (1, 2)]})
        if asked.role == "evaluator":
            return gives({"action": "stop", "reason": "it", "cause": "agent", "recovery": "", "recovery_expected": ""})
        if asked.turn == 0:
            return does(("open_tools", {"group": "people"}))
        asks = ("ask_person", {"question": "What is the order number?", "name": "order"})
        return does(asks, passes()) if asked.turn == 1 else does(passes())

    steps = [
        ('Open "@/done"', 'The title is "Page"'),
        ("Find out the order number and note it down as ${order}", 'The text "${order}" is visible'),
    ]
    (verdict, _), _ = await asyncio.gather(
        on_stage.run(Play(PAGES, steps, script)),
        answered(on_stage, "Welcome"),
    )

    assert (verdict.status, verdict.cause) == ("fail", "agent")
    assert "nothing was done" in verdict.summary or "is a person's answer" in verdict.summary
