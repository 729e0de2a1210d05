"""Names of other agents in agent files: one that is not there is told with its line and what was most likely meant."""

from pathlib import Path

import pytest

from muster_agents import load_definitions, with_files
from muster_subagent.agent_catalogue import NAMES

LEAD = "kind: assign\ninstructions: You lead.\ntools: [values, agents]\n"


@pytest.mark.parametrize(
    ("more", "line", "told"),
    [
        ("spawns: [resercher]\n", 4, "unknown agent 'resercher'; did you mean 'researcher'?"),
        ("spawns:\n- reviewer\n- rewiever\n", 6, "unknown agent 'rewiever'; did you mean 'reviewer'?"),
        ("spawns: [step-runner]\n", 4, "'step-runner' is an agent of kind 'step', and one of kind 'assign' cannot"),
        ("spawns: [helpr]\n", 4, "unknown agent 'helpr'; did you mean 'helper'?"),
    ],
)
def test_an_agent_that_names_another_one_wrongly_is_told(tmp_path: Path, more: str, line: int, told: str):
    (tmp_path / "lead.yaml").write_text(LEAD + more)
    (tmp_path / "helper.yaml").write_text(LEAD + "spawns: [lead]\n")
    found = load_definitions(tmp_path, NAMES).agents

    assert found.problems.keys() == {"lead"}
    assert found.problems["lead"].startswith(f"{tmp_path / 'lead.yaml'}:{line}: {told}")
    assert "lead" not in found.by_id
    assert "helper" in found.by_id, "who may ask a broken one does without it"


def test_an_agent_that_may_ask_others_needs_a_tool_for_it(tmp_path: Path):
    (tmp_path / "lead.yaml").write_text("kind: assign\ninstructions: x\ntools: [values]\nspawns: [researcher]\n")
    [told] = load_definitions(tmp_path, NAMES).agents.problems.values()

    assert told.endswith("lead.yaml:4: it has no tool to ask them with: add agents or fan_out or spawn to its tools")


def test_agents_that_are_pushed_may_name_each_other_and_those_that_are_there(tmp_path: Path):
    before = load_definitions(None, NAMES)
    files = {"a.yaml": LEAD + "spawns: [b, researcher]\n", "b.yaml": LEAD + "spawns: [a, b]\n"}
    assert with_files(before, files, "", NAMES).problems == ()

    [told] = with_files(before, {"a.yaml": files["a.yaml"]}, "", NAMES).problems
    assert told.startswith("a.yaml:4: unknown agent 'b'; valid: ")
