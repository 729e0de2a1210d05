"""`muster agents`: what there is, how to begin one of one's own, and what is wrong with it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

Muster = Callable[..., Awaitable[Any]]
EXAMPLES = Path(__file__).parents[3] / "examples/agents"


async def test_the_built_in_agents_are_listed_and_shown(muster: Muster, tmp_path: Path):
    listed = await muster("agents", "list", "--json")
    assert (listed.code, listed.err) == (0, "")
    ids = {agent["id"] for agent in json.loads(listed.out)["agents"]}
    of_cases = {"case-planner", "step-runner", "evaluator", "summariser", "critic", "validator", "element-detector"}
    assert ids == of_cases | {
        *(
            "assistant",
            "researcher",
            "planner",
            "executor",
            "reviewer",
            "tester",
            "coordinator",
            "goal-planner",
            "drafter",
            "investigator",
            "analyzer",
            "monitor",
        )
    }

    shown = await muster("agents", "show", "evaluator")
    (tmp_path / "evaluator.yaml").write_text(shown.out)
    checked = await muster("agents", "check", tmp_path)
    assert (checked.code, checked.out, checked.err) == (0, "", "1 agent: nothing wrong\n")


@pytest.mark.slow
async def test_ones_own_agents_are_listed_with_their_files_and_broken_ones_with_their_lines(
    muster: Muster, tmp_path: Path
):
    (tmp_path / "mine.md").write_text("---\nkind: evaluate\nbudget: {calls: 2}\n---\nDecide.\n")
    (tmp_path / "bad.yaml").write_text("kind: evalute\ninstructions: Decide.\n")
    listed = await muster("agents", "list", "--dir", tmp_path)
    assert listed.code == 1
    rows = [line.split()[:6] for line in listed.out.splitlines()]
    assert ["mine", "evaluate", "orchestrator", "2", "calls", "mine.md"] in rows
    assert f"{tmp_path}/bad.yaml:1: unknown kind 'evalute'; did you mean 'evaluate'?" in listed.err

    checked = await muster("agents", "check", tmp_path)
    assert (checked.code, checked.err) == (1, "2 agents: 1 problem\n")
    assert checked.out.startswith(f"{tmp_path}/bad.yaml:1: unknown kind 'evalute'")


@pytest.mark.slow
async def test_agents_are_shown_with_what_people_call_them_and_narrowed_by_tag(muster: Muster, tmp_path: Path):
    file = "kind: evaluate\nnickname: Judge\nversion: 1.2.0\ntags: [team-a, strict]\ninstructions: Decide.\n"
    (tmp_path / "mine.yaml").write_text(file)
    listed = await muster("agents", "list", "--dir", tmp_path, "--tag", "team-a")
    told = json.loads((await muster("agents", "list", "--dir", tmp_path, "--tag", "team-a", "--json")).out)
    none = json.loads((await muster("agents", "list", "--dir", tmp_path, "--tag", "nobody", "--json")).out)

    assert "mine 1.2.0 (Judge)" in listed.out
    assert "evaluator" not in listed.out
    assert [(it["id"], it["tags"]) for it in told["agents"]] == [("mine", ["team-a", "strict"])]
    assert none["agents"] == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("show", "evaluater"),
            2,
            "there is no agent 'evaluater'; did you mean 'evaluator'? `muster agents list` shows all",
        ),
        (("show", "xyzzy"), 2, "there is no agent 'xyzzy'; `muster agents list` shows all"),
        (("check", "nowhere"), 2, "'nowhere' does not exist"),
        (("list", "--dir", "nowhere"), 2, "'nowhere' does not exist"),
    ],
)
async def test_what_is_not_there_is_said(muster: Muster, arguments: tuple[str, ...], code: int, said: str):
    ended = await muster("agents", *arguments)
    assert ended.code == code
    assert said in ended.err


async def test_the_agents_of_the_examples_can_be_used(muster: Muster):
    ended = await muster("agents", "check", EXAMPLES)
    assert (ended.code, ended.err) == (0, "1 agent: nothing wrong\n")
