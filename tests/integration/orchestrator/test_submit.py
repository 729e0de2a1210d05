"""Requests from outside systems that know nothing but NATS and JSON: taken, found again, or refused with reasons."""

import asyncio
import json
from typing import Any

import pytest
from fleet import Fleet
from inbox import Mailbox
from nats.aio.msg import Msg
from played import PlayedWorker, kinds_of
from waiting import eventually

from muster_bus import Bus, Rows, replay
from muster_bus.run_store import find_request, opened_request, read_entries
from muster_client.runs import submit
from muster_orchestrator.responder import Responder
from muster_protocol.errors import Refused
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.submit_replies import Rejected

DRILL = {"job": {"type": "drill", "count": 1}}
CASE = {
    "job": {
        "type": "test_case",
        "name": "Buy",
        "steps": [{"action": 'Open "http://shop/"', "expected": 'The page title is "Shop"'}],
    }
}


async def ask(bus: Bus, request: Any, subject: str = "muster.submit") -> dict[str, Any]:
    """Send a request as any NATS client would, and return the answer as it is on the wire."""
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    return json.loads((await bus.nc.request(subject, data, timeout=20.0)).data)


async def dead_letters(bus: Bus) -> list[bytes]:
    return [message.data async for message in replay(bus, "DEAD", "muster.dead.*")]


async def test_a_plain_request_is_accepted_and_stored_as_it_was_sent(team: Fleet, bus: Bus):
    await team.start("orchestrator", ORCHESTRATOR_RUNS="1")
    answer = await ask(bus, {**CASE, "id": "run-1", "suite": "shop", "labels": {"a": "b"}})

    assert answer == {"type": "accepted", "run": "run-1"}
    stored = await find_request(bus, "run-1")
    assert stored is not None
    assert (stored.job.name, stored.suite, stored.labels, stored.requested_at > 0) == ("Buy", "shop", {"a": "b"}, True)


async def test_without_an_id_a_request_gets_one(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    first, second = await ask(bus, DRILL), await ask(bus, DRILL)

    assert first["run"] != second["run"]
    assert first["run"].startswith("run-")


async def test_the_same_request_again_is_the_same_run_while_it_is_queued_while_it_runs_and_after_it(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator", ORCHESTRATOR_RUNS="1")
    await ask(bus, {**DRILL, "id": "first"})
    keyed = {**DRILL, "idempotency_key": "build 7"}
    run = (await ask(bus, keyed))["run"]
    again = {"type": "accepted", "run": run, "duplicate": True}

    assert await ask(bus, keyed) == again  # queued: the only slot is taken
    await worker.does("first", evidence=(), unverified=True)
    await worker.given(run)
    assert await ask(bus, keyed) == again
    await worker.does(run, evidence=(), unverified=True)
    await team.closed(run)
    assert await ask(bus, keyed) == again
    assert kinds_of(await read_entries(bus, run)).count("RunOpened") == 1


async def test_many_submitting_the_same_at_once_get_one_run(team: Fleet, bus: Bus):
    await asyncio.gather(*(team.start("orchestrator") for _ in range(2)))
    answers = await asyncio.gather(*(ask(bus, {**DRILL, "idempotency_key": "k"}) for _ in range(20)))

    assert len({answer["run"] for answer in answers}) == 1
    assert sum(not answer.get("duplicate", False) for answer in answers) == 1


async def test_another_job_under_a_known_id_is_refused(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await ask(bus, {**DRILL, "id": "run-1"})

    answer = await ask(bus, {**CASE, "id": "run-1"})
    assert answer["type"] == "rejected"
    assert answer["reasons"] == ["run 'run-1' exists with another job; use another id or idempotency key"]


@pytest.mark.parametrize(
    ("request_", "reasons"),
    [
        (b"not json", ["the request cannot be read: "]),
        ({}, ["the request cannot be read: Object missing required field `job`"]),
        (
            {"job": {"type": "dance"}},
            [
                "the request cannot be read: $.job.type: 'dance' is not valid; valid: test_case, drill, assignment, exploration, conversation, analysis"
            ],
        ),
        ({**DRILL, "id": "a b", "reply_to": "muster.tasks.act.normal"}, ["id 'a b' must", "reply_to 'muster.tasks"]),
        ({"job": {**CASE["job"], "steps": [{"action": "Look"}]}}, ["test case 'Buy' expects nothing"]),
    ],
)
async def test_a_request_that_cannot_be_run_is_rejected_with_every_reason(
    team: Fleet, bus: Bus, request_: Any, reasons: list[str]
):
    await team.start("orchestrator")
    answer = await ask(bus, request_)

    assert answer["type"] == "rejected"
    assert len(answer["reasons"]) == len(reasons)
    for said, expected in zip(answer["reasons"], reasons, strict=True):
        assert said.startswith(expected)
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 0


async def test_a_queued_run_is_on_the_list_at_once(team: Fleet, bus: Bus):
    await team.start("orchestrator", ORCHESTRATOR_RUNS="1")
    await ask(bus, {**DRILL, "id": "run-1"})
    await ask(bus, {**CASE, "id": "run-2", "suite": "shop"})

    async def row() -> RunRow | None:
        return await Rows(bus, "RUN_LIST", RunRow).get("run-2")

    found = await eventually(row, "the row is there")
    assert (found.status, found.name, found.suite) == ("queued", "Buy", "shop")


async def test_without_an_orchestrator_submitting_says_that_nobody_answers(team: Fleet, bus: Bus):
    with pytest.raises(Refused, match=r"nobody answers on 'muster.submit'"):
        await submit(bus, RunRequest(job=Drill(count=1)))


async def test_whoever_asks_is_answered_even_if_the_answer_fails(bus: Bus):
    async def answer(_message: Msg) -> Rejected:
        raise ZeroDivisionError

    responder = Responder(bus, "muster.odd", answer)
    await responder.start()
    try:
        told = json.loads((await bus.nc.request("muster.odd", b"", timeout=10)).data)
        assert (told["kind"], told["reasons"]) == ("busy", ["an internal error of the orchestrator; see its log"])
    finally:
        await responder.stop()


async def test_a_request_published_into_the_queue_gets_its_verdict_where_it_says(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    box = await Mailbox.at(bus, "acme.verdicts")
    await bus.nc.publish("muster.requests.nightly-7", json.dumps({**DRILL, "reply_to": "acme.verdicts"}).encode())
    await worker.does("nightly-7", evidence=(), unverified=True)

    verdict = await box.last()
    assert (verdict["run"], verdict["status"], verdict["summary"]) == ("nightly-7", "pass", "1 of 1 sub-tasks passed")
    await team.closed("nightly-7")


async def test_a_request_published_while_no_orchestrator_is_there_is_run_when_one_comes(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await bus.store("muster.requests.early", json.dumps({**DRILL, "requested_at": 9e9}).encode())
    await team.start("orchestrator")
    await worker.does("early", evidence=(), unverified=True)

    assert (await team.verdict("early")).status == "pass"
    request = await opened_request(bus, "early")
    assert request is not None and request.requested_at < 9e9, "the clock of its sender counts for nothing"


async def test_the_subject_names_the_run_whatever_the_request_calls_itself(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await bus.store("muster.requests.by-subject", json.dumps({**DRILL, "id": "other"}).encode())
    await worker.does("by-subject", evidence=(), unverified=True)

    assert (await team.verdict("by-subject")).run == "by-subject"
    assert await read_entries(bus, "other") == []


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"job": {"type": "dance"}, "reply_to": "acme.verdicts"}, "'dance'"),
        ({**CASE, "reply_to": "acme.verdicts", "job": {**CASE["job"], "secrets": ["no name!"]}}, "list names"),
        (
            {**CASE, "reply_to": "acme.verdicts", "job": {**CASE["job"], "variables": {"a": "${secret:X}"}}},
            "contains a secret: use ${secret:…}",
        ),
    ],
)
async def test_what_is_published_and_cannot_be_run_is_told_put_aside_and_out_of_the_queue(
    team: Fleet, bus: Bus, request_: Any, said: str
):
    await team.start("orchestrator")
    box = await Mailbox.at(bus, "acme.verdicts")
    data = json.dumps(request_).encode()
    await bus.store("muster.requests.bad", data)

    answer = await box.last()
    assert answer["type"] == "rejected"
    assert any(said in reason for reason in answer["reasons"])
    await until_queue_is_empty(bus)
    assert await dead_letters(bus) == [data]
    letter = await bus.js.get_last_msg("DEAD", "muster.dead.REQUESTS")
    assert letter.headers is not None
    assert letter.headers["Muster-Subject"] == "muster.requests.bad"
    assert letter.headers["Muster-Reason"]
    assert await read_entries(bus, "bad") == []


async def test_a_request_that_is_larger_than_any_may_be_is_told_put_aside_and_hurts_nobody(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    box = await Mailbox.at(bus, "acme.verdicts")
    head = json.dumps({**DRILL, "reply_to": "acme.verdicts", "suite": ""}).encode()[:-2]
    data = head.ljust(bus.nc.max_payload - 100, b"x") + b'"}'  # with its headers as large as the server takes
    await bus.store("muster.requests.huge", data)
    await bus.store("muster.requests.good", json.dumps(DRILL).encode())
    await worker.does("good", evidence=(), unverified=True)

    assert f"the request has {len(data)} bytes" in (await box.last())["reasons"][0]
    await until_queue_is_empty(bus)
    [letter] = await dead_letters(bus)
    assert letter == data[: len(letter)]
    assert len(letter) > len(data) - 2000


async def test_what_is_published_and_is_no_json_at_all_is_put_aside_and_hurts_nobody(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await bus.store("muster.requests.bad", b"\xff\x00 nonsense")
    await bus.store("muster.requests.good", json.dumps(DRILL).encode())
    await worker.does("good", evidence=(), unverified=True)

    await team.closed("good")
    await until_queue_is_empty(bus)
    assert await dead_letters(bus) == [b"\xff\x00 nonsense"]


@pytest.mark.parametrize("run", ["a:b", "ü", "x" * 65])
async def test_a_run_published_under_a_name_that_cannot_be_one_is_put_aside(team: Fleet, bus: Bus, run: str):
    await team.start("orchestrator")
    box = await Mailbox.at(bus, "acme.verdicts")
    await bus.store(f"muster.requests.{run}", json.dumps({**DRILL, "reply_to": "acme.verdicts"}).encode())

    assert (await box.last())["reasons"] == [f"id {run!r} must be 1 to 64 letters, digits, '-' or '_'"]
    await until_queue_is_empty(bus)


async def test_a_request_of_a_later_version_is_put_aside_and_not_run_by_halves(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await bus.store("muster.requests.later", json.dumps({"job": {"type": "exploration"}}).encode())

    await until_queue_is_empty(bus)
    assert len(await dead_letters(bus)) == 1


async def test_a_verdict_that_nobody_can_be_told_does_not_hold_up_the_run(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    await ask(bus, {**DRILL, "id": "run-1", "reply_to": "nobody.listens.here"})
    await worker.does("run-1", evidence=(), unverified=True)

    await team.closed("run-1")
    await until_queue_is_empty(bus)


async def until_queue_is_empty(bus: Bus) -> None:
    async def look() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(look, "the queue is empty")


async def test_answers_and_verdicts_are_json_that_needs_no_library(team: Fleet, bus: Bus, worker: PlayedWorker):
    await team.start("orchestrator")
    box = await Mailbox.at(bus, "acme.verdicts")
    await ask(bus, {**DRILL, "id": "run-1", "reply_to": "acme.verdicts", "labels": {"team": "a"}})
    await worker.does("run-1", evidence=(), unverified=True)

    verdict = await box.last()
    assert verdict.pop("duration") > 0
    assert verdict.pop("ended_at") > 0
    assert verdict.pop("usage", {}).get("calls", 0) == 0
    assert verdict == {
        "run": "run-1",
        "name": "drill",
        "status": "pass",
        "summary": "1 of 1 sub-tasks passed",
        "labels": {"team": "a"},
    }
