"""What would leave a connection closed or deaf for good."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from proxy import proxied
from waiting import eventually

from muster_bus import Bus, connect
from muster_bus.nats_server import CONFIG, NatsServer, executable, nats_server
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings

USERS = 'authorization {{ users = [{{user: "admin", password: "admin"}}{more}] }}\n'
ME = ', {user: "me", password: "right"}'


class Guarded:
    """A server that wants to know who one is, and whose users change while it runs."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port
        self._process: Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    def knows(self, more: str) -> None:
        base = CONFIG.format(port=self._port, store=json.dumps(str(self._folder / "js")))
        (self._folder / "guarded.conf").write_text(base + USERS.format(more=more))
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGHUP)

    async def start(self) -> None:
        config = str(self._folder / "guarded.conf")
        self._process = await asyncio.create_subprocess_exec(executable(), "-c", config, stderr=DEVNULL)

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            await process.wait()


@asynccontextmanager
async def guarded(folder: Path) -> AsyncGenerator[tuple[Guarded, Bus]]:
    """Run a guarded server that knows `me`, and connect as `me`."""
    async with nats_server(folder) as server:
        port = server.port
    made = Guarded(folder, port)
    made.knows(ME)
    await made.start()
    bus = await connect(BusSettings(nats_url=made.url, nats_user="me", nats_password="right"), "test", patience=10.0)
    try:
        yield made, bus
    finally:
        await bus.close()
        await made.stop()


async def refused_then_welcome(server: Guarded, bus: Bus) -> None:
    """Expect that it tries and says so, and is back once the server knows it again."""
    await eventually(lambda: "refuses the credentials" in bus.trouble, "it says why it waits")
    assert "no connection to NATS" in bus.trouble
    server.knows(ME)
    await eventually(lambda: bus.nc.is_connected, "it is back")
    await bus.nc.flush()
    assert bus.trouble == ""


async def test_a_login_that_is_revoked_while_connected_is_tried_until_it_is_granted_again(tmp_path: Path):
    async with guarded(tmp_path) as (server, bus):
        server.knows("")
        await refused_then_welcome(server, bus)


async def test_a_server_that_comes_back_without_its_users_is_tried_until_it_has_them(tmp_path: Path):
    async with guarded(tmp_path) as (server, bus):
        await server.stop()
        server.knows("")
        await server.start()
        await refused_then_welcome(server, bus)


async def test_a_flush_that_was_cancelled_leaves_the_connection_able_to_hear(server: NatsServer):
    async with proxied(server) as (bus, proxy):
        proxy.to_client.hold()
        pings = proxy.to_server.seen.count(b"PING\r\n")
        flushing = asyncio.ensure_future(bus.nc.flush())
        await eventually(lambda: proxy.to_server.seen.count(b"PING\r\n") > pings, "it has asked")
        flushing.cancel()
        proxy.to_client.release()
        await bus.nc.flush(5)

        assert (await bus.store("muster.tasks.act.normal", b"x", timeout=2.0)).seq == 1
        assert bus.nc.stats["reconnects"] == 0


async def test_a_reader_that_ends_by_a_fault_is_followed_by_a_new_connection(bus: Bus):
    broken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    broken.set_result(True)
    bus.nc._pongs = [_Unwilling()]
    await bus.nc._send_ping()
    await eventually(lambda: bus.nc.stats["reconnects"] == 1 and bus.nc.is_connected, "it is connected anew", 5.0)
    assert (await bus.store("muster.tasks.act.normal", b"x", timeout=2.0)).seq == 1


class _Unwilling(asyncio.Future[bool]):
    """Fails where nats-py does not expect it."""

    def set_result(self, result: bool, /) -> None:
        raise RuntimeError("on purpose")


@pytest.mark.parametrize("answer", ["-ERR 'Authorization Violation'\r\n", ""], ids=["refused", "silent"])
async def test_a_connection_that_is_given_up_is_closed_even_if_the_server_leaves_it_open(answer: str):
    opened: list[asyncio.StreamReader] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(reader)
        writer.write(b'INFO {"auth_required":true,"max_payload":1000}\r\n' + answer.encode())
        while await reader.read(1000):
            pass
        opened.remove(reader)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(BusError):
            await connect(BusSettings(nats_url=url, nats_user="me", nats_password="wrong"), "test", patience=1.0)
        await eventually(lambda: not opened, "no connection is left")
