"""`muster incidents` as people call it: what agents of triggers have found, apart from all other notes."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer
from muster_protocol.notes import Note

Muster = Callable[..., Awaitable[Any]]


def note(run: str, at: float, found: str, severity: str, agent: str = "monitor") -> Note:
    return Note(
        run=run, source=run, agent=agent, at=at, status="done", summary=f"{run} \x1b[31m{found}",
        classification=found, severity=severity,
    )  # fmt: skip


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
