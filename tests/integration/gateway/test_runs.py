"""Runs over HTTP, against a real bus."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from envelopes import result_of

from muster_bus import Rows, replay
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Desk, OpenRun, Web

CASE = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}
OTHER = {"type": "test_case", "name": "Sell", "steps": [{"action": "a", "expected": "b"}]}
YAML = """\
suite: shop
cases:
  - name: Buy
    tags: [smoke]
    steps:
      - action: Open "http://127.0.0.1/"
        expected: The page title is "Shop"
  - name: Sell
    steps:
      - action: Open "http://127.0.0.1/"
        expected: The page title is "Shop"
"""


async def test_a_submitted_case_is_accepted_with_its_address_and_lies_in_the_queue(web: Web, desk: Desk, bus: Bus):
    answer = await web.http.post("/runs", json={"job": CASE, "suite": "shop"})
    assert answer.status_code == 202
    run = answer.json()["run"]
    assert answer.json() == {"run": run, "duplicate": False, "runs": [{"run": run, "duplicate": False}], "batch": ""}
    assert answer.headers["location"] == f"/runs/{run}"
    queued = [message async for message in replay(bus, "REQUESTS", bus.names.request("*"))]
    assert [codec.decode(message.data, RunRequest).suite for message in queued] == ["shop"]


async def test_the_same_idempotency_key_gives_the_same_run_and_another_job_under_it_is_a_conflict(web: Web, desk: Desk):
    key = {"Idempotency-Key": "build-7"}
    first = (await web.http.post("/runs", json={"job": CASE}, headers=key)).json()
    again = await web.http.post("/runs", json={"job": CASE}, headers=key)
    assert (again.status_code, again.json()["run"], again.json()["duplicate"]) == (202, first["run"], True)
    other = await web.http.post("/runs", json={"job": OTHER}, headers=key)
    assert other.status_code == 409
    assert "exists with another job" in other.json()["reasons"][0]


async def test_an_invalid_request_is_refused_with_every_reason(web: Web, desk: Desk, bus: Bus):
    silent = {"type": "test_case", "name": "Silent", "steps": [{"action": "a ${secret:PASSWORD}"}]}
    answer = await web.http.post("/runs", json={"job": silent, "id": "no.token"})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    told = " ".join(answer.json()["reasons"])
    assert len(answer.json()["reasons"]) == 3
    assert "no.token" in told
    assert "expects nothing" in told
    assert "PASSWORD" in told
    broken = await web.http.post("/runs", content=b"{", headers={"Content-Type": "application/json"})
    assert broken.status_code == 400
    assert [message async for message in replay(bus, "REQUESTS", bus.names.request("*"))] == []


async def test_each_case_of_a_yaml_text_becomes_a_run(web: Web, desk: Desk):
    headers = {"Content-Type": "application/yaml; charset=utf-8", "Idempotency-Key": "suite-1"}
    answer = await web.http.post("/runs", content=YAML, headers=headers)
    assert answer.status_code == 202
    runs = answer.json()["runs"]
    assert len({run["run"] for run in runs}) == 2
    again = await web.http.post("/runs", content=YAML, headers=headers)
    assert [(run["run"], run["duplicate"]) for run in again.json()["runs"]] == [(run["run"], True) for run in runs]
    listed = (await web.http.get("/runs", params={"suite": "shop"})).json()["runs"]
    assert {row["name"]: row["status"] for row in listed} == {"Buy": "queued", "Sell": "queued"}


async def test_a_mistake_in_yaml_is_named_by_its_line(web: Web, desk: Desk):
    answer = await web.http.post("/runs", content="name: x\nstep: []\n", headers={"Content-Type": "text/yaml"})
    assert answer.status_code == 400
    assert any(":2:" in reason and "steps" in reason for reason in answer.json()["reasons"])


async def test_bodies_of_another_type_or_beyond_the_limit_are_refused(web: Web, desk: Desk):
    form = await web.http.post("/runs", content="job=1", headers={"Content-Type": "text/plain"})
    assert form.status_code == 415
    large = await web.http.post("/runs", content=b"x" * (2**20 + 1), headers={"Content-Type": "application/json"})
    assert large.status_code == 413

    single = b'{"job": {"name": "x", "steps": [{"action": "%s"}]}}' % (b"a" * 300_000)
    refused = await web.http.post("/runs", content=single, headers={"Content-Type": "application/json"})
    assert (refused.status_code, "the limit is 262144" in refused.json()["reasons"][0]) == (413, True)

    async def endless():
        for _ in range(40):
            yield b"x" * 65536

    chunked = await web.http.post("/runs", content=endless(), headers={"Content-Type": "application/json"})
    assert chunked.status_code == 413


async def test_a_large_text_being_read_holds_up_nobody_else(web: Web, desk: Desk):
    steps = '      - action: Click the "Save" button\n        expected: The text "Saved" is visible\n' * 20
    text = "cases:\n" + "".join(f"  - name: Case {n}\n    steps:\n{steps}" for n in range(80)) + "  - mistake: yes\n"
    reading = asyncio.create_task(web.http.post("/runs", content=text, headers={"Content-Type": "text/yaml"}))
    answered = 0
    while not reading.done():
        assert (await web.http.get("/healthz")).status_code == 200
        answered += 1
    assert (await reading).status_code == 400
    assert answered > 4


async def test_without_an_orchestrator_a_submission_is_to_be_tried_again(web: Web):
    answer = await web.http.post("/runs", json={"job": CASE})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "no orchestrator" in answer.json()["reasons"][0]


async def test_a_fleet_without_room_is_told_apart_from_a_bad_request(web: Web, desk: Desk):
    desk.refusal = "this fleet runs nothing on Sundays"
    assert (await web.http.post("/runs", json={"job": CASE})).status_code == 400
    desk.refusal, desk.kind = "stream RUNS is 94% full", "busy"
    answer = await web.http.post("/runs", json={"job": CASE})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json()["reasons"] == ["stream RUNS is 94% full"]


async def test_the_list_is_newest_first_filtered_and_paged_without_loss(web: Web, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    for n in range(25):
        status = "pass" if n % 5 else "fail"
        await rows.put(
            f"r{n}", RunRow(run=f"r{n}", name="n", status=status, suite=f"s{n % 2}", requested_at=1000.0 + n)
        )
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await web.http.get("/runs", params={"limit": 10, "cursor": cursor})).json()
        seen += [row["run"] for row in page["runs"]]
        cursor = page["cursor"]
        if not cursor:
            break
    assert seen == [f"r{n}" for n in range(24, -1, -1)]
    failed = (await web.http.get("/runs", params={"status": "fail", "suite": "s0"})).json()["runs"]
    assert [row["run"] for row in failed] == ["r20", "r10", "r0"]


async def test_a_request_published_straight_to_the_queue_is_listed_until_it_is_taken(web: Web, bus: Bus):
    await bus.store(bus.names.request("direct"), codec.encode(RunRequest(job=_case())))
    await bus.store(bus.names.request("broken"), b"{")
    listed = (await web.http.get("/runs")).json()["runs"]
    assert {(row["run"], row["status"], row["name"]) for row in listed} == {
        ("direct", "queued", "Buy"),
        ("broken", "queued", "broken"),
    }
    assert all(row["requested_at"] > 1_700_000_000 for row in listed)
    assert (await web.http.get("/runs/direct")).json()["run"]["status"] == "queued"
    await bus.js.purge_stream("REQUESTS")
    assert (await web.http.get("/runs")).json()["runs"] == []


async def test_a_run_is_shown_with_each_sub_task_as_it_stands_and_then_with_its_verdict(web: Web, open_run: OpenRun):
    run = await open_run("r1", "Log in", "Buy", "Log out")
    await run.dispatch("n0")
    await run.passed("n0")
    await run.dispatch("n1", 2)
    shown = (await web.http.get("/runs/r1")).json()
    assert shown["run"]["status"] == "running"
    assert shown["request"]["job"]["name"] == "Case r1"
    assert [(node["id"], node.get("state", "waiting"), node["description"]) for node in shown["nodes"]] == [
        ("n0", "passed", "Log in"),
        ("n1", "running", "Buy"),
        ("n2", "waiting", "Log out"),
    ]
    assert (await web.http.get("/runs/r1/verdict")).status_code == 404

    failed = result_of(task="r1.n1.1", node="n1", attempt=1, status="fail", summary="no button")
    await run.end(Verdict(run="r1", name="Case r1", status="fail", summary="no button", results=(failed,)))
    shown = (await web.http.get("/runs/r1")).json()
    assert (shown["run"]["status"], shown["verdict"]["summary"]) == ("fail", "no button")
    assert [node["state"] for node in shown["nodes"]] == ["passed", "failed", "skipped"]
    assert (await web.http.get("/runs/r1/verdict")).json()["status"] == "fail"


async def test_unknown_runs_and_ids_that_are_no_token_are_not_found(web: Web, open_run: OpenRun):
    await open_run("r1")
    for id in ("nobody", "*", ">", "r1.events", "%2A"):
        for path in ("", "/verdict", "/events", "/artifacts", "/logs"):
            assert (await web.http.get(f"/runs/{id}{path}")).status_code == 404
        assert (await web.http.post(f"/runs/{id}/cancel")).status_code == 404


async def test_a_cancellation_is_stored_once_with_its_reason_and_refused_when_the_run_is_over(
    web: Web, bus: Bus, open_run: OpenRun
):
    run = await open_run("r1")
    first, again = await asyncio.gather(
        web.http.post("/runs/r1/cancel", json={"reason": "wrong build"}), web.http.post("/runs/r1/cancel")
    )
    assert (first.status_code, again.status_code) == (202, 202)
    stored = [codec.decode(m.data, Cancel) async for m in replay(bus, "CONTROL", bus.names.control("r1"))]
    assert [control.id for control in stored] == ["cancel"]
    assert stored[0].by == "gateway"
    await run.end()
    over = await web.http.post("/runs/r1/cancel", json={})
    assert over.status_code == 409
    assert "is over (pass)" in over.json()["reasons"][0]
    assert (await web.http.post("/runs/r1/cancel", content=b"[")).status_code == 400


async def test_a_run_whose_log_is_gone_is_still_known_as_over(web: Web, bus: Bus):
    await Rows(bus, "RUN_LIST", RunRow).put("old", RunRow(run="old", name="Old", status="pass"))
    assert (await web.http.get("/runs/old")).json()["run"]["status"] == "pass"
    assert (await web.http.get("/runs/old/events")).json() == {"entries": [], "cursor": 0}
    gone = await web.http.get("/runs/old/verdict")
    assert (gone.status_code, gone.json()["reasons"]) == (404, ["run 'old' is pass: its log no longer exists"])
    assert (await web.http.post("/runs/old/cancel")).status_code == 409


async def test_events_are_passed_on_as_stored_even_those_this_version_does_not_know(
    web: Web, bus: Bus, open_run: OpenRun
):
    run = await open_run("r1")
    await bus.store(run.log.subject, b'{"epoch":1,"at":1.5,"events":[{"type":"teleported","to":"Mars"}]}')
    run.log.last = (await web.http.get("/runs/r1/events")).json()["cursor"]
    await run.end()
    entries = (await web.http.get("/runs/r1/events")).json()["entries"]
    assert [event["type"] for entry in entries for event in entry["events"]] == [
        *("run_opened", "plan_made", "teleported", "verdict_reached", "run_closed")
    ]
    begun = (await web.http.get("/runs/r1/state", params={"at": 1})).json()
    assert (begun["event"]["type"], begun["run"]["verdict"]) == ("run opened", None)
    assert (await web.http.get("/runs/r1/state", params={"at": 999})).status_code == 404
    later = (await web.http.get("/runs/r1/events", params={"after": entries[2]["sequence"]})).json()
    assert [entry["sequence"] for entry in later["entries"]] == [entry["sequence"] for entry in entries[3:]]
    assert (await web.http.get("/runs/r1")).json()["run"]["status"] == "pass"


def _case():
    return codec.decode(codec.encode({"job": CASE}), RunRequest).job
