"""Three nats-servers under deploy/nats.conf as one cluster, started as deploy/kubernetes/nats.yaml starts them."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from deployed import ROOT, USERS, password_of
from free_ports import free_port
from msgspec.structs import replace

from muster_bus import Bus, connect
from muster_bus.nats_server import executable
from muster_service.settings import BusSettings


class Cluster:
    """The servers; each keeps its name, ports and folder from start to start."""

    def __init__(self, folder: Path, size: int = 3) -> None:
        self.folder = folder
        ports = [free_port() for _ in range(3 * size)]
        self._clients, self._routes, self._monitors = ports[:size], ports[size : 2 * size], ports[2 * size :]
        self.running: dict[int, Process] = {}

    @property
    def url(self) -> str:
        """Addresses for clients, as NATS_URL takes them."""
        return ",".join(f"nats://127.0.0.1:{port}" for port in self._clients)

    async def start(self, number: int) -> None:
        """Start one server."""
        routes = ",".join(f"nats://127.0.0.1:{port}" for port in self._routes)
        self.running[number] = await asyncio.create_subprocess_exec(
            *(executable(), "-c", str(ROOT / "deploy/nats.conf"), "-n", f"nats-{number}", "-a", "127.0.0.1"),
            *("-p", str(self._clients[number]), "-m", str(self._monitors[number])),
            *("-sd", str(self.folder / f"js-{number}"), "-l", str(self.folder / f"nats-{number}.log")),
            *("--cluster_name", "muster", "--cluster", f"nats://127.0.0.1:{self._routes[number]}"),
            *("--routes", routes, "--no_advertise"),
            env={**os.environ, **{f"NATS_{user.upper()}_PASSWORD": password_of(user) for user in USERS}},
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
        )

    async def end(self, number: int, how: signal.Signals, seconds: float = 90.0) -> None:
        """End one server with a signal and wait for it."""
        process = self.running.pop(number)
        process.send_signal(how)
        await asyncio.wait_for(process.wait(), seconds)

    async def healthy(self, number: int) -> bool:
        """Return whether a server says that it and all its streams are up to date."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._monitors[number])
        except OSError:
            return False
        writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
        answer = await reader.read()
        writer.close()
        body = answer.rpartition(b"\r\n\r\n")[2]
        return body.startswith(b"{") and json.loads(body).get("status") == "ok"

    async def leader(self, bus: Bus, stream: str) -> int:
        """Return the number of the server that leads a stream."""
        info = await bus.js.stream_info(stream)
        assert info.cluster is not None
        return int((info.cluster.leader or "nats--1").removeprefix("nats-"))

    @asynccontextmanager
    async def bus(self, user: str, copies: int = 3) -> AsyncGenerator[Bus]:
        """Connect as a user in the way services do."""
        who = {"nats_user": user, "nats_password": password_of(user)}
        settings = replace(BusSettings(), nats_url=self.url, stream_replicas=copies, **who)
        bus = await connect(settings, name="test", patience=20.0)
        try:
            yield bus
        finally:
            await bus.close()

    async def stop(self) -> None:
        """End what is left."""
        for process in self.running.values():
            process.kill()
        for process in self.running.values():
            await process.wait()


@asynccontextmanager
async def clustered(folder: Path) -> AsyncGenerator[Cluster]:
    """Run a cluster of three until left."""
    cluster = Cluster(folder)
    try:
        for number in range(3):
            await cluster.start(number)
        yield cluster
    finally:
        await cluster.stop()
