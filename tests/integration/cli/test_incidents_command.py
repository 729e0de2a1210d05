"""`muster incidents` as people call it: what agents of triggers have found, apart from all other notes."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer
from muster_client.watch_requests import build_watch
from muster_orchestrator.machine import Run, job_of
from muster_protocol.cloud_events import EventFilter
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict

Muster = Callable[..., Awaitable[Any]]


def note(run: str, at: float, found: str, severity: str, agent: str = "monitor") -> Note:
    return Note(
        run=run, source=run, agent=agent, at=at, status="done", summary=f"{run} \x1b[31m{found}",
        classification=found, severity=severity,
    )  # fmt: skip


def note_of(watch: RunRequest, verdict: Verdict) -> Note | None:
    run = Run(request=watch, verdict=verdict)
    return job_of(run).note(run)


async def test_incidents_are_listed_newest_first_and_other_notes_are_no_incidents(
    muster: Muster, server: NatsServer, bus: Bus
):
    at = ("--nats", server.url)
    nothing = await muster("incidents", *at)
    assert (nothing.code, nothing.out.startswith("no incidents; `muster triggers push`")) == (0, True)

    notes = Rows(bus, "NOTES", Note)
    for one in (
        note("run-noise", 3.0, "noise", "none"),
        note("run-analysed", 4.0, "flaky", "", "arithmetic"),
        note("run-why", 5.0, "", "", "investigator"),
    ):
        await notes.put(one.key, one)
    assert (await muster("incidents", *at)).out == "no incidents; `--all` lists 1 other finding\n"

    for one in (note("run-old", 1.0, "incident", "low"), note("run-new", 2.0, "incident", "critical")):
        await notes.put(one.key, one)
    listed, everything = await muster("incidents", "--json", *at), await muster("incidents", "--all", "--json", *at)
    shown = await muster("incidents", *at)

    assert [it["run"] for it in json.loads(listed.out)] == ["run-new", "run-old"]
    assert [it["run"] for it in json.loads(everything.out)] == ["run-noise", "run-new", "run-old"]
    assert "critical" in shown.out
    assert "\x1b[31m" not in shown.out


async def test_what_nobody_could_look_at_is_listed_with_the_incidents(muster: Muster, server: NatsServer, bus: Bus):
    watch = build_watch("shop", "monitor", EventFilter(type="alert.firing"))
    result = SubTaskResult(task="t", node="assign", attempt=1, status="fail", summary="no model is set at the workers")
    verdict = Verdict(
        run="run-blind", name="x", status="failed", summary=result.summary, results=(result,), ended_at=9.0
    )
    made = note_of(watch, verdict)
    assert made is not None
    await Rows(bus, "NOTES", Note).put(made.key, made)
    (listed,) = json.loads((await muster("incidents", "--json", "--nats", server.url)).out)
    found = (listed["run"], listed["status"], listed["classification"], listed["severity"], listed["summary"])
    assert found == ("run-blind", "failed", "unclear", "unknown", "no model is set at the workers")
    given_up = note_of(watch, Verdict(run="run-lost", name="x", status="failed", summary="given up"))
    assert given_up is not None
    assert (given_up.classification, given_up.summary) == ("unclear", "given up")
