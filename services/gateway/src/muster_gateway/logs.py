"""Following a run's log, over WebSocket or as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple

import msgspec
import structlog
from litestar import WebSocket, get, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import Raw, Struct
from nats.errors import Error as NatsError

from muster_gateway import metrics
from muster_gateway.context import Gateway
from muster_gateway.documented import failures
from muster_gateway.feed import End, Feed, FellBehind, Item, stop
from muster_gateway.reading import decode
from muster_gateway.views import EndFrame
from muster_protocol import codec
from muster_protocol.bus import Stored
from muster_protocol.errors import BusError
from muster_protocol.logs import LogRecord

log = structlog.get_logger("muster.gateway")

CLOSE_SECONDS = 5.0
KEEPALIVE_SECONDS = 15.0
GLANCE_SECONDS = 2.0
"""How often an idle stream of events shows a sign of life, and looks whether the gateway is about to stop."""
FAULT, TRY_AGAIN, UNKNOWN_RUN = 1011, 1013, 4404
"""Codes a WebSocket is closed with, besides 1000."""
BEHIND = "too slow: open it again with ?after=<cursor of the last frame you got>"

Socket = WebSocket[Any, Any, Any]


class Close(NamedTuple):
    """Code and reason to close a WebSocket with."""

    code: int
    reason: str


class _Line(Struct, frozen=True):
    """What every record has, whichever version wrote it."""

    run: str
    source: str
    text: str


class _Frame(Struct, frozen=True):
    """A line on its way: where it stands in the stream, and the record as it was stored."""

    cursor: int
    record: Raw


def frame(item: Item) -> bytes:
    """Return a line, or the end, as the JSON that clients get. Pure."""
    if isinstance(item, End):
        return codec.encode(EndFrame(end=True, status=item.status, cause=item.cause))
    return codec.encode(_Frame(item.seq, Raw(_record(item))))


def _record(stored: Stored) -> bytes:
    """Return the stored record, or one that says that it cannot be read: anything may be published to a subject."""
    try:
        decode(stored.data, _Line)
    except msgspec.DecodeError as error:
        run, source = stored.subject.split(".")[-2:]
        text = f"(a log record that cannot be read: {error})"
        return codec.encode(
            LogRecord(run=run, source=source, number=0, at=0.0, kind="error", level="warning", text=text)
        )
    one_line = b"\n" not in stored.data and b"\r" not in stored.data  # a line break would end a server-sent event
    return stored.data if one_line else msgspec.json.format(stored.data, indent=-1)


@websocket("/runs/{run:str}/logs")
async def follow(
    socket: Socket,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0)] = 0,
) -> None:
    """Send a run's lines after a cursor, then those to come, one JSON text frame each, until the run is over."""
    await socket.accept()
    with metrics.LOG_CLIENTS.labels("websocket").track_inprogress():
        close = await _served(socket, gateway, run, after)
    if close is None:
        return
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(close.code, close.reason)
    except (OSError, WebSocketDisconnect):
        log.debug("a client was gone before it was told why", run=run, code=close.code)


async def _served(socket: Socket, gateway: Gateway, run: str, after: int) -> Close | None:
    """Serve a client until there is nothing more to send; return what to close with, None if it went by itself."""
    try:
        if not await gateway.exists(run):
            return Close(UNKNOWN_RUN, "there is no such run")
    except (BusError, NatsError, TimeoutError):
        return Close(TRY_AGAIN, "NATS is away; try again in a moment")
    async with Feed(gateway.bus, run, after, gateway.settings.ws_buffer) as feed:
        sending, gone = (
            asyncio.create_task(_send_all(socket, feed, gateway.settings.ws_stall_seconds)),
            asyncio.create_task(_until_gone(socket)),
        )
        tasks = {sending, gone, asyncio.create_task(feed.broken.wait())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return None if gone.done() else _outcome(sending, feed)
        finally:
            await stop(tasks)


def _outcome(sending: asyncio.Task[None], feed: Feed) -> Close | None:
    """Return what to close with once sending ended or the feed broke; None if the client is gone."""
    match sending.exception() if sending.done() else FellBehind():
        case None:
            return Close(1000, "the run is over")
        case FellBehind() if feed.faulty:
            return Close(FAULT, "a fault of the gateway; its log says more")
        case FellBehind():
            metrics.LOG_CLIENTS_DROPPED.labels("websocket").inc()
            return Close(TRY_AGAIN, BEHIND)
        case OSError() | WebSocketDisconnect():
            return None
        case error:
            raise error


async def _send_all(socket: Socket, feed: Feed, seconds: float) -> None:
    """Send every line and the end, each in so many seconds.

    Raises:
        FellBehind: the client takes nothing any more, or too little.
    """
    sent = metrics.LOG_LINES.labels("websocket")
    item: Item | None = None
    while not isinstance(item, End):
        item = await feed.next(KEEPALIVE_SECONDS)
        if item is not None:
            await _send(socket, frame(item).decode(), seconds)
            sent.inc()


async def _send(socket: Socket, text: str, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await socket.send_text(text)
    except TimeoutError:
        raise FellBehind from None


async def _until_gone(socket: Socket) -> None:
    """Read and drop what the client sends, until it goes."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue


@get(
    "/runs/{run:str}/logs",
    media_type="text/event-stream",
    operation_id="followLog",
    summary="Follow a run's log as server-sent events",
    description="The same lines as on the WebSocket of this address: `id` is the cursor, `data` the frame; the last "
    "event is of type `end`: close it then, or the browser asks again. What you followed last is resumed.",
    responses=failures(400, 404, 503),
)
async def events(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, description="Cursor to resume after")] = 0,
    last_event_id: Annotated[int | None, HeaderParameter(name="Last-Event-ID", ge=0)] = None,
) -> Stream:
    """Send a run's lines as server-sent events."""
    await gateway.require(run)
    lines = _event_stream(gateway, run, max(after, last_event_id or 0))
    return Stream(lines, media_type="text/event-stream")


async def _event_stream(gateway: Gateway, run: str, after: int) -> AsyncGenerator[bytes]:
    """Yield events until the end, a sign of life where nothing came for a while; stop when all is to stop."""
    sent = metrics.LOG_LINES.labels("sse")
    yield b"retry: 2000\n\n"
    with metrics.LOG_CLIENTS.labels("sse").track_inprogress(), _dropped("sse"):
        async with Feed(gateway.bus, run, after, gateway.settings.ws_buffer) as feed:
            item: Item | None = None
            while not isinstance(item, End) and not gateway.stopping.is_set():
                item = await feed.next(GLANCE_SECONDS)
                yield event(item)
                sent.inc(item is not None)


@contextmanager
def _dropped(transport: str) -> Generator[None]:
    try:
        yield
    except FellBehind:
        metrics.LOG_CLIENTS_DROPPED.labels(transport).inc()


def event(item: Item | None) -> bytes:
    """Return a line, the end, or a sign of life as a server-sent event. Pure."""
    match item:
        case None:
            return b": still here\n\n"
        case End():
            return b"event: end\ndata: " + frame(item) + b"\n\n"
        case Stored(seq=cursor):
            return b"id: %d\ndata: " % cursor + frame(item) + b"\n\n"


HANDLERS = (follow, events)
