"""The fleet over HTTP: suites, workers, queues, sessions, dead letters, and cases that are only read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from envelopes import a_task

from muster_bus import Rows
from muster_bus.dead_letter_store import DeadLetter, bury, settle_letter
from muster_protocol import codec
from muster_protocol.dead_letter_requests import SettleDead
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow

if TYPE_CHECKING:
    from nats.aio.msg import Msg

    from muster_bus import Bus

    from .conftest import Desk, Web

REQUEST = RunRequest(job=TestCase(name="Buy", steps=(Step(action="a", expected="b"),)), id="r9")
YAML = 'name: Buy\nsteps:\n  - action: Open "http://127.0.0.1/"\n    expect: nothing\n'
GHERKIN = """\
Feature: Shop
  Scenario: Buy
    When Open "http://127.0.0.1/"
    Then The page title is "Shop"
"""
MARKDOWN = '# Buy\n\n1. Open "http://127.0.0.1/"\n   - Expected: The page title is "Shop"\n'


async def test_suites_count_the_newest_run_of_each_case(web: Web, bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    stored = (("a", "Buy", "fail", 1.0), ("b", "Buy", "pass", 2.0), ("c", "Sell", "fail", 3.0), ("d", "x", "paused", 4))
    for run, name, status, at in stored:
        row = {"run": run, "name": name, "status": status, "suite": "" if run == "d" else "shop", "requested_at": at}
        await rows.put(run, codec.decode(codec.encode(row), RunRow))
    shown = (await web.http.get("/suites")).json()["suites"]
    assert [suite["name"] for suite in shown] == ["", "shop"]
    counts = {name: shown[1][name] for name in ("runs", "cases", "passed", "failed", "running")}
    assert counts == {"runs": 3, "cases": 2, "passed": 1, "failed": 1, "running": 0}
    assert shown[1]["newest"]["run"] == "c"
    assert shown[0]["running"] == 1


async def test_workers_and_sessions_that_have_gone_silent_are_marked(web: Web, bus: Bus):
    now = time.time()
    for id, seen in (("w1", now), ("w2", now - 60)):
        row = WorkerRow(id=id, service="subagent", host="h", pid=1, version="0", slots={"act": 2}, seen_at=seen)
        await Rows(bus, "WORKERS", WorkerRow).put(id, row)
    await Rows(bus, "SESSIONS", SessionRow).put(
        "r1.main", SessionRow(run="r1", name="main", host="h1", opened_at=now, seen_at=now - 60)
    )
    workers = (await web.http.get("/workers")).json()["workers"]
    assert {one["id"]: one["stale"] for one in workers if one["service"] == "subagent"} == {"w1": False, "w2": True}
    assert {one["id"]: one["slots"] for one in workers}["w1"] == {"act": 2}
    (session,) = (await web.http.get("/sessions")).json()["sessions"]
    assert (session["run"], session["host"], session["stale"]) == ("r1", "h1", True)


async def test_queues_show_what_waits_and_for_how_long_and_streams_how_full_they_are(web: Web, bus: Bus, desk: Desk):
    for number in range(3):
        task = a_task(id=f"r1.n{number}.1", run="r1", node=f"n{number}", attempt=1, dispatch=1)
        await bus.store(bus.names.tasks("act", "normal"), codec.encode(task))
    shown = (await web.http.get("/queues")).json()
    queues = {one["name"]: one for one in shown["queues"]}
    assert {"runs", "act-normal", "act-high", "think-normal"} <= queues.keys()
    assert queues["act-normal"]["pending"] == 3
    assert 0 < queues["act-normal"]["oldest_seconds"] < 60
    assert queues["act-high"]["pending"] == queues["act-high"]["oldest_seconds"] == 0
    streams = {one["name"]: one for one in shown["streams"]}
    assert streams["TASKS"]["messages"] == 3
    assert streams["LOGS"]["max_bytes"] > 0
    await bus.js.delete_consumer("TASKS", "act-high")
    missing = {one["name"]: one["problem"] for one in (await web.http.get("/queues")).json()["queues"]}
    assert "muster provision" in missing["act-high"]
    assert missing["act-normal"] == ""


async def test_a_queue_is_as_old_as_what_nobody_has_taken_whatever_is_in_work(web: Web, bus: Bus):
    async def shown() -> tuple[int, int, float]:
        (queue,) = [one for one in (await web.http.get("/queues")).json()["queues"] if one["name"] == "act-normal"]
        return queue["pending"], queue["ack_pending"], queue["oldest_seconds"]

    async def store(node: str) -> None:
        task = a_task(id=f"r1.{node}.1", run="r1", node=node, attempt=1, dispatch=1)
        await bus.store(bus.names.tasks("act", "normal"), codec.encode(task))

    await store("taken")
    pulling = await bus.js.pull_subscribe_bind("act-normal", "TASKS")
    (taken,) = await pulling.fetch(1, timeout=20)
    assert await shown() == (0, 1, 0.0)
    storing = time.time()
    await store("waiting")
    pending, in_work, oldest = await shown()
    assert (pending, in_work) == (1, 1)
    assert 0 < oldest <= time.time() - storing + 0.02 < time.time() - taken.metadata.timestamp.timestamp() + 0.02
    await pulling.unsubscribe()


@pytest.fixture
async def letters(bus: Bus) -> list[int]:
    """Put three requests aside: one that can be run, one that cannot, and one nobody knows."""
    good, bad = codec.encode(REQUEST), b'{"job":{}} \xff'
    for key, subject, data in (("1", "muster.requests.r9", good), ("2", "muster.requests.r8", bad), ("3", "x", b"y")):
        stream = "OTHER" if key == "3" else "REQUESTS"
        letter = DeadLetter(stream=stream, subject=subject, reason=f"reason {key}", history=("h",), key=key, data=data)
        await bury(bus, letter)
    return [1, 2, 3]


async def test_dead_letters_are_listed_newest_first_page_by_page_and_shown_with_their_message(
    web: Web, letters: list[int]
):
    first = (await web.http.get("/dead?limit=2")).json()
    assert [one["id"] for one in first["letters"]] == [3, 2]
    rest = (await web.http.get(f"/dead?limit=2&cursor={first['cursor']}")).json()
    assert ([one["id"] for one in rest["letters"]], rest["cursor"]) == ([1], "")
    assert [one["has_run"] for one in first["letters"]] == [False, False], "what was never accepted is no run"
    shown = (await web.http.get("/dead/2")).json()
    assert (shown["reason"], shown["run"], shown["history"]) == ("reason 2", "r8", ["h"])
    assert shown["data"] == '{"job":{}} \\xff'
    for path in ("/dead/4", "/dead/99999999"):
        assert (await web.http.get(path)).status_code == 404
    for path in ("/dead/0", "/dead?cursor=x", "/dead?cursor=-1", "/dead?cursor=99999999999999999999", "/dead?limit=0"):
        assert (await web.http.get(path)).status_code == 400, path


async def test_dead_letters_are_put_back_once_or_refused_with_the_reason_and_dropped(
    web: Web, letters: list[int], bus: Bus
):
    assert "no orchestrator answers" in (await web.http.post("/dead/1/replay")).text

    async def answer(message: Msg) -> None:
        await bus.respond(message, await settle_letter(bus, codec.decode(message.data, SettleDead)))

    await bus.nc.subscribe(bus.names.dead_letters, cb=answer)
    await bus.nc.flush()
    replayed = await web.http.post("/dead/1/replay")
    assert (replayed.status_code, replayed.json()) == (200, {"id": 1, "subject": "muster.requests.r9"})
    queued = await bus.js.get_last_msg("REQUESTS", "muster.requests.r9")
    assert codec.decode(queued.data or b"", RunRequest).job == REQUEST.job
    assert (await web.http.post("/dead/1/replay")).status_code == 404
    broken = await web.http.post("/dead/2/replay")
    assert broken.status_code == 409
    assert "cannot be read" in broken.json()["reasons"][0]
    assert (await web.http.post("/dead/3/replay")).status_code == 409
    assert (await web.http.delete("/dead/3")).status_code == 204
    assert (await web.http.delete("/dead/3")).status_code == 404
    assert [one["id"] for one in (await web.http.get("/dead")).json()["letters"]] == [2]


async def test_cases_are_read_in_every_form_with_the_place_of_each_problem_and_nothing_is_stored(web: Web, bus: Bus):
    async def validated(kind: str, text: str) -> dict[str, Any]:
        answer = await web.http.post("/cases/validate", content=text, headers={"Content-Type": kind})
        assert answer.status_code == 200, answer.text
        return answer.json()

    for kind, text in (("text/x-gherkin", GHERKIN), ("text/markdown; charset=utf-8", MARKDOWN)):
        shown = await validated(kind, text)
        assert (shown["valid"], shown["problems"], shown["unread"]) == (True, [], [])
        assert '"action":"Open \\"http://127.0.0.1/\\""' in codec.encode(shown["cases"]).decode()
    odd = await validated("text/markdown", MARKDOWN.replace("Open ", "Make the best of "))
    assert (odd["valid"], len(odd["unread"])) == (True, 1), "it can be run, by a model"
    assert odd["unread"][0].startswith("step 1: ")
    wrong = await validated("application/yaml", YAML)
    assert wrong["valid"] is False
    assert wrong["problems"] == [
        {"message": "unknown key 'expect' in a step; did you mean 'expected'?", "line": 4, "column": 5}
    ]
    broken = await validated("application/json", '{"job":\n  {x}}')
    assert codec.encode(broken["problems"]).decode().endswith('"line":2,"column":4}]')
    assert (await web.http.post("/cases/validate", content="x")).status_code == 415
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 0


async def test_gherkin_and_markdown_are_run_as_they_are_written(web: Web, desk: Desk):
    for kind, text in (("text/x-gherkin", GHERKIN), ("text/markdown", MARKDOWN)):
        answer = await web.http.post("/runs", content=text, headers={"Content-Type": kind})
        assert answer.status_code == 202, answer.text
        shown = (await web.http.get(answer.headers["location"])).json()
        assert shown["request"]["job"]["steps"][0]["expected"] == 'The page title is "Shop"'
