"""Routes for the log of one run, over WebSocket or as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from typing import Annotated

import structlog
from litestar import get, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream

from muster_bus.store_answers import BUS_ERRORS
from muster_gateway import metrics
from muster_gateway.context import MAX_CURSOR, Gateway
from muster_gateway.description.operation_docs import failures
from muster_gateway.relay.feed import End, Feed, FellBehind, Item
from muster_gateway.relay.lines import Filter, Line, parse_filter
from muster_gateway.relay.sockets import (
    BAD_REQUEST,
    FAULT,
    GLANCE_SECONDS,
    TRY_AGAIN,
    Close,
    CursorText,
    Kinds,
    LeastLevel,
    Socket,
    Sources,
    close,
    parse_cursor,
    serve,
)
from muster_gateway.security.access_roles import VIEWER
from muster_gateway.views import EndFrame
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest

log = structlog.get_logger("muster.gateway")

KEEPALIVE_SECONDS = 15.0
UNKNOWN_RUN = 4404
"""WebSocket close code."""
BEHIND = "too slow: reconnect with ?after=<cursor of your last frame>"


def encode_frame(item: Item) -> bytes:
    """Return a line or the end as JSON. Pure."""
    if isinstance(item, End):
        return codec.encode(EndFrame(end=True, status=item.status, cause=item.cause))
    return item.data


@websocket("/runs/{run:str}/logs", opt=VIEWER)
async def follow(
    *,
    socket: Socket,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    after: CursorText = None,
    source: Sources = None,
    kind: Kinds = None,
    level: LeastLevel = "",
) -> None:
    """Send a run's lines after a cursor, stored and live, one JSON text frame each, until the run is over."""
    await socket.accept()
    try:
        lines, begin = parse_filter(source=source or (), kind=kind or (), level=level), parse_cursor("after", after)
    except InvalidRequest as error:
        await close(socket, Close(BAD_REQUEST, str(error)))
        return
    with metrics.LOG_CLIENTS.labels("websocket").track_inprogress():
        ending = await _serve(socket, gateway, run, begin or 0, lines)
    if ending is not None:
        await close(socket, ending)


async def _serve(socket: Socket, gateway: Gateway, run: str, after: int, lines: Filter) -> Close | None:
    """Serve a client to the end of the log; return the close to send, None if the client disconnected."""
    try:
        if not await gateway.exists(run):
            return Close(UNKNOWN_RUN, "there is no such run")
    except BUS_ERRORS:
        return Close(TRY_AGAIN, "NATS is unreachable; try again")
    async with Feed(gateway.hub, run, after, gateway.settings.ws_buffer, lines) as feed:
        sending = asyncio.create_task(_send_all(socket, feed, gateway.settings.ws_stall_seconds))
        broken = asyncio.create_task(feed.broken.wait())
        return await serve(socket, (sending, broken), lambda: _ending(sending, feed))


def _ending(sending: asyncio.Task[None], feed: Feed) -> Close | None:
    """Return the close to send after sending ended or the feed stopped; None if the client disconnected."""
    match sending.exception() if sending.done() else FellBehind():
        case None:
            return Close(1000, "the run is over")
        case FellBehind() if feed.gone:
            return Close(UNKNOWN_RUN, "the run is not stored any more")
        case FellBehind() if feed.faulty:
            return Close(FAULT, "internal error of the gateway; see its log")
        case FellBehind():
            metrics.LOG_CLIENTS_DROPPED.labels("websocket").inc()
            return Close(TRY_AGAIN, BEHIND)
        case OSError() | WebSocketDisconnect():
            return None
        case error:
            raise error


async def _send_all(socket: Socket, feed: Feed, seconds: float) -> None:
    """Send every line and the end, each within `seconds`.

    Raises:
        FellBehind: the client reads too slowly or not at all.
    """
    sent = metrics.LOG_LINES.labels("websocket")
    item: Item | None = None
    while not isinstance(item, End):
        item = await feed.next(KEEPALIVE_SECONDS)
        if item is not None:
            await _send(socket, encode_frame(item).decode(), seconds)
            sent.inc()


async def _send(socket: Socket, text: str, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await socket.send_text(text)
    except TimeoutError:
        raise FellBehind from None


@get(
    "/runs/{run:str}/logs",
    opt=VIEWER,
    media_type="text/event-stream",
    operation_id="followLog",
    summary="Follow a run's log as server-sent events",
    description="The same lines as on the WebSocket at this address: `id` is the cursor, `data` the frame. The last "
    "event has the type `end`: close the stream then, or the browser reconnects. `Last-Event-ID` resumes a stream.",
    responses=failures(400, 404, 503),
)
async def events(
    *,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=MAX_CURSOR, description="Cursor to resume after")] = 0,
    source: Sources = None,
    kind: Kinds = None,
    level: LeastLevel = "",
    last_event_id: Annotated[int | None, HeaderParameter(name="Last-Event-ID", ge=0, le=MAX_CURSOR)] = None,
) -> Stream:
    """Send a run's lines as server-sent events."""
    lines = parse_filter(source=source or (), kind=kind or (), level=level)
    await gateway.require_run(run)
    stream = _event_stream(gateway, run, max(after, last_event_id or 0), lines)
    return Stream(stream, media_type="text/event-stream")


async def _event_stream(gateway: Gateway, run: str, after: int, lines: Filter) -> AsyncGenerator[bytes]:
    """Yield events until the end, and keep-alive comments in between; stop when the gateway stops."""
    sent = metrics.LOG_LINES.labels("sse")
    yield b"retry: 2000\n\n"
    with metrics.LOG_CLIENTS.labels("sse").track_inprogress(), _count_drop("sse"):
        async with Feed(gateway.hub, run, after, gateway.settings.ws_buffer, lines) as feed:
            item: Item | None = None
            while not isinstance(item, End) and not gateway.stopping.is_set():
                item = await feed.next(GLANCE_SECONDS)
                yield encode_event(item)
                sent.inc(item is not None)


@contextmanager
def _count_drop(transport: str) -> Generator[None]:
    try:
        yield
    except FellBehind:
        metrics.LOG_CLIENTS_DROPPED.labels(transport).inc()


def encode_event(item: Item | None) -> bytes:
    """Return a line, the end, or (None) a keep-alive comment as a server-sent event. Pure."""
    match item:
        case None:
            return b": still here\n\n"
        case End():
            return b"event: end\ndata: " + encode_frame(item) + b"\n\n"
        case Line(seq=cursor):
            return b"id: %d\ndata: " % cursor + encode_frame(item) + b"\n\n"


HANDLERS = (follow, events)
