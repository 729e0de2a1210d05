"""A TCP proxy between a client and its server, for what networks do: lose bytes, stall, and cut connections."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import msgspec

from muster_protocol.bus import Bus, connect
from muster_protocol.server import NatsServer
from muster_protocol.settings import BusSettings


class Direction:
    """One direction of all connections: what went in, and whether it comes out."""

    def __init__(self) -> None:
        self.seen = bytearray()
        """Every byte that was sent in this direction, whether or not it arrived."""
        self._dropping = False
        self._open = asyncio.Event()
        self._open.set()

    def drop(self) -> None:
        """Lose what comes from now on. Cut the connection before passing again: what follows would make no sense."""
        self._dropping = True

    def hold(self) -> None:
        """Keep what comes from now on until `release`."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again, first what was held."""
        self._dropping = False
        self._open.set()

    async def carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Pass bytes on until one end closes."""
        with suppress(OSError):
            while data := await reader.read(65_536):
                self.seen += data
                if self._dropping:
                    continue
                await self._open.wait()
                writer.write(data)
                await writer.drain()


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
