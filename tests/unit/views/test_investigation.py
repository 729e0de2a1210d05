"""What an investigator is given of a run, and what becomes a note."""

import json

from envelopes import result_of
from msgspec.structs import replace

from muster_orchestrator.machine import Run, job_of
from muster_protocol.assignments import Found
from muster_protocol.causes import Cause
from muster_protocol.kinds import AssignOutput
from muster_protocol.notes import Note
from muster_protocol.requests import Assignment, RunRequest
from muster_protocol.verdicts import Verdict
from muster_text.request_rules import MAX_REQUEST_BYTES, find_problems
from muster_views.history import History
from muster_views.investigation import ROOM, build_investigation
from muster_views.material import Material
from muster_views.network_records import describe_console, describe_network
from muster_views.outcome import build_outcome

FAILED = Verdict(run="r1", name="Buy\nit", status="fail", cause=Cause.PRODUCT, summary="no: ${secret:PIN}")


def material(*lines: str) -> Material:
    history = History(run="r1", verdict=FAILED)
    return Material(outcome=build_outcome(history), history=history, lines=lines)


def test_each_part_has_its_room_and_the_whole_fits_into_a_request():
    huge = {"network": "n" * 100_000, "console": "c" * 100_000}
    job = build_investigation(material(*["l" * 1_000] * 500), FAILED, huge, "shop", "Is it new?")
    request = RunRequest(job=job)

    assert (job.agent, job.notes_on, job.workspace) == ("investigator", "r1", "shop")
    assert job.goal == "Find out why this run failed: Buy it\nIs it new?"
    assert {name: len(text) for name, text in job.inputs.items() if len(text) > 1_000}.keys() == {
        *("console", "network", "log")
    }
    assert all(len(text) <= ROOM[name] for name, text in job.inputs.items())
    assert find_problems(request) == ()
    assert len(json.dumps(job.inputs)) < MAX_REQUEST_BYTES


def test_of_the_network_what_failed_comes_first_with_what_was_answered():
    def exchange(status: int, text: str = "", **more: str) -> object:
        content = {"text": text, **more}
        request = {"method": "GET", "url": f"http://shop.test/{status}"}
        return {"request": request, "response": {"status": status, "content": content}}

    har = {
        "log": {"entries": [exchange(200), exchange(500, "no \x00database"), exchange(404, "AAAA", encoding="base64")]}
    }
    lines = describe_network(json.dumps(har).encode()).splitlines()

    assert lines[0] == "3 requests, 2 of them failed"
    assert [line.strip() for line in lines[1:4]] == [
        "GET http://shop.test/500 → 500",
        "no database",
        "GET http://shop.test/404 → 404",
    ]
    assert len(lines) == 8
    assert describe_network(b"{").startswith("(the HAR cannot be read: ")


def test_of_a_console_errors_alone_are_told_if_there_are_any():
    said = [{"level": "log", "text": "hello"}, {"level": "error", "text": "broken", "url": "http://a/x.js", "line": 3}]
    whole = b"\n".join(json.dumps(it).encode() for it in said)

    assert describe_console(whole + b"\n{") == "error: broken  (http://a/x.js:3)"
    assert describe_console(json.dumps(said[0]).encode()) == "log: hello"


def note_of(job: Assignment, verdict: Verdict) -> Note | None:
    run = Run(request=RunRequest(job=job), verdict=verdict)
    return job_of(run).note(run)


def test_a_note_has_only_findings_whose_quotes_were_read_and_only_an_assignment_about_a_run_makes_one():
    found = (Found(text="a", quote="x"), Found(text="b", quote="made up", unread=True))
    result = result_of("r2.assignment.1", kind="assign", status="pass", summary="why")
    result = replace(result, output=AssignOutput(findings=found))
    verdict = Verdict(run="r2", name="Why", status="done", summary="why", results=(result,), ended_at=9.0)
    asked = Assignment(goal="Why?", agent="investigator", notes_on="r1")
    note = note_of(asked, verdict)

    assert note is not None
    assert (note.key, note.agent, note.status, note.at, note.left_out) == ("r1.r2", "investigator", "done", 9.0, 1)
    assert [it.text for it in note.findings] == ["a"]
    assert note_of(Assignment(goal="Why?", agent="investigator"), verdict) is None
