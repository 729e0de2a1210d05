"""What is asked of runs over HTTP, against a real bus: pause, resume, answer, run again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from muster_bus import Log, Rows, replay
from muster_bus.run_store import find_request
from muster_client.runs import send_control
from muster_protocol import codec
from muster_protocol.control import Answer, Control, Pause, Resume
from muster_protocol.events import (
    Answered,
    Asked,
    ControlApplied,
    Entry,
    OwnerChanged,
    Parked,
    RunClosed,
    RunOpened,
    VerdictReached,
)
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Desk, OpenRun, Web

JOB = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}


async def stored(bus: Bus, run: str) -> list[Control]:
    messages = [message.data async for message in replay(bus, "CONTROL", bus.names.control(run))]
    return [cast("Control", codec.decode(data, cast("Any", Control))) for data in messages]


async def queued(bus: Bus) -> list[RunRequest]:
    return [codec.decode(message.data, RunRequest) async for message in replay(bus, "REQUESTS", "muster.requests.*")]


async def test_a_pause_and_a_resume_are_stored_once_however_often_they_are_asked_for(
    web: Web, bus: Bus, open_run: OpenRun
):
    await open_run("r1")
    assert (await web.http.post("/runs/r1/resume")).json() == {"run": "r1", "changed": False}
    both = await asyncio.gather(web.http.post("/runs/r1/pause"), web.http.post("/runs/r1/pause"))
    assert [answer.status_code for answer in both] == [202, 202]
    assert (await web.http.post("/runs/r1/pause")).json() == {"run": "r1", "changed": False}
    assert (await web.http.post("/runs/r1/resume")).json() == {"run": "r1", "changed": True}
    assert (await web.http.post("/runs/r1/resume")).json() == {"run": "r1", "changed": False}
    assert (await web.http.post("/runs/r1/pause")).json() == {"run": "r1", "changed": True}
    controls = await stored(bus, "r1")
    assert [type(control) for control in controls] == [Pause, Resume, Pause]
    assert len({control.id for control in controls}) == 3
    assert {control.by for control in controls} == {"gateway"}


async def test_a_paused_and_a_parked_run_are_shown_with_what_they_wait_for(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await run.dispatch("n0")
    await run.append(Asked(question="r1.n0.1:0", text="Which code?", task="r1.n0.1"))
    await run.append(Parked(reason='it asks "Which code?"', until=9e9))
    shown = (await web.http.get("/runs/r1")).json()
    assert (shown["run"]["status"], shown["waits_for"]) == ("parked", 'it asks "Which code?"')
    assert shown["questions"] == [{"id": "r1.n0.1:0", "text": "Which code?", "node": "n0"}]
    assert shown["nodes"][0]["state"] == "asking"
    await run.append(OwnerChanged(owner="o2", epoch=2, message=2, delivery=1), ControlApplied(control=Pause(id="p")))
    assert (await web.http.get("/runs/r1")).json()["run"]["status"] == "paused"
    await run.append(ControlApplied(control=Resume(id="q")), Answered(question="r1.n0.1:0", text="4711"))
    shown = (await web.http.get("/runs/r1")).json()
    assert (shown["run"]["status"], shown["waits_for"], shown["questions"]) == ("running", "", [])
    assert shown["nodes"][0]["state"] == "running"


async def test_an_answer_goes_to_the_only_open_question_and_stands(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    nothing = await web.http.post("/runs/r1/answer", json={"text": "4711"})
    assert (nothing.status_code, nothing.json()["reasons"]) == (409, ["run 'r1' asks nothing"])
    await run.append(Asked(question="q1", text="Which code?", task="r1.n0.1"))
    for changed in (True, False):
        answer = await web.http.post("/runs/r1/answer", json={"text": " 4711 "})
        assert (answer.status_code, answer.json()) == (202, {"run": "r1", "changed": changed})
    (control,) = await stored(bus, "r1")
    assert isinstance(control, Answer)
    assert (control.question, control.text, control.by) == ("q1", "4711", "gateway")
    other = await web.http.post("/runs/r1/answer", json={"text": "4712"})
    assert other.status_code == 409
    assert "has another answer already" in other.json()["reasons"][0]
    await run.append(ControlApplied(control=control), Answered(question="q1", text="4711"))
    assert (await web.http.post("/runs/r1/answer", json={"text": "4711"})).json()["changed"] is False


async def test_of_several_questions_the_one_that_is_meant_must_be_named(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await run.append(Asked(question="q1", text="Which code?"), Asked(question="q2", text="Which day?"))
    unnamed = await web.http.post("/runs/r1/answer", json={"text": "x"})
    assert unnamed.status_code == 409
    assert 'q1: "Which code?"; q2: "Which day?"' in unnamed.json()["reasons"][0]
    assert (await web.http.post("/runs/r1/answer", json={"text": "x", "question": "q9"})).status_code == 409
    assert (await web.http.post("/runs/r1/answer", json={"text": "Monday", "question": "q2"})).status_code == 202
    assert [(c.question, c.text) for c in await stored(bus, "r1") if isinstance(c, Answer)] == [("q2", "Monday")]


@pytest.mark.parametrize("body", [b"", b"[", b'{"text": "  "}', b'{"question": "q1"}'])
async def test_an_answer_that_says_nothing_is_refused(web: Web, open_run: OpenRun, body: bytes):
    run = await open_run("r1")
    await run.append(Asked(question="q1", text="Which code?"))
    refused = await web.http.post("/runs/r1/answer", content=body)
    assert refused.status_code == 400
    assert '{"text": "…"}' in refused.json()["reasons"][0]


async def test_nothing_but_a_rerun_can_be_asked_of_a_run_that_is_over_or_not_there(
    web: Web, bus: Bus, open_run: OpenRun
):
    run = await open_run("r1")
    await run.end()
    await Rows(bus, "RUN_LIST", RunRow).put("old", RunRow(run="old", name="Old", status="fail"))
    for id, status in (("r1", 409), ("old", 409), ("nobody", 404), ("*", 404)):
        for what in ("pause", "resume", "answer"):
            refused = await web.http.post(f"/runs/{id}/{what}", json={"text": "x"})
            assert refused.status_code == status, (id, what)
    assert "there is nothing to pause" in (await web.http.post("/runs/r1/pause")).json()["reasons"][0]
    assert await stored(bus, "r1") == []
    assert (await web.http.post("/runs/nobody/rerun")).status_code == 404
    gone = await web.http.post("/runs/old/rerun")
    assert (gone.status_code, "its log no longer exists" in gone.json()["reasons"][0]) == (409, True)


async def test_a_rerun_is_a_run_of_its_own_and_with_one_key_a_single_one(web: Web, desk: Desk, bus: Bus):
    body = {"job": JOB, "suite": "shop", "labels": {"branch": "main"}, "reply_to": "ci.verdicts"}
    first = (await web.http.post("/runs", json=body)).json()["run"]
    answers = [await web.http.post(f"/runs/{first}/rerun", headers={"Idempotency-Key": "k"}) for _ in range(2)]
    again = answers[0].json()["run"]
    assert [(one.status_code, one.json()["run"], one.json()["duplicate"]) for one in answers] == [
        (202, again, False),
        (202, again, True),
    ]
    assert answers[0].headers["location"] == f"/runs/{again}" != f"/runs/{first}"
    request = await find_request(bus, again)
    assert request is not None
    assert (request.rerun_of, request.suite, request.labels, request.reply_to) == (
        *(first, "shop", {"branch": "main"}),
        "ci.verdicts",
    )
    assert (await web.http.get(f"/runs/{again}")).json()["run"]["rerun_of"] == first
    other = (await web.http.post(f"/runs/{first}/rerun")).json()["run"]
    assert len({first, again, other}) == 3
    assert len(await queued(bus)) == 3


async def test_only_tests_of_the_suite_whose_newest_run_failed_are_run_again(web: Web, desk: Desk, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    for run, name, status, at, suite in (
        ("a1", "A", "fail", 1, "shop"),
        ("b1", "B", "fail", 1, "shop"),
        ("b2", "B", "pass", 2, "shop"),
        ("c1", "C", "pass", 1, "shop"),
        ("c2", "C", "fail", 2, "shop"),
        ("d1", "D", "fail", 1, "other"),
    ):
        await over(bus, run, name, suite)
        await rows.put(run, RunRow(run=run, name=name, status=status, suite=suite, requested_at=at))  # pyright: ignore
    first = await web.http.post("/suites/shop/rerun-failed", headers={"Idempotency-Key": "night-2"})
    assert first.status_code == 202
    runs = first.json()["runs"]
    assert [(one["rerun_of"], one["duplicate"]) for one in runs] == [("a1", False), ("c2", False)]
    again = (await web.http.post("/suites/shop/rerun-failed")).json()
    assert again == {"runs": []}
    for one in runs:  # with the key the same runs are named, also when one of them has failed once more
        name = "A" if one["rerun_of"] == "a1" else "C"
        row = RunRow(run=one["run"], name=name, status="fail", suite="shop", requested_at=9, rerun_of=one["rerun_of"])
        await rows.put(one["run"], row)
    keyed = await web.http.post("/suites/shop/rerun-failed", headers={"Idempotency-Key": "night-2"})
    assert {(one["run"], one["duplicate"]) for one in keyed.json()["runs"]} == {(one["run"], True) for one in runs}
    assert len(await queued(bus)) == 2
    assert (await web.http.post("/suites/nowhere/rerun-failed")).status_code == 404


async def over(bus: Bus, id: str, name: str, suite: str) -> None:
    """Write the log of a run that is over."""
    case = TestCase(name=name, steps=(Step(action="a", expected="b"),))
    opened = RunOpened(request=RunRequest(id=id, job=case, suite=suite), owner="o", message=1, delivery=1)
    reached = VerdictReached(verdict=Verdict(run=id, name=name, status="fail"))
    await Log(bus, "RUNS", bus.names.events(id)).append(Entry(epoch=1, at=1.0, events=(opened, reached, RunClosed())))


async def test_what_is_stored_by_others_counts_too(web: Web, bus: Bus, open_run: OpenRun):
    await open_run("r1")
    await send_control(bus, "r1", Pause(id="mine"))
    await bus.store(bus.names.control("r1"), b"{")
    assert (await web.http.post("/runs/r1/pause")).json()["changed"] is False
    assert (await web.http.post("/runs/r1/resume")).json()["changed"] is True
