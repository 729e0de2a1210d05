"""Streams changes of the run list as server-sent events."""

from collections.abc import AsyncGenerator
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from muster_gateway.context import MAX_CURSOR, Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import failures
from muster_gateway.relay.sockets import GLANCE_SECONDS
from muster_gateway.security.access_roles import VIEWER

_EVENTS = ResponseSpec(
    str,
    generate_examples=False,
    description="Events: `live` when all further changes will be sent, `row` with a row of the list",
    media_type="text/event-stream",
    examples=operation_docs.examples_of(operation_docs.CHANGES),
)


@get(
    "/runs/changes",
    media_type="text/event-stream",
    opt=VIEWER,
    operation_id="followRuns",
    summary="Follow the list of runs as server-sent events",
    description="An event `row` for each row that changes from now on, queued runs included, at most two a second for "
    "each run. Its `id` is a position in the list's history: send it back as `Last-Event-ID` (browsers do) or `after` "
    "to get missed changes first. Open this, wait for `live`, then read `GET /runs`.",
    responses={200: _EVENTS} | failures(400, 503),
)
async def changes(
    gateway: NamedDependency[Gateway],
    after: Annotated[int, QueryParameter(ge=0, le=MAX_CURSOR, description="Last `id` received; 0: from now")] = 0,
    last_event_id: Annotated[int | None, HeaderParameter(name="Last-Event-ID", ge=0, le=MAX_CURSOR)] = None,
) -> Stream:
    """Send rows as they change."""
    gateway.require_bus()
    rows = _event_stream(gateway, max(after, last_event_id or 0))
    first = await anext(rows)  # so that an error of the bus becomes a status, not a broken stream
    return Stream(_chain(first, rows), media_type="text/event-stream")


async def _chain(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    try:
        yield first
        async for chunk in rest:
            yield chunk
    finally:
        await rest.aclose()


async def _event_stream(gateway: Gateway, after: int) -> AsyncGenerator[bytes]:
    """Yield events, and keep-alive comments in between, until the gateway stops."""
    async with gateway.changes.client(after) as client:
        yield b'retry: 2000\nevent: live\ndata: {"cursor":%d}\nid: %d\n\n' % (client.sequence, client.sequence)
        while not gateway.stopping.is_set():
            frames = await client.next(GLANCE_SECONDS)
            yield b"\n".join(frames) + b"id: %d\n\n" % client.sequence if frames else b": still here\n\n"


HANDLERS = (changes,)
