"""Clients that flood a WebSocket with frames: the gateway's server lets go of them, and others are served meanwhile."""

import asyncio
import base64
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest
from litestar.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from muster_gateway.http.server import FRAMES, create_server, listen
from muster_gateway.settings import GatewaySettings

MASK = b"\x00" * 4
FLOODS = {
    "pings": b"\x89\x80" + MASK,
    "large pings": b"\x89\xfd" + MASK + b"x" * 125,
    "pongs": b"\x8a\x80" + MASK,
    "texts": b"\x81\x80" + MASK,
    "fragments": b"\x00\x80" + MASK,
}
MB = 1_000_000


async def follow(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve WebSockets that are told nothing, and requests that are answered at once."""
    if str(scope["type"]) == "lifespan":
        for told in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{told}.complete"})  # pyright: ignore[reportArgumentType]
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        while (await receive())["type"] != "websocket.disconnect":
            continue
    else:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[int]:
    """Serve an application as the gateway is served; gives the port."""
    server = create_server(app, GatewaySettings(shutdown_seconds=1), asyncio.Event())
    place = listen("127.0.0.1", 0)
    task = asyncio.create_task(server.serve([place]))
    await server.ready.wait()
    try:
        yield place.getsockname()[1]
    finally:
        server.should_exit = True
        await task


def handshake(more: str = "") -> bytes:
    """Return the head of a request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    return f"GET / HTTP/1.1\r\nHost: a\r\n{upgrade}{more}\r\n".encode()


async def flood(port: int, frame: bytes, size: int) -> int:
    """Open a WebSocket, send frames, read nothing, and return how many bytes were taken before the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(handshake())
    await reader.readuntil(b"\r\n\r\n")
    sent, piece = 0, frame * (64_000 // len(frame))
    try:
        while sent < size:
            writer.write(piece)
            await asyncio.wait_for(writer.drain(), 5)
            sent += len(piece)
    except (ConnectionError, TimeoutError):
        pass
    finally:
        writer.transport.abort()
    return sent


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_ends_its_connection_and_delays_nobody(kind: str):
    async with served(follow) as port:
        clock, slowest, flooding = time.process_time(), 0.0, asyncio.create_task(flood(port, FLOODS[kind], 20 * MB))
        while not flooding.done():
            began = time.monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert b" 204 " in await reader.read()
            writer.close()
            slowest = max(slowest, time.monotonic() - began)
        assert await flooding < 10 * MB, "it is let go of before it has sent what it wanted"
        assert time.process_time() - clock < 2.0, "what it sends is not worked on"


async def test_a_client_that_sends_no_more_than_it_needs_is_kept():
    async with served(follow) as port, connect(f"ws://127.0.0.1:{port}/") as client:
        for _ in range(FRAMES // 2):
            await asyncio.wait_for(await client.ping(), 5)


async def test_a_client_that_sends_too_much_is_told_so():
    async with served(follow) as port, connect(f"ws://127.0.0.1:{port}/", ping_interval=None) as client:
        with suppress(ConnectionClosed):
            for _ in range(FRAMES * 3):
                await client.ping()
        await asyncio.wait_for(client.wait_closed(), 5)
        assert (client.close_code, client.close_reason) == (1008, "too many frames")


async def answer_of(port: int, head: bytes, frames: bytes = b"") -> bytes:
    """Send a head, and frames once it is answered; return all that comes until the connection is ended."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head)
    try:
        async with asyncio.timeout(5):
            answer = await reader.readuntil(b"\r\n\r\n")
            writer.write(frames)
            return answer + await reader.read()
    finally:
        writer.transport.abort()


NOT_UTF8 = {
    "one frame": b"\x81\x81" + MASK + b"\xff",
    "a letter cut by the end": b"\x01\x81" + MASK + b"\xc3" + b"\x80\x81" + MASK + b"(",
    "several": (b"\x81\x81" + MASK + b"\xff") * 3,
}


async def test_what_is_no_text_ends_its_connection_and_is_no_error_of_the_gateway(caplog: pytest.LogCaptureFixture):
    async with served(follow) as port:
        for name, frames in NOT_UTF8.items():
            told = await answer_of(port, handshake(), frames)
            assert told.endswith(b"\x03\xefa text must be UTF-8"), name
    assert not caplog.records, "a client's bytes are no traceback in the operator's log"


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (handshake("Content-Length: 3\r\n") + b"abc", b"unsupported request body"),
        (handshake("X: y\r\n" * 500), b"no more than 128 headers"),
        (handshake(f"X: {'y' * 20_000}\r\n"), b"no more than 8192 bytes"),
    ],
    ids=["body", "headers", "a long header"],
)
async def test_what_is_no_handshake_is_answered_and_its_connection_ended(head: bytes, why: bytes):
    async with served(follow) as port:
        told = await answer_of(port, head)
    assert told.startswith(b"HTTP/1.1 400 ")
    assert why in told
