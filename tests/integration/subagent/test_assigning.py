"""An agent with a goal: what it is offered, what it hands in, and whom it asks; its model is a script over HTTP."""

from typing import Any

import pytest
from assigned import done, fans_out, spawns
from hypothesis import given
from hypothesis import strategies as st
from lone_agent import AGENTS, TEAM, goal, result_of, work
from model_server import Answer, Asked, does, refuses
from msgspec.structs import replace
from obeying import MemoryJournal

from muster_agents import Permissions
from muster_protocol.assignments import MOST_CHILDREN, Rights
from muster_protocol.journal import Children
from muster_protocol.kinds import AssignInput
from muster_protocol.tasks import Budget, ChildEnd, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_subagent.agent.assignment_end import read_output
from muster_subagent.agent.json_schemas import find_fault, find_schema_problems
from muster_subagent.agent_rights import permissions_of, rights_from, usable
from muster_subagent.task_context import agent_for
from muster_subagent.tools import TOOLS


async def test_what_is_handed_in_is_the_result():
    finding = {"text": "It is here", "file": "a.py", "line": 3}
    read = {"a.py": "one\ntwo\nthree"}
    result = await result_of(lambda _: done("found", findings=[finding], output={"n": 1}), goal(inputs=read))

    assert (result.status, result.summary, result.source, result.iterations) == ("pass", "found", "model", 1)
    assert [(it.file, it.line, it.unread) for it in result.assigned.findings] == [("a.py", 3, False)]
    assert result.assigned.output == {"n": 1}
    assert result.assigned.context > 100


async def test_without_a_session_only_tools_that_need_none_are_offered():
    asked: list[Asked] = []
    await result_of(lambda it: asked.append(it) or done(), goal())

    assert {"spawn", "fan_out", "finish", "make_value"} <= asked[0].tools
    assert not {"execute_command", "read_file", "click"} & asked[0].tools


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (does(("finish", {"status": "pass", "summary": "x"})), "status must be done or failed"),
        (does(("finish", {"status": "done", "summary": ""})), "summary must say"),
        (done(findings=[{"file": "a.py"}]), "findings cannot be read"),
        (done(findings="nonsense"), "findings cannot be read"),
        (done(findings=[{"text": "x"}] * 101), "there may be 100 findings"),
        (done(output="x" * 200_000), "more than 100000 characters"),
        (does(("finish", "not json")), "the arguments are not JSON"),
        (does(("execute_command", {"command": "id"})), "the tool 'execute_command' is not for this agent"),
        (does(("no_such_tool", {})), "there is no tool 'no_such_tool'"),
        (spawns("planner", "Plan"), "agent 'planner' may not be asked by this agent"),
        (spawns("nobody", "Plan"), "agent 'nobody' is not there"),
        (spawns("researcher", " "), "the task of researcher is empty"),
        (spawns("researcher", "x", tools=["read_fil"]), "there is no tool 'read_fil'; did you mean 'read_file'?"),
        (
            spawns("researcher", "x", tools=["write"]),
            "researcher would be left without tools: it has none of these: write",
        ),
        (
            spawns("researcher", "x", tools=[]),
            "researcher would be left without tools: it has none of these: an empty list",
        ),
        (does(("fan_out", {"tasks": "nonsense"})), "tasks is a JSON list such as"),
        (does(("fan_out", {"tasks": []})), "1 to 100 sub-agents"),
        (fans_out(*[("researcher", "x")] * (MOST_CHILDREN + 1)), "and this would make 101"),
        (fans_out(*[("researcher", "x")] * 21), "too little for 21 sub-agents: 19 tool calls"),
    ],
)
async def test_what_is_wrong_with_a_call_is_told_to_the_model_and_it_goes_on(answer: Answer, told: str):
    heard: list[str] = []

    def script(asked: Asked) -> Answer:
        heard.append(asked.last)
        return answer if len(heard) == 1 else done("went on")

    result = await result_of(script, goal())

    assert told in heard[1]
    assert (result.status, result.summary) == ("pass", "went on")


async def test_calls_that_are_not_for_the_agent_are_listed_in_its_result():
    result = await result_of(
        lambda asked: does(("execute_command", {"command": "id"})) if asked.turn == 0 else done(), goal()
    )

    assert result.refusals == ('execute_command("id"): not for this agent',)


async def test_the_agent_that_says_it_failed_has_failed_and_what_it_found_is_kept():
    result = await result_of(
        lambda _: does(("finish", {"status": "failed", "summary": "not there", "findings": [{"text": "only this"}]})),
        goal(),
    )

    assert (result.status, result.cause, result.summary) == ("fail", "agent", "not there")
    assert [it.text for it in result.assigned.findings] == ["only this"]


async def test_an_api_error_is_never_a_success():
    result = await result_of(lambda _: refuses(401, "no key"), goal())

    assert (result.status, result.failure) == ("fail", "model_unavailable")


async def test_a_model_that_never_finishes_ends_at_its_turns():
    numbers = iter(range(1000))
    result = await result_of(
        lambda _: does(("make_value", {"kind": "name", "name": f"v{next(numbers)}"})),
        goal(budget=Budget(calls=100, iterations=6)),
    )

    assert (result.status, result.failure) == ("fail", "limit")


async def test_no_call_may_be_made_with_a_budget_of_none():
    def script(asked: Asked) -> Answer:
        return does(("make_value", {"kind": "name", "name": "v"})) if asked.turn == 0 else done("as told")

    result = await result_of(script, goal(budget=Budget(calls=0, iterations=5)))

    assert (result.status, result.usage.calls) == ("pass", 0)


async def test_a_schema_that_is_none_fails_before_the_model_is_asked():
    result = await result_of(lambda _: refuses(500), goal(output_schema={"type": "nonsense"}))

    assert "output_schema is no valid JSON Schema" in result.summary


async def test_an_agent_that_is_not_there_or_is_not_for_goals_is_told_and_no_dead_letter():
    for id in ("nobody", "evaluator"):
        task = goal(agent=id)
        assert agent_for(task, TEAM) is None
        result = await result_of(lambda _: refuses(500), task, None)
        assert (result.status, result.cause) == ("fail", "agent")
        assert f"the workers have no agent {id!r} for goals" in result.summary


async def test_an_order_carries_rights_budget_and_place_of_whoever_gives_it():
    task = goal(rights=Rights(tools=("shell", "values", "agents"), write=("src",)), workspace="shop", hosts=("a.test",))
    children = await work(lambda _: fans_out(("executor", "One"), ("researcher", "Two")), task)
    assert isinstance(children, Children)
    first, second = children.children

    assert (children.call, children.max_concurrent) == ("r.n.1:0", 3)
    assert [(child.agent, child.description) for child in children.children] == [
        ("executor", "One"),
        ("researcher", "Two"),
    ]
    assert first.budget is not None
    assert (first.budget.calls, first.budget.seconds) == (9, 300.0)
    given = first.input
    assert isinstance(given, AssignInput)
    assert (given.workspace, given.hosts, given.depth, given.rights.write) == ("shop", ("a.test",), 1, ("src",))
    assert second.input == given


async def test_what_comes_back_is_told_in_the_order_asked_and_nothing_is_asked_twice():
    journal, heard, numbers = MemoryJournal(), list[str](), list[int]()

    def script(asked: Asked) -> Answer:
        numbers.append(asked.turn)
        if asked.turn == 0:
            return fans_out(("researcher", "One"), ("researcher", "Two"))
        heard.append(asked.last)
        return done("both")

    waits = await work(script, goal(), journal=journal)
    assert isinstance(waits, Children)
    ends = (
        ChildEnd(node="n-1-0-1", status="pass", agent="researcher", summary="first"),
        ChildEnd(node="n-1-0-2", status="fail", agent="researcher", summary="second"),
    )
    result = await work(script, replace(goal(), children={waits.call: ends}, resumed=1), journal=journal)

    assert isinstance(result, SubTaskResult)
    assert (result.status, result.acted) == ("pass", True)
    assert heard[0].index("done: first") < heard[0].index("FAILED: second")
    assert numbers == [0, 1]


async def test_the_calls_of_sub_agents_count_against_the_budget():
    journal = MemoryJournal()

    def script(asked: Asked) -> Answer:
        if asked.turn == 0:
            return spawns("researcher", "One")
        return does(("make_value", {"kind": "name", "name": "v"})) if asked.turn == 1 else done("told to stop")

    waits = await work(script, goal(), journal=journal)
    assert isinstance(waits, Children)
    ends = (ChildEnd(node="n-1-0-1", status="pass", agent="researcher", usage=Usage(calls=19)),)
    result = await work(script, replace(goal(), children={waits.call: ends}, resumed=1), journal=journal)

    assert isinstance(result, SubTaskResult)
    assert (result.summary, result.usage.calls) == ("told to stop", 1)


NAMES = st.none() | st.lists(st.sampled_from(["shell", "values", "agents", "read_file", "web", "click"]), max_size=3)
EFFECTS = st.none() | st.lists(st.sampled_from(["read", "check", "act", "idempotent"]), max_size=3)


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)


@given(NAMES, EFFECTS, NAMES, NAMES)
def test_no_sub_agent_has_more_than_whoever_asked_for_it(
    tools: list[str] | None, effects: list[str] | None, wished: list[str] | None, again: list[str] | None
):
    above = permissions_of(goal(rights=Rights(tools=_names(tools), effects=_names(effects))), AGENTS["executor"], TOOLS)
    for names in (wished, again):
        rights = rights_from(above, _names(names), TOOLS)
        for agent in AGENTS.values():
            below = permissions_of(goal(rights=rights), agent, TOOLS)
            assert below.within(above)
            assert set(usable(TOOLS, below, in_session=True)) <= set(usable(TOOLS, above, in_session=True))


def test_an_empty_list_of_tools_is_none_and_not_all():
    assert not usable(TOOLS, Permissions(tools=()), in_session=True)


@pytest.mark.parametrize(
    ("output", "schema", "fault"),
    [
        ({"a": 1}, {"type": "object", "required": ["a"]}, ""),
        ({}, {"type": "object", "required": ["a"]}, "$: 'a' is a required property"),
        (None, {"type": "object"}, "there is no output"),
        (None, {}, ""),
        ({}, {"$ref": "http://127.0.0.1:9/schema.json"}, "the schema cannot be used"),
    ],
)
async def test_an_output_is_checked_against_its_schema_and_nothing_is_fetched(
    output: Any, schema: dict[str, Any], fault: str
):
    assert await find_schema_problems([schema]) == [""]
    found = await find_fault(output, schema)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_an_output_is_read_as_json_where_it_is_some():
    assert [read_output(text) for text in ('{"a": 1}', "[1]", "plain", "", "7")] == [{"a": 1}, [1], "plain", None, 7]
