"""Runs uvicorn inside the service's event loop, with WebSockets that disconnect clients who do not read."""

import asyncio
import logging
import socket
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
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
"""Bytes per frame from a client; clients have nothing to send."""
FRAMES, FRAMES_A_SECOND = 50, 2.0
"""Burst and sustained rate of frames from a client, enough for pongs and a close."""
KEEP_ALIVE_SECONDS = 20
"""How long an idle connection stays open: longer than at clients (httpx: 5 s, which is also uvicorn's default).
A request that a client sends just as the server closes the connection is lost."""
PIECE = 512
"""Bytes parsed at a time, so that frames beyond the limit are never parsed."""
MAX_HEAD = 32 * 1024
"""Bytes of a request's head."""


class PortTaken(MusterError):
    """The address to listen on is not available."""


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection that closes even if its client does not read, and that limits what a client sends.

    By default, a close waits until the client reads, for ever if it never does, and everything that a client sends is
    parsed and every ping answered while other clients wait.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*arguments, **options)
        self._frames, self._counted = float(FRAMES), self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Read data until the connection closes."""
        for start in range(0, len(data), PIECE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + PIECE])
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self._refuse_handshake(self.conn.handshake_exc)

    def _refuse_handshake(self, error: Exception) -> None:
        """Answer what cannot be read as a handshake; uvicorn would leave its client, and the connection, waiting."""
        text = f"Failed to open a WebSocket connection: {error.__cause__ or error}.\n"
        self.transport.write(self.conn.reject(HTTPStatus.BAD_REQUEST, text).serialize())
        self.transport.close()

    def handle_events(self) -> None:
        """Handle received frames, or end the connection if there are too many."""
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

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; end the connection if it is no text, which uvicorn would log as a fault of ours."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_utf8(b"".join(self.frames)):
            self.conn.fail(CloseCode.INVALID_DATA, "a text must be UTF-8")
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        """Send to the client; a close is queued at once and has a time limit."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(self.close_timeout, self.transport.abort)
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True  # otherwise uvicorn logs a refused client as an error

    def keepalive_timeout(self) -> None:
        """Abort a connection whose client does not answer pings, without flushing its buffer."""
        super().keepalive_timeout()
        self.transport.abort()


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are text in UTF-8. Pure."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class Server(uvicorn.Server):
    """A uvicorn server without signal handlers, which sets `ready` when it listens."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self._stopping = stopping

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the service."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve."""
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, end event streams, and wait for requests in progress."""
        self._stopping.set()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 is any free port.

    Raises:
        PortTaken: the address is in use or not of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise PortTaken(f"cannot listen on {host}:{port}: {error.strerror}; set HTTP_HOST and HTTP_PORT") from error
    # Connections inherit it. asyncio sets it only where a socket names its protocol; without it, the second piece of an
    # answer waits for the client's delayed acknowledgement of the first, 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def create_server(app: ASGIApp, settings: GatewaySettings, stopping: asyncio.Event) -> Server:
    """Return a server of the application; it is started by `serve`.

    Raises:
        SettingsError: TRUSTED_PROXIES has an invalid address.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # otherwise it logs each malformed request
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
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
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
