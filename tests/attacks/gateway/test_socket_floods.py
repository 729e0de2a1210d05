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


async def flood(port: int, frame: bytes, size: int) -> int:
    """Open a WebSocket, send frames, read nothing, and return how many bytes were taken before the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
    writer.write(f"{head}Sec-WebSocket-Version: 13\r\n\r\n".encode())
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
