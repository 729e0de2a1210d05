"""Posted events: only those of a known sender, and what each system's webhook says."""

import base64
import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode

import pytest

from muster_gateway.incoming.foreign_events import FORM, MOST_EVENTS, read_cloud_events, read_foreign
from muster_gateway.incoming.signatures import WAYS, find_signature_problem, read_senders
from muster_gateway.webhooks.webhook_rules import sign
from muster_protocol.errors import InvalidRequest
from muster_service.settings import SettingsError

SECRET = "a-secret-of-the-sender"
BODY = b'{"a": 1}'
NOW = 1_800_000_000


def github(secret: str = SECRET, body: bytes = BODY) -> dict[str, str]:
    return {"x-hub-signature-256": f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"}


def standard(key: bytes = SECRET.encode(), at: int = NOW, id: str = "msg_1", body: bytes = BODY) -> dict[str, str]:
    made = base64.b64encode(hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()).decode()
    return {"webhook-id": id, "webhook-timestamp": str(at), "webhook-signature": f"v1,AAAA v1,{made}"}


def own(secret: str = SECRET, at: int = NOW) -> dict[str, str]:
    return {"muster-signature": sign(BODY, ("other-secret-of-ours", secret), at)}


@pytest.mark.parametrize(
    "headers",
    [
        github(),
        {"x-gitlab-token": SECRET},
        standard(),
        own(),
        own() | github(),
    ],
)
def test_what_a_sender_has_signed_is_taken(headers: dict[str, str]) -> None:
    assert find_signature_problem(SECRET, headers, BODY, NOW + 1) == ""


def test_a_standard_secret_is_base64_behind_its_prefix() -> None:
    secret = f"whsec_{base64.b64encode(b'32 random bytes').decode()}"
    assert find_signature_problem(secret, standard(b"32 random bytes"), BODY, NOW) == ""


@pytest.mark.parametrize(
    "headers",
    [
        github("another-secret-here"),
        github(body=b'{"a": 2}'),
        {"x-hub-signature-256": ""},
        {"x-gitlab-token": ""},
        {"x-gitlab-token": SECRET + "x"},
        standard(at=NOW - 301),
        standard(at=NOW + 302),
        standard() | {"webhook-id": "msg_2"},
        standard() | {"webhook-id": ""},
        standard() | {"webhook-timestamp": "now"},
        own(at=NOW - 301),
        own("another-secret-here"),
        {"muster-signature": "t=,v1="},
        {"muster-signature": "v1=00"},
        github() | {"x-gitlab-token": "wrong"},
    ],
)
def test_what_is_wrong_old_or_changed_is_refused(headers: dict[str, str]) -> None:
    assert "not valid for this sender" in find_signature_problem(SECRET, headers, BODY, NOW)


def test_who_signs_nothing_is_told_how_and_who_is_unknown_learns_nothing_else() -> None:
    assert find_signature_problem(SECRET, {}, BODY, NOW) == WAYS
    assert find_signature_problem(None, {}, BODY, NOW) == WAYS
    empty = hmac.new(b"", BODY, hashlib.sha256).hexdigest()
    unknown = find_signature_problem(None, {"x-hub-signature-256": f"sha256={empty}"}, BODY, NOW)
    assert unknown == find_signature_problem(SECRET, github("wrong"), BODY, NOW)


def test_senders_are_read_from_the_setting_and_a_secret_is_never_shown() -> None:
    assert read_senders("") == {}
    assert read_senders("github=0123456789abcdef, ci=fedcba9876543210=") == {
        "github": "0123456789abcdef",
        "ci": "fedcba9876543210=",
    }
    for wrong in ("github", "github=short", "=0123456789abcdef", "a/b=0123456789abcdef", "a=0123456789abcdef," * 2):
        with pytest.raises(SettingsError, match=r"EVENT_SECRETS`: entry \d") as refused:
            read_senders(wrong)
        assert "0123456789abcdef" not in str(refused.value)


def one(headers: dict[str, str], body: object) -> Any:
    (event,) = read_foreign("hub", headers, json.dumps(body).encode())
    return event


REPOSITORY = {"full_name": "acme/shop"}


@pytest.mark.parametrize(
    ("event", "body", "kind", "subject"),
    [
        ("push", {"ref": "refs/heads/main"}, "push", "refs/heads/main"),
        (
            "workflow_run",
            {"action": "completed", "workflow_run": {"head_branch": "main", "conclusion": "failure"}},
            "workflow_run.completed",
            "main",
        ),
        (
            "deployment_status",
            {"action": "created", "deployment": {"ref": "main"}, "deployment_status": {"state": "success"}},
            "deployment_status.created",
            "main",
        ),
        ("ping", {"zen": "Keep it logically awesome.", "hook_id": 1}, "ping", ""),
    ],
)
def test_an_event_of_github_as_json_or_as_a_form(event: str, body: dict[str, Any], kind: str, subject: str) -> None:
    told = {**body, "repository": REPOSITORY}
    headers = {"x-github-event": event, "x-github-delivery": "d-1"}
    found = one(headers, told)
    assert (found.source, found.id, found.type) == ("hub/acme/shop", "d-1", f"github.{kind}")
    assert (found.subject, found.data) == (subject, told)
    form = urlencode({"payload": json.dumps(told)}).encode()
    assert read_foreign("hub", {**headers, "content-type": FORM}, form) == (found,)


PROJECT = {"path_with_namespace": "acme/shop"}
PIPELINE = {"object_kind": "pipeline", "object_attributes": {"status": "success", "ref": "main"}, "project": PROJECT}
JOB = {"object_kind": "build", "build_status": "failed", "ref": "main", "project": PROJECT}
DEPLOYMENT = {"object_kind": "deployment", "status": "running", "ref": "main", "project": PROJECT}


@pytest.mark.parametrize(
    ("body", "kind"),
    [(PIPELINE, "pipeline.success"), (JOB, "build.failed"), (DEPLOYMENT, "deployment.running")],
)
def test_an_event_of_gitlab(body: dict[str, Any], kind: str) -> None:
    event = one({"x-gitlab-event": "Some Hook", "idempotency-key": "k-1", "x-gitlab-event-uuid": "u-1"}, body)
    assert (event.source, event.id, event.type) == ("hub/acme/shop", "k-1", f"gitlab.{kind}")
    assert (event.subject, event.data) == ("main", body)


def test_two_events_that_one_request_to_an_old_gitlab_causes_are_two() -> None:
    headers = {"x-gitlab-event": "Some Hook", "x-gitlab-event-uuid": "u-1"}
    assert one(headers, PIPELINE).key == one(headers, PIPELINE).key != one(headers, JOB).key


def alert(name: str, status: str) -> dict[str, Any]:
    return {"status": status, "labels": {"alertname": name}, "startsAt": "2026-11-25T01:00:00Z", "fingerprint": name}


def test_each_alert_of_a_notification_is_an_event_and_the_same_alert_the_same() -> None:
    body = {"version": "4", "receiver": "muster", "alerts": [alert("ShopDown", "firing"), alert("Slow", "resolved")]}
    events = read_foreign("prometheus", {}, json.dumps(body).encode())
    assert [(it.type, it.subject, it.source) for it in events] == [
        ("alert.firing", "ShopDown", "prometheus/muster"),
        ("alert.resolved", "Slow", "prometheus/muster"),
    ]
    again = read_foreign("prometheus", {}, json.dumps({**body, "groupKey": "x"}).encode())
    assert [it.key for it in again] == [it.key for it in events]
    assert events[0].key != events[1].key


def grouped(*alerts: object, **more: object) -> bytes:
    """A notification, as Alertmanager documents it."""
    group = {"version": "4", "groupKey": '{}:{alertname="ShopDown"}', "receiver": "muster", "status": "firing"}
    return json.dumps({**group, "truncatedAlerts": 0, "alerts": alerts, **more}).encode()


def test_a_notification_of_hundreds_of_alerts_is_taken_as_its_sender_does_not_try_again() -> None:
    events = read_foreign("prometheus", {}, grouped(*(alert(f"a{n}", "firing") for n in range(MOST_EVENTS * 3))))
    assert len({event.key for event in events}) == MOST_EVENTS * 3


def test_alerts_that_their_sender_has_left_out_are_an_event() -> None:
    body = grouped(alert("ShopDown", "firing"), truncatedAlerts=7)
    _, left_out = read_foreign("prometheus", {}, body)
    assert (left_out.type, left_out.source) == ("alert.truncated", "prometheus/muster")
    assert (left_out.data["truncatedAlerts"], "alerts" in left_out.data) == (7, False)
    assert left_out.key == read_foreign("prometheus", {}, body)[1].key


def test_an_alert_that_fires_again_is_another_even_without_optional_fields() -> None:
    first, second = alert("ShopDown", "firing"), alert("ShopDown", "firing") | {"startsAt": "2026-11-26T01:00:00Z"}
    bare = [{"labels": {"alertname": "ShopDown"}, "annotations": {"at": at}} for at in ("08:00", "09:00")]
    keys = [it.key for it in read_foreign("prometheus", {}, grouped(first, second, *bare, first))]
    assert len(set(keys[:4])) == 4
    assert keys[4] == keys[0]


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b'{"env": "stage", "env": "prod"}'),
        ("application/json", b'{"push": [{"env": "stage", "env": "prod"}]}'),
        (
            "application/cloudevents+json",
            b'{"specversion":"1.0","id":"1","source":"a","type":"t","data":{"env":1,"env":2}}',
        ),
        ("application/cloudevents+json", b'{"specversion":"1.0","id":"1","source":"a","type":"t","type":"u"}'),
        ("application/cloudevents-batch+json", b'[{"specversion":"1.0","id":"1","source":"a","type":"t","type":"u"}]'),
    ],
)
def test_an_event_with_a_key_twice_is_refused_as_its_sender_may_mean_the_other_value(content_type: str, body: bytes):
    with pytest.raises(InvalidRequest, match=r"env|type") as caught:
        read_foreign("ci", {"content-type": content_type}, body)
    assert "twice" in str(caught.value)


def test_alerts_of_grafana_are_alerts_whatever_their_version_says() -> None:
    events = read_foreign("grafana", {}, grouped(alert("ShopDown", "firing"), version="1", orgId=1, title="[FIRING:1]"))
    assert [event.type for event in events] == ["alert.firing"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (grouped(), "there is none"),
        (grouped(alert("ShopDown", "firing"), 3), "a list of objects"),
        (json.dumps({"version": "4", "alerts": {}}).encode(), "a list of objects"),
        (b'{"version": "4", "alerts": [{"labels": {"a": "\xff"}}]}', "(?i)utf-8"),
        (b'{"a": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "nested too deeply"),
    ],
)
def test_a_notification_that_cannot_be_read_whole_is_refused_and_says_why(body: bytes, why: str) -> None:
    with pytest.raises(InvalidRequest, match=why):
        read_foreign("prometheus", {}, body)


@pytest.mark.parametrize("form", [b"", b"a=1", b"payload=%7B%7D&payload=%7B%7D", b"&".join([b"a=1"] * 200)])
def test_a_form_needs_one_payload(form: bytes) -> None:
    with pytest.raises(InvalidRequest, match="form"):
        read_foreign("hub", {"content-type": FORM}, form)


def test_json_that_curl_calls_a_form_is_json() -> None:
    assert one({"content-type": FORM}, {"a": "b&payload=c"}).data == {"a": "b&payload=c"}


def test_long_ids_that_begin_alike_are_not_the_same() -> None:
    events = [one({"webhook-id": "x" * 400 + end}, {}) for end in "ab"]
    assert events[0].key != events[1].key
    assert all(len(event.id) <= 300 for event in events)


def test_a_cloud_event_of_a_sender_cannot_name_the_source_of_another() -> None:
    body = {"specversion": "1.0", "id": "1", "source": "github/acme", "type": "x"}
    assert one({"content-type": "application/cloudevents+json; charset=utf-8"}, body).source == "hub/github/acme"


def test_any_other_webhook_is_an_event_with_its_body_as_data() -> None:
    event = one({"muster-delivery": "run-1.ab"}, {"event": "verdict", "status": "fail"})
    assert (event.type, event.id, event.source) == ("webhook", "run-1.ab", "hub")
    assert one({}, {"a": 1}).key == one({}, {"a": 1}).key != one({}, {"a": 2}).key


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff", b'{"version": "4", "alerts": []}', b'{"version": 4, "alerts": [1]}']
)
def test_a_body_without_an_event_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read_foreign("hub", {}, body)


def test_a_batch_has_at_least_one_event_and_not_too_many() -> None:
    event = {"specversion": "1.0", "id": "1", "source": "a", "type": "b"}
    headers = {"content-type": "application/cloudevents-batch+json"}
    assert len(read_cloud_events(headers, json.dumps([event, event]).encode())) == 2
    for count in (0, MOST_EVENTS + 1):
        with pytest.raises(InvalidRequest, match=f"has {count} events"):
            read_cloud_events(headers, json.dumps([event] * count).encode())
