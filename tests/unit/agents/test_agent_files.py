"""Agent files: what is wrong with one is said with its line and what was most likely meant."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from muster_agents import DefinitionError, Known, load_agents, read_agent
from muster_agents.agent_folder import built_in
from muster_agents.agent_schema import render_schema
from muster_agents.permissions import EVERYTHING, Devices, Paths, Permissions

KNOWN = Known(
    kinds=("plan", "step", "evaluate", "critique", "validate", "locate", "summarise", "assign", "converse", "analyse"),
    tiers=("orchestrator", "sub_agent", "vision"),
    tools=("device", "checks", "shell", "web", "search", "values", "people", "agents", "workspace", "fleet"),
    effects=("read", "idempotent", "act", "check"),
    devices=("web", "screens"),
    skilled=("assign", "converse"),
    pools=("think", "act"),
    single_tools=(
        *("execute_command", "find", "read_file", "list_files", "read", "ls", "search_files", "grep", "code_search"),
        *("overview", "diff", "git_status", "git_log", "git_diff", "run_tests"),
        *("browser_navigate", "snapshot", "find", "browser_tabs", "start_case", "start_exploration", "control_run"),
        *("create_node", "create_edge", "take_control", "give_control_back"),
        *("show_runs", "show_run", "show_step", "show_health", "show_fleet", "look_up_phrases", "examine_case"),
        *("repeat_run", "ask_for_draft", "show_draft", "show_cases", "start_stored_case", "pause_run", "lead_to"),
    ),
)
FILE = "id: careful\nkind: evaluate\ninstructions: Decide.\n"


def refused(text: str) -> str:
    with pytest.raises(DefinitionError) as caught:
        read_agent(text, "careful.yaml", KNOWN)
    return str(caught.value)


ROLES = ("researcher", "planner", "executor", "reviewer", "tester")
LED = ("coordinator", "goal-planner")
"""Agents whose work is laid down."""


def test_the_agents_that_come_with_it_can_all_be_read_and_are_one_a_kind_but_for_goals():
    agents = built_in(KNOWN)

    assert {
        id: agent.kind
        for id, agent in agents.by_id.items()
        if id not in (*ROLES, *LED, "drafter", "investigator", "monitor")
    } == {
        "case-planner": "plan",
        "step-runner": "step",
        "evaluator": "evaluate",
        "critic": "critique",
        "validator": "validate",
        "element-detector": "locate",
        "summariser": "summarise",
        "assistant": "converse",
        "analyzer": "analyse",
    }


def test_the_roles_have_the_budgets_effects_and_sub_agents_they_are_known_for():
    agents = [built_in(KNOWN).by_id[id] for id in ROLES]

    assert {agent.kind for agent in agents} == {"assign"}
    assert [(agent.budget.calls, agent.budget.context) for agent in agents] == [
        (15, 50_000),
        (10, 30_000),
        (30, 80_000),
        (15, 50_000),
        (20, 50_000),
    ]
    assert [agent.spawns for agent in agents] == [(), (), ("reviewer",), (), ("reviewer",)]
    assert [agent.effects for agent in agents] == [
        ("read", "check"),
        ("read", "check"),
        None,
        None,
        None,
    ]
    reviewer = agents[3]
    assert (reviewer.paths.write, {"write", "edit", "write_file", "git_commit"} & set(reviewer.tools)) == ((), set())


def test_all_of_a_file_is_read():
    more = "tier: vision\ntools: [checks]\nbudget: {iterations: 2, seconds: 1.5}\ntemperature: 0.7\ndescription: d\n"
    agent = read_agent(FILE + more, "careful.yaml", KNOWN)

    assert (agent.id, agent.kind, agent.instructions, agent.tier) == ("careful", "evaluate", "Decide.", "vision")
    assert (agent.tools, agent.budget.iterations, agent.budget.seconds) == (("checks",), 2, 1.5)
    assert (agent.temperature, agent.description) == (0.7, "d")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FILE.replace("evaluate", "evalute"), "careful.yaml:2: unknown kind 'evalute'; did you mean 'evaluate'?"),
        (FILE + "tools:\n  - checks\n  - shel\n", "careful.yaml:6: unknown tool 'shel'; did you mean 'shell'?"),
        (FILE + "tier: big\n", "careful.yaml:4: unknown tier 'big'; valid: orchestrator, sub_agent, vision"),
        (FILE + "tols: []\n", "careful.yaml:4: unknown field 'tols'; did you mean 'tools'?"),
        (FILE + "budget:\n  call: 1\n", "careful.yaml:5: unknown field 'call'; did you mean 'calls'?"),
        (FILE + "budget: {calls: 0}\n", "careful.yaml:4: Expected `int` >= 1 at 'budget.calls'"),
        ("id: careful\nkind: step\n", "careful.yaml:1: Object missing required field `instructions`"),
        (
            FILE + "tools: [execute_comand]\n",
            "careful.yaml:4: unknown tool 'execute_comand'; did you mean 'execute_command'?",
        ),
        (
            FILE + "tools: [zzz]\n",
            "careful.yaml:4: unknown tool 'zzz'; valid: agents, checks, device, fleet, people, search, shell, values, web, workspace",
        ),
        (FILE + "effects:\n- read\n- acts\n", "careful.yaml:6: unknown effect 'acts'; did you mean 'act'?"),
        (FILE + "devices: {read: [webb]}\n", "careful.yaml:4: unknown device 'webb'; did you mean 'web'?"),
        (FILE + "paths:\n  wrte: []\n", "careful.yaml:5: unknown field 'wrte'; did you mean 'write'?"),
        (
            FILE + "paths:\n  read:\n  - src\n  - ../etc\n",
            "careful.yaml:7: '../etc' leads outside the workspace: leave out '..'",
        ),
        (
            FILE + "paths: {write: [/etc]}\n",
            "careful.yaml:4: '/etc' is not a path inside a workspace: write it relative to the workspace, as in src/shop",
        ),
        (
            FILE + "paths: {write: ['**/tests']}\n",
            "careful.yaml:4: '**/tests' has the wildcard '*': name folders or files, each stands for all below it",
        ),
        (
            FILE + "paths: {read: [a/.git]}\n",
            "careful.yaml:4: 'a/.git' is the repository's own folder: whoever may read all paths has it",
        ),
        (
            FILE + "paths:\n  read: [src]\n  write: [src/a, tests]\n",
            "careful.yaml:6: 'tests' is not in paths.read: add it there",
        ),
        (
            FILE + "domains: ['http://shop.test/']\n",
            "careful.yaml:4: 'http://shop.test/' is not a host: write one as in shop.example or shop.example:8080",
        ),
        (FILE + "effects: [read]\neffects: [act]\n", "careful.yaml:5: 'effects' appears twice, first in line 4"),
        (
            FILE + "budget:\n  calls: 1\n  tokens: 2\n  calls: 9\n",
            "careful.yaml:7: 'calls' appears twice, first in line 5",
        ),
        ("id: &a [*a]\nid: x\n", "careful.yaml:1: invalid YAML: contains an alias that refers to itself"),
        ("id: [", "careful.yaml:1: invalid YAML: expected the node content, but found '<stream end>'"),
        ("", "careful.yaml:1: Expected `object`, got `null`"),
        (FILE + "skills: [x]\n", "careful.yaml:4: unknown skill 'x'; valid: none"),
        (FILE + "approval_required_for: [shel]\n", "careful.yaml:4: unknown tool 'shel'; did you mean 'shell'?"),
        (FILE + "event_pools: [acts]\n", "careful.yaml:4: unknown event_pool 'acts'; did you mean 'act'?"),
        (FILE + "max_parallel_tasks: 0\n", "careful.yaml:4: Expected `int` >= 1 at 'max_parallel_tasks'"),
        (
            FILE + "spawns: [planner]\nworkflow: {do: execute_plan}\n",
            "careful.yaml:5: its reviewer 'reviewer' is not in spawns: add it there",
        ),
        (FILE + "workflow: {doo: x}\n", "careful.yaml:4: unknown field 'doo'; did you mean 'do'?"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str):
    assert refused(text) == said


def test_what_a_file_permits_is_what_its_fields_say():
    more = "effects: [read]\npaths: {read: [src, tests], write: [tests]}\ndomains: [shop.test]\nsecrets: []\n"
    agent = read_agent(FILE + more + "devices: {read: [web], control: []}\n", "careful.yaml", KNOWN)

    assert agent.permissions(("find",)) == Permissions(
        tools=("find",),
        effects=("read",),
        paths=Paths(read=("src", "tests"), write=("tests",)),
        domains=("shop.test",),
        devices=Devices(read=("web",), control=()),
        secrets=(),
    )
    assert read_agent(FILE, "careful.yaml", KNOWN).permissions() == EVERYTHING


MARKDOWN = """---
name: careful
description: Decides late.
kind: evaluate
tools: checks, shell
---

Decide.

## Late
"""


def test_an_agent_may_be_markdown_with_its_instructions_below_its_fields():
    agent = read_agent(MARKDOWN, "agents/careful.md", KNOWN)

    assert (agent.id, agent.description, agent.tools) == ("careful", "Decides late.", ("checks", "shell"))
    assert agent.instructions == "Decide.\n\n## Late"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MARKDOWN.replace("evaluate", "evalute"), "careful.md:4: unknown kind 'evalute'; did you mean 'evaluate'?"),
        (MARKDOWN.replace("shell", "shel"), "careful.md:5: unknown tool 'shel'; did you mean 'shell'?"),
        (MARKDOWN.replace("name: careful", "name: late"), "careful.md:2: the id 'late' is not the file's name"),
        (MARKDOWN.replace("tools", "tols"), "careful.md:5: unknown field 'tols'; did you mean 'tools'?"),
        ("Decide.\n", "careful.md:1: Expected fields between two lines `---` at the beginning of the file"),
        ("---\nkind: evaluate\n---\n", "careful.md:2: Expected `str` of length >= 1 at 'instructions'"),
        (
            "---\nkind: evaluate\ninstructions: x\n---\nDecide.",
            "careful.md:3: Expected the instructions below the fields",
        ),
    ],
)
def test_what_is_wrong_with_markdown_is_said_with_its_line(text: str, said: str):
    with pytest.raises(DefinitionError, match=re.escape(said)):
        read_agent(text, "careful.md", KNOWN)


def test_a_file_of_ones_own_replaces_the_built_in_agent_of_its_name(tmp_path: Path):
    (tmp_path / "evaluator.yaml").write_text("kind: evaluate\ninstructions: Decide.\n")
    (tmp_path / "careful.md").write_text(MARKDOWN)
    (tmp_path / "README.md").write_text("About these agents.")
    found = load_agents(tmp_path, KNOWN)

    assert (found.by_id["evaluator"].instructions, found.by_id["careful"].kind) == ("Decide.", "evaluate")
    assert found.by_id["step-runner"] == built_in(KNOWN).by_id["step-runner"]
    assert found.sources["careful"] == (str(tmp_path / "careful.md"), MARKDOWN)
    assert found.problems == {}


def test_a_file_that_cannot_be_used_costs_its_own_agent_alone_and_not_even_the_built_in_one_stands_in_for_it(
    tmp_path: Path,
):
    (tmp_path / "evaluator.yaml").write_text("kind: evalute\ninstructions: Decide.\n")
    (tmp_path / "careful.yaml").write_text(FILE)
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe")
    found = load_agents(tmp_path, KNOWN)

    assert "evaluator" not in found.by_id
    assert found.by_id["careful"].instructions == "Decide."
    assert found.problems["evaluator"].startswith(f"{tmp_path / 'evaluator.yaml'}:1: unknown kind 'evalute'")
    assert found.problems.keys() == {"evaluator", "binary"}


def test_of_two_files_of_one_agent_neither_is_used(tmp_path: Path):
    (tmp_path / "careful.md").write_text(MARKDOWN)
    (tmp_path / "careful.yaml").write_text(FILE)
    found = load_agents(tmp_path, KNOWN)

    assert "careful" not in found.by_id
    assert "another file in this folder already defines 'careful'" in found.problems["careful"]


def test_the_schema_says_of_a_file_what_the_reader_says():
    schema = Draft202012Validator(json.loads(render_schema(KNOWN)))

    assert schema.is_valid(yaml.safe_load(FILE))
    assert schema.is_valid({"kind": "step", "instructions": "Do it.", "tools": ["shell"], "budget": {"calls": 2}})
    wrong: tuple[dict[str, Any], ...] = (
        {"kind": "evalute"},
        {"tools": ["shel"]},
        {"tols": []},
        {"budget": {"calls": 0}},
        {"instructions": ""},
    )
    for changes in wrong:
        assert not schema.is_valid({**yaml.safe_load(FILE), **changes})
