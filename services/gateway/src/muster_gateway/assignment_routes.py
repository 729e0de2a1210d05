"""HTTP route for assignments: goals for agents."""

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from msgspec.structs import replace

from muster_client.batches import with_labels
from muster_gateway.context import Gateway
from muster_gateway.description.operation_docs import ACCEPTED, failures
from muster_gateway.description.request_bodies import JSON, media_of, taking
from muster_gateway.problem_details import AnyRequest
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import IdempotencyKey, answer_submitted, submit_all
from muster_gateway.views import Submitted
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment, RunRequest
from muster_text.request_rules import check_size, find_problems

_ASSIGNMENT: dict[str, object] = {
    "type": "assignment",
    "goal": "Where are errors of the database handled?",
    "agent": "researcher",
    "workspace": "shop",
    "budget": {"calls": 15},
}


@post(
    "/assignments",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of("Assignment", _ASSIGNMENT)}),
    operation_id="submitAssignment",
    summary="Give a goal to an agent",
    description="The assignment becomes a run, which ends `done` or `failed` and is never counted as a test. The same "
    "`Idempotency-Key` always names the same run. `Location` is the address of the run.",
    responses=ACCEPTED | failures(400, 409, 413, 503),
)
async def submit_assignment(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    idempotency_key: IdempotencyKey = "",
) -> Response[Submitted]:
    """Submit an assignment."""
    wanted = _read_assignment(await request.body(), gateway.settings.muster_prefix)
    gateway.require_bus()
    asked = replace(wanted, idempotency_key=idempotency_key)
    runs = await submit_all(gateway.bus, with_labels((asked,), request.auth.labels))
    return answer_submitted(runs)


def _read_assignment(body: bytes, prefix: str) -> RunRequest:
    """Return the request for an assignment in JSON. Pure.

    Raises:
        TooLarge, InvalidRequest: it cannot be read or run.
    """
    check_size(len(body))
    try:
        request = RunRequest(job=codec.decode_asked(body, Assignment))
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the assignment cannot be read: {error}"]) from error
    if reasons := find_problems(request, prefix):
        raise InvalidRequest(reasons)
    return request


HANDLERS = (submit_assignment,)
