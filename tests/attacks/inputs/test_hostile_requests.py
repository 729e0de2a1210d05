"""Strangers write into the queue of requests what they like, `v: 99` on top: an honest run ends within seconds."""

import asyncio
import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from fleet import Fleet
from nats.aio.msg import Msg
from played import PlayedWorker
from waiting import eventually

from muster_bus import Bus, Claim, Intake, Rows, newest
from muster_bus import queue as bus_queue
from muster_bus.run_store import read_entries
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Pause, Resume
from muster_protocol.errors import NewerVersion
from muster_protocol.events import Parked
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest

DRILL: dict[str, Any] = {"job": {"type": "drill", "count": 1}}
FORGED = {"v": "99"}
MOST = 256
"""Requests that the queue hands out at once (MAX_RUNS)."""

HOSTILE: dict[str, bytes] = {
    "of another kind": b'{"job":{"type":"expedition"}}',
    "not json": b"\xff\x00 nonsense",
    "empty": b"",
    "null": b"null",
    "misspelt": json.dumps({**DRILL, "limt": {}}).encode(),
    "nested": b'{"job":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "surrogates": b'{"job":{"type":"drill","name":"\\ud800"}}',
    "large": b'{"job":{"type":"drill","name":"' + b"x" * 300_000 + b'"}}',
    "wrong times": json.dumps({**DRILL, "requested_at": 1e300}).encode(),
    "a subject of ours": json.dumps({**DRILL, "reply_to": "muster.tasks.act.normal"}).encode(),
}


async def publish(bus: Bus, prefix: str, bodies: Sequence[bytes], headers: dict[str, str]) -> None:
    for number, body in enumerate(bodies):
        await bus.nc.publish(f"muster.requests.{prefix}-{number}", body, headers=headers or None)
    await bus.nc.flush()


async def is_empty(bus: Bus) -> None:
    async def look() -> bool:
        return (await bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(look, "the queue is empty")


@pytest.mark.parametrize("headers", [{}, FORGED, {"v": "9" * 4000}, {"v": "²"}], ids=["no", "99", "huge", "odd"])
async def test_an_honest_run_ends_within_seconds_behind_a_queue_full_of_hostile_ones(
    team: Fleet, bus: Bus, headers: dict[str, str]
):
    bodies = list(itertools.islice(itertools.cycle(HOSTILE.values()), MOST + 20))
    await publish(bus, "hostile", bodies, headers)
    await team.start("orchestrator")
    await team.start("subagent", POOLS="think")
    accepted = await submit(bus, RunRequest(job=Drill(count=1)))

    assert (await team.verdict(accepted.run, seconds=20.0)).status == "pass"
    await is_empty(bus)
    assert (await bus.js.stream_info("DEAD")).state.messages == len(bodies)


async def test_a_request_that_says_it_is_of_a_newer_version_counts_for_what_it_holds(team: Fleet, bus: Bus):
    await publish(bus, "sound", [json.dumps(DRILL).encode()], FORGED)
    await team.start("orchestrator")
    await team.start("subagent", POOLS="think")

    assert (await team.verdict("sound-0", seconds=20.0)).status == "pass"


async def test_whoever_asks_with_what_cannot_be_read_is_told_so_at_once(team: Fleet, bus: Bus):
    told: list[dict[str, Any]] = []

    async def put(message: Msg) -> None:
        told.append(json.loads(message.data))

    await bus.nc.subscribe("acme.replies", cb=put)
    await team.start("orchestrator")
    await publish(bus, "later", [b'{"job":{"type":"expedition"},"reply_to":"acme.replies"}'], FORGED)
    await eventually(lambda: told, "the sender is told", 10.0)

    assert told[0]["type"] == "rejected"
    assert "'expedition' is not valid; valid: test_case" in told[0]["reasons"][0]
    answers = [await bus.nc.request("muster.submit", body, timeout=10.0, headers=FORGED) for body in HOSTILE.values()]
    assert {json.loads(answer.data)["type"] for answer in answers} == {"rejected"}


@pytest.mark.parametrize("body", ["of another kind", "not json", "large", "sound"])
async def test_a_parked_run_goes_on_whatever_is_published_under_its_id(team: Fleet, bus: Bus, body: str):
    data = HOSTILE.get(body, json.dumps({**DRILL, "reply_to": "eve"}).encode())
    worker = PlayedWorker(bus)
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=2), id="run-1"))
    first = await worker.given("run-1")
    await send_control(bus, "run-1", Pause(id="p"))
    await worker.takes(first)
    await worker.finishes(first, evidence=(), unverified=True)

    async def parked() -> bool:
        found = [event for entry in await read_entries(bus, "run-1") for event in entry.events]
        return (
            any(isinstance(event, Parked) for event in found)
            and await newest(bus, "REQUESTS", "muster.requests.run-1") is None
        )

    await eventually(parked, "the run is parked")
    for _ in range(5):
        await bus.nc.publish("muster.requests.run-1", data, headers=FORGED)
    await bus.nc.flush()
    await is_empty(bus)
    await bus.nc.publish("muster.requests.run-1", data, headers=FORGED)
    await send_control(bus, "run-1", Resume(id="r"))
    await worker.does("run-1", evidence=(), unverified=True)

    assert (await team.verdict("run-1", seconds=20.0)).status == "pass"
    await team.closed("run-1")
    assert (await bus.js.stream_info("DEAD")).state.messages == 0


async def test_a_run_whose_log_is_newer_keeps_no_place_in_the_queue_and_is_not_lost(team: Fleet, bus: Bus):
    later = {"v": str(codec.VERSION + 1)}
    for number in range(20):
        await bus.store(f"muster.runs.later-{number}.events", b'{"epoch":2,"at":1,"events":[{"type":"danced"}]}', later)
    await publish(bus, "later", [json.dumps(DRILL).encode()] * 20, {})
    await team.start("orchestrator")
    await is_empty(bus)

    rows = {row.run: row.status for row in await Rows(bus, "RUN_LIST", RunRow).all()}
    assert rows == {f"later-{number}": "running" for number in range(20)}  # by these a newer sweep finds them
    assert (await bus.js.stream_info("DEAD")).state.messages == 0


async def test_what_our_own_processes_write_waits_for_a_newer_one_but_not_for_ever(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bus_queue, "NEWER_SECONDS", 0.01)
    monkeypatch.setattr(bus_queue, "NEWER_DELIVERIES", 4)
    left: list[int] = []
    over = asyncio.Event()

    async def handle(claim: Claim) -> None:
        with pytest.raises(NewerVersion) as caught:
            claim.check_version()
        if await claim.leave_to_newer(caught.value):
            left.append(claim.delivery)
        else:
            over.set()
            await claim.ack()

    await bus.store("muster.tasks.act.normal", b"{}", FORGED)
    intake = Intake(bus, "TASKS", ("act-normal",), slots=1, handler=handle)
    await intake.start()
    try:
        await asyncio.wait_for(over.wait(), 20.0)
    finally:
        await intake.stop(grace=1.0)
    assert left == [1, 2, 3]
