"""The HTTP proxy through which the commands of a case reach its domains, and nothing else."""

import asyncio
import contextlib
import ipaddress
import os
import socket
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from muster_protocol.session_responses import Unreached
from muster_sessionhost.proxy_requests import ProxyRequest, read_request
from muster_sessionhost.reachable_addresses import HostClosed, Reach

HEAD_BYTES = 65_536
HEAD_SECONDS = 20.0
CONNECT_SECONDS = 20.0
MAX_CONNECTIONS = 200
"""Connections at once; further ones are closed."""
REMEMBERED = 50
"""How many unreached hosts are remembered."""
CHUNK = 65_536
LOOPBACK = {"localhost": ("127.0.0.1", "::1"), "0.0.0.0": ("127.0.0.1",), "::": ("::1",)}

MakeSocket = Callable[[socket.AddressFamily], Awaitable[socket.socket]]
Connection = tuple[StreamReader, StreamWriter]


class _Failure(NamedTuple):
    what: Unreached
    at: float
    """Monotonic seconds."""


class CommandProxy:
    """Serves the clients of one listening socket.

    A loopback address is first tried inside the session's network, then on the session host.
    If a host cannot be reached, the proxy closes the connection (or answers CONNECT with a status), so that a test
    cannot mistake its reply for the product's.
    """

    def __init__(self, reach: Reach, inside: MakeSocket, own_port: int) -> None:
        """`inside` creates sockets in the session's network; `own_port` is the proxy's port in that network."""
        self._reach, self._inside, self._own_port = reach, inside, own_port
        self._server: asyncio.Server | None = None
        self._serving = set[asyncio.Task[None]]()
        self._unreached: dict[tuple[str, int], _Failure] = {}
        self.refused_inside = 0
        """Number of connections inside the session's network that failed."""

    async def start(self, listening: socket.socket) -> None:
        """Start to serve; `stop` closes the socket."""
        self._server = await asyncio.start_server(self._accept, sock=listening, limit=HEAD_BYTES)

    async def stop(self) -> None:
        """Close the socket and all connections."""
        if self._server is not None:
            self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def unreached(self, since: float) -> tuple[Unreached, ...]:
        """Return the hosts that could not be reached since a time in monotonic seconds."""
        return tuple(failure.what for failure in self._unreached.values() if failure.at >= since)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        if len(self._serving) >= MAX_CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve((reader, writer)))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, client: Connection) -> None:
        with contextlib.closing(client[1]), contextlib.suppress(OSError, EOFError, ValueError):
            request = read_request(await _read_head(client[0]))
            try:
                server = await self._connect(request.host, request.port)
            except (HostClosed, OSError) as error:
                self._note_failure(request, error)
                _refuse(client, request, error)
                return
            self._unreached.pop((request.host, request.port), None)  # it answers now: earlier failures do not count
            with contextlib.closing(server[1]):
                if request.head:
                    server[1].write(request.head)
                else:
                    client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _relay(client, server)

    async def _connect(self, host: str, port: int) -> Connection:
        inside = _find_loopback(host)
        for ip in inside:
            if port == self._own_port:
                raise HostClosed(f"{host}:{port} is the proxy itself")
            with contextlib.suppress(OSError):
                return await self._connect_inside(ip, port)
        try:
            return await self._connect_outside(host, port)
        except HostClosed as closed:
            raise HostClosed(f"no process of the session listens there, and {closed}" if inside else closed) from None

    async def _connect_outside(self, host: str, port: int) -> Connection:
        failed = OSError(f"{host} has no address")
        for address in await self._reach.find(host, port):
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(*address)
            except OSError as error:
                failed = error
        raise failed

    async def _connect_inside(self, ip: str, port: int) -> Connection:
        made = await self._inside(socket.AF_INET6 if ":" in ip else socket.AF_INET)
        made.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(made, (ip, port))
            return await asyncio.open_connection(sock=made)
        except BaseException:
            self.refused_inside += 1
            made.close()
            raise

    def _note_failure(self, request: ProxyRequest, error: Exception) -> None:
        closed = isinstance(error, HostClosed)
        why = str(error) if closed else f"{request.host}:{request.port} did not answer: {_reason(error)}"
        self._unreached.pop((request.host, request.port), None)
        self._unreached[request.host, request.port] = _Failure(Unreached(why=why, closed=closed), time.monotonic())
        while len(self._unreached) > REMEMBERED:
            del self._unreached[next(iter(self._unreached))]


async def _read_head(reader: StreamReader) -> bytes:
    """Return the head of a request, or only its first byte if that is no letter: such a head may never end."""
    async with asyncio.timeout(HEAD_SECONDS):
        first = await reader.readexactly(1)
        return first + (await reader.readuntil(b"\r\n\r\n") if first.isalpha() else b"")


def _refuse(client: Connection, request: ProxyRequest, error: Exception) -> None:
    if request.head:
        client[1].transport.abort()  # a reply of the proxy could be mistaken for the product's
        return
    status = "403 Forbidden" if isinstance(error, HostClosed) else "502 Bad Gateway"
    client[1].write(f"HTTP/1.1 {status}\r\nConnection: close\r\n\r\n".encode())


def _find_loopback(host: str) -> tuple[str, ...]:
    """Return the loopback addresses of a host; empty if it has none."""
    name = "localhost" if host.lower().endswith(".localhost") else host.lower()
    if name in LOOPBACK:
        return LOOPBACK[name]
    try:
        return (host,) if ipaddress.ip_address(host).is_loopback else ()
    except ValueError:
        return ()


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    number = error.errno if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else None
    return os.strerror(number) if number else str(error) or type(error).__name__


async def _relay(client: Connection, server: Connection) -> None:
    """Forward bytes in both directions until the server sends no more."""
    sending = asyncio.create_task(_pump(client[0], server[1]))
    try:
        await _pump(server[0], client[1])
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _pump(reader: StreamReader, writer: StreamWriter) -> None:
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    finally:
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
