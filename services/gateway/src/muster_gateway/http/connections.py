"""Limits connections: slow clients, silent clients, and too many of them."""

import asyncio
import ipaddress
import resource
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

log = structlog.get_logger("muster.gateway")

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 2\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s"
)
_REASON = b'{"status":503,"title":"Service Unavailable","reasons":["this gateway is at its limit of connections"]}'

OTHER_FILES = 200
"""Maximum open files of a gateway other than connections."""

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bounds(NamedTuple):
    """Limits of connections; times in seconds."""

    header_seconds: float
    stall_seconds: float
    """How long a client may stop reading a response."""
    most: int
    most_of_peer: int
    proxies: tuple[_Network, ...] = ()
    """Proxies, which are exempt from `most_of_peer`."""


def raise_file_limit(connections: int) -> int:
    """Raise the process's limit of open files to what the connections need, as far as the system allows.

    Return for how many connections there is room: without a file left for the bus and the health port, all is refused.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed >= wanted:
        return connections
    room = min(connections, max(allowed - OTHER_FILES, allowed // 2))
    log.warning(
        "the system allows fewer open files than MAX_CONNECTIONS needs, so there may be fewer connections",
        allowed=allowed,
        wanted=wanted,
        connections=room,
    )
    return room


def parse_networks(text: str) -> tuple[_Network, ...]:
    """Return the networks in a comma-separated list of addresses and networks.

    Raises:
        ValueError: an entry is not an address or network.
    """
    return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def exceeds_bounds(bounds: Bounds, peer: str, peers: Iterable[str]) -> bool:
    """Return whether a new connection exceeds a limit; `peers` has one entry per connection, the new one included."""
    every = list(peers)
    if len(every) > bounds.most:
        return True
    return every.count(peer) > bounds.most_of_peer and not _is_proxy(peer, bounds.proxies)


def _is_proxy(peer: str, proxies: tuple[_Network, ...]) -> bool:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    return any(address in network for network in proxies)


class BoundedProtocol(H11Protocol):
    """An HTTP connection with time limits for receiving a request and for reading a response.

    uvicorn by itself waits without limit for the head of a request, for the rest of an unread body, and for a client
    that stops reading.
    """

    def __init__(self, *, bounds: Bounds, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**options)
        self._bounds = bounds
        self._waiting: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it with 503."""
        super().connection_made(transport)
        peers = [_peer(connection) for connection in self.connections]
        if exceeds_bounds(self._bounds, _peer(self), peers):
            transport.write(FULL % (len(_REASON), _REASON))
            transport.close()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read data; between two requests the timer for the next head runs, whatever the client sends."""
        if self.transport.is_closing():
            return
        before = self._served
        if self._idle:
            self._wait()
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self
        if upgraded or self._served is not before:
            self._waiting = _cancel(self._waiting)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._waiting, self._stalled = _cancel(self._waiting), _cancel(self._stalled)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timer for a client that stops reading."""
        super().pause_writing()
        self._stalled = _cancel(self._stalled)
        self._stalled = self.loop.call_later(self._bounds.stall_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timer."""
        self._stalled = _cancel(self._stalled)
        super().resume_writing()

    @property
    def _served(self) -> object:
        return cast("object", self.cycle)

    @property
    def _idle(self) -> bool:
        """Whether no response is in progress."""
        return self._served is None or self.cycle.response_complete

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(self._bounds.header_seconds, self._late)

    def _late(self) -> None:
        """Abort a connection without a request; `close` could wait for a client that does not read."""
        self._waiting = None
        self.transport.abort()


def _peer(connection: object) -> str:
    client = cast("tuple[str, int] | None", getattr(connection, "client", None))
    return client[0] if client else ""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    """Cancel a timer, if any; return None."""
    if timer is not None:
        timer.cancel()
