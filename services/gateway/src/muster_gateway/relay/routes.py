"""Routes for the log lines of one, many or all runs, over WebSocket or as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

import structlog
from litestar import get, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from muster_gateway import metrics
from muster_gateway.context import MAX_CURSOR, Gateway
from muster_gateway.description.operation_docs import failures
from muster_gateway.relay.channels import RelayBroken
from muster_gateway.relay.lines import Batch, Filter, Item, cursor_of, encode_frame, parse_filter
from muster_gateway.relay.log_reader import Bounds, back_fill, follow
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
from muster_protocol.errors import InvalidRequest
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.gateway")

RunNames = Annotated[list[str] | None, QueryParameter(description="Only lines of these runs; default: all")]
After = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=MAX_CURSOR,
        description="Cursor to resume after; default: named runs from their start, all runs from now",
    ),
]
Until = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=MAX_CURSOR, description="Send only stored lines up to this cursor, then end: for missed lines"
    ),
]


def _stream_items(gateway: Gateway, lines: Filter, after: int | None, until: int | None) -> AsyncGenerator[Item]:
    """Return the items for a client: stored lines up to a cursor, or stored and live lines."""
    if until is not None:
        metrics.RELAY_BACK_FILLS.inc()
        return back_fill(gateway.bus, lines, after or 0, until)
    begin = 0 if after is None and lines.runs else after
    buffer = gateway.settings.ws_buffer
    return follow(gateway.hub, lines, begin, Bounds(buffer, joining=buffer))


@websocket("/logs", opt=VIEWER)
async def relay(
    *,
    socket: Socket,
    gateway: NamedDependency[Gateway],
    run: RunNames = None,
    source: Sources = None,
    kind: Kinds = None,
    level: LeastLevel = "",
    after: CursorText = None,
    until: CursorText = None,
) -> None:
    """Send lines of one, many or all runs, several per frame under load."""
    await socket.accept()
    try:
        lines = parse_filter(run or (), source or (), kind or (), level)
        begin, end = parse_cursor("after", after), parse_cursor("until", until)
    except InvalidRequest as error:
        await close(socket, Close(BAD_REQUEST, str(error)))
        return
    if not gateway.bus.nc.is_connected:
        await close(socket, Close(TRY_AGAIN, "NATS is unreachable; try again"))
        return
    with metrics.RELAY_CLIENTS.labels("websocket").track_inprogress():
        sending = asyncio.create_task(_send_all(socket, _stream_items(gateway, lines, begin, end)))
        ending = await serve(socket, (sending,), lambda: _ending(sending))
    if ending is not None:
        await close(socket, ending)


def _ending(sending: asyncio.Task[None]) -> Close | None:
    match sending.exception():
        case None:
            return Close(1000, "all lines sent")
        case RelayBroken():
            return Close(FAULT, "internal error of the gateway; see its log")
        case OSError() | WebSocketDisconnect():
            return None
        case error:
            raise error


async def _send_all(socket: Socket, items: AsyncGenerator[Item]) -> None:
    """Send all items; blocks on a client that does not read, until its pings time out."""
    sent, frames = metrics.RELAY_LINES.labels("websocket"), metrics.RELAY_FRAMES.labels("websocket")
    async with aclosing(items):
        async for item in items:
            if isinstance(item, Batch):
                await socket.send_text(item.text)
                sent.inc(len(item.lines))
                frames.inc()
            else:
                await socket.send_text(encode_frame(item))


@get(
    "/logs",
    opt=VIEWER,
    media_type="text/event-stream",
    operation_id="relayLogs",
    summary="Follow the logs of one, many or all runs as server-sent events",
    description="The same frames as on the WebSocket at this address, one per event; `id` is the cursor to resume "
    "after, which browsers send back by themselves. With `until`, the last event has the type `end`.",
    responses=failures(400, 503),
)
async def events(
    *,
    gateway: NamedDependency[Gateway],
    run: RunNames = None,
    source: Sources = None,
    kind: Kinds = None,
    level: LeastLevel = "",
    after: After = None,
    until: Until = None,
    last_event_id: Annotated[int | None, HeaderParameter(name="Last-Event-ID", ge=0, le=MAX_CURSOR)] = None,
) -> Stream:
    """Send lines of one, many or all runs."""
    lines = parse_filter(run or (), source or (), kind or (), level)
    gateway.require_bus()
    begin = after if last_event_id is None else max(after or 0, last_event_id)
    return Stream(_event_stream(gateway, _stream_items(gateway, lines, begin, until)), media_type="text/event-stream")


async def _event_stream(gateway: Gateway, items: AsyncGenerator[Item]) -> AsyncGenerator[bytes]:
    """Yield events, and keep-alive comments in between, until the gateway stops."""
    sent, frames = metrics.RELAY_LINES.labels("sse"), metrics.RELAY_FRAMES.labels("sse")
    yield b"retry: 2000\n\n"
    coming = asyncio.ensure_future(anext(items, None))
    try:
        with metrics.RELAY_CLIENTS.labels("sse").track_inprogress():
            while not gateway.stopping.is_set():
                await asyncio.wait({coming}, timeout=GLANCE_SECONDS)
                if not coming.done():
                    yield b": still here\n\n"
                    continue
                if (item := coming.result()) is None:
                    yield b"event: end\ndata: {}\n\n"
                    return
                yield b"id: %d\ndata: %b\n\n" % (cursor_of(item), encode_frame(item))
                if isinstance(item, Batch):
                    sent.inc(len(item.lines))
                    frames.inc()
                coming = asyncio.ensure_future(anext(items, None))
    finally:
        await stop([coming], then=items.aclose)


HANDLERS = (relay, events)
