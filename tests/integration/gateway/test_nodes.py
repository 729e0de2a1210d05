"""A sub-task over HTTP: its attempts, calls, replies and evidence, from the run's log and its journals."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from envelopes import a_task, result_of

from muster_bus import Log, Rows
from muster_bus.artifact_store import put_artifact
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import PlanMade, SubTaskDispatched, SubTaskEnded, VerdictReached
from muster_protocol.facts import Evidence
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalBatch,
    JournalEntry,
    ModelReplied,
    Question,
    Suspended,
    Taken,
)
from muster_protocol.logs import RunRow
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.tool_calls import ArtifactRef, ToolCall, ToolOutcome, Usage
from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import OpenRun, Web

EXPECTED = 'The page title is "Demo ${shop}" and the URL contains "/login"'
TITLE, URL = 'The page title is "Demo ${shop}"', 'the URL contains "/login"'
PICTURE = ArtifactRef(name="r1/n1.1/page.png", sha256="0" * 64, size=3, content_type="image/png")
TASK = a_task(
    id="r1.n1.1",
    run="r1",
    node="n1",
    attempt=1,
    dispatch=1,
    description="Open the shop",
    expected_result=EXPECTED,
    values={"shop": "shop"},
)
RESULT = result_of(
    task="r1.n1.1",
    node="n1",
    attempt=1,
    status="fail",
    summary="the title is wrong",
    worker="w2",
    cause=Cause.PRODUCT,
    failure=Failure.EXPECTATION_FALSE,
    last_act=0,
    usage=Usage(calls=3, model_calls=1, input_tokens=40, output_tokens=2, cost=0.5),
    evidence=(
        Evidence(
            clause=URL,
            check="expect_url",
            arguments='{"text": "/login"}',
            call=1,
            passed=True,
            by="phrase",
            about="address",
            relation="ends",
            wanted=("/login",),
        ),
        Evidence(
            clause=TITLE,
            check="expect_title",
            arguments='{"text": "Demo shop"}',
            call=2,
            passed=False,
            seen="Error",
            artifacts=(PICTURE,),
        ),
    ),
)
ASKS = Question(id="r1.n1.1:7", text="Which code?")
STORED = 1_700_000_000.0
"""When the queue message was stored: the same for each delivery."""
JOURNAL: tuple[tuple[JournalEntry, ...], ...] = (
    (Taken(worker="w1", message=1, delivery=1, at=STORED),),
    (
        CallStarted(
            index=0,
            call=ToolCall(tool="browser_navigate", arguments={"url": "http://127.0.0.1/${secret:X}"}),
            effect="idempotent",
        ),
    ),
    (Taken(worker="w2", message=1, delivery=2, at=STORED),),
    (Suspended(waits=ASKS, message=1),),
    (Taken(worker="w2", message=9, delivery=1, at=STORED),),
    (
        ModelReplied(
            index=0,
            reply='{"text": "I look", "calls": [{"function": {"name": "expect_title", "arguments": "{}"}}]}',
            input_tokens=40,
        ),
    ),
    (
        CallStarted(
            index=2,
            call=ToolCall(tool="expect_title", arguments={"text": "Demo shop"}, clause=TITLE),
            effect="check",
        ),
    ),
    (
        CallFinished(
            index=2,
            outcome=ToolOutcome(
                status="failed",
                text="no",
                where="http://127.0.0.1/login",
                duration_ms=12.5,
                artifacts=(PICTURE,),
            ),
        ),
        Finished(outcome=RESULT),
    ),
)


@pytest.fixture
async def run(bus: Bus, open_run: OpenRun) -> None:
    """Store a run whose only sub-task was taken over, asked a question, and failed."""
    log = await open_run("r1")
    await log.append(PlanMade(plan=Plan(nodes=(PlanNode(id="n1", description="Open", expected_result=EXPECTED),))))
    await log.append(SubTaskDispatched(sub_task=TASK))
    journal = Log(bus, "JOURNAL", bus.names.journal("r1.n1.1"))
    for entries in JOURNAL:
        await journal.append(JournalBatch(entries=entries))
    await log.append(SubTaskEnded(outcome=RESULT))
    verdict = Verdict(
        run="r1", name="r1", status="fail", cause=Cause.PRODUCT, summary="no", failed_node="n1", results=(RESULT,)
    )
    await log.append(VerdictReached(verdict=verdict))


async def test_a_run_shows_of_each_sub_task_what_it_spent_who_took_it_over_and_what_is_proven(run: None, web: Web):
    node = (await web.http.get("/runs/r1")).json()["nodes"][-1]
    assert (node["id"], node["state"], node["takeovers"]) == ("n1", "failed", 1)
    assert node["usage"] == {
        "calls": 3,
        "model_calls": 1,
        "input_tokens": 40,
        "output_tokens": 2,
        "cost": 0.5,
        "seconds": 0.0,
    }
    assert node["artifacts"] == ["n1.1/page.png"]
    title, url = node["clauses"]
    assert (title["text"], title["state"], title["literals"]) == (
        TITLE,
        "refuted",
        ["Demo ${shop}", "Demo shop"],
    )
    assert title["evidence"][0]["artifacts"] == ["n1.1/page.png"]
    assert (url["text"], url["state"]) == (URL, "proven")
    assert "lacks" not in url


async def test_a_sub_task_shows_its_takers_calls_replies_and_notes_in_order(run: None, web: Web):
    answer = (await web.http.get("/runs/r1/nodes/n1")).json()
    assert answer["node"]["takeovers"] == 1
    (attempt,) = answer["attempts"]
    assert [taker["worker"] for taker in attempt["takers"]] == ["w1", "w2", "w2"]
    moments = attempt["moments"]
    assert [one["kind"] for one in moments] == ["call", "note", "note", "note", "reply", "call"]
    lost, taken, note, again, reply, check = moments
    assert (lost["tool"], lost["status"]) == ("browser_navigate", "unknown")
    assert lost["arguments"] == {"url": "http://127.0.0.1/${secret:X}"}
    assert (check["number"], check["status"], check["duration_ms"]) == (2, "failed", 12.5)
    assert (check["url"], check["clause"]) == ("http://127.0.0.1/login", TITLE)
    assert check["artifacts"] == ["n1.1/page.png"]
    assert lost["started_at"] <= check["started_at"] <= check["ended_at"]
    assert (reply["text"], reply["calls"]) == ("I look", [{"tool": "expect_title", "arguments": {}}])
    assert (note["about"], note["text"]) == ("suspended", "Asked a person: Which code?")
    assert (taken["text"], taken["bad"]) == (
        "Taken over by w2 (delivery 2); finished calls are not repeated",
        True,
    )
    assert again["text"] == "Continued by w2"
    assert attempt["result"]["summary"] == "the title is wrong"


async def test_journals_are_read_as_they_are_stored_and_page_by_page(run: None, web: Web):
    first = (await web.http.get("/runs/r1/journal?limit=5")).json()
    rest = (await web.http.get(f"/runs/r1/journal?node=n1&attempt=1&after={first['cursor']}")).json()
    assert (first["more"], rest["more"]) == (True, False)
    kinds = [entry["type"] for page in (first, rest) for one in page["messages"] for entry in one["entries"]]
    assert kinds[0] == "taken"
    assert kinds[-2:] == ["call_finished", "finished"]
    assert len(kinds) == 9
    assert (await web.http.get("/runs/r1/journal?attempt=2")).json()["messages"] == []


async def test_names_that_are_no_tokens_reach_no_subject(run: None, web: Web):
    for path in ("/runs/r1/nodes/*", "/runs/r1/nodes/>", "/runs/r1/nodes/n1.1", "/runs/r1/nodes/n2", "/runs/*/journal"):
        assert (await web.http.get(path)).status_code == 404, path
    for node in ("*", ">", "n1.1", "a b"):
        assert (await web.http.get("/runs/r1/journal", params={"node": node})).status_code == 400


async def test_a_run_that_is_over_has_a_report_in_every_form(run: None, web: Web, bus: Bus):
    await put_artifact(bus, "r1/n1.1/page.png", b"\x89PNG", "image/png")
    await put_artifact(bus, "r1/checkpoint/main.json", b"{}", "application/json")  # cookies: nobody's to read
    page = await web.http.get("/runs/r1/report")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["content-disposition"].startswith('attachment; filename="report-r1.html"')
    assert "the title is wrong" in page.text
    assert 'src="data:image/png;base64,iVBORw=="' in page.text
    assert "index.html" not in page.text
    archive = zipfile.ZipFile(io.BytesIO((await web.http.get("/runs/r1/report?format=zip")).content))
    names = {name.partition("/")[2] for name in archive.namelist()}
    assert names == {"index.html", "log.txt", "verdict.json", "journals.jsonl", "artifacts/n1.1/page.png"}
    told = (await web.http.get("/runs/r1/report?format=json")).json()
    assert (told["totals"]["product"], told["runs"][0]["step"]) == (1, "sub-task 1: Open")
    junit = await web.http.get("/runs/r1/report?format=junit")
    assert junit.headers["content-type"] == "application/xml"
    assert ET.fromstring(junit.content).attrib["failures"] == "1"
    assert (await web.http.get("/runs/r1/report?format=pdf")).status_code == 400


async def test_a_run_under_way_has_no_report_and_a_suite_tells_it_as_skipped(
    run: None, web: Web, bus: Bus, open_run: OpenRun
):
    await open_run("r2")
    refused = await web.http.get("/runs/r2/report")
    assert (refused.status_code, "no verdict yet" in refused.text) == (409, True)
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("r1", RunRow(run="r1", name="one", status="fail", suite="shop", requested_at=1.0))
    await rows.put("r2", RunRow(run="r2", name="two", status="running", suite="shop", requested_at=2.0))
    totals = (await web.http.get("/suites/shop/report?format=json")).json()["totals"]
    assert (totals["runs"], totals["product"], totals["without_verdict"]) == (2, 1, 1)
    junit = ET.fromstring((await web.http.get("/suites/shop/report")).content)
    assert (junit.attrib["tests"], junit.attrib["skipped"]) == ("2", "1")
    assert [it.attrib["message"] for it in junit.iter("skipped")] == ["the run is in progress, 0 of 0 sub-tasks passed"]
    assert (await web.http.get("/suites/none/report")).status_code == 404


async def test_a_suite_with_a_slash_in_its_name_is_reported_and_run_again_by_its_name_in_the_query(
    run: None, web: Web, bus: Bus
):
    await Rows(bus, "RUN_LIST", RunRow).put("r1", RunRow(run="r1", name="one", status="pass", suite="shop/cart"))
    told = await web.http.get("/suites/report", params={"suite": "shop/cart", "format": "json"})
    assert told.json()["totals"]["runs"] == 1
    again = await web.http.post("/suites/rerun-failed", params={"suite": "shop/cart"})
    assert (again.status_code, again.json()) == (202, {"runs": []})
    assert (await web.http.get("/suites/report")).status_code == 400
    assert (await web.http.get("/suites/report", params={"suite": "shop"})).status_code == 404
