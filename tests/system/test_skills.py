"""Skills and what agent files demand, on a fleet of real processes; the model is a script behind real HTTP."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import pytest_asyncio
from assigned import Team, done, fans_out, spawns, team
from command_line import started
from controlled_page import controlled_page
from counted import COUNTS, counted_by
from model_server import Answer, Asked, does, refuses
from waiting import eventually

from muster_bus.run_store import read_entries
from muster_client.runs import send_control
from muster_protocol.control import Answer as Said
from muster_protocol.events import Asked as Asking
from muster_protocol.events import SubTaskDispatched
from muster_protocol.requests import DeviceSpec

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {
    "clerk.yaml": "kind: assign\ninstructions: You serve.\ntools: [shell, values, agents]\nspawns: [researcher]\n"
    "skills: [refunds, paperwork]\nrouter_tools: [make_value]\n",
    "skills/refunds.yaml": "description: Money goes back.\ninstructions: Write a note, then tell.\ntools: [write_file]\n",
    "skills/paperwork/SKILL.md": "---\nname: paperwork\ndescription: Papers.\n---\nSort them.\n",
    "skills/broken.yaml": "description: [\n",
    "careful.yaml": "kind: assign\ninstructions: You ask first.\ntools: [shell, agents]\nspawns: [executor]\n"
    "approval_required_for: [write_file]\n",
    "retired.yaml": "kind: assign\ninstructions: x\nenabled: false\n",
    "looker.yaml": "kind: assign\ninstructions: x\ntools: [device]\nrequires_device: true\n",
    "desk.yaml": "kind: assign\ninstructions: x\nevent_pools: [think]\n",
    "again.yaml": "kind: assign\ninstructions: x\ntools: [shell]\n",
    "once.yaml": "kind: assign\ninstructions: x\ntools: [shell]\nauto_retry: false\n",
    "porter.yaml": "kind: assign\ninstructions: x\ntools: [device, values]\nskills: [paperwork]\n"
    "router_tools: [make_value]\n",
    "single.yaml": "kind: assign\ninstructions: x\ntools: [values]\nmax_parallel_tasks: 1\n",
}
SHELL = DeviceSpec(kind="none")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    folder = tmp_path_factory.mktemp("fleet")
    async with team(folder, MODEL_RETRIES="0", ORCHESTRATOR_BACKOFF_SECONDS="0.1") as made:
        for name, text in FILES.items():
            path = folder / "agents" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        lead = folder / "agents" / "lead.yaml"
        lead.write_text(lead.read_text().replace("spawns: [", "spawns: [single, retired, "))
        for service in ("orchestrator", "subagent", "sessions"):
            await made.fleet.start(service, **COUNTS)
        yield made


def writes(name: str) -> Answer:
    return does(("write_file", {"path": name, "content": "x"}))


def system_text(asked: Asked) -> str:
    return str(asked.messages[0]["content"])


async def test_a_loaded_skill_is_told_narrows_and_is_unloaded_again(crew: Team):
    turns = (
        writes("early.txt"),
        does(("load_skill", {"name": "refund"})),
        does(("load_skill", {"name": "refunds"})),
        writes("note.txt"),
        does(("make_value", {"kind": "name", "name": "v"})),
        does(("unload_skill", {})),
        does(("make_value", {"kind": "name", "name": "w"})),
        done("all told"),
    )
    crew.parts["Give it back"] = lambda asked: turns[asked.turn]
    verdict = await crew.fleet.verdict(await crew.submits("Give it back", "clerk", device=SHELL))
    asked = crew.asked_about("Give it back")

    assert (verdict.status, verdict.summary) == ("done", "all told")
    assert "# Skills (load_skill" in system_text(asked[0])
    assert "- refunds: Money goes back.\n- paperwork: Papers." in system_text(asked[0])
    assert "write_file" not in asked[0].tools
    assert "load_skill" in asked[0].tools
    assert "this agent may not use write_file; it may: make_value" in asked[1].last
    assert "did you mean 'refunds'?" in asked[2].last
    assert "of your tools there are now: write_file" in asked[3].last
    assert "# Skill refunds (loaded" in system_text(asked[3])
    assert "Write a note, then tell." in system_text(asked[3])
    assert {"write_file", "unload_skill"} <= asked[3].tools
    assert "make_value" not in asked[3].tools
    assert "this agent may not use make_value; it may: write_file (the skill refunds is loaded)" in asked[5].last
    assert "Write a note" not in system_text(asked[6])
    [result] = verdict.results
    assert len(result.refusals) == 2


async def test_who_may_not_look_before_a_skill_is_loaded_is_shown_no_page_and_that_is_no_refusal(crew: Team):
    turns = (does(("load_skill", {"name": "paperwork"})), does(("snapshot", {})), done("looked"))
    crew.parts["Look later"] = lambda asked: turns[asked.turn]
    with controlled_page() as page:
        verdict = await crew.fleet.verdict(await crew.submits("Look later", "porter", url=page.url))
    asked = crew.asked_about("Look later")

    assert verdict.status == "done", verdict.summary
    assert "# Page" not in asked[0].question
    assert "may not use" not in asked[0].text
    assert page.url in asked[2].last
    assert [result.refusals for result in verdict.results] == [()]


@pytest.mark.slow
async def test_a_child_has_no_more_than_the_skill_left_its_parent(crew: Team):
    crew.parts["Ask another"] = lambda asked: (
        does(("load_skill", {"name": "paperwork"})),
        spawns("researcher", "Look into it"),
        done("asked"),
    )[asked.turn]
    crew.parts["Look into it"] = lambda _: done("looked")
    verdict = await crew.fleet.verdict(await crew.submits("Ask another", "clerk", device=SHELL))
    [child] = crew.asked_about("Look into it")

    assert verdict.status == "done"
    assert "web_search" not in child.tools
    assert "make_value" in child.tools


async def answer_to(crew: Team, run: str, text: str) -> str:
    """Answer the run's question once it is asked, and return it."""

    async def asks() -> Asking | None:
        events = [event for entry in await read_entries(crew.fleet.bus, run) for event in entry.events]
        return next((event for event in events if isinstance(event, Asking)), None)

    asked = await eventually(asks, f"{run} asks")
    await send_control(crew.fleet.bus, run, Said(id="a1", question=asked.question, text=text))
    return asked.text


@pytest.mark.parametrize(("answer", "status"), [("yes", "ok"), ("no", "error")])
async def test_a_call_that_needs_approval_waits_for_a_person_and_happens_once_or_not_at_all(
    crew: Team, answer: str, status: str
):
    goal = f"Write it, {answer}"
    crew.parts[goal] = lambda asked: writes("a.txt") if asked.turn == 0 else done("went on")
    run = await crew.submits(goal, "careful", device=SHELL)
    question = await answer_to(crew, run, answer)
    verdict = await crew.fleet.verdict(run)

    assert question == 'May careful make this call? Answer yes or no.\nwrite_file("a.txt", "x")'
    assert (verdict.status, len(crew.asked_about(goal))) == ("done", 2)
    [result] = verdict.results
    told = crew.asked_about(goal)[1].last
    assert ("a person did not allow this call" in told) == (status == "error")
    assert len(result.refusals) == (status == "error")


@pytest.mark.slow
async def test_a_child_needs_the_approval_that_its_parent_needs(crew: Team):
    crew.parts["Have it written"] = lambda asked: spawns("executor", "Write for me") if asked.turn == 0 else done()
    crew.parts["Write for me"] = lambda asked: writes("b.txt") if asked.turn == 0 else done("written")
    run = await crew.submits("Have it written", "careful", device=SHELL)
    question = await answer_to(crew, run, "no")
    verdict = await crew.fleet.verdict(run)

    assert question.startswith("May executor make this call?")
    assert verdict.results[0].refusals == ("write_file: a person did not allow this call",)


@pytest.mark.parametrize(
    ("agent", "more", "said"),
    [
        ("retired", {}, "the agent 'retired' is switched off: its file says `enabled: false`"),
        ("looker", {"device": SHELL}, "the agent 'looker' needs a device: give the assignment a url or a device"),
        (
            "desk",
            {"device": SHELL},
            "the agent 'desk' serves the queue 'think', and a sub-task with a session waits in 'act'",
        ),
        ("resercher", {}, "the workers have no agent 'resercher' for goals; did you mean 'researcher'?"),
        ("researcher", {"tools": ("gerp",)}, "there is no tool 'gerp'; did you mean 'grep'?"),
    ],
)
async def test_an_assignment_that_does_not_fit_its_agent_is_told_and_asks_no_model(
    crew: Team, agent: str, more: dict[str, Any], said: str
):
    verdict = await crew.fleet.verdict(await crew.submits("Never asked", agent, **more))

    assert (verdict.status, verdict.cause, verdict.summary) == ("failed", "agent", said)
    assert crew.asked_about("Never asked") == []


async def test_an_agent_is_given_what_waits_in_a_queue_that_it_serves(crew: Team):
    crew.parts["At the desk"] = lambda _: done("served")
    verdict = await crew.fleet.verdict(await crew.submits("At the desk", "desk"))

    assert (verdict.status, verdict.summary) == ("done", "served")


@pytest.mark.parametrize(
    ("agent", "begins", "status", "attempts"),
    [("again", False, "done", 2), ("once", False, "failed", 1), ("again", True, "failed", 1)],
)
async def test_what_infrastructure_failed_is_tried_again_if_nothing_was_begun_and_the_agent_allows_it(
    crew: Team, agent: str, begins: bool, status: str, attempts: int
):
    goal = f"Ask {agent} while the model is away, begun: {begins}"
    away = True

    def part(asked: Asked) -> Answer:
        nonlocal away
        if begins and asked.turn == 0:
            return does(("execute_command", {"command": "echo begun"}))
        if away:
            away = False
            return refuses(503)
        return done("it is back")

    crew.parts[goal] = part
    run = await crew.submits(goal, agent, device=SHELL)
    verdict = await crew.fleet.verdict(run)
    dispatched = [
        event.sub_task.attempt
        for entry in await read_entries(crew.fleet.bus, run)
        for event in entry.events
        if isinstance(event, SubTaskDispatched)
    ]

    assert verdict.status == status, verdict.summary
    assert dispatched == list(range(1, attempts + 1))
    assert verdict.cause == (None if status == "done" else "environment")


@pytest.mark.slow
async def test_an_agent_that_needs_a_device_looks_at_a_real_browser(crew: Team):
    shown: list[str] = []

    def looks(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("snapshot", {}))
        shown.append(asked.last)
        return done("looked")

    crew.parts["Look at it"] = looks
    with controlled_page() as page:
        verdict = await crew.fleet.verdict(await crew.submits("Look at it", "looker", url=page.url))

    assert verdict.status == "done", verdict.summary
    assert page.url in shown[0]


@pytest.mark.slow
async def test_an_agent_that_is_switched_off_cannot_be_asked_by_others(crew: Team):
    crew.parts["Ask it"] = lambda asked: spawns("retired", "x") if asked.turn == 0 else done("told")
    await crew.fleet.verdict(await crew.submits("Ask it"))

    assert "agent 'retired' is switched off" in crew.asked_about("Ask it")[1].last


async def test_an_agent_works_on_no_more_at_once_than_its_file_says(crew: Team):
    at_work, most, together = 0, 0, Event()

    def one(_: Asked) -> Answer:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        if at_work > 1:
            together.set()
        together.wait(0.4)  # so that a second one would come in between
        at_work -= 1
        return done("one")

    crew.parts["Do four"] = lambda asked: (
        fans_out(*[("single", f"Part {n}") for n in range(4)], max_concurrent=3) if asked.turn == 0 else done("four")
    )
    for n in range(4):
        crew.parts[f"Part {n}"] = one
    verdict = await crew.fleet.verdict(await crew.submits("Do four"))

    assert (verdict.status, most) == ("done", 1)
    assert [result.status for result in verdict.results] == ["pass"] * 5


async def test_what_agents_do_is_counted_by_agent_and_by_skill(crew: Team):
    log = crew.fleet.folder / "subagent-1.log"
    wanted = (
        ("muster_agent_subtasks_total", {"agent": "clerk", "status": "pass"}),
        ("muster_agent_tool_calls_total", {"agent": "clerk"}),
        ("muster_agent_tokens_total", {"agent": "clerk"}),
        ("muster_skill_loads_total", {"skill": "refunds", "outcome": "loaded"}),
        ("muster_skill_loads_total", {"skill": "unknown", "outcome": "refused"}),
    )

    async def counts() -> list[float]:
        return [await counted_by(log, name, **labels) for name, labels in wanted]

    turns = (does(("load_skill", {"name": "refunds"})), does(("load_skill", {"name": "no such"})), done("counted"))
    crew.parts["Be counted"] = lambda asked: turns[asked.turn]
    before = await counts()
    await crew.fleet.verdict(await crew.submits("Be counted", "clerk"))

    async def grown() -> list[float] | None:
        found = [now - was for now, was in zip(await counts(), before, strict=True)]
        return found if found[0] else None

    subtasks, calls, tokens, loaded, refused = await eventually(grown, "the sub-task is counted")
    assert (subtasks, calls, loaded, refused) == (1, 2, 1, 1)
    assert tokens > 0


async def test_a_command_tells_what_agents_have_done_and_cost(crew: Team, tmp_path: Path):
    turns = (does(("make_value", {"kind": "name", "name": "n"})), done("told"))
    crew.parts["Be told of"] = lambda asked: turns[asked.turn]
    await crew.fleet.closed(await crew.submits("Be told of", "single"))
    asked = ("agents", "stats", "single", "--last", "1", "--json", "--nats", crew.fleet.server.url)
    async with started(tmp_path, *asked) as command:
        told, _ = await command.communicate()

    [single] = json.loads(told)["agents"]
    assert (single["agent"], single["sub_tasks"], single["success"]) == ("single", 1, 1.0)
    assert (single["usage"]["calls"], single["usage"]["model_calls"]) == (1, 2)
