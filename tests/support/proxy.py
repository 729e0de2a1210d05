"""A TCP proxy between a client and its server, for what networks do: lose bytes, stall, and cut connections."""

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import msgspec

from muster_bus import Bus, connect
from muster_bus.nats_server import NatsServer
from muster_service.settings import BusSettings

MESSAGE = re.compile(rb"H?(?:PUB|MSG) [^\r\n]* (\d+)\r\n")
"""First line of a message on the wire of NATS; its last word is the length of what follows."""


def without(data: bytes, marker: bytes) -> bytes:
    """Return the data without the first message in it that contains the marker, which must be there as a whole. Pure."""
    for found in MESSAGE.finditer(data):
        end = found.end() + int(found[1]) + 2
        if marker in data[found.start() : end]:
            return data[: found.start()] + data[end:]
    return data


class Direction:
    """One direction of all connections: what went in, and whether it comes out."""

    def __init__(self) -> None:
        self.seen = bytearray()
        """Every byte that was sent in this direction, whether or not it arrived."""
        self.lost = 0
        """Messages lost by `lose`."""
        self._dropping = False
        self._marker = b""
        self._held: list[tuple[StreamWriter, bytes]] | None = None
        self._taking = asyncio.Event()
        self._taking.set()

    def drop(self) -> None:
        """Lose what comes from now on. Cut the connection before passing again: what follows would make no sense."""
        self._dropping = True

    def lose(self, marker: bytes) -> None:
        """Lose the next message that contains the marker, and nothing else."""
        self._marker = marker

    def hold(self) -> None:
        """Take what comes from now on, and keep it until `release`."""
        self._held = []

    def stall(self) -> None:
        """Take nothing more until `release`, so that the sender's buffers fill."""
        self._taking.clear()

    def release(self) -> None:
        """Let everything through again, first what was held."""
        self._dropping = False
        held, self._held = self._held or [], None
        for writer, data in held:
            if not writer.is_closing():
                writer.write(data)
        self._taking.set()

    async def carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Pass bytes on until one end closes."""
        with suppress(OSError):
            while data := await reader.read(65_536):
                self.seen += data
                await self._taking.wait()
                if self._dropping:
                    continue
                if self._held is not None:
                    self._held.append((writer, data))
                    continue
                writer.write(self._thinned(data))
                await writer.drain()

    def _thinned(self, data: bytes) -> bytes:
        if not self._marker or len(left := without(data, self._marker)) == len(data):
            return data
        self._marker, self.lost = b"", self.lost + 1
        return left


class Proxy:
    """Listens on a port of its own and carries every connection to the server's port."""

    def __init__(self, port: int) -> None:
        self.to_server, self.to_client = Direction(), Direction()
        self.connections = 0
        """How many connections there have been."""
        self._target, self._port = port, 0
        self._writers: set[StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Address for clients."""
        return f"nats://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Begin to listen; again on the same port, if it has done so before."""
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def cut(self, *, refuse: bool = False) -> None:
        """End all connections now; with `refuse`, there are no new ones either until `mend`."""
        if refuse and self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._writers:
            writer.transport.abort()

    async def mend(self) -> None:
        """Take connections and pass everything on again."""
        self.to_server.release()
        self.to_client.release()
        if self._server is None:
            await self.start()

    async def stop(self) -> None:
        """End everything."""
        self.to_server.release()
        self.to_client.release()
        self.cut(refuse=True)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)

    def _accepted(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        far_writer: StreamWriter | None = None
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self.connections += 1
            self._writers |= {writer, far_writer}
            ways = [self.to_server.carry(reader, far_writer), self.to_client.carry(far_reader, writer)]
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        except OSError:
            pass  # the server is down; the client sees its connection closed
        finally:
            for one in (writer, far_writer):
                if one is not None:
                    one.close()
                    self._writers.discard(one)


@asynccontextmanager
async def proxied(server: NatsServer, **settings: object) -> AsyncGenerator[tuple[Bus, Proxy]]:
    """Connect to a private server through a proxy of one's own."""
    proxy = Proxy(server.port)
    await proxy.start()
    made = msgspec.convert({name.upper(): value for name, value in settings.items()}, BusSettings)
    bus = await connect(msgspec.structs.replace(made, nats_url=proxy.url), name="proxied", patience=10.0)
    try:
        yield bus, proxy
    finally:
        await proxy.mend()
        await bus.close(timeout=2.0)
        await proxy.stop()
