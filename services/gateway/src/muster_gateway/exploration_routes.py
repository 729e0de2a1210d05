"""The HTTP route for explorations."""

from typing import Any

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency

from muster_client.batches import with_labels
from muster_gateway.context import Gateway
from muster_gateway.description.operation_docs import ACCEPTED, failures
from muster_gateway.description.request_bodies import JSON, media_of, taking
from muster_gateway.fleet.device_routes import with_lease
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import IdempotencyKey, answer_submitted, read_body, submit_all
from muster_gateway.views import Submitted
from muster_protocol.codec import decode_asked

_EXPLORATION = {"type": "exploration", "url": "https://shop.example", "max_steps": 200}


@post(
    "/explorations",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of("Exploration", _EXPLORATION, "shop", "A shop")}),
    operation_id="submitExploration",
    summary="Explore an app",
    description="JSON with the fields of an exploration, such as `url` and `max_steps`. Its map is the artifact "
    "`map/map.json` of the run. The same `Idempotency-Key` always names the same run.",
    responses=ACCEPTED | failures(400, 409, 413, 503),
)
async def submit_exploration(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    idempotency_key: IdempotencyKey = "",
) -> Response[Submitted]:
    """Submit an exploration."""
    body, prefix = wrapped(await request.body()), gateway.settings.muster_prefix
    requests = await gateway.parse_in_thread(read_body, JSON, body, idempotency_key, prefix)
    gateway.require_bus()
    runs = await submit_all(gateway.bus, with_lease(with_labels(requests, request.auth.labels), request.auth))
    return answer_submitted(runs)


def wrapped(body: bytes) -> bytes:
    """Return the fields of an exploration as a run request in JSON.

    Raises:
        Refusal: the body is no JSON object.
    """
    try:
        fields = decode_asked(body, dict[str, Any])
    except msgspec.DecodeError as error:
        why = f'the body must be a JSON object, such as {{"url": "https://shop.example"}}: {error}'
        raise Refusal(400, why) from error
    return msgspec.json.encode({"job": {**fields, "type": "exploration"}})


HANDLERS = (submit_exploration,)
