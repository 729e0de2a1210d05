"""What the gateway's tests share: a private nats-server, gateways in the loop and as processes, and stand-ins for the
services behind them that store real messages on the real bus."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import pytest
from envelopes import a_task, result_of
from fork_server import Process
from fork_server import start as start_process
from msgspec.structs import replace
from nats.aio.msg import Msg
from websockets.asyncio.client import ClientConnection, connect

from muster_bus import Bus, Log
from muster_bus.run_store import store_request
from muster_bus.testing import NatsServer, connected
from muster_gateway.service import service
from muster_gateway.settings import GatewaySettings
from muster_protocol import codec
from muster_protocol.errors import Conflict, InvalidRequest
from muster_protocol.events import (
    Entry,
    Event,
    PlanMade,
    RunClosed,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.ids import run_id_for
from muster_protocol.logs import LogRecord
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.submit_replies import Rejected, RejectedKind
from muster_protocol.verdicts import Verdict
from muster_service.settings import load
from muster_text.request_rules import decode_request

SECONDS = 45.0


class Frame(msgspec.Struct):
    """What a log follower gets; the last one has `end` instead of a record."""

    cursor: int = 0
    record: LogRecord | None = None
    end: bool = False
    status: str = ""
    cause: str = ""


class Web(NamedTuple):
    """A gateway as its clients see it."""

    http: httpx.AsyncClient
    port: int
    process: Process | None = None

    def follow(self, run: str, after: int = 0, **options: object) -> connect:
        """Open a WebSocket on a run's log."""
        return connect(f"ws://127.0.0.1:{self.port}/runs/{run}/logs?after={after}", **options)  # pyright: ignore

    async def frames(self, socket: ClientConnection, count: int) -> list[Frame]:
        """Return the next frames."""
        async with asyncio.timeout(SECONDS):
            return [codec.decode(await socket.recv(), Frame) for _ in range(count)]

    async def metric(self, name: str) -> float:
        """Return the value of a sample, named as Prometheus shows it."""
        text = (await self.http.get("/metrics")).text
        return next((float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name)), 0.0)


class Desk:
    """Answers `muster.submit` as an orchestrator does."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.refusal = ""
        self.kind: RejectedKind = "invalid"

    async def answer(self, message: Msg) -> None:
        """Store the request, or say why not."""
        if self.refusal:
            return await self.bus.respond(message, Rejected(reasons=(self.refusal,), kind=self.kind))
        try:
            request = decode_request(message.data)
            if request.idempotency_key and not request.id:
                request = replace(request, id=run_id_for(request.idempotency_key))
            await self.bus.respond(message, await store_request(self.bus, request))
        except InvalidRequest as error:
            kind = "conflict" if isinstance(error, Conflict) else "invalid"
            await self.bus.respond(message, Rejected(reasons=error.reasons, kind=kind))


class Run:
    """A run whose log and lines the test writes itself."""

    def __init__(self, bus: Bus, id: str) -> None:
        self.bus, self.id = bus, id
        self.log = Log(bus, "RUNS", bus.names.events(id))
        self._numbers: dict[str, int] = {}

    async def append(self, *happened: Event) -> int:
        """Append one entry to the run's log."""
        return await self.log.append(Entry(epoch=1, at=time.time(), events=happened))

    async def open(self, *steps: str) -> None:
        """Begin the run with a plan of these steps."""
        case = TestCase(
            name=f"Case {self.id}", steps=tuple(Step(action=step, expected="x") for step in steps or ("a",))
        )
        request = RunRequest(id=self.id, job=case, requested_at=time.time())
        nodes = tuple(PlanNode(id=f"n{n}", description=step, covers=(n,)) for n, step in enumerate(steps or ("a",)))
        await self.append(RunOpened(request=request, owner="o", message=1, delivery=1))
        await self.append(PlanMade(plan=Plan(nodes=nodes)))

    async def dispatch(self, node: str, dispatch: int = 1) -> None:
        """Dispatch a node."""
        await self.append(
            SubTaskDispatched(
                sub_task=a_task(id=f"{self.id}.{node}.1", run=self.id, node=node, attempt=1, dispatch=dispatch)
            )
        )

    async def passed(self, node: str) -> None:
        """End a node well."""
        result = result_of(task=f"{self.id}.{node}.1", node=node, attempt=1, status="pass", summary="done", worker="w")
        await self.append(SubTaskEnded(outcome=result))

    async def end(self, verdict: Verdict | None = None) -> None:
        """Reach a verdict and close the run."""
        await self.append(VerdictReached(verdict=verdict or Verdict(run=self.id, name=self.id, status="pass")))
        await self.append(RunClosed())

    async def say(self, source: str, count: int = 1, text: str = "line") -> list[int]:
        """Publish lines of one source, many at a time, and return their sequences."""
        subject, sequences = self.bus.names.log(self.id, source), list[int]()
        for start in range(0, count, 200):
            batch = [self._record(source, text) for _ in range(min(200, count - start))]
            acks = await asyncio.gather(*(self.bus.store(subject, codec.encode(record)) for record in batch))
            sequences += [ack.seq for ack in acks]
        return sequences

    def _record(self, source: str, text: str) -> LogRecord:
        number = self._numbers[source] = self._numbers.get(source, 0) + 1
        return LogRecord(
            run=self.id, source=source, number=number, at=time.time(), kind="message", text=f"{text} {number}"
        )


OpenRun = Callable[..., Awaitable[Run]]
StartGateway = Callable[..., Awaitable[Web]]


@pytest.fixture
async def desk(bus: Bus) -> Desk:
    """Have submissions answered."""
    answering = Desk(bus)
    await bus.nc.subscribe(bus.names.submit, cb=answering.answer)
    await bus.nc.flush()
    return answering


@pytest.fixture
def open_run(bus: Bus) -> OpenRun:
    """Return a way to begin runs."""

    async def begin(id: str, *steps: str) -> Run:
        run = Run(bus, id)
        await run.open(*steps)
        return run

    return begin


@pytest.fixture
async def web(server: NatsServer, tmp_path: Path) -> AsyncGenerator[Web]:
    """Serve in this process, over a connection of its own."""
    async with serving(server, tmp_path) as served:
        yield served


@pytest.fixture
def serve(server: NatsServer, tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Web]]:
    """Return a way to serve in this process with settings."""
    return partial(serving, server, tmp_path)


TRUST = httpx.create_ssl_context()
"""Read once: each client without it reads all authorities of the world, to talk to loopback."""


def http_client(port: int) -> httpx.AsyncClient:
    """Return a client of a gateway on this machine."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS, verify=TRUST)


@asynccontextmanager
async def serving(server: NatsServer, folder: Path, **settings: str) -> AsyncGenerator[Web]:
    """Serve in this process."""
    environment = {"NATS_URL": server.url, "HTTP_PORT": "0", "PORT_FILE": str(folder / "port"), "SHUTDOWN_SECONDS": "3"}
    loaded = load(GatewaySettings, environment | {name.upper(): value for name, value in settings.items()})
    async with connected(server) as bus, service(bus, loaded):
        port = int((folder / "port").read_text())
        async with http_client(port) as http:
            yield Web(http, port)


@pytest.fixture
async def start_gateway(server: NatsServer, tmp_path: Path) -> AsyncGenerator[StartGateway]:
    """Return a way to start gateways as processes; what still runs at the end is ended."""
    async with AsyncExitStack() as stack:

        async def start(**settings: str) -> Web:
            return await stack.enter_async_context(gateway_process(server, tmp_path, **settings))

        yield start


@asynccontextmanager
async def gateway_process(server: NatsServer, folder: Path, **settings: str) -> AsyncGenerator[Web]:
    """Run `python -m muster_gateway`."""
    file = folder / f"port-{time.monotonic_ns()}"
    given = {"NATS_URL": server.url, "HTTP_PORT": "0", "PORT_FILE": str(file)}
    given |= {name.upper(): value for name, value in settings.items()}
    log = file.with_suffix(".log")
    process = await start_process(("-m", "muster_gateway"), {**os.environ, **given}, log)
    try:
        async with asyncio.timeout(SECONDS):
            while not file.exists():
                assert process.returncode is None, f"the gateway did not start:\n{log.read_text()}"
                await asyncio.sleep(0.01)
        port = int(file.read_text())
        async with http_client(port) as http:
            yield Web(http, port, process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), SECONDS)
