"""What WebSockets that follow log lines share: their parameters, serving a client until it goes, and closing."""

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
"""How often an idle stream of events shows a sign of life, and looks whether the gateway is about to stop."""
FAULT, TRY_AGAIN, BAD_REQUEST = 1011, 1013, 4400
"""Codes a WebSocket is closed with, besides 1000."""
LONGEST_REASON = 123
"""Bytes of a reason; the protocol has room for no more."""

Socket = WebSocket[Any, Any, Any]
Sources = Annotated[
    list[str] | None, QueryParameter(description="Only lines of these sources; one that ends in `*` is a beginning")
]
Kinds = Annotated[list[str] | None, QueryParameter(description="Only lines of these kinds")]
LeastLevel = Annotated[str, QueryParameter(description="Only lines of this level or a graver one")]
CursorText = Annotated[str | None, QueryParameter(description="A cursor, as it was written")]
"""Of a WebSocket: what the framework refuses there comes out as a fault, and not as a code to close with."""


class Close(NamedTuple):
    """Code and reason to close a WebSocket with."""

    code: int
    reason: str


def parse_cursor(name: str, text: str | None) -> int | None:
    """Return the cursor that a parameter gives, None if it is not given. Pure.

    Raises:
        InvalidRequest: the text is no cursor.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_CURSOR)) and int(text) <= MAX_CURSOR):
        raise InvalidRequest([f"{name} {text[:24]!r} is no cursor; one is a whole number from 0 to {MAX_CURSOR}"])
    return int(text)


async def close(socket: Socket, ending: Close) -> None:
    """Close with a reason, in a bounded time."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(ending.code, _cut_reason(ending.reason))
    except (OSError, WebSocketDisconnect):
        log.debug("client disconnected before the WebSocket was closed", code=ending.code)


def _cut_reason(reason: str) -> str:
    """Return a reason that fits into a closing frame."""
    return reason.encode()[:LONGEST_REASON].decode(errors="ignore")


async def serve(socket: Socket, tasks: Iterable[asyncio.Task[Any]], ending: Callable[[], Close | None]) -> Close | None:
    """Wait until one of the tasks has ended or the client goes, and end all of them.

    Returns what to close with, which `ending` says before the tasks are ended; None if the client went by itself.
    """
    gone = asyncio.create_task(_wait_until_gone(socket))
    running = {gone, *tasks}
    try:
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        return None if gone.done() else ending()
    finally:
        await stop(running)


async def _wait_until_gone(socket: Socket) -> None:
    """Read and drop what the client sends, until it goes."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue
