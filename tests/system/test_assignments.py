"""Assignments and trees of agents on a fleet of real processes; the model is a script behind real HTTP."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from assigned import Team, done, fans_out, spawns, team
from controlled_page import controlled_page
from model_server import Answer, Asked, does

from muster_bus.run_store import read_entries
from muster_protocol.assignments import Spending
from muster_protocol.events import SessionOpened, SubTaskDispatched
from muster_protocol.requests import DeviceSpec

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    """One worker with one slot in each queue: parents and children share it."""
    folder = tmp_path_factory.mktemp("fleet")
    async with team(folder, "orchestrator", "subagent", "sessions", THINK_SLOTS="1", ACT_SLOTS="1") as made:
        yield made


async def test_an_agent_answers_with_findings_and_an_output_and_no_session_is_opened(crew: Team):
    finding = {"text": "It is 42", "file": "deep.py", "line": 42}
    crew.parts["What is the answer?"] = lambda _: done("It is 42.", findings=[finding], output={"answer": 42})
    schema = {"type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"]}
    run = await crew.submits("What is the answer?", "researcher", output_schema=schema)
    verdict = await crew.fleet.verdict(run)

    assert (verdict.status, verdict.summary, verdict.cause) == ("done", "It is 42.", None)
    [result] = verdict.results
    [found] = result.assigned.findings
    assert (found.file, found.line, result.assigned.output) == ("deep.py", 42, {"answer": 42})
    assert result.usage.seconds > 0
    assert 100 < result.assigned.context < 50_000
    events = [event for entry in await read_entries(crew.fleet.bus, run) for event in entry.events]
    assert not [event for event in events if isinstance(event, SessionOpened)]


async def test_the_address_of_an_order_is_opened_for_an_agent_that_may_only_look(crew: Team):
    shown: list[str] = []

    def looks(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("snapshot", {}))
        shown.append(asked.last)
        return done("looked")

    crew.parts["What does it say?"] = looks
    with controlled_page() as page:
        run = await crew.submits("What does it say?", "researcher", url=page.url)
        verdict = await crew.fleet.verdict(run)

    assert verdict.status == "done", verdict.summary
    assert page.url in shown[0]


async def test_an_output_that_is_not_of_the_form_is_sent_back_once(crew: Team):
    crew.parts["Count"] = lambda asked: done("counted", output={"n": asked.turn} if asked.turn else {"n": "many"})
    crew.parts["Count badly"] = lambda _: done("counted", output={"n": "many"})
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    mended = await crew.fleet.verdict(await crew.submits("Count", "researcher", output_schema=schema))
    never = await crew.fleet.verdict(await crew.submits("Count badly", "researcher", output_schema=schema))

    assert (mended.status, mended.results[0].assigned.output) == ("done", {"n": 1})
    assert (never.status, never.cause) == ("failed", "agent")
    assert "$.n: 'many' is not of type 'integer'" in never.summary
    assert len(crew.asked_about("Count badly")) == 2


async def test_one_worker_with_one_slot_finishes_a_parent_and_its_children_in_the_order_asked(crew: Team):
    answers: list[str] = []

    def lead(asked: Asked) -> Answer:
        if asked.turn == 0:
            return fans_out(("researcher", "Look at a"), ("researcher", "Look at b"), ("researcher", "Look at c"))
        answers.append(asked.last)
        return done("all looked at")

    crew.parts["Look at all"] = lead
    for name in "abc":
        crew.parts[f"Look at {name}"] = lambda _, name=name: done(f"{name} was looked at")
    verdict = await crew.fleet.verdict(await crew.submits("Look at all"))

    assert (verdict.status, verdict.summary) == ("done", "all looked at")
    [told] = answers
    places = [told.index(f"{name} was looked at") for name in "abc"]
    assert places == sorted(places)
    assert [result.node for result in verdict.results] == [f"assignment-1-0-{n}" for n in (1, 2, 3)] + ["assignment"]
    assert len(crew.asked_about("Look at all")) == 2  # nothing was asked again after the wait


async def test_a_failed_child_is_an_error_result_and_the_others_go_on(crew: Team):
    told: list[str] = []

    def lead(asked: Asked) -> Answer:
        if asked.turn == 0:
            return fans_out(("researcher", "Cannot be done"), ("researcher", "Can be done"))
        told.append(asked.last)
        return done("one of two")

    crew.parts["Do both"] = lead
    crew.parts["Cannot be done"] = lambda _: does(("finish", {"status": "failed", "summary": "nothing there"}))
    crew.parts["Can be done"] = lambda _: done("there it is")
    verdict = await crew.fleet.verdict(await crew.submits("Do both"))

    assert verdict.status == "done"
    assert "FAILED: nothing there" in told[0]
    assert "done: there it is" in told[0]


async def test_children_have_children_down_to_the_depth_that_is_allowed(crew: Team):
    told: dict[str, str] = {}

    def nested(name: str, below: str):
        def script(asked: Asked) -> Answer:
            if asked.turn == 0:
                return spawns("lead", below)
            told[name] = asked.last
            return done(f"{name} is done")

        return script

    crew.parts["level 0"] = nested("level 0", "level 1")
    crew.parts["level 1"] = nested("level 1", "level 2")
    crew.parts["level 2"] = nested("level 2", "level 3")
    verdict = await crew.fleet.verdict(await crew.submits("level 0"))

    assert verdict.status == "done"
    assert "done: level 1 is done" in told["level 0"]
    assert "the tool 'spawn' is not for this agent" in told["level 2"]
    assert [result.refusals for result in verdict.results if result.node == "assignment"] == [()]


async def test_what_an_agent_may_not_do_it_cannot_have_done_by_another(crew: Team):
    told: list[str] = []

    def lead(asked: Asked) -> Answer:
        if asked.turn == 0:
            return spawns("planner", "Plan")
        told.append(asked.last)
        return done("as far as it went")

    crew.parts["Ask anybody"] = lead
    verdict = await crew.fleet.verdict(await crew.submits("Ask anybody"))

    assert "agent 'planner' may not be asked by this agent; these may be asked: lead, researcher" in told[0]
    assert verdict.status == "done"


async def test_an_agent_with_a_shell_works_in_a_session_that_its_reviewer_borrows(crew: Team):
    told: list[str] = []

    def executor(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("write_file", {"path": "hello.txt", "content": "hello"}))
        if asked.turn == 1:
            return spawns("reviewer", "Read hello.txt")
        told.append(asked.last)
        return done("written and reviewed")

    def reviewer(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("read_file", {"path": "hello.txt"}))
        told.append(asked.last)
        return done("no faults", findings=[{"text": "says hello", "quote": "hello", "source": "hello.txt"}])

    crew.parts["Write hello.txt"] = executor
    crew.parts["Read hello.txt"] = reviewer
    run = await crew.submits(
        "Write hello.txt", "executor", device=DeviceSpec(kind="none"), acceptance=('File "hello.txt" contains "hello"',)
    )
    verdict = await crew.fleet.verdict(run)

    assert (verdict.status, verdict.summary) == ("done", "written and reviewed")
    assert "hello" in told[0]
    [evidence] = verdict.results[-1].assigned.evidence
    assert evidence.passed
    events = [event for entry in await read_entries(crew.fleet.bus, run) for event in entry.events]
    numbers = [event.sub_task.dispatch for event in events if isinstance(event, SubTaskDispatched)]
    assert numbers == [1, 2, 3]


async def test_what_does_not_hold_in_the_end_fails_whatever_the_agent_says(crew: Team):
    crew.parts["Write nothing"] = lambda _: done("I wrote it, trust me")
    run = await crew.submits(
        "Write nothing", "executor", device=DeviceSpec(kind="none"), acceptance=('File "hello.txt" exists',)
    )
    verdict = await crew.fleet.verdict(run)

    assert (verdict.status, verdict.cause) == ("failed", "agent")


async def test_a_quote_that_no_tool_returned_is_sent_back_and_marked(crew: Team):
    quoted = {"text": "It says so", "quote": "the moon is cheese", "source": "moon.txt"}
    crew.parts["Quote"] = lambda _: done("it says so", findings=[quoted])
    verdict = await crew.fleet.verdict(await crew.submits("Quote", "researcher"))

    assert len(crew.asked_about("Quote")) == 2
    assert [found.unread for found in verdict.results[0].assigned.findings] == [True]


async def test_an_agent_that_has_used_its_calls_up_may_hand_in_what_it_has(crew: Team):
    crew.parts["Calculate"] = lambda asked: (
        does(("make_value", {"kind": "name", "name": f"v{asked.turn}"}))
        if asked.turn < 3
        else done("two, twice, and then I was told to stop")
    )
    verdict = await crew.fleet.verdict(await crew.submits("Calculate", "lead", budget=Spending(calls=2)))

    assert "2 tool calls are used up: finish now" in crew.asked_about("Calculate")[-1].last
    assert (verdict.status, verdict.usage.calls) == ("done", 2)


async def test_the_file_of_an_agent_decides_what_it_is_told_and_offered(crew: Team, tmp_path: Path):
    crew.parts["Whoever"] = lambda _: done()
    await crew.fleet.verdict(await crew.submits("Whoever", "lead"))
    await crew.fleet.verdict(await crew.submits("Whoever", "researcher"))

    lead, researcher = crew.asked_about("Whoever")
    assert str(lead.messages[0]["content"]) == "You lead."
    assert {"spawn", "fan_out"} <= lead.tools
    assert not {"spawn", "fan_out", "execute_command"} & researcher.tools
