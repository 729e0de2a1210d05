"""How a service process lives: settings, logging, NATS, health port, presence, and a graceful end."""

import asyncio
import os
import platform
import signal
import sys
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Literal, NamedTuple, TypeVar

import structlog
import uvloop
from nats.errors import Error as NatsError
from prometheus_client import disable_created_metrics

from muster_bus import Bus, Rows, dial, provision, unconnected
from muster_protocol import __version__
from muster_protocol.errors import MusterError
from muster_protocol.logs import WorkerRow
from muster_service.settings import BusSettings, load
from muster_service.telemetry import INFO, configure_logging, serve_health
from muster_service.tracing import export_traces

log = structlog.get_logger("muster.service")

S = TypeVar("S", bound=BusSettings)
ServiceName = Literal["orchestrator", "subagent", "sessions", "gateway"]

PRESENCE_SECONDS = 3.0
STDIN_VARIABLE = "MUSTER_STOP_WITH_STDIN"
"""Set to 1 by whoever starts a service as a child: it stops when its standard input is closed."""


class Load(NamedTuple):
    """How much a service can do at once, and does, by pool."""

    slots: dict[str, int]
    busy: dict[str, int]


class Running(NamedTuple):
    """A started service: its id, and how busy it is."""

    id: str
    load: Callable[[], Load] = lambda: Load({}, {})
    warnings: tuple[str, ...] = ()
    """What operators should know of this process, shown beside it in the fleet."""


Service = Callable[[Bus, S], AbstractAsyncContextManager[Running]]


def main(name: ServiceName, kind: type[S], service: "Service[S]") -> None:
    """Run a service until SIGTERM or SIGINT, and exit: 0 after a graceful end, 2 on bad settings, 1 on a fault."""
    try:
        settings = load(kind, os.environ)
        configure_logging(settings.log_level, settings.log_format)
        run_until_signalled(_run_service(name, settings, service))
    except MusterError as error:
        print(f"muster {name}: {error}", file=sys.stderr)
        sys.exit(2)


def run_until_signalled(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine on uvloop; SIGTERM and SIGINT cancel it, a second one ends the process at once."""

    async def supervised() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()

        def stop() -> None:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, os._exit, 1)
            task.cancel()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
        if os.environ.get(STDIN_VARIABLE) == "1":
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(_call_at_end_of_stdin(stop))
                await work
                watching.cancel()
        else:
            await work

    with suppress(asyncio.CancelledError):
        uvloop.run(supervised())


async def _run_service(name: ServiceName, settings: S, service: "Service[S]") -> None:
    bus, phase = unconnected(settings), _Phase("it is starting")
    async with _serve_health(bus, settings, name, phase):
        await dial(bus, name=f"muster-{name}")
        try:
            if settings.provision:
                await provision(bus)
            async with (
                export_traces(settings, name),
                service(bus, settings) as running,
                _keep_presence(bus, name, running),
            ):
                log.info("started", service=name, id=running.id, pid=os.getpid(), version=__version__)
                phase.text = ""
                try:
                    await asyncio.Event().wait()
                finally:
                    phase.text = "it is stopping"
        finally:
            await asyncio.shield(bus.close())
            log.info("stopped", service=name)


class _Phase:
    """What a process is doing instead of its work, if it is not at it yet or no more."""

    def __init__(self, text: str) -> None:
        self.text = text


@asynccontextmanager
async def _serve_health(bus: Bus, settings: BusSettings, name: ServiceName, phase: _Phase) -> AsyncGenerator[None]:
    """Tell how it goes on the port for metrics, from before NATS is there until all is let go."""
    INFO.labels(name, __version__).set(1)
    disable_created_metrics()  # a second series for each counter, which nothing asks for

    lag = asyncio.create_task(bus.lag.watch())
    server = None
    if settings.metrics_port >= 0:
        host, port = settings.metrics_host, settings.metrics_port
        server = await serve_health(host, port, lambda: bus.trouble or phase.text)
        log.info("health port open", port=server.sockets[0].getsockname()[1])
    try:
        yield
    finally:
        lag.cancel()
        if server is not None:
            server.close()


@asynccontextmanager
async def _keep_presence(bus: Bus, name: ServiceName, running: Running) -> AsyncGenerator[None]:
    """Keep a row in WORKERS as long as the process lives; it disappears by itself when the process does."""
    rows = Rows(bus, "WORKERS", WorkerRow)
    started = time.time()

    async def beat() -> None:
        while True:
            load = running.load()
            row = WorkerRow(
                id=running.id,
                service=name,
                host=platform.node(),
                pid=os.getpid(),
                version=__version__,
                slots=load.slots,
                busy=load.busy,
                warnings=running.warnings,
                started_at=started,
                seen_at=time.time(),
            )
            with suppress(TimeoutError, NatsError):
                await rows.put(running.id, row)
            await asyncio.sleep(PRESENCE_SECONDS)

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
        with suppress(TimeoutError, NatsError):
            await asyncio.wait_for(rows.delete(running.id), 2.0)


async def _call_at_end_of_stdin(callback: Callable[[], None]) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        continue
    callback()
