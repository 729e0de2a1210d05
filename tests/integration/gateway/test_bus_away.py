"""What clients see while NATS is away, and that nothing is missing once it is back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import httpx
from waiting import eventually

from muster_bus import connect
from muster_gateway.relay.feed import Feed
from muster_gateway.relay.hub import RelayHub
from muster_gateway.relay.lines import Line
from muster_service.settings import BusSettings

if TYPE_CHECKING:
    from muster_bus import Bus
    from muster_bus.nats_server import NatsServer

    from .conftest import Desk, OpenRun, StartGateway, Web

CASE = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}


async def test_requests_are_put_off_while_nats_is_down_and_served_once_it_is_back(
    start_gateway: StartGateway, server: NatsServer, desk: Desk, open_run: OpenRun
):
    web = await start_gateway()
    await open_run("r1")
    assert (await web.http.get("/readyz")).status_code == 200

    async def ready(status: int) -> bool:
        return (await web.http.get("/readyz")).status_code == status

    await server.stop(signal.SIGKILL)
    await eventually(lambda: ready(503), "readiness is withdrawn")
    assert "no connection to NATS" in (await web.http.get("/readyz")).text
    assert (await web.http.get("/healthz")).status_code == 200
    assert "no connection to NATS" in (await web.http.get("/")).text
    for path in ("/runs", "/runs/r1", "/runs/r1/verdict", "/runs/r1/events", "/runs/r1/artifacts", "/runs/r1/logs"):
        answer = await web.http.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "NATS is unreachable" in answer.json()["reasons"][0]
    assert (await web.http.post("/runs", json={"job": CASE})).status_code == 503
    assert (await web.http.post("/runs/r1/cancel")).status_code == 503
    async with web.follow("r1") as socket:
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (1013, "NATS is unreachable; try again")

    await server.start()
    await eventually(lambda: ready(200), "readiness is back")
    await eventually(lambda: accepted(web), "a submission is accepted")
    assert (await web.http.get("/runs/r1")).json()["run"]["status"] == "running"


async def accepted(web: Web) -> bool:
    """Submit, and say whether it was accepted; the stand-in for an orchestrator reconnects in its own time."""
    return (await web.http.post("/runs", json={"job": CASE})).status_code == 202


async def test_a_follower_stays_through_a_restart_of_nats_and_misses_nothing(
    web: Web, server: NatsServer, bus: Bus, open_run: OpenRun
):
    run = await open_run("r1")
    async with web.follow("r1") as socket:
        before = await run.say("w", 500)
        frames = await web.frames(socket, 400)
        await server.stop()
        await server.start()
        await eventually(lambda: back(bus), "the publisher is connected again")
        after = await run.say("w", 500)
        frames += await web.frames(socket, 600)
        assert [frame.cursor for frame in frames] == before + after
        await run.end()
        assert (await web.frames(socket, 1))[0].end


async def back(bus: Bus) -> bool:
    """Return whether the test's own connection is up again."""
    return bus.nc.is_connected and bus.nc.stats["reconnects"] > 0


class Gate:
    """Stands between a client and NATS: cuts the connection, and holds the client's pings back on demand."""

    def __init__(self, server: NatsServer) -> None:
        self._server = server
        self.let_in, self.let_pings = asyncio.Event(), asyncio.Event()
        self.let_in.set()
        self.let_pings.set()
        self._open: list[asyncio.StreamWriter] = []

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass everything on in both directions."""
        await self.let_in.wait()
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        self._open = [writer, up_writer]
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await asyncio.gather(self._down(up_reader, writer), self._up(reader, up_writer))
        writer.close()
        up_writer.close()

    def cut(self) -> None:
        """Drop the connection, and let no new one through until `let_in` is set."""
        self.let_in.clear()
        for writer in self._open:
            writer.transport.abort()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        subscribed = False
        while line := await reader.readuntil(b"\r\n"):
            subscribed = subscribed or line.startswith(b"SUB ")
            if line.startswith(b"PING") and subscribed:  # the one after the subscriptions are renewed
                await self.let_pings.wait()
            writer.write(line)
            if line.startswith((b"PUB ", b"HPUB ")):
                writer.write(await reader.readexactly(int(line.split()[-1]) + 2))
            await writer.drain()


@asynccontextmanager
async def gate(server: NatsServer) -> AsyncGenerator[tuple[Gate, int]]:
    """Open a gate and return it with its port."""
    between = Gate(server)
    async with await asyncio.start_server(between.connected, "127.0.0.1", 0) as listening:
        yield between, listening.sockets[0].getsockname()[1]
        between.cut()


async def follows(server: NatsServer) -> bool:
    """Return whether any connection is subscribed to the live lines of run r1, as the server sees it."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"http://127.0.0.1:{server.monitor_port}/connz?subs=1")).text
    return "live.logs.*.*" in text


async def test_a_live_line_that_overtakes_the_backlog_after_a_reconnection_makes_no_gap(
    server: NatsServer, open_run: OpenRun
):
    run = await open_run("r1")
    async with gate(server) as (between, port):
        through = await connect(BusSettings(nats_url=f"nats://127.0.0.1:{port}"), name="gated", patience=10)
        async with Feed(RelayHub(through), "r1", 0, 100) as feed:
            await eventually(lambda: follows(server), "the feed is live")
            for _ in range(2):  # the second one comes after the backlog was read
                assert await run.say("a", 1) == [await cursor(feed)]

            between.cut()
            await eventually(lambda: gone(server), "the feed is cut off")
            missed = await run.say("a", 3)
            between.let_pings.clear()
            between.let_in.set()
            await eventually(lambda: follows(server), "the feed is subscribed again")
            overtaking = await run.say("b", 1)
            waiting = asyncio.create_task(cursor(feed))
            await asyncio.wait({waiting}, timeout=0.3)
            between.let_pings.set()
            assert [await waiting, *[await cursor(feed) for _ in range(3)]] == missed + overtaking
        await through.close()


async def gone(server: NatsServer) -> bool:
    """Return whether nobody is subscribed any more."""
    return not await follows(server)


async def cursor(feed: Feed) -> int:
    """Return the cursor of the next line."""
    item = await feed.next(15.0)
    assert isinstance(item, Line), f"no line, but {item}"
    return item.seq
