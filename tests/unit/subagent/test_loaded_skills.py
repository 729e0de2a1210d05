"""A skill leaves its agent less to do, never more, and is told to the model while it is loaded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_agents import Agent, Permissions, Skill
from muster_subagent.agent_rights import tool_names, usable
from muster_subagent.loaded_skills import LoadedSkills
from muster_subagent.tools import TOOLS, ToolError

TOOL_NAMES = st.lists(st.sampled_from(["workspace", "shell", "web", "read", "grep", "execute_command"]), max_size=3)
EFFECTS = st.lists(st.sampled_from(["read", "check", "act", "idempotent"]), max_size=3)
KINDS = st.lists(st.sampled_from(["web", "screens"]), max_size=2)


def skill(id: str = "refunds", **more: object) -> Skill:
    return Skill(id=id, description=f"About {id}.", instructions=f"How to do {id}.", **more)  # pyright: ignore[reportArgumentType]


def shelf(*skills: Skill, router: tuple[str, ...] | None = None, goal: str = "", now: list[float] | None = None):
    agent = Agent(
        id="clerk",
        kind="assign",
        instructions="You serve.",
        tools=("workspace", "shell"),
        skills=(*(each.id for each in skills), "broken"),
        router_tools=router,
    )
    may = agent.permissions(tool_names(agent.tools, TOOLS))
    clock = now or [0.0]
    by_id = {each.id: each for each in skills}
    problems = {"broken": "broken.yaml:1: it is broken"}
    return LoadedSkills(agent, by_id, problems, may, TOOLS, goal=goal, clock=lambda: clock[0])


@given(st.none() | TOOL_NAMES, st.none() | EFFECTS, st.none() | TOOL_NAMES, TOOL_NAMES)
def test_no_skill_and_no_router_gives_more_than_the_agent_has(
    tools: list[str] | None, effects: list[str] | None, router: list[str] | None, approvals: list[str]
):
    one = skill(
        tools=None if tools is None else tuple(tools),
        effects=None if effects is None else tuple(effects),
        approval_required_for=tuple(approvals),
    )
    skills = shelf(one, router=None if router is None else tuple(router))
    whole = Permissions(tools=tool_names(("workspace", "shell"), TOOLS))

    for load in (False, True):
        if load:
            skills.follow("load", "refunds")
        assert skills.permissions.within(whole)
        mine = usable(TOOLS, skills.permissions, in_session=True, skilled=True)
        assert {name for name in mine if not TOOLS[name].skill} <= set(usable(TOOLS, whole, in_session=True))
        assert {"load_skill", "unload_skill"} <= set(mine)


def test_the_model_is_told_of_skills_then_of_the_one_that_is_loaded_and_of_skills_again():
    skills = shelf(skill(), skill("returns", match=("send back",)), goal="Send back the shoes")

    assert skills.instructions() == (
        "# Skills (load_skill before work of that sort)\n- returns: About returns.\n- refunds: About refunds.\n"
        "The words of the goal ask for returns."
    )
    skills.follow("load", "returns")
    assert (skills.loaded, skills.instructions()) == (
        "returns",
        "# Skill returns (loaded; unload_skill when its work is done)\nHow to do returns.",
    )
    skills.follow("unload", "")
    assert (skills.loaded, "# Skills" in skills.instructions()) == ("", True)


def test_what_is_left_of_the_tools_is_told():
    skills = shelf(skill(tools=("read", "web"), version="1.2"), router=("ls",))

    assert skills.permissions.tools == ("ls",)
    told = skills.describe_loading("refunds", "none")
    assert told == "the skill refunds 1.2 is loaded, its instructions are above; of your tools there are now: read"


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("refund", "this agent has no skill 'refund'; did you mean 'refunds'?"),
        ("xyzzy", "this agent has no skill 'xyzzy'; there are: refunds, touch"),
        ("broken", "the skill broken cannot be used: broken.yaml:1: it is broken"),
        ("touch", "the skill touch needs a device, and here is none"),
    ],
)
def test_a_skill_that_cannot_be_loaded_is_told_with_the_closest_name(id: str, said: str):
    with pytest.raises(ToolError) as caught:
        shelf(skill(), skill("touch", requires_device=True)).describe_loading(id, "none")
    assert said in caught.value.text


def test_a_skill_whose_time_is_over_has_to_be_unloaded():
    now = [0.0]
    skills = shelf(skill(timeout_seconds=5), now=now)
    skills.follow("load", "refunds")
    now[0] = 5.0
    assert skills.find_overdue() == ""
    now[0] = 5.1
    assert skills.find_overdue() == "the 5 s of the skill refunds are over: unload_skill, or end the work"
    skills.follow("unload", "")
    assert skills.find_overdue() == ""
