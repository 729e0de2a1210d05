"""A case that is too long for the planner's context is planned in parts; asked over real HTTP."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from model_server import Answer, Asked, does, gives, passes, refuses
from thinking import Play, Stage, stage

from muster_protocol.requests import Limits

SHOP = {"": """<h1>Shop</h1><p id=count>0</p><button onclick="count.textContent++">Buy</button>"""}
CONTEXT = 2048
LENGTH = 28
LIMITS = Limits(max_subtasks=60)


def steps() -> list[tuple[str, str]]:
    """Return steps of which the model has to split the one numbered 25."""
    bought = [(f"Buy another one of the books that the shop has, which makes it number {n}", "") for n in range(LENGTH)]
    return [('Open "@/"', 'The title is "Page"'), *bought[1:24], ("Buy two more", ""), *bought[25:]]


def part_of(asked: Asked) -> list[int]:
    """Return the numbers of the steps that a planner is asked about."""
    return [int(number) for number in re.findall(r"^(\d+)\. ", asked.question, re.MULTILINE)]


def as_they_are(numbers: list[int]) -> list[dict[str, Any]]:
    return [{"covers": [n], "description": f"step {n}", "why": ""} for n in numbers]


def planned(asked: Asked) -> Answer:
    """Drop a step of the first part, split step 25, and keep all others."""
    numbers = part_of(asked)
    if 1 in numbers:
        return gives({"sub_tasks": as_they_are(numbers[1:])})
    if 25 not in numbers:
        return gives({"sub_tasks": as_they_are(numbers)})
    before, after = as_they_are([n for n in numbers if n < 25]), as_they_are([n for n in numbers if n > 25])
    split = [{"covers": [25], "description": text, "why": ""} for text in ("Buy one", "Buy one more")]
    return gives({"sub_tasks": [*before, *split, *after]})


def script(asked: Asked) -> Answer:
    return planned(asked) if asked.role == "planner" else does(("click", {"element": "Buy"}), passes())


def planner_questions(on_stage: Stage) -> list[Asked]:
    return [asked for asked in on_stage.model.asked if asked.role == "planner"]


@pytest.mark.slow
async def test_a_case_too_long_for_the_context_is_planned_in_parts_and_only_the_unfaithful_one_stands_as_written(
    tmp_path: Path,
):
    async with stage(tmp_path, ORCHESTRATOR_CONTEXT_TOKENS=str(CONTEXT)) as on_stage:
        verdict, run = await on_stage.run(Play(SHOP, steps(), script, limits=LIMITS))
        lines = "\n".join(await on_stage.lines(run))

    questions = planner_questions(on_stage)
    parts = list(dict.fromkeys(tuple(part_of(asked)) for asked in questions))
    assert len(parts) > 2
    assert [number for part in parts for number in part] == [*range(1, LENGTH + 1)]
    for asked in questions:
        text = sum(len(str(message["content"])) for message in asked.messages)
        assert text / 3.5 + asked.body["max_tokens"] <= CONTEXT
    ids = [result.node for result in verdict.results]
    expected = [f"step-{n:02d}" for n in range(1, LENGTH + 1)]
    assert ids == [*expected[:24], "step-25-1", "step-25-2", *expected[25:]], verdict.summary
    assert (
        f"steps 1 to {parts[0][-1]} as written (the model's plan cannot be used: step 1 is covered by no sub-task)"
        in lines
    )
    assert "step 25 split into 2" in lines
    assert sum("step 1 is covered by no sub-task" in asked.text for asked in questions) == 1


@pytest.mark.slow
async def test_a_server_that_has_room_for_less_than_its_setting_says_is_asked_in_smaller_parts(tmp_path: Path):
    def strict(asked: Asked) -> Answer:
        if asked.role == "planner" and len(json.dumps(asked.messages)) > 3500:
            return refuses(400, "This model's maximum context length is 1300 tokens")
        return script(asked)

    async with stage(tmp_path) as on_stage:
        verdict, _ = await on_stage.run(Play(SHOP, steps(), strict, limits=LIMITS))

    sizes = [len(part_of(asked)) for asked in planner_questions(on_stage)]
    assert sizes[0] == LENGTH
    assert min(sizes) < LENGTH // 2
    assert {"step-25-1", "step-25-2", "step-28"} <= {result.node for result in verdict.results}, verdict.summary


@pytest.mark.slow
async def test_what_is_left_over_when_the_turns_are_used_up_stands_as_written(tmp_path: Path):
    async with stage(tmp_path, ORCHESTRATOR_CONTEXT_TOKENS=str(CONTEXT), SUB_AGENT_MAX_ITERATIONS="2") as on_stage:
        verdict, run = await on_stage.run(Play(SHOP, steps(), script, limits=LIMITS))
        lines = "\n".join(await on_stage.lines(run))

    assert len(planner_questions(on_stage)) == 2
    assert "as written (2 turns of the model are used up" in lines
    assert {"step-01", f"step-{LENGTH}"} <= {result.node for result in verdict.results}, verdict.summary
