"""The web server: uvicorn in a loop that is not its own, and WebSockets that let go of clients who read nothing."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from litestar.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from muster_gateway.settings import GatewaySettings
from muster_protocol.errors import MusterError

MAX_FRAME = 16 * 1024
"""Bytes a client may send in one frame; none is needed."""


class PortTaken(MusterError):
    """The address to listen on cannot be had."""


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket connection that can be closed even while its client reads nothing.

    As it comes, a close waits until the client has made room, and a connection whose client never does is kept.
    """

    async def send(self, message: ASGISendEvent) -> None:
        """Send to the client; a close goes behind what is buffered at once, and is given a bounded time."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(self.close_timeout, self.transport.abort)
        await super().send(message)

    def keepalive_timeout(self) -> None:
        """End a connection whose client answers no ping, whatever is still buffered for it."""
        super().keepalive_timeout()
        self.transport.abort()


class Server(uvicorn.Server):
    """A uvicorn server that leaves signals alone and tells when it answers."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self._stopping = stopping

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the service."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, tell streams of events to end, and wait for what is in progress."""
        self._stopping.set()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free one.

    Raises:
        PortTaken: the address is in use, or not one of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise PortTaken(f"cannot listen on {host}:{port}: {error.strerror}; set HTTP_HOST and HTTP_PORT") from error


def server(app: ASGIApp, settings: GatewaySettings, stopping: asyncio.Event) -> Server:
    """Return a server of the application; it is started by `serve`."""
    config = uvicorn.Config(
        app,
        ws=Sockets,
        ws_max_size=MAX_FRAME,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=max(1, int(settings.shutdown_seconds)),
    )
    return Server(config, stopping)
