"""The element detector on a fleet of real processes: a scripted model for pictures behind real HTTP, real Chromium."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from model_server import Answer, Asked, Script, does, fails, gives, refuses, says
from thinking import Play, Stage, plan_as_written, stage

from muster_bus.run_store import read_entries
from muster_protocol.events import SubTaskDispatched
from muster_protocol.facts import Act
from muster_protocol.journal import CallFinished
from muster_protocol.verdicts import Verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")
BOX = {"x": 40, "y": 40, "width": 80, "height": 40}
ICON = "position:absolute;left:40px;top:40px;width:80px;height:40px"
COUNT = "document.title = 'Used'; document.querySelector('p').textContent += ' Clicked'"
AROUND = "position:absolute;left:300px;top:40px;width:80px;height:40px"
ICONS = f"""<p style="margin-top:120px">Cart:</p><button aria-label="Basket" style="{ICON}" onclick="{COUNT}"></button>
<button style="{AROUND}" onclick="document.title = 'Wrong'">Delete all</button>"""
"""A button that is drawn and called otherwise than a tester says, and a decoy."""
CANVAS = f"""<p style="margin-top:120px">Game:</p><canvas id="game" width="80" height="40" style="{ICON}"></canvas>
<button style="{AROUND}" onclick="document.title = 'Wrong'">Delete all</button><script>
const game = document.getElementById('game'), pen = game.getContext('2d');
pen.fillStyle = 'green'; pen.fillRect(0, 0, 80, 40); pen.fillStyle = 'white'; pen.fillText('Start', 25, 25);
game.addEventListener('click', (event) => {{ {COUNT} }});</script>"""
CLICKED = 'The text "Clicked" is visible'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fleet"), VISION_MODEL="eyes") as made:
        yield made


def found(box: Mapping[str, float] = BOX, **more: Any) -> Answer:
    """Return what a model for pictures answers."""
    colour = [{"name": "colour", "value": "green"}]
    element = {"box": box, "confidence": 0.9, "type": "button", "text": "Start", "attributes": colour} | more
    return gives({"found": True, "element": element, "alternatives": []})


def with_eyes(answer: Answer, seen: list[Asked] | None = None) -> Script:
    """Return a script whose model for pictures answers so, and whose other models find nothing."""

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "evaluator":
            decision = {"action": "stop", "cause": "agent", "reason": "it is not there", "recovery": ""}
            return gives({**decision, "recovery_expected": "", "hint": ""})
        if asked.role == "detector":
            if seen is not None:
                seen.append(asked)
            return answer
        if asked.role == "looker":
            return gives({"holds": True, "quote": "Clicked", "answer": "It says so."})
        return does(fails("there is no such thing", blocked=True))

    return script


async def run(made: Stage, page: str, step: tuple[str, str], script: Script) -> tuple[Verdict, str]:
    return await made.run(Play({"": page}, (('Open "@/"', 'The title is "Page"'), step), script))


async def nodes_in(made: Stage, run: str) -> list[tuple[str, str]]:
    events = [event for entry in await read_entries(made.fleet.bus, run) for event in entry.events]
    tasks = [it.sub_task for it in events if isinstance(it, SubTaskDispatched)]
    return [(task.node, task.agent) for task in tasks]


def done_in(verdict: Verdict) -> list[Act]:
    """Return the acts that were done in the last step."""
    return [act for act in verdict.results[-1].step.acts if act.status == "ok"]


@pytest.mark.slow
async def test_what_names_do_not_find_is_found_in_a_picture_and_clicked_by_its_ref(on_stage: Stage):
    seen: list[Asked] = []
    step = ("Press the green cart symbol", CLICKED)
    verdict, id = await run(on_stage, ICONS, step, with_eyes(found(text=""), seen))

    assert verdict.status == "pass", verdict.summary
    nodes = await nodes_in(on_stage, id)
    assert nodes[-3:] == [("step-2", "step-runner"), ("step-2-d", "element-detector"), ("step-2", "step-runner")]
    [asked] = seen
    assert (asked.body["model"], "data:image/png;base64," in asked.text) == ("eyes", True)
    assert "Press the green cart symbol" in asked.question
    [act] = done_in(verdict)
    assert (act.target[0], act.pictured, re.search(r'"ref": ?"e', act.arguments) is not None) == ("Basket", False, True)
    outcomes = [it.outcome for it in await on_stage.journal(f"{id}.step-2.2") if isinstance(it, CallFinished)]
    assert [it.strategy for it in outcomes if it.strategy] == ["picture"]
    assert any('Detection for step-2: button "Basket" (90% sure)' in line for line in await on_stage.lines(id))


@pytest.mark.slow
async def test_a_phrase_whose_name_is_only_drawn_finds_it_in_the_picture_and_goes_on(on_stage: Stage):
    drawn = ICONS.replace('aria-label="Basket" ', "")
    verdict, _ = await run(on_stage, drawn, ('Click the "Start" button', CLICKED), with_eyes(found()))
    assert verdict.status == "pass", verdict.summary
    [act] = done_in(verdict)
    assert (act.target, act.pictured) == (("Start",), True)


@pytest.mark.slow
async def test_a_canvas_is_clicked_at_the_place_that_the_picture_shows(on_stage: Stage):
    verdict, _ = await run(on_stage, CANVAS, ("Click the green button", CLICKED), with_eyes(found()))
    assert verdict.status == "pass", verdict.summary
    [act] = done_in(verdict)
    assert (act.target, act.role, act.pictured) == (("Start",), "button", True)


@pytest.mark.slow
@pytest.mark.parametrize("expected", ["", "The page says that something was clicked"])
async def test_a_place_on_a_canvas_is_no_proof_and_a_look_alone_is_none_either(on_stage: Stage, expected: str):
    verdict, _ = await run(on_stage, CANVAS, ("Click the green button", expected), with_eyes(found()))
    assert (verdict.status, verdict.cause) == ("fail", "agent")
    assert "only a picture" in verdict.summary


@pytest.mark.slow
async def test_what_a_canvas_shows_otherwise_than_the_step_says_is_not_clicked(on_stage: Stage):
    answer = found(type="icon", text="Quit", attributes=[])
    verdict, _ = await run(on_stage, CANVAS, ('Click the "Start" button', CLICKED), with_eyes(answer))
    assert (verdict.status, done_in(verdict)) == ("fail", [])
    assert "is not what the step names" in verdict.summary


DECOY = {"x": 300, "y": 40, "width": 80, "height": 40}
NO_SHAPE = gives({"found": True, "element": {"box": BOX, "ref": "e4"}, "alternatives": []})
NOT_A_NUMBER = says(json.dumps({"found": True, "element": {"box": {**BOX, "x": float("nan")}}, "alternatives": []}))
RIVAL: dict[str, Any] = {"box": DECOY, "confidence": 0.95, "type": "button", "text": "Start", "attributes": []}
HOSTILE = {
    "a decoy": (found(DECOY), "is not what the step names"),
    "unsure": (found(confidence=0.3), "only 30% sure"),
    "too sure": (found(confidence=7), "which is none"),
    "outside": (found({**BOX, "x": 5000}), "reaches out of the picture"),
    "everything": (found({"x": 0, "y": 0, "width": 1280, "height": 720}), "takes up most of the picture"),
    "nothing": (found({**BOX, "width": 0}), "a box that is none"),
    "endless": (found({**BOX, "width": 1e999}), "a box that is none"),
    "no number": (NOT_A_NUMBER, "no valid answer"),
    "beside everything": (found({"x": 600, "y": 300, "width": 40, "height": 40}), "nothing that one could use"),
    "a ref of its own": (NO_SHAPE, "no valid answer"),
    "two of them": (
        gives({"found": True, "element": RIVAL | {"box": BOX, "confidence": 0.9}, "alternatives": [RIVAL]}),
        "as sure of another element",
    ),
    "not found": (gives({"found": False, "element": None, "alternatives": []}), "sees nothing of the kind"),
    "no JSON": (says("click anywhere"), "no valid answer"),
    "down": (refuses(400, "out of order"), "out of order"),
}


@pytest.mark.parametrize(("answer", "why"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.slow
async def test_an_answer_that_fits_nothing_leads_nowhere(on_stage: Stage, answer: Answer, why: str):
    verdict, _ = await run(on_stage, ICONS, ('Click the "Start" button', CLICKED), with_eyes(answer))
    assert (verdict.status, done_in(verdict), why in verdict.summary) == ("fail", [], True), verdict.summary


@pytest.mark.slow
async def test_a_risky_control_is_not_clicked_for_a_step_that_does_not_say_so(on_stage: Stage):
    verdict, _ = await run(on_stage, ICONS, ("Press the green cart symbol", CLICKED), with_eyes(found(DECOY)))
    assert (verdict.status, done_in(verdict)) == ("fail", [])


@pytest.mark.slow
async def test_the_detector_is_its_file_and_nobody_without_a_model_for_pictures(tmp_path: Path):
    folder = tmp_path / "agents"
    folder.mkdir()
    told = "kind: locate\ninstructions: You find one element, and click nothing blindly.\n"
    (folder / "element-detector.yaml").write_text(told)
    step = ("Press the green cart symbol", CLICKED)

    def careful(asked: Asked) -> Answer:
        blind = asked.role == "detector" and "nothing blindly" not in str(asked.messages[0]["content"])
        return with_eyes(found(confidence=0.9 if blind else 0.1))(asked)

    async with stage(tmp_path, AGENTS_DIR=str(folder), VISION_MODEL="eyes") as made:
        unsure, _ = await run(made, ICONS, step, careful)
    async with stage(folder) as made:
        unseen, id = await run(made, ICONS, step, with_eyes(found()))
        nodes = [agent for _, agent in await nodes_in(made, id)]
    assert "only 10% sure" in unsure.summary
    assert (unseen.status, "element-detector" in nodes) == ("fail", False)
