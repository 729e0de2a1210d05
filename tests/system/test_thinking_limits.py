"""Models that are away, slow, or ask for too much; budgets, cancelling, and workers that are replaced meanwhile."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from model_server import Answer, Asked, does, gives, passes, refuses, says
from pages import Visit
from thinking import DONE, FORM, SIGN_UP, Play, Stage, plan_as_written, stage

from muster_bus import Rows
from muster_client.runs import send_control
from muster_protocol.control import Cancel
from muster_protocol.journal import CallStarted, ModelReplied, Taken
from muster_protocol.logs import RunRow
from muster_protocol.requests import Limits

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fleet")) as made:
        yield made


@pytest.mark.slow
async def test_fifteen_turns_of_long_pages_stay_within_the_context(on_stage: Stage):
    rows = "".join(
        f"<tr><td>Item number {n} of a long list</td><td><button>Show {n}</button></td></tr>" for n in range(150)
    )
    pages = {**SIGN_UP, "": f"<h1>List</h1><table>{rows}</table><a href='@/done'>Leave</a>"}

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        done = asked.question.count("- snapshot") + asked.turn
        if done < 14:
            return does(("snapshot", {"within": "", "depth": done + 2}))
        return does(("click", {"element": "Leave"}), passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Look through the list and leave", 'The text "Welcome" is visible')]
    before = len(on_stage.model.asked)
    verdict, _ = await on_stage.run(Play(pages, steps, script))

    assert verdict.status == "pass", verdict.summary
    assert verdict.results[-1].iterations == 15
    mine = [asked for asked in on_stage.model.asked[before:] if asked.role == "executor"]
    sizes = [len(asked.text) // 4 for asked in mine]
    assert max(sizes) < 8_192
    assert any("# Done so far in this step" in asked.question for asked in mine)


@pytest.mark.slow
async def test_a_model_that_is_away_for_a_moment_is_waited_for(on_stage: Stage):
    busy = iter([429, 503])

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        status = next(busy, 0)
        return refuses(status, "busy", Retry_After="0") if status else does(("click", {"element": "Send"}), passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert verdict.status == "pass", verdict.summary
    assert verdict.results[-1].iterations == 1


@pytest.mark.slow
async def test_a_model_that_stays_away_is_the_environments_fault(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        return plan_as_written(2) if asked.role == "planner" else refuses(500, "out of order")

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert (verdict.status, verdict.cause) == ("fail", "environment")
    assert "answers HTTP 500: " in verdict.summary


@pytest.mark.slow
async def test_the_tokens_of_a_run_are_bounded_by_its_limits(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        return plan_as_written(2) if asked.role == "planner" else does(("find", {"text": f"turn {asked.turn}"}))

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script, limits=Limits(max_tokens=6000)))

    assert (verdict.status, verdict.cause) == ("fail", "agent")
    assert "max_tokens" in verdict.summary
    assert verdict.usage.input_tokens <= 6000


@pytest.mark.slow
async def test_what_an_attempt_spent_before_its_time_was_up_is_spent_of_the_run(tmp_path: Path):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "evaluator":
            return gives(
                {"action": "stop", "reason": "too slow", "cause": "agent", "recovery": "", "recovery_expected": ""}
            )
        find = does(("find", {"text": "Name"}))
        return find if asked.turn == 0 else find._replace(wait=threading.Event())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    async with stage(tmp_path, SUB_AGENT_TIMEOUT_SECONDS="6") as own:
        verdict, _ = await own.run(Play(SIGN_UP, steps, script))

    late = verdict.results[-1]
    assert (late.failure, late.usage.calls >= 1, late.usage.model_calls) == ("timed_out", True, 1)
    assert late.usage.input_tokens > 200
    assert verdict.usage.model_calls == 3  # one each for the plan, the step and the evaluation


@pytest.mark.slow
async def test_a_recorded_reply_is_not_asked_for_again_by_the_next_worker(tmp_path: Path):
    """The worker is killed while it carries out a reply; the one that takes over goes on from it."""
    async with stage(tmp_path, workers=0) as own:
        first = await own.fleet.start("subagent")
        clicked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(visit: Visit) -> str:
            loop.call_soon_threadsafe(clicked.set)
            return DONE

        def script(asked: Asked) -> Answer:
            if asked.role == "planner":
                return plan_as_written(2)
            if asked.turn == 0:
                wait = ("wait_for", {"text": "never there", "seconds": 8})
                return does(("type", {"element": "Name", "text": "Ann"}), ("click", {"element": "Send"}), wait)
            return does(passes())

        steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
        running = asyncio.create_task(own.run(Play({"": FORM, "done": slow}, steps, script)))
        await asyncio.wait_for(clicked.wait(), 30)
        first.kill()
        await own.fleet.start("subagent")
        verdict, run = await running

        assert verdict.status == "pass", verdict.summary
        journal = await own.journal(f"{run}.step-2.1")
        replies = [entry.index for entry in journal if isinstance(entry, ModelReplied)]
        assert replies == [0, 1]
        clicks = [it for it in journal if isinstance(it, CallStarted) and it.call.tool == "click"]
        assert len(clicks) == 1
        assert len({entry.worker for entry in journal if isinstance(entry, Taken)}) == 2


@pytest.mark.slow
async def test_a_run_is_cancelled_while_its_model_is_silent(on_stage: Stage):
    asking = threading.Event()

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        asking.set()
        return says("too late")._replace(wait=threading.Event())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    running = asyncio.create_task(on_stage.run(Play(SIGN_UP, steps, script)))
    assert await asyncio.to_thread(asking.wait, 30)
    rows = await Rows(on_stage.fleet.bus, "RUN_LIST", RunRow).all()
    [run] = [row.run for row in rows if row.status == "running"]
    asked_at = time.monotonic()
    await send_control(on_stage.fleet.bus, run, Cancel(id="1", by="a test"))
    verdict, _ = await running

    assert (verdict.status, verdict.cause) == ("fail", "cancelled")
    assert time.monotonic() - asked_at < 10
