"""Skill files: what is wrong with one is said with its line, and the others are there all the same."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from muster_agents import DefinitionError, Known, Skill, load_definitions, rank_skills, read_skill
from muster_agents.agent_folder import built_in, built_in_skills
from muster_agents.agent_schema import render_schema, render_skill_schema
from muster_subagent.agent_catalogue import NAMES

PACKAGE = Path(__file__).parents[3] / "packages" / "agents"
KNOWN = Known(
    kinds=("assign", "step"),
    tiers=("sub_agent",),
    tools=("shell", "workspace"),
    effects=("read", "act"),
    devices=("web",),
    single_tools=("read", "grep"),
    skilled=("assign",),
)
FILE = "description: Money goes back.\ninstructions: Do it.\n"


def test_all_of_a_file_is_read():
    more = (
        "version: 2.1.0\nmatch: [refund]\ntools: [read]\neffects: [read]\nrequires_device: true\ntimeout_seconds: 60\n"
        "devices: {read: [web], control: []}\napproval_required_for: [shell]\nsecrets: [PIN]\n"
    )
    skill = read_skill(FILE + more, "skills/refunds.yaml", KNOWN)

    assert (skill.id, skill.version, skill.match, skill.tools) == ("refunds", "2.1.0", ("refund",), ("read",))
    assert (skill.requires_device, skill.timeout_seconds, skill.secrets) == (True, 60, ("PIN",))
    may = skill.permissions(("read",), ("execute_command",))
    assert (may.tools, may.effects, may.devices.control, may.approvals) == (
        ("read",),
        ("read",),
        (),
        ("execute_command",),
    )


def test_a_folder_with_a_skill_file_is_a_skill_of_its_name_as_other_programs_write_it():
    text = (
        "---\nname: refunds\ndescription: Money.\nlicense: MIT\nallowed-tools: read, grep\n---\n\n# Refunds\nDo it.\n"
    )
    skill = read_skill(text, "skills/refunds/SKILL.md", KNOWN)

    assert (skill.id, skill.tools, skill.instructions) == ("refunds", ("read", "grep"), "# Refunds\nDo it.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("instructions: x\n", "r.yaml:1: Object missing required field `description`"),
        (FILE + "tols: [read]\n", "r.yaml:3: unknown field 'tols'; did you mean 'tools'?"),
        (FILE + "tools:\n- read\n- grp\n", "r.yaml:5: unknown tool 'grp'; did you mean 'grep'?"),
        (FILE + "effects: [acts]\n", "r.yaml:3: unknown effect 'acts'; did you mean 'act'?"),
        (FILE + "approval_required_for: [shel]\n", "r.yaml:3: unknown tool 'shel'; did you mean 'shell'?"),
        (FILE + "devices: {read: [], control: [web]}\n", "r.yaml:3: 'web' is not in devices.read: add it there"),
        (FILE + "timeout_seconds: 0\n", "r.yaml:3: Expected `float` > 0.0 at 'timeout_seconds'"),
        (FILE + "id: other\n", "r.yaml:3: the id 'other' is not the file's name; rename one of them"),
        ("description: d\ninstructions: " + "x" * 20_001, "r.yaml:2: Expected `str` of length <= 20000 at 'instructions'"),
        ("x" * 200_001, "r.yaml: it has 200,001 characters; the limit is 200,000"),
        ("[" * 5_000, "r.yaml:1: invalid YAML: is nested too deeply: more than 30 levels"),
        ("id: 2026-02-31", "r.yaml: invalid YAML: day is out of range for month"),
        ("- a\n", "r.yaml:1: Expected `object`, got `array`"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(text: str, said: str):
    with pytest.raises(DefinitionError) as caught:
        read_skill(text, "r.yaml", KNOWN)
    assert str(caught.value) == said


def test_a_tool_that_other_programs_have_is_said_with_the_line_of_their_field():
    with pytest.raises(DefinitionError, match=r"SKILL.md:4: unknown tool 'Bash'"):
        read_skill("---\nname: a\ndescription: d\nallowed-tools: Bash\n---\nDo.", "a/SKILL.md", KNOWN)


def test_one_broken_file_costs_its_own_skill_alone_and_its_agents_do_without_it(tmp_path: Path):
    (tmp_path / "skills" / "refunds").mkdir(parents=True)
    (tmp_path / "skills" / "refunds" / "SKILL.md").write_text("---\ndescription: Money.\n---\nDo it.\n")
    (tmp_path / "skills" / "broken.yaml").write_text("descripton: x\n")
    (tmp_path / "skills" / "code-review.yaml").write_text("description: Ours.\ninstructions: Ours.\n")
    (tmp_path / "clerk.yaml").write_text("kind: assign\ninstructions: x\nskills: [refunds, broken]\n")
    (tmp_path / "other.yaml").write_text("kind: assign\ninstructions: x\nskills:\n- refund\n")
    (tmp_path / "step.yaml").write_text("kind: step\ninstructions: x\nskills: [refunds]\n")
    found = load_definitions(tmp_path, NAMES)

    assert set(found.skills.by_id) == {*built_in_skills(NAMES).by_id, "refunds"}
    assert found.skills.by_id["code-review"].description == "Ours."
    assert found.agents.by_id["clerk"].skills == ("refunds", "broken")
    assert found.problems == (
        f"{tmp_path}/other.yaml:4: unknown skill 'refund'; did you mean 'refunds'?",
        f"{tmp_path}/step.yaml:3: only agents of kind assign, converse load skills",
        f"{tmp_path}/skills/broken.yaml:1: unknown field 'descripton'; did you mean 'description'?",
    )


def test_the_skill_whose_words_a_goal_has_comes_first_and_the_longest_words_count_most():
    def about(*words: str) -> Skill:
        return Skill(id="x", description="d", instructions="i", match=words)

    skills = {"web": about("web"), "map": about("map web app", "web"), "off": about("preview"), "none": about()}

    assert rank_skills("Map  Web App of the shop", skills) == ["map", "web"]
    assert rank_skills("Review it", {"preview": about("view")}) == []


@pytest.mark.parametrize(
    ("said", "skill"),
    [
        ("Run testcase TC_AUTH_01", "execution"),
        ("Write a test case for the login", "design"),
        ("Explore the demo shop at http://127.0.0.1:8000", "exploration-web"),
        ("Explore the mobile app", "exploration-mobile"),
        ("Explore the set-top box and its channels", "exploration-stb"),
        ("Which devices are there, and are the hosts up?", "monitoring-read"),
        ("There is an outage of the checkout", "incident-response"),
        ("Make the morning health check", "health-check"),
        ("An event has arrived: alert.firing", "alert-triage"),
        ("Why did the newest run fail?", "result-validation"),
        ("Which tests are flaky?", "false-positive-detection"),
        ("Write a report of the night", "report-generation"),
    ],
)
def test_each_of_the_twelve_built_in_skills_of_an_assistant_is_found_by_what_people_say(said: str, skill: str):
    skills = built_in_skills(NAMES).by_id
    assistant = built_in(NAMES).by_id["assistant"]

    assert skill in assistant.skills
    assert rank_skills(said, {id: skills[id] for id in assistant.skills})[0] == skill


@pytest.mark.parametrize(
    ("file", "rendered"),
    [("agent.schema.json", render_schema(NAMES)), ("skill.schema.json", render_skill_schema(NAMES))],
)
def test_the_schema_that_is_checked_in_is_the_one_of_the_code(file: str, rendered: str):
    assert (PACKAGE / file).read_text() == rendered, (
        f"write it anew: muster {file.split('.', maxsplit=1)[0]}s schema > packages/agents/{file}"
    )


def test_the_schema_takes_what_the_loader_takes():
    schema: dict[str, Any] = json.loads(render_skill_schema(KNOWN))
    validator = Draft202012Validator(schema)

    assert validator.is_valid(yaml.safe_load(FILE + "tools: [read]\n"))
    assert not validator.is_valid(yaml.safe_load(FILE + "tools: [grp]\n"))
    assert not validator.is_valid(yaml.safe_load("instructions: x\n"))
