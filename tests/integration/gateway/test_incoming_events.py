"""Events over HTTP: stored once for the triggers, from callers with a key or from senders who sign."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING

from muster_client.event_rules import read_event
from muster_client.event_sending import MOST_BYTES
from muster_gateway.security.api_keys import HEADER, build_stored_key, format_line, make_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from muster_bus import Bus

    from .conftest import Web

SECRET = "a-secret-of-the-sender"
EVENT = {"specversion": "1.0", "id": "4711", "source": "ci/acme/shop", "type": "deployment.done", "data": {"a": 1}}
STRUCTURED = {"Content-Type": "application/cloudevents+json"}


async def stored(bus: Bus) -> list[tuple[str, str, object]]:
    """Return subject, source and data of the events in the queue."""
    name = bus.names.stream("EVENTS")
    state = (await bus.js.stream_info(name)).state
    numbers = range(state.first_seq, state.last_seq + 1) if state.messages else ()
    found = [await bus.js.get_msg(name, seq=number) for number in numbers]
    events = [(it.subject or "", read_event(it.data or b"", {})) for it in found]
    return [(subject, event.source, event.data) for subject, event in events]


async def test_an_event_is_stored_once(web: Web, bus: Bus):
    first = await web.http.post("/events", content=json.dumps(EVENT), headers=STRUCTURED)
    again = await web.http.post("/events", content=json.dumps(EVENT), headers=STRUCTURED)
    taken = {"id": "4711", "type": "deployment.done", "source": "ci/acme/shop"}
    assert (first.status_code, first.json()) == (202, {"events": [{**taken, "duplicate": False}]})
    assert again.json()["events"][0]["duplicate"] is True
    assert await stored(bus) == [("muster.events.deployment.done", "ci/acme/shop", {"a": 1})]


async def test_attributes_may_be_headers_and_a_type_any_text(web: Web, bus: Bus):
    headers = {f"ce-{name}": str(value) for name, value in EVENT.items() if name != "data"}
    headers |= {"ce-type": "a b.>.*", "Content-Type": "application/json"}
    assert (await web.http.post("/events", content='{"b": 2}', headers=headers)).status_code == 202
    assert await stored(bus) == [("muster.events.a_b._._", "ci/acme/shop", {"b": 2})]


async def test_what_is_no_event_or_too_large_is_refused(web: Web, bus: Bus):
    answer = await web.http.post("/events", content="{}", headers=STRUCTURED)
    assert (answer.status_code, "no CloudEvent 1.0" in answer.json()["reasons"][0]) == (400, True)
    large = json.dumps({**EVENT, "data": "x" * 600_000})
    answer = await web.http.post("/events", content=large, headers=STRUCTURED)
    assert (answer.status_code, "the limit is" in answer.json()["reasons"][0]) == (413, True)
    assert await stored(bus) == []


async def test_one_alert_that_is_too_large_loses_none_of_the_others(web: Web, bus: Bus):
    alerts = [{"status": "firing", "labels": {"alertname": name}} for name in ("One", "Two", "Three")]
    alerts[1]["annotations"] = {"text": "x" * 300_000}
    body = {"version": "4", "groupKey": "x", "alerts": alerts}
    answer = await web.http.post("/events/alertmanager", json=body)
    assert (answer.status_code, "bytes, the limit is" in answer.json()["reasons"][0]) == (413, True)
    assert answer.json()["reasons"][1] == "the other 2 events are stored"
    assert [data for _, _, data in await stored(bus)] == [alerts[0], alerts[2]]


async def test_a_storm_of_alerts_in_one_body_is_stored_whole(web: Web, bus: Bus):
    texts = {"description": "x" * 1_500}
    alerts = [{"status": "firing", "labels": {"number": str(at)}, "annotations": texts} for at in range(2_000)]
    body = json.dumps({"version": "4", "groupKey": "x", "alerts": alerts})
    assert len(body) > 3 * 1024 * 1024
    answer = await web.http.post("/events/alertmanager", content=body)
    assert (answer.status_code, len(answer.json()["events"])) == (202, 2_000)
    state = (await bus.js.stream_info(bus.names.stream("EVENTS"))).state
    assert state.messages == 2_000
    again = await web.http.post("/events/alertmanager", content=body)
    assert all(event["duplicate"] for event in again.json()["events"])


async def test_only_who_has_a_key_may_send_much(
    serve: Callable[..., AbstractAsyncContextManager[Web]], bus: Bus, tmp_path: Path
):
    key = make_key()
    (tmp_path / "keys").write_text(f"{HEADER}\n{format_line(build_stored_key('ci', 'runner', key, 1))}\n")
    alerts = [{"status": "firing", "labels": {"number": str(at)}} for at in range(100)]
    body = {"version": "4", "alerts": alerts}
    settings = {"max_body_bytes": 2_000, "max_event_body_bytes": 20_000, "event_secrets": f"hub={SECRET}"}
    runner = {"Authorization": f"Bearer {key}"}
    async with serve(api_keys_file=str(tmp_path / "keys"), **settings) as web:
        anyone = await web.http.post("/events/hub", json=body, headers={"X-Hub-Signature-256": "sha256=0"})
        assert (anyone.status_code, "the limit is 2,000" in anyone.json()["reasons"][0]) == (413, True)
        assert (await web.http.post("/events/hub", json=body, headers=runner)).status_code == 202
        large = {**body, "alerts": alerts * 10}
        assert (await web.http.post("/events/hub", json=large, headers=runner)).status_code == 413
        assert (await web.http.post("/runs", json=body, headers=runner)).status_code == 413


async def test_the_largest_event_is_stored(web: Web, bus: Bus):
    room = MOST_BYTES - len(json.dumps({**EVENT, "data": ""}, separators=(",", ":")))
    answers = [
        await web.http.post("/events", content=json.dumps({**EVENT, "data": "x" * size}), headers=STRUCTURED)
        for size in (room + 1, room)
    ]
    assert [answer.status_code for answer in answers] == [413, 202]
    assert len(await stored(bus)) == 1


async def test_a_sender_needs_its_signature_and_no_key(
    serve: Callable[..., AbstractAsyncContextManager[Web]], bus: Bus, tmp_path: Path
):
    keys = {"reader": make_key(), "ci": make_key()}
    lines = [
        format_line(build_stored_key("reader", "viewer", keys["reader"], 1)),
        format_line(build_stored_key("ci", "runner", keys["ci"], 1)),
    ]
    (tmp_path / "keys").write_text("\n".join([HEADER, *lines, ""]))
    body = json.dumps({"repository": {"full_name": "acme/shop"}, "ref": "main"}).encode()
    signed = f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}"
    headers = {"X-GitHub-Event": "push", "X-GitHub-Delivery": "d-1", "X-Hub-Signature-256": signed}
    async with serve(event_secrets=f"hub={SECRET}", api_keys_file=str(tmp_path / "keys")) as web:
        assert (await web.http.post("/events/hub", content=body, headers=headers)).status_code == 202
        for path, changed in (
            ("/events/hub", {"X-Hub-Signature-256": signed[:-1] + "0"}),
            ("/events/other", {}),
            ("/events", {}),
        ):
            answer = await web.http.post(path, content=body, headers=headers | changed)
            assert answer.status_code == 401, path
        viewer = {"Authorization": f"Bearer {keys['reader']}"}
        assert (await web.http.post("/events", content=json.dumps(EVENT), headers=viewer)).status_code == 403
        runner = {"Authorization": f"Bearer {keys['ci']}"}
        alerts = {"version": "4", "alerts": [{"status": "firing", "labels": {"alertname": "ShopDown"}}]}
        assert (await web.http.post("/events/hub", content=json.dumps(alerts), headers=runner)).status_code == 202
    assert [subject for subject, _, _ in await stored(bus)] == [
        "muster.events.github.push",
        "muster.events.alert.firing",
    ]
