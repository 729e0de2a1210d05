"""Agent files: what is wrong with one is said with its line and what was most likely meant."""

from pathlib import Path

import pytest

from muster_agents import AgentError, Known, built_in, load_agents, read_agent

KNOWN = Known(
    kinds=("plan", "step", "evaluate", "summarise"),
    tiers=("orchestrator", "sub_agent", "vision"),
    tools=("device", "checks", "shell", "web", "search", "values", "people"),
)
FILE = "id: careful\nkind: evaluate\ninstructions: Decide.\n"


def refused(text: str) -> str:
    with pytest.raises(AgentError) as caught:
        read_agent(text, "careful.yaml", KNOWN)
    return str(caught.value)


def test_the_agents_that_come_with_it_can_all_be_read_and_are_one_a_kind():
    agents = built_in(KNOWN)

    assert {id: agent.kind for id, agent in agents.items()} == {
        "case-planner": "plan",
        "step-runner": "step",
        "evaluator": "evaluate",
        "summariser": "summarise",
    }


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
        ("id: [", "careful.yaml:1: invalid YAML: expected the node content, but found '<stream end>'"),
        ("", "careful.yaml:1: Expected `object`, got `null`"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str):
    assert refused(text) == said


def test_a_file_of_ones_own_replaces_the_built_in_agent_of_its_id(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text(FILE.replace("careful", "evaluator"))
    (tmp_path / "more.yaml").write_text(FILE)
    agents = load_agents(tmp_path, KNOWN)

    assert (agents["evaluator"].instructions, agents["careful"].kind) == ("Decide.", "evaluate")
    assert agents["step-runner"] == built_in(KNOWN)["step-runner"]


def test_two_files_of_one_agent_are_refused(tmp_path: Path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(FILE)
    with pytest.raises(AgentError, match="another file in this folder already defines agent 'careful'"):
        load_agents(tmp_path, KNOWN)
