"""A run belongs to whoever asked first: nobody else is sent its verdict, works out its id, or has it sent where it harms."""

import json
from typing import Any

import pytest
from fleet import Fleet
from inbox import Mailbox
from played import PlayedWorker
from waiting import eventually

from muster_bus import Bus
from muster_client.runs import send_control
from muster_orchestrator.run_ids import RunIds
from muster_protocol.control import Cancel
from muster_protocol.ids import run_id_for
from muster_protocol.requests import Drill, RunRequest
from muster_text.request_rules import find_problems, may_hear

DRILL: dict[str, Any] = {"job": {"type": "drill", "count": 1}}
ADA, EVE = "muster.replies.ada.1", "muster.replies.eve.1"


def request(reply_to: str = "", key: str = "") -> RunRequest:
    return RunRequest(job=Drill(count=1), reply_to=reply_to, idempotency_key=key)


@pytest.mark.parametrize(
    ("first", "again", "heard"),
    [
        (request(ADA), request(ADA), True),
        (request(ADA), request("muster.replies.ada.2"), True),
        (request(ADA), request(), True),
        (request(ADA), request(EVE), False),
        (request(ADA, "k"), request(EVE, "k"), False),
        (request(ADA, "k"), request("_INBOX.eve", "k"), False),
        (request("", "k"), request(EVE, "k"), False),
        (request("_INBOX.1", "k"), request("_INBOX.2", "k"), True),
        (request("_INBOX.1", "k"), request("_INBOX.2", "l"), False),
        (request("_INBOX.1"), request("_INBOX.2"), False),
        (request(""), request("_INBOX.2"), False),
        (request("muster.replies.ada"), request("muster.replies.eve"), False),
    ],
)
def test_only_who_asked_first_may_hear_the_verdict(first: RunRequest, again: RunRequest, heard: bool):
    assert may_hear(first, again, "muster") is heard


@pytest.mark.parametrize(
    "subject",
    ["$JS.API.STREAM.DELETE.RUNS", "$SYS.REQ.SERVER.PING", "_R_.abc.def", "_GR_.abc", "a.*", ">", "a.>", "a..b", ".a", "a.", "a b",
     "a\tb", "a\x00b", "a\x7fb", "a\u2028b", "a." * 260 + "a", "x" * 201, "muster", "muster.requests.x", "muster.submit", "muster.control.x",
     "muster.live.verdicts.x", "muster.runs.x.events"],
)  # fmt: skip
def test_a_reply_subject_that_cannot_be_used_or_would_do_harm_is_refused(subject: str):
    [reason] = find_problems(request(subject))
    assert reason.startswith("reply_to ")
    assert len(reason) < 600


async def ask(bus: Bus, **fields: Any) -> dict[str, Any]:
    return json.loads((await bus.nc.request("muster.submit", json.dumps(DRILL | fields).encode(), timeout=20.0)).data)


async def settled(bus: Bus) -> None:
    async def look() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(look, "the queue is empty")


async def test_another_who_asks_for_the_same_run_is_refused_and_hears_nothing(team: Fleet, bus: Bus):
    ada, eve = await Mailbox.at(bus, "muster.replies.ada.>"), await Mailbox.at(bus, "muster.replies.eve.>")
    await team.start("orchestrator")
    await team.start("subagent", POOLS="think")
    run = (await ask(bus, idempotency_key="build 7", reply_to=ADA))["run"]
    answer = await ask(bus, idempotency_key="build 7", reply_to=EVE)
    assert (answer["type"], answer["kind"]) == ("rejected", "conflict")
    assert (await ada.last())["run"] == run
    await team.closed(run)

    assert (await ask(bus, idempotency_key="build 7", reply_to=EVE))["type"] == "rejected"
    assert (await ask(bus, id=run, reply_to=EVE))["type"] == "rejected"
    await bus.nc.publish(f"muster.requests.{run}", json.dumps(DRILL | {"reply_to": EVE}).encode())
    await bus.nc.flush()
    await settled(bus)
    again = await ask(bus, idempotency_key="build 7", reply_to="muster.replies.ada.2")
    assert again == {"type": "accepted", "run": run, "duplicate": True}
    await eventually(lambda: len(ada.messages) == 2, "Ada hears again")
    assert eve.messages == []


async def test_a_run_cancelled_in_the_queue_is_told_to_who_asked_for_it_alone(team: Fleet, bus: Bus):
    ada, eve = await Mailbox.at(bus, "muster.replies.ada.>"), await Mailbox.at(bus, "muster.replies.eve.>")
    worker = PlayedWorker(bus)
    await team.start("orchestrator", ORCHESTRATOR_RUNS="1")
    await ask(bus, id="first")
    await ask(bus, id="run-1", reply_to=ADA)
    await send_control(bus, "run-1", Cancel(id="c"))
    assert (await ada.last())["cause"] == "cancelled"
    await worker.does("first", evidence=(), unverified=True)
    await settled(bus)
    await bus.nc.publish("muster.requests.run-1", json.dumps(DRILL | {"reply_to": EVE}).encode())
    await bus.nc.flush()
    await settled(bus)

    assert {one["run"] for one in ada.messages} == {"run-1"}
    assert eve.messages == []


async def test_nobody_outside_works_out_the_id_that_belongs_to_a_key(team: Fleet, bus: Bus):
    for _ in range(2):
        await team.start("orchestrator")
    answers = [await ask(bus, idempotency_key="build 7") for _ in range(10)]
    assert len({answer["run"] for answer in answers}) == 1
    assert answers[0]["run"] != run_id_for("build 7")
    assert answers[0]["run"] == await RunIds(bus).id_for("build 7")
    assert (await ask(bus))["run"] != (await ask(bus))["run"]
