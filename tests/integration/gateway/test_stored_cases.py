"""Stored cases over HTTP, against a real bus: pushed, shown, run by name, and what they cover."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from muster_bus import Rows, replay
from muster_bus.case_store import CaseStore
from muster_cases.case_library import check_case
from muster_gateway.case_routes import cut_page
from muster_protocol import codec
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.stored_cases import CaseFile
from muster_views.case_coverage import Requirement

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Desk, Web

YAML = {"Content-Type": "application/yaml"}


def case(name: str, more: str = "") -> str:
    return (
        f'name: {name}\nsuite: shop\n{more}steps:\n  - action: Run "echo hi"\n    expected: The output contains "hi"\n'
    )


async def put(web: Web, id: str, text: str, **query: str) -> tuple[int, str]:
    answer = await web.http.put(f"/cases/{id}", content=text, headers=YAML, params=query)
    return answer.status_code, answer.text


async def test_a_case_is_pushed_shown_and_run_by_name_in_the_version_that_is_asked_for(web: Web, desk: Desk, bus: Bus):
    assert (await put(web, "TC_AUTH_01", case("Log in", "covers: [REQ-7]\n"), note="begin"))[0] == 200
    assert (await put(web, "TC_AUTH_01", case("Log in again", "tags: [smoke]\n")))[0] == 200
    shown = (await web.http.get("/cases/TC_AUTH_01")).json()
    assert [(one["number"], one.get("note", "")) for one in shown["versions"]] == [(2, ""), (1, "begin")]
    assert "Log in again" in shown["text"]
    assert "covers: [REQ-7]" in (await web.http.get("/cases/TC_AUTH_01", params={"version": 1})).json()["text"]

    old = await web.http.post("/runs", json={"case": "TC_AUTH_01", "version": 1, "variables": {"a": "b"}})
    new = await web.http.post("/runs", json={"suite": "shop", "labels": {"by": "ci"}})
    assert (old.status_code, new.status_code) == (202, 202), old.text + new.text
    queued = [codec.decode(it.data, RunRequest) async for it in replay(bus, "REQUESTS", bus.names.request("*"))]
    pinned = {it.job.name: it.labels for it in queued}
    digests = {one["number"]: one["digest"][:12] for one in shown["versions"]}
    assert pinned == {
        "Log in": {"case": "TC_AUTH_01", "case_digest": digests[1]},
        "Log in again": {"case": "TC_AUTH_01", "case_digest": digests[2], "by": "ci"},
    }
    assert [it.job.variables for it in queued if isinstance(it.job, TestCase) and it.job.covers] == [{"a": "b"}]


async def test_what_cannot_be_run_is_not_stored_and_who_saw_an_older_version_is_told(web: Web):
    await put(web, "TC_1", case("One"))
    seen = (await web.http.get("/cases/TC_1")).json()["version"]["digest"]
    assert (await put(web, "TC_1", case("Two"), replaces=seen))[0] == 200
    late = await put(web, "TC_1", case("Three"), replaces=seen)
    broken = await put(web, "TC_1", "name: x\nsteps:\n  - acton: y\n")
    odd = await put(web, "TC 1", case("x"))
    assert [late[0], broken[0], odd[0]] == [409, 400, 400]
    assert "version 2 is the newest; nothing was stored" in late[1]
    assert "did you mean 'action'?" in broken[1]
    assert "Two" in (await web.http.get("/cases/TC_1")).json()["text"]


UNKNOWN: tuple[tuple[dict[str, object], str], ...] = (
    ({"case": "TC_AUTH_1"}, "did you mean 'TC_AUTH_01'?"),
    ({"suite": "shp"}, "did you mean 'shop'?"),
    ({"case": "TC_AUTH_01", "version": 9}, "it has 1 to 1"),
    ({"case": "TC_AUTH_01", "tags": ["nightly"]}, "no case of it has the tag nightly"),
    ({"case": "TC_AUTH_01", "suite": "shop"}, "either `case`"),
    ({"case": "TC_AUTH_01", "vars": {}}, "unknown key"),
)


async def test_an_unknown_name_gives_the_closest(web: Web):
    await put(web, "TC_AUTH_01", case("Log in"))
    for body, said in UNKNOWN:
        answer = await web.http.post("/runs", json=body)
        assert (answer.status_code, said in " ".join(answer.json()["reasons"])) == (400, True), answer.text


async def test_who_pushes_at_the_same_time_loses_nothing(bus: Bus):
    files = [CaseFile(name="TC_1.yaml", text=case(f"Case {number}")) for number in range(6)]
    await asyncio.gather(*(CaseStore(bus).push(*check_case(file), by=str(number)) for number, file in enumerate(files)))
    last = (await CaseStore(bus).push(*check_case(files[0]))).case
    assert sorted(one.by for one in last.versions if one.by) == ["0", "1", "2", "3", "4", "5"]
    assert [one.number for one in last.versions] == list(range(1, len(last.versions) + 1))


async def test_a_requirement_stands_as_the_newest_runs_of_its_cases_do(web: Web, bus: Bus):
    await put(web, "TC_1", case("One", "covers: [REQ-7]\n"))
    digest = (await web.http.get("/cases/TC_1")).json()["version"]["digest"][:12]
    row = RunRow(run="run-1", name="One", suite="shop", status="pass", requested_at=5.0)
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("run-1", row)
    older = (await web.http.get("/requirements/REQ-7")).json()
    await rows.put("run-1", replace(row, labels={"case_digest": digest}))
    newest = (await web.http.get("/requirements")).json()["requirements"]
    assert (older["state"], older["cases"][0]["outdated"]) == ("open", True)
    assert [(one["id"], one["state"], one["cases"][0]["run"]) for one in newest] == [("REQ-7", "passed", "run-1")]
    close = await web.http.get("/requirements/REQ-77")
    assert (close.status_code, "did you mean 'REQ-7'?" in close.text) == (404, True)
    assert (await web.http.delete("/cases/TC_1")).status_code == 204
    assert (await web.http.get("/cases")).json() == {"cases": []}


def test_a_page_begins_after_the_last_entry_of_the_one_before_whatever_was_removed_meanwhile():
    found = [Requirement(id=f"REQ-{number}", state="open", cases=()) for number in (3, 1, 5, 2, 4)]
    first, more = cut_page(found, 2, "")
    assert ([one.id for one in first], more) == (["REQ-1", "REQ-2"], "REQ-2")
    assert [one.id for one in cut_page(found[2:3], 2, more)[0]] == ["REQ-5"]
    assert cut_page(found, 3, "REQ-2")[1] == "", "the last page has no cursor"
    everything, none = cut_page(found, None, "")
    assert (len(everything), none) == (5, "")


async def test_runs_that_are_submitted_together_are_a_batch_with_an_id_of_its_own(web: Web, desk: Desk, bus: Bus):
    for number in (1, 2):
        await put(web, f"TC_{number}", case(f"Case {number}"))
    suite, again = [
        (await web.http.post("/runs", json={"suite": "shop"}, headers={"Idempotency-Key": "night-7"})).json()
        for _ in range(2)
    ]
    alone = (await web.http.post("/runs", json={"case": "TC_1"})).json()
    assert (suite["batch"], alone["batch"]) == (again["batch"], "")
    assert all(run["duplicate"] for run in again["runs"])
    shown = (await web.http.get(f"/batches/{suite['batch']}")).json()

    assert (shown["state"], shown["counts"]) == ("running", {"queued": 2})
    assert [row["run"] for row in shown["runs"]] == [run["run"] for run in suite["runs"]]
    assert (await web.http.get("/batches/batch-0")).status_code == 404
