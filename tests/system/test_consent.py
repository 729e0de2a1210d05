"""Before what cannot be taken back a person is asked; a fleet of real processes, the model is a script over real HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest_asyncio
from model_server import Answer, Asked, does, gives, passes
from thinking import SIGN_UP, Play, Stage, plan_as_written, stage
from waiting import eventually

from muster_bus import Rows
from muster_bus.run_store import read_entries
from muster_client.runs import send_control
from muster_protocol.control import Answer as Said
from muster_protocol.events import Asked as Asking
from muster_protocol.events import SubTaskDispatched
from muster_protocol.logs import RunRow

STEPS = (('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible'))
RISKY = {"kind": "risky", "step": 1, "text": "it opens the live shop"}


@pytest_asyncio.fixture
async def on_stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    async with stage(tmp_path, ORCHESTRATOR_CRITIC="1", ORCHESTRATOR_ASK_BEFORE="mails, deploy") as made:
        yield made


def warned(asked: Asked) -> Answer:
    if asked.role == "planner":
        return plan_as_written(2)
    if asked.role == "critic":
        return gives({"verdict": "approve", "issues": [RISKY], "suggestions": [], "confidence": 0.5})
    return does(("click", {"element": "Send"}), passes())


async def parked(made: Stage, seen: set[str]) -> str:
    """Return the run that waits for a person, and is not among those that were seen."""

    async def found() -> str:
        rows = await Rows(made.fleet.bus, "RUN_LIST", RunRow).all()
        return next((row.run for row in rows if row.status == "parked" and row.run not in seen), "")

    return await eventually(found, "a run waits for a person")


async def test_nothing_is_done_before_a_person_has_allowed_what_words_and_the_critic_call_risky(on_stage: Stage):
    seen: set[str] = set()
    for answer, status in (("no", "fail"), ("yes", "pass")):
        running = asyncio.create_task(on_stage.run(Play(SIGN_UP, STEPS, warned)))
        run = await parked(on_stage, seen)
        seen.add(run)
        events = [event for entry in await read_entries(on_stage.fleet.bus, run) for event in entry.events]
        [asked] = [event for event in events if isinstance(event, Asking)]
        assert {it.sub_task.kind for it in events if isinstance(it, SubTaskDispatched)} == {"plan", "critique"}
        lines = asked.text.splitlines()
        assert lines[0] == "This cannot be taken back. May it be done? Answer yes or no."
        assert lines[1].endswith("the critic: it opens the live shop")
        assert lines[2] == "- Send the form: mails (“send”)"
        await send_control(on_stage.fleet.bus, run, Said(id="a", question=asked.question, text=answer))
        verdict, _ = await running
        assert verdict.status == status, verdict.summary
        assert (verdict.cause == "cancelled") == (answer == "no")
