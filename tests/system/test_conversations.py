"""Conversations on a fleet of real processes; the model is a script behind real HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from threading import Event
from typing import Any

import pytest
import pytest_asyncio
from chatting import ChatStage, chat_stage, frames_until, talk
from model_server import Answer, Asked, does, refuses, says
from waiting import eventually

from muster_client.runs import submit
from muster_protocol.journal import Finished, Revoked
from muster_protocol.requests import Drill, RunRequest

pytestmark = pytest.mark.asyncio(loop_scope="module")
CASE = 'name: Ping\nsteps: [{action: Run "echo hi", expected: The output contains "hi"}]\n'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[ChatStage]:
    async with chat_stage(tmp_path_factory.mktemp("fleet"), ("orchestrator", "subagent"), THINK_SLOTS="2") as made:
        yield made


async def a_run_of(stage: ChatStage, name: str) -> str:
    """Return a run of this name that is over."""
    run = (await submit(stage.fleet.bus, RunRequest(job=Drill(name=name, count=1), suite="nightly"))).run
    await stage.fleet.verdict(run)
    return run


async def runs_called(stage: ChatStage, name: str) -> list[str]:
    rows: list[dict[str, Any]] = (await stage.api.get("/runs", params={"name": name})).json()["runs"]
    return [row["run"] for row in rows]


async def test_an_answer_is_told_step_by_step_and_a_client_that_comes_back_gets_what_it_missed(stage: ChatStage):
    await a_run_of(stage, "TC_CART_01")  # a drill, which is no test
    stage.replies["Which tests are flaky?"] = lambda asked: (
        does(("load_skill", {"name": "false-positive-detection"}), ("show_health", {"suite": "nightly"}))
        if asked.turn == 0
        else says("None that I can tell yet.")
    )
    chat = await stage.opens(name="Health")
    async with chat.live() as socket:
        await socket.send('{"type": "send", "text": "Which tests are flaky?", "id": "m1"}')
        frames = await frames_until(
            socket, "thinking", "skill_loaded", "tool_call", "tool_result", "message", "message"
        )
    async with chat.live(frames[0]["cursor"]) as socket:
        again = await frames_until(socket, "message")

    events = [frame["event"] for frame in frames]
    called = [event["text"] for event in events if event["type"] == "tool_call"]
    loaded = [event["text"] for event in events if event["type"] == "skill_loaded"]
    [result] = [event for event in events if event["type"] == "tool_result"]
    answers = [event for event in events if event["type"] == "message" and event["by"] == "agent"]
    assert called[-1] == 'show_health(suite="nightly")'
    assert loaded[0].startswith("the skill false-positive-detection")
    assert "No test has run yet." in result["text"]
    assert [answer["text"] for answer in answers] == ["None that I can tell yet."]
    assert frames[0]["event"]["id"] == "say-m1"
    assert again[-1]["event"]["text"] == "None that I can tell yet."
    assert not [frame for frame in again if frame["event"].get("by") == "person"]


async def test_a_test_is_run_again_by_name_and_the_next_answer_knows_of_it(stage: ChatStage):
    before = await a_run_of(stage, "TC_AUTH_01")

    def runs_it(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("show_runs", {"text": "TC_AUTH_01"}))
        if asked.turn == 1:
            assert before in asked.last
            return does(("load_skill", {"name": "execution"}), ("repeat_run", {"run": before}))
        if asked.turn == 2:
            return does(("show_run", {"run": asked.last.split()[1].strip(";"), "wait_seconds": 30}))
        return says(asked.last)

    stage.replies["Run testcase TC_AUTH_01"] = runs_it
    stage.replies["And before?"] = lambda asked: says("It had passed." if "PASS" in asked.question else "?")
    chat = await stage.opens()
    told = await chat.asks("Run testcase TC_AUTH_01")
    later = await chat.asks("And before?")

    [new] = set(await runs_called(stage, "TC_AUTH_01")) - {before}
    assert told.startswith(f"{new} PASS: TC_AUTH_01")
    assert later == "It had passed."
    [first, *_], [next] = stage.asked_about("Run testcase TC_AUTH_01"), stage.asked_about("And before?")
    assert "The words of the goal ask for execution." in str(first.messages[0]["content"])
    assert "repeat_run" not in first.tools
    assert "# Skill execution (loaded" in str(next.messages[0]["content"])


async def test_a_case_that_the_model_wrote_runs_only_once_a_person_has_allowed_it(stage: ChatStage):
    stage.replies["Try it"] = lambda asked: (
        does(("load_skill", {"name": "execution"}), ("start_case", {"text": CASE}))
        if asked.turn == 0
        else says(asked.last)
    )
    refused, allowed = await stage.opens(), await stage.opens()
    answers: list[str] = []
    for chat, answer in ((refused, "no"), (allowed, "yes")):
        await chat.says("Try it")
        [question] = (await chat.reaches("asking"))["questions"]
        assert question["text"].startswith("May assistant make this call?")
        assert (await chat.post("/messages", {"text": "yes"})).status_code == 409  # an answer names its question
        given = {"question": question["id"], "text": answer}
        (await stage.api.post(f"/runs/{chat.id}/answer", json=given)).raise_for_status()
        answers.append((await chat.reaches("idle"))["messages"][-1]["text"])

    assert "a person did not allow this call" in answers[0]
    assert answers[1].startswith("started: run-")
    [run] = await runs_called(stage, "Ping")
    (await stage.api.post(f"/runs/{run}/cancel")).raise_for_status()  # no session host is there to open its session


async def test_an_answer_is_stopped_at_once_and_the_conversation_goes_on(stage: ChatStage):
    asked_of_model = Event()

    def never(_: Asked) -> Answer:
        asked_of_model.set()
        return says("too late")._replace(wait=stage.model.closing)

    stage.replies["Tell me everything"] = never
    stage.replies["Well?"] = lambda asked: says("stopped" if "(stopped)" in asked.question else "?")
    chat = await stage.opens()
    await chat.says("Tell me everything")
    await asyncio.to_thread(asked_of_model.wait, 30)
    assert (await chat.post("/stop")).json()["changed"]
    shown = await chat.reaches("idle")

    assert shown["messages"][-1]["stopped"]
    [ended] = [
        it for it in await stage.fleet.journal(f"{chat.id}.answer-00001.1") if isinstance(it, Finished | Revoked)
    ]
    assert isinstance(ended, Finished)
    assert ended.outcome.status == "cancelled"
    assert await chat.asks("Well?") == "stopped"
    assert not (await chat.post("/stop")).json()["changed"]


async def test_a_message_that_is_sent_twice_is_answered_once(stage: ChatStage):
    stage.replies["Hello"] = lambda _: says("Good day")
    chat = await stage.opens()
    for _ in range(2):
        await chat.says("Hello", **{"Idempotency-Key": "k1"})
    await chat.reaches("idle", 2)

    assert await chat.texts() == ["Hello", "Good day"]
    assert len(stage.asked_about("Hello")) == 1


async def test_a_deleted_conversation_ends_and_leaves_the_list(stage: ChatStage):
    chat = await stage.opens()
    async with chat.live() as socket:
        assert (await stage.api.delete(f"/conversations/{chat.id}")).status_code == 204
        assert (await frames_until(socket, "session_ended"))[-1]["event"]["type"] == "session_ended"

    async def gone() -> bool:
        rows = (await stage.api.get("/conversations")).json()["conversations"]
        return chat.id not in [row["run"] for row in rows]

    await eventually(gone, "it is gone")
    assert (await chat.post("/messages", {"text": "x"})).status_code == 409


async def test_idle_conversations_hold_nothing(stage: ChatStage):
    before = len((await stage.api.get("/conversations")).json()["conversations"])
    for _ in range(10):
        await asyncio.gather(*(stage.opens() for _ in range(10)))

    async def all_parked() -> bool:
        rows = (await stage.api.get("/conversations")).json()["conversations"]
        return len(rows) == min(200, before + 100) and all(row["status"] == "parked" for row in rows)

    async def nothing_held() -> bool:
        queues = (await stage.api.get("/queues")).json()["queues"]
        waiting = sum(queue.get("pending", 0) + queue.get("ack_pending", 0) for queue in queues)
        return not waiting and not any(sum(row.busy.values()) for row in await stage.fleet.rows())

    await eventually(all_parked, "all conversations are parked", 60)
    await eventually(nothing_held, "no slot is taken and no message waits", 30)


async def test_the_command_line_talks_and_answers_questions(stage: ChatStage):
    stage.replies["Please try"] = lambda asked: (
        does(("load_skill", {"name": "execution"}), ("start_case", {"text": CASE}))
        if asked.turn == 0
        else says("I may not.")
    )
    code, out, err = await talk(stage.fleet.server.url, b"Please try\nno\n")

    assert code == 0, err
    told = out.splitlines()
    assert "assistant: May assistant make this call? Answer yes or no." in told
    assert "assistant: I may not." in told
    assert "go on: muster chat run-" in err


async def test_a_message_of_a_pipe_that_gets_no_answer_is_no_success_and_says_what_to_do(stage: ChatStage):
    stage.replies["Nothing works"] = lambda _: refuses(401, "the account is closed " + "so " * 60)
    code, out, _ = await talk(stage.fleet.server.url, b"Nothing works\n")

    assert code == 3
    told = " ".join(out.split())
    assert "no answer: http://" in told
    assert "refuses the key: set OPENAI_API_KEY (HTTP 401: the account is closed so so" in told
    assert told.endswith("so)")


async def test_what_is_no_business_of_a_chat_is_refused(stage: ChatStage):
    chat = await stage.opens()
    opened = {"job": {"type": "conversation", "role": "admin"}}
    submitted = await stage.api.post("/runs", json=opened)
    again = await stage.api.post(f"/runs/{chat.id}/rerun")
    unknown = await stage.api.post("/conversations/run-0/messages", json={"text": "x"})

    assert (submitted.status_code, again.status_code, unknown.status_code) == (400, 409, 404)
    assert "POST /conversations" in submitted.text


@pytest.mark.slow
async def test_a_restart_of_everything_in_mid_answer_loses_and_repeats_nothing(stage: ChatStage, tmp_path: Any):
    before = await a_run_of(stage, "TC_ONCE")
    reached, go_on = Event(), Event()

    def slowly(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("load_skill", {"name": "execution"}), ("repeat_run", {"run": before}))
        if not reached.is_set():
            reached.set()
            return says("lost with its worker")._replace(wait=go_on)
        return says(f"done: {asked.last}")

    stage.replies["Once more"] = slowly
    chat = await stage.opens()
    await chat.says("Once more")
    await asyncio.to_thread(reached.wait, 30)
    for process in stage.fleet.running:
        process.kill()
    go_on.set()
    for service in ("orchestrator", "subagent"):
        await stage.fleet.start(service)
    await stage.serves(tmp_path)
    chat.api = stage.api
    shown = await chat.reaches("idle", 2)

    assert [message["text"][:14] for message in shown["messages"]] == ["Once more", "done: started:"]
    assert len(await runs_called(stage, "TC_ONCE")) == 2
    assert [asked.turn for asked in stage.asked_about("Once more")] == [0, 1, 1]
