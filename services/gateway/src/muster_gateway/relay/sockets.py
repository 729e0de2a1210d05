"""Shared by the log WebSockets: parameters, serving until the client disconnects, and closing."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple

import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import QueryParameter

from muster_gateway.context import MAX_CURSOR
from muster_protocol.errors import InvalidRequest
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.gateway")

CLOSE_SECONDS = 5.0
GLANCE_SECONDS = 2.0
"""How often an idle event stream sends a keep-alive comment and checks whether the gateway is stopping."""
FAULT, TRY_AGAIN, BAD_REQUEST = 1011, 1013, 4400
"""WebSocket close codes in addition to 1000."""
LONGEST_REASON = 123
"""Bytes of a close reason that the protocol allows."""

Socket = WebSocket[Any, Any, Any]
Sources = Annotated[
    list[str] | None, QueryParameter(description="Only lines of these sources; `*` at the end matches any rest")
]
Kinds = Annotated[list[str] | None, QueryParameter(description="Only lines of these kinds")]
LeastLevel = Annotated[str, QueryParameter(description="Only lines of this level or above")]
CursorText = Annotated[str | None, QueryParameter(description="A cursor")]
"""Parsed by `parse_cursor`: on a WebSocket, the framework reports invalid numbers as an internal error."""


class Close(NamedTuple):
    """Code and reason to close a WebSocket with."""

    code: int
    reason: str


def parse_cursor(name: str, text: str | None) -> int | None:
    """Return the cursor in a parameter, None if it is missing. Pure.

    Raises:
        InvalidRequest: the text is not a cursor.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_CURSOR)) and int(text) <= MAX_CURSOR):
        raise InvalidRequest([f"{name} {text[:24]!r} is not a cursor: a whole number from 0 to {MAX_CURSOR}"])
    return int(text)


async def close(socket: Socket, ending: Close) -> None:
    """Close with a reason, within `CLOSE_SECONDS`."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(ending.code, _cut_reason(ending.reason))
    except (OSError, WebSocketDisconnect):
        log.debug("client disconnected before the WebSocket was closed", code=ending.code)


def _cut_reason(reason: str) -> str:
    """Return a reason cut to what a close frame allows."""
    return reason.encode()[:LONGEST_REASON].decode(errors="ignore")


async def serve(socket: Socket, tasks: Iterable[asyncio.Task[Any]], ending: Callable[[], Close | None]) -> Close | None:
    """Wait until a task ends or the client disconnects, then stop all tasks.

    Return the close that `ending` gives before the tasks are stopped; None if the client disconnected.
    """
    gone = asyncio.create_task(_wait_until_gone(socket))
    running = {gone, *tasks}
    try:
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        return None if gone.done() else ending()
    finally:
        await stop(running)


async def _wait_until_gone(socket: Socket) -> None:
    """Read and discard messages until the client disconnects."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue
