"""HTTP routes for events that start runs."""

import asyncio
from collections.abc import Sequence

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import FromPath
from msgspec import Struct

from muster_client.event_sending import send_event
from muster_gateway.context import Gateway
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import media_of, object_of, taking
from muster_gateway.incoming.foreign_events import read_cloud_events, read_foreign
from muster_gateway.incoming.signatures import find_signature_problem
from muster_gateway.problem_details import AnyRequest, Refusal, service_unavailable
from muster_gateway.security.access_roles import OPEN, RUNNER, is_allowed
from muster_protocol.cloud_events import OWN, STRUCTURED, CloudEvent
from muster_protocol.errors import Busy, InvalidRequest

EXAMPLE: dict[str, object] = {
    "specversion": "1.0",
    "id": "deploy-4711",
    "source": "ci/acme/shop",
    "type": "deployment.done",
    "data": {"environment": "staging", "url": "https://shop.staging.example.com", "release": "2.14.0"},
}


class TakenEvent(Struct, frozen=True, kw_only=True):
    """An event that was stored."""

    id: str
    type: str
    source: str
    duplicate: bool
    """It was there before: same source and id."""


class TakenEvents(Struct, frozen=True, kw_only=True):
    """The events of a request."""

    events: tuple[TakenEvent, ...]


AT_ONCE = 100
"""Events that are sent before the first is known to be stored."""
MOST_REASONS = 20
TAKEN = {"events": [{"id": "deploy-4711", "type": "deployment.done", "source": "ci/acme/shop", "duplicate": False}]}


_TEXT = Schema(type=OpenAPIType.STRING)
_NEEDED = ("specversion", "id", "source", "type")
_EVENT = object_of({**dict.fromkeys((*_NEEDED, "subject"), _TEXT), "data": Schema()}, _NEEDED)


@post(
    "/events",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({STRUCTURED: media_of(_EVENT, EXAMPLE, "deployment")}),
    request_max_body_size=None,  # `_read_body` has limits of its own
    operation_id="sendEvent",
    summary="Send an event",
    description="A CloudEvent 1.0, structured or binary, or a batch. Triggers that wait for it start their runs. "
    "The same source and id count once.",
    responses=success(TakenEvents, 202, "Stored for the triggers", TAKEN) | failures(400, 413, 503),
)
async def send(request: AnyRequest, gateway: NamedDependency[Gateway]) -> Response[TakenEvents]:
    """Store the events in the body."""
    body = await _read_body(request, gateway.settings.max_event_body_bytes)
    return await _store(gateway, read_cloud_events(_headers(request), body))


@post(
    "/events/{sender:str}",
    opt=OPEN,
    status_code=202,
    request_max_body_size=None,  # `_read_body` has limits of its own
    operation_id="sendForeignEvent",
    summary="Send a signed webhook as an event",
    description="A webhook of GitHub, GitLab, Alertmanager, Grafana or any other system, with a key of role runner "
    "or signed with the sender's secret in EVENT_SECRETS. The source of its events begins with the sender's name.",
    responses=success(TakenEvents, 202, "Stored for the triggers", TAKEN) | failures(400, 413, 503),
)
async def send_foreign(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    sender: FromPath[str],
) -> Response[TakenEvents]:
    """Store the events that a sender's webhook tells."""
    caller = request.scope.get("auth")
    has_key = caller is not None and is_allowed(caller.role, "runner")
    limits = gateway.settings
    body = await _read_body(request, limits.max_event_body_bytes if has_key else limits.max_body_bytes)
    headers, secrets, now = _headers(request), gateway.senders.get(sender), gateway.bus.clock.now()
    if not has_key and (why := find_signature_problem(secrets, headers, body, now)):
        raise Refusal(401, why)
    return await _store(gateway, read_foreign(sender, headers, body))


def _headers(request: AnyRequest) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


async def _read_body(request: AnyRequest, most: int) -> bytes:
    """Return the body; who has shown no key is not worth much memory, so `most` depends on who asks.

    Raises:
        Refusal: 413, it has more bytes than `most`.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Refusal(413, f"the body is too large, the limit is {most:,} bytes; send its events in several")
    return bytes(body)


async def _store(gateway: Gateway, events: tuple[CloudEvent, ...]) -> Response[TakenEvents]:
    gateway.require_bus()
    if own := [event.type for event in events if event.type.startswith(OWN)]:
        raise Refusal(400, f"type {own[0]!r}: only the fleet itself sends events whose type begins with {OWN!r}")
    taken: list[TakenEvent] = []
    refused: list[str] = []
    for start in range(0, len(events), AT_ONCE):
        for result in await _send_all(gateway, events[start : start + AT_ONCE]):
            taken += [result] if isinstance(result, TakenEvent) else []
            refused += result.reasons if isinstance(result, InvalidRequest) else []
    if refused:
        more = [f"{len(refused) - MOST_REASONS} more are refused"] if len(refused) > MOST_REASONS else []
        stored = [f"the other {len(taken)} events are stored"] if taken else []
        raise Refusal(413, *refused[:MOST_REASONS], *more, *stored)
    return Response(TakenEvents(events=tuple(taken)), status_code=202)


async def _send_all(gateway: Gateway, events: Sequence[CloudEvent]) -> list[TakenEvent | InvalidRequest]:
    """Send events at the same time; return what became of each.

    Raises:
        Refusal: 503, the fleet takes none now.
    """
    results = await asyncio.gather(*(send_event(gateway.bus, event) for event in events), return_exceptions=True)
    told: list[TakenEvent | InvalidRequest] = []
    for event, result in zip(events, results, strict=True):
        if isinstance(result, bool):
            told.append(TakenEvent(id=event.id, type=event.type, source=event.source, duplicate=not result))
        elif isinstance(result, InvalidRequest):
            told.append(result)
        elif isinstance(result, Busy):
            raise service_unavailable(f"{result}; sending the same again is safe") from result
        else:
            raise result
    return told


HANDLERS = (send, send_foreign)
