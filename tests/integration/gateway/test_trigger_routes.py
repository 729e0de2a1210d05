"""Triggers over HTTP, against a real bus: listed, paused, resumed, fired; and events that only the fleet may send."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from muster_client import trigger_store
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Schedule, Trigger

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Web


async def test_a_trigger_is_shown_paused_resumed_and_fired_and_an_unknown_one_gives_the_closest(web: Web, bus: Bus):
    runs = (RunRequest(job=Drill(name="a drill")),)
    await trigger_store.put_trigger(bus, Trigger(id="nightly", schedule=Schedule(cron="0 2 * * *"), runs=runs))
    (listed,) = (await web.http.get("/triggers")).json()["triggers"]
    assert (listed["starts"], listed["cases"], len(listed["next"])) == ("0 2 * * * (UTC)", ["a drill"], 10)
    paused = (await web.http.post("/triggers/nightly/pause")).json()
    assert (paused["paused"], paused.get("next", [])) == (True, [])
    assert "paused" not in (await web.http.post("/triggers/nightly/resume")).json()
    fired = await web.http.post("/triggers/nightly/fire")
    assert (fired.status_code, fired.json()["pending"]) == (202, True)
    assert (await trigger_store.get_trigger(bus, "nightly")).asked_at > 0
    for answer in (await web.http.get("/triggers/nigtly"), await web.http.post("/triggers/nigtly/fire")):
        assert (answer.status_code, "did you mean 'nightly'?" in answer.text) == (404, True)


async def test_times_that_have_passed_are_asked_for_by_the_same_rules_as_by_command(web: Web, bus: Bus):
    runs = (RunRequest(job=Drill(name="a drill")),)
    await trigger_store.put_trigger(bus, Trigger(id="nightly", schedule=Schedule(cron="0 2 * * *"), runs=runs))

    async def ask(trigger: str = "nightly", **span: str) -> tuple[int, str]:
        answer = await web.http.post(f"/triggers/{trigger}/backfill", json=span)
        return answer.status_code, answer.text

    night = {"from": "2026-03-01T00:00:00", "to": "2026-03-02T04:00:00+02:00"}
    status, text = await ask(**night)
    assert (status, '"pending":true' in text) == (202, True)
    asked = (await trigger_store.get_trigger(bus, "nightly")).backfill
    assert [datetime.fromtimestamp(due, UTC).isoformat() for due in asked] == [
        "2026-03-01T02:00:00+00:00",
        "2026-03-02T02:00:00+00:00",
    ]
    for given, why in (
        ({"from": "2026-03-01T03:00:00", "to": "2026-03-01T04:00:00"}, "none of its times"),
        ({"from": "2024-03-01T03:00:00", "to": "2026-03-01T04:00:00"}, "more than 100 of its times"),
        ({"from": "2026-03-01T03:00:00", "to": "2999-03-01T04:00:00"}, "the times must be over"),
        ({"from": "yesterday", "to": "2026-03-01T04:00:00"}, "invalid body"),
        ({"since": "2026-03-01T03:00:00"}, "invalid body"),
    ):
        status, text = await ask(**given)
        assert (status, why in text) == (400, True), text
    status, text = await ask("nigtly", **night)
    assert (status, "did you mean" in text) == (404, True)


async def test_nobody_else_sends_an_event_of_the_fleet(web: Web, bus: Bus):
    event = {"specversion": "1.0", "id": "1", "source": "muster", "type": "muster.run.ended"}
    answer = await web.http.post("/events", json=event, headers={"Content-Type": "application/cloudevents+json"})
    assert answer.status_code == 400
    assert "only the fleet itself sends events" in answer.text
    assert (await bus.js.stream_info("EVENTS")).state.messages == 0
