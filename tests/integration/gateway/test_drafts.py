"""Drafts over HTTP, against a real bus: asked for as an assignment, and read as a case file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from envelopes import result_of

from muster_authoring.case_draft import draft_assignment
from muster_bus import replay
from muster_protocol import codec
from muster_protocol.events import RunOpened
from muster_protocol.kinds import AssignOutput
from muster_protocol.requests import Assignment, RunRequest
from muster_protocol.verdicts import Verdict

from .conftest import Run

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Desk, OpenRun, Web

STEPS = [{"action": 'Open "http://127.0.0.1/"', "expected": 'The page title is "Shop"'}]
WANTED = {"instructions": "A visitor opens the shop", "url": "http://127.0.0.1/"}


async def begun(bus: Bus, id: str) -> Run:
    run = Run(bus, id)
    request = RunRequest(id=id, job=draft_assignment("Open the shop"), requested_at=time.time())
    await run.append(RunOpened(request=request, owner="o", message=1, delivery=1))
    return run


async def drafted(run: Run, output: Any) -> None:
    result = result_of(f"{run.id}.assignment.1", status="pass", summary="drafted", output=AssignOutput(output=output))
    await run.end(Verdict(run=run.id, name="d", status="done", summary="drafted", results=(result,)))


async def test_a_draft_is_asked_for_as_an_assignment_and_runs_nothing(web: Web, desk: Desk, bus: Bus):
    answer = await web.http.post("/drafts", json=WANTED)
    assert answer.status_code == 202
    [queued] = [codec.decode(it.data, RunRequest) async for it in replay(bus, "REQUESTS", bus.names.request("*"))]
    assert isinstance(queued.job, Assignment)
    assert (queued.job.agent, queued.job.deliverable, queued.job.url) == ("drafter", "case", "http://127.0.0.1/")
    assert queued.job.name == "A visitor opens the shop"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "instructions"),
        ({"instructions": " "}, "Say it in a sentence or two"),
        (WANTED | {"url": "ftp://x"}, "url must be an http"),
        (WANTED | {"material": "x" * 20_001}, "give the part that matters"),
        (WANTED | {"run": True}, "run"),
    ],
)
async def test_what_cannot_be_drafted_is_refused(web: Web, desk: Desk, body: dict[str, Any], said: str):
    answer = await web.http.post("/drafts", json=body)
    assert answer.status_code == 400
    assert said in answer.json()["reasons"][0]


async def test_a_draft_is_read_as_a_case_file_once_it_is_there(web: Web, bus: Bus):
    run = await begun(bus, "draft-1")
    early = await web.http.get("/drafts/draft-1")
    await drafted(run, {"name": "Shop", "steps": STEPS, "questions": ["Which shop?"]})
    found = (await web.http.get("/drafts/draft-1")).json()

    assert early.status_code == 409
    assert (found["status"], found["questions"], found["faults"]) == ("done", ["Which shop?"], [])
    assert yaml.safe_load(found["case"]) == {"name": "Shop", "steps": STEPS}


async def test_what_is_no_case_is_a_failed_draft_with_its_faults(web: Web, bus: Bus):
    run = await begun(bus, "draft-2")
    await drafted(run, {"name": "Shop", "steps": [{"action": 'Open "${base}"', "expected": 'The text "A" is visible'}]})
    found = (await web.http.get("/drafts/draft-2")).json()
    assert found["status"] == "failed"
    assert "nothing is known by the name ${base}" in found["faults"][0]


async def test_a_run_that_drafts_nothing_has_no_draft(web: Web, open_run: OpenRun):
    await open_run("case-1")
    answer = await web.http.get("/drafts/case-1")
    assert (answer.status_code, answer.json()["reasons"]) == (404, ["run 'case-1' is not a draft of a case"])
