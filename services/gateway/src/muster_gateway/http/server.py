"""The web server: uvicorn in a loop that is not its own, and WebSockets that let go of clients who read nothing."""

import asyncio
import logging
import socket
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import uvicorn
from litestar.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from muster_gateway.http.connections import BoundedProtocol, Bounds, parse_networks
from muster_gateway.settings import GatewaySettings
from muster_protocol.errors import MusterError
from muster_service.settings import SettingsError

MAX_FRAME = 16 * 1024
"""Bytes a client may send in one frame; none is needed."""
FRAMES, FRAMES_A_SECOND = 50, 2.0
"""Frames a client may send at once, and then on and on; it needs to answer pings, and to say goodbye."""
PIECE = 512
"""Bytes that are read of a client at a time: what it sends beyond its frames is not even parsed."""
MAX_HEAD = 32 * 1024
"""Bytes the head of a request may have."""


class PortTaken(MusterError):
    """The address to listen on cannot be had."""


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection that can be closed even while its client reads nothing, and whose client sends little.

    As it comes, a close waits until the client has made room, and a connection whose client never does is kept; and
    all that a client sends is parsed, and its pings answered, while nobody else is served.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*arguments, **options)
        self._frames, self._counted = float(FRAMES), self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the connection is to be kept."""
        for start in range(0, len(data), PIECE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + PIECE])

    def handle_events(self) -> None:
        """Take what was sent, or end a connection whose client sends too much."""
        now = self.loop.time()
        self._frames = min(FRAMES, self._frames + (now - self._counted) * FRAMES_A_SECOND) - len(self.conn.events)
        self._counted = now
        if self._frames >= 0:
            super().handle_events()
            return
        self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.loop.call_later(self.close_timeout, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send to the client; a close goes behind what is buffered at once, and is given a bounded time."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(self.close_timeout, self.transport.abort)
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True  # else it is logged as a fault that the client was refused

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


def create_server(app: ASGIApp, settings: GatewaySettings, stopping: asyncio.Event) -> Server:
    """Return a server of the application; it is started by `serve`.

    Raises:
        SettingsError: TRUSTED_PROXIES names what is no address.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # else each malformed request is a line on stderr
    http = partial(BoundedProtocol, bounds=_read_bounds(settings))
    config = uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", http),
        h11_max_incomplete_event_size=MAX_HEAD,
        ws=BoundedWebSocket,
        ws_max_size=MAX_FRAME,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=max(1, int(settings.shutdown_seconds)),
    )
    return Server(config, stopping)


def _read_bounds(settings: GatewaySettings) -> Bounds:
    try:
        proxies = parse_networks(settings.trusted_proxies)
    except ValueError as error:
        raise SettingsError(f"environment variable `TRUSTED_PROXIES`: {error}") from error
    return Bounds(
        settings.header_seconds,
        settings.answer_stall_seconds,
        settings.max_connections,
        settings.max_peer_connections,
        proxies,
    )
