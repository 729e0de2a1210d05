"""What outside systems post, as events: CloudEvents, and webhooks of GitHub, GitLab, Alertmanager, Grafana. Pure."""

import hashlib
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import parse_qs

import msgspec
from msgspec.structs import replace

from muster_client.event_rules import BATCH, decode_sent, read_event
from muster_protocol.cloud_events import STRUCTURED, CloudEvent
from muster_protocol.errors import InvalidRequest

MOST_EVENTS = 200
"""In one batch; alerts are as many as fit into a body, as their sender does not try again."""
FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 100
"""Of a form."""

LONGEST_TEXT = 300
"""Of an event's id, source and type."""

Fields = dict[str, Any]


def read_cloud_events(headers: Mapping[str, str], body: bytes) -> tuple[CloudEvent, ...]:
    """Return the CloudEvents in a request, at least one: structured, binary, or a batch; `headers` in lower case.

    Raises:
        InvalidRequest: there is none.
    """
    if not headers.get("content-type", "").startswith(BATCH):
        return (read_event(body, headers),)
    events = decode_sent(body, tuple[CloudEvent, ...], "this is no batch of CloudEvents 1.0")
    if not 1 <= len(events) <= MOST_EVENTS:
        raise InvalidRequest([f"the body has {len(events)} events; send 1 to {MOST_EVENTS}"])
    return events


def read_foreign(sender: str, headers: Mapping[str, str], body: bytes) -> tuple[CloudEvent, ...]:
    """Return the events in a request of a sender; the source of each begins with the sender's name.

    Raises:
        InvalidRequest: the body is no JSON object, or has no event.
    """
    if "ce-specversion" in headers or headers.get("content-type", "").startswith((STRUCTURED, BATCH)):
        events = read_cloud_events(headers, body)
        return tuple(replace(event, source=_source(sender, event.source)[:LONGEST_TEXT]) for event in events)
    fields = decode_sent(_payload(headers, body), Fields, "the body is not a JSON object")
    if "x-github-event" in headers:
        return (_from_github(sender, headers, body, fields),)
    if "x-gitlab-event" in headers:
        return (_from_gitlab(sender, headers, body, fields),)
    if "alerts" in fields and ("groupKey" in fields or str(fields.get("version")) == "4"):
        return _from_alerts(sender, body, fields)
    id = headers.get("webhook-id") or headers.get("muster-delivery") or headers.get("idempotency-key")
    return (_event(sender, id or _digest(body), "webhook", "", fields),)


def _payload(headers: Mapping[str, str], body: bytes) -> bytes:
    """Return the JSON in a body: all of it, or the field `payload` of a form, which is GitHub's default.

    curl calls whatever it sends a form unless it is told otherwise.
    """
    if not headers.get("content-type", "").startswith(FORM) or body.lstrip().startswith(b"{"):
        return body
    try:
        found = parse_qs(body, max_num_fields=MOST_FIELDS).get(b"payload", [])
    except ValueError as error:
        raise InvalidRequest([f"the form cannot be read: {error}"]) from error
    if len(found) != 1:
        raise InvalidRequest(["a form needs one field `payload` with JSON; or send JSON as application/json"])
    return found[0]


def _from_github(sender: str, headers: Mapping[str, str], body: bytes, fields: Fields) -> CloudEvent:
    event, action = headers["x-github-event"], _text(fields, "action")
    kind = f"github.{event}{f'.{action}' if action else ''}"
    id = headers.get("x-github-delivery") or _digest(body)
    source = _source(sender, _text(fields, "repository", "full_name"))
    ref = _text(fields, "ref") or _text(fields, "deployment", "ref") or _text(fields, event, "head_branch")
    return _event(source, id, kind, ref, fields)


def _from_gitlab(sender: str, headers: Mapping[str, str], body: bytes, fields: Fields) -> CloudEvent:
    kind = _text(fields, "object_kind") or headers["x-gitlab-event"].lower().replace(" ", "_")
    status = _text(fields, "object_attributes", "status") or _text(fields, "status") or _text(fields, "build_status")
    # Before 17.4 there is no Idempotency-Key, and all events that one request causes have the same UUID.
    id = headers.get("idempotency-key") or f"{headers.get('x-gitlab-event-uuid', '')}/{_digest(body)}"
    source = _source(sender, _text(fields, "project", "path_with_namespace"))
    ref = _text(fields, "object_attributes", "ref") or _text(fields, "ref")
    return _event(source, id, f"gitlab.{kind}{f'.{status}' if status else ''}", ref, fields)


def _from_alerts(sender: str, body: bytes, group: Fields) -> tuple[CloudEvent, ...]:
    """Return the alerts of a notification (https://prometheus.io/docs/alerting/latest/configuration), as Grafana sends
    it, too; if its sender has left some out, one more event tells so."""
    alerts: object = group["alerts"]
    if not isinstance(alerts, list) or not all(isinstance(it, dict) for it in cast("list[object]", alerts)):
        raise InvalidRequest(["alerts: it must be a list of objects, as in the webhooks of Alertmanager"])
    source = _source(sender, _text(group, "receiver"))
    events = [_from_alert(source, group, alert) for alert in cast("list[Fields]", alerts)]
    left_out = group.get("truncatedAlerts")
    if isinstance(left_out, int) and left_out > 0:
        told = {name: value for name, value in group.items() if name != "alerts"}
        events.append(_event(source, _digest(body), "alert.truncated", _text(group, "groupKey"), told))
    if not events:
        raise InvalidRequest(["alerts: there is none"])
    return tuple(events)


def _from_alert(source: str, group: Fields, alert: Fields) -> CloudEvent:
    status = _text(alert, "status") or _text(group, "status") or "unknown"
    begun, name = _text(alert, "startsAt"), _text(alert, "labels", "alertname")
    fingerprint = _text(alert, "fingerprint") or _digest(msgspec.json.encode(alert.get("labels"), order="sorted"))
    since = begun or _digest(msgspec.json.encode(alert, order="sorted"))
    return replace(_event(source, f"{fingerprint}/{since}/{status}", f"alert.{status}", name, alert), time=begun[:100])


def _source(sender: str, place: str) -> str:
    return f"{sender}/{place}" if place else sender


def _event(source: str, id: str, kind: str, subject: str, data: Fields) -> CloudEvent:
    id = id if len(id) <= LONGEST_TEXT else _digest(id.encode())  # the beginning of two ids may be the same
    source, kind, subject = source[:LONGEST_TEXT], kind[:LONGEST_TEXT], subject[:1000]
    return CloudEvent(specversion="1.0", id=id, source=source, type=kind, subject=subject, data=data)


def _text(fields: Fields, *path: str) -> str:
    """Return a text in JSON; empty if there is none."""
    value: Any = fields
    for name in path:
        value = cast("Fields", value).get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
