"""A gateway to attack, and requests as bytes."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from muster_bus import Bus
from muster_bus.artifact_store import put_artifact
from muster_bus.testing import NatsServer, connected, provisioned_server

from .conftest import Run, Web, serving

SECONDS = 20.0
SECRET = b"not for you"


class Target(NamedTuple):
    """An open gateway on loopback with short clocks."""

    server: NatsServer
    bus: Bus
    web: Web
    folder: Path

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.web.port}"


class Reply(NamedTuple):
    """An answer as it came over the wire."""

    status: int
    head: str
    body: bytes

    def header(self, name: str) -> list[str]:
        lines = [line.split(":", 1) for line in self.head.strip().split("\r\n")[1:]]
        return [value.strip() for found, value in lines if found.lower() == name]


@asynccontextmanager
async def attacked(folder: Path) -> AsyncGenerator[Target]:
    """Serve with short clocks, and what is worth attacking."""
    clocks = {
        "header_seconds": "1",
        "body_seconds": "1",
        "max_body_bytes": "20000",
        "allowed_origins": "https://ci.example",
    }
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(provisioned_server())
        bus = await stack.enter_async_context(connected(server))
        web = await stack.enter_async_context(serving(server, folder, **clocks))
        for run in ("r1", "r2"):
            await Run(bus, run).open()
        await put_artifact(bus, "r1/n1.1/page.html", b"<script>alert(1)</script>", "text/html")
        await put_artifact(bus, "r2/secret.txt", SECRET, "text/plain")
        await put_artifact(bus, "r1/odd\r\nSet-Cookie: a=b\x1b[31m.txt", b"odd", "text/plain\r\nX-Evil: 1")
        yield Target(server, bus, web, folder)


async def raw(port: int, request: bytes, seconds: float = SECONDS) -> Reply:
    """Send bytes as they are, and return the first answer; status 0 if the connection was ended without one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        with suppress(ConnectionError):
            writer.write(request)
            await writer.drain()
        async with asyncio.timeout(seconds):
            return await answered(reader)
    finally:
        writer.close()


async def statuses(port: int, requests: bytes, seconds: float = SECONDS) -> list[int]:
    """Send bytes as they are; return the status of every answer that comes until the gateway ends the connection."""
    loop, got = asyncio.get_running_loop(), b""
    with socket.socket() as client:  # a stream would drop what had come when sending fails
        client.setblocking(False)
        async with asyncio.timeout(seconds):
            await loop.sock_connect(client, ("127.0.0.1", port))
            with suppress(ConnectionError):
                await loop.sock_sendall(client, requests)
            with suppress(ConnectionError):
                while chunk := await loop.sock_recv(client, 65536):
                    got += chunk
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", got)]


async def answered(reader: asyncio.StreamReader) -> Reply:
    """Return the next answer; status 0 if there is none any more."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return Reply(0, "", b"")
    length = [int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length:")]
    body = await reader.readexactly(length[0]) if length else b""
    return Reply(int(head.split(" ")[1]), head, body)


def get(path: str, host: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")
