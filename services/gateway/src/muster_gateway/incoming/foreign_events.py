"""What outside systems post, as events: CloudEvents, and the webhooks of GitHub, GitLab and Alertmanager. Pure."""

import hashlib
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from muster_client.event_rules import BATCH, read_event
from muster_protocol.cloud_events import STRUCTURED, CloudEvent
from muster_protocol.errors import InvalidRequest

MOST_EVENTS = 200
"""In one request."""

Fields = dict[str, Any]


def read_cloud_events(headers: Mapping[str, str], body: bytes) -> tuple[CloudEvent, ...]:
    """Return the CloudEvents in a request, at least one: structured, binary, or a batch; `headers` in lower case.

    Raises:
        InvalidRequest: there is none.
    """
    if not headers.get("content-type", "").startswith(BATCH):
        return (read_event(body, headers),)
    try:
        events = msgspec.json.decode(body, type=tuple[CloudEvent, ...])
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"this is no batch of CloudEvents 1.0: {error}"]) from error
    return _limited(events)


def read_foreign(sender: str, headers: Mapping[str, str], body: bytes) -> tuple[CloudEvent, ...]:
    """Return the events in a request of a sender; the source of each begins with the sender's name.

    Raises:
        InvalidRequest: the body is no JSON object, or has no event.
    """
    if "ce-specversion" in headers or headers.get("content-type", "").startswith((STRUCTURED, BATCH)):
        events = read_cloud_events(headers, body)
        return tuple(replace(event, source=_source(sender, event.source)[:300]) for event in events)
    try:
        fields = msgspec.json.decode(body, type=Fields)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the body is no JSON object: {error}"]) from error
    if "x-github-event" in headers:
        return (_from_github(sender, headers, body, fields),)
    if "x-gitlab-event" in headers:
        return (_from_gitlab(sender, headers, body, fields),)
    if str(fields.get("version")) == "4" and isinstance(fields.get("alerts"), list):
        return _limited(tuple(_from_alert(sender, fields, alert) for alert in _objects(fields["alerts"])))
    id = headers.get("webhook-id") or headers.get("muster-delivery") or headers.get("idempotency-key")
    return (_event(sender, id or _digest(body), "webhook", "", fields),)


def _from_github(sender: str, headers: Mapping[str, str], body: bytes, fields: Fields) -> CloudEvent:
    action = _text(fields, "action")
    kind = f"github.{headers['x-github-event']}{f'.{action}' if action else ''}"
    id = headers.get("x-github-delivery") or _digest(body)
    source = _source(sender, _text(fields, "repository", "full_name"))
    return _event(source, id, kind, _text(fields, "ref"), fields)


def _from_gitlab(sender: str, headers: Mapping[str, str], body: bytes, fields: Fields) -> CloudEvent:
    kind = _text(fields, "object_kind") or headers["x-gitlab-event"].lower().replace(" ", "_")
    status = _text(fields, "object_attributes", "status") or _text(fields, "status")
    id = headers.get("idempotency-key") or headers.get("x-gitlab-event-uuid") or _digest(body)
    source = _source(sender, _text(fields, "project", "path_with_namespace"))
    return _event(source, id, f"gitlab.{kind}{f'.{status}' if status else ''}", _text(fields, "ref"), fields)


def _from_alert(sender: str, group: Fields, alert: Fields) -> CloudEvent:
    """Return one alert of a notification (version 4 of https://prometheus.io/docs/alerting/latest/configuration)."""
    status = _text(alert, "status") or _text(group, "status") or "unknown"
    begun, name = _text(alert, "startsAt"), _text(alert, "labels", "alertname")
    fingerprint = _text(alert, "fingerprint") or _digest(msgspec.json.encode(alert.get("labels"), order="sorted"))
    source = _source(sender, _text(group, "receiver"))
    event = _event(source, f"{fingerprint}/{begun}/{status}", f"alert.{status}", name, alert)
    return replace(event, time=begun[:100])


def _source(sender: str, place: str) -> str:
    return f"{sender}/{place}" if place else sender


def _event(source: str, id: str, kind: str, subject: str, data: Fields) -> CloudEvent:
    return CloudEvent(
        specversion="1.0", id=id[:300], source=source[:300], type=kind[:300], subject=subject[:1000], data=data
    )


def _limited(events: tuple[CloudEvent, ...]) -> tuple[CloudEvent, ...]:
    if not 1 <= len(events) <= MOST_EVENTS:
        raise InvalidRequest([f"the body has {len(events)} events; send 1 to {MOST_EVENTS}"])
    return events


def _objects(values: list[Any]) -> list[Fields]:
    return [cast("Fields", value) for value in values if isinstance(value, dict)]


def _text(fields: Fields, *path: str) -> str:
    """Return a text in JSON; empty if there is none."""
    value: Any = fields
    for name in path:
        value = cast("Fields", value).get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
