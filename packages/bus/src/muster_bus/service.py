"""How a service process lives: settings, logging, NATS, health port, presence, and a graceful end."""

import asyncio
import gc
import os
import platform
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Literal, NamedTuple, TypeVar

import msgspec
import structlog
import uvloop
from nats.errors import Error as NatsError
from prometheus_client import disable_created_metrics

from muster_bus import Bus, Rows, dial, provision, unconnected
from muster_bus.server_clock import read_server_clock
from muster_bus.streams import consumer_configs
from muster_protocol import __version__
from muster_protocol.errors import BusError, MusterError
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import DeviceKind
from muster_service.log_secrets import hide_in_logs
from muster_service.process_privacy import forbid_inspection
from muster_service.settings import BusSettings, SettingsError, take
from muster_service.task_cleanup import stop
from muster_service.telemetry import INFO, Identity, configure_logging, serve_health
from muster_service.tracing import export_traces

log = structlog.get_logger("muster.service")

S = TypeVar("S", bound=BusSettings)
ServiceName = Literal["orchestrator", "subagent", "sessions", "gateway"]

PRESENCE_SECONDS = 3.0
QUEUES: dict[ServiceName, str] = {
    "orchestrator": "REQUESTS",
    "subagent": "TASKS",
    "sessions": "OPENINGS",
    "gateway": "WEBHOOKS",
}
"""The stream that each service takes its work from."""
STDIN_VARIABLE = "MUSTER_STOP_WITH_STDIN"
"""Set to 1 by whoever starts a service as a child: it stops when its standard input is closed."""
GC_THRESHOLD, GC_ROUNDS = 20_000, 20
"""New objects between two collections, and how many of these between two that look at older ones too; Python's own 700
and 10 took a seventh of the processor time of a busy worker."""


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
    devices: tuple[DeviceKind, ...] = ()
    """The kinds of device that a session host can keep."""
    chosen: bool = False
    """Whether people chose its id, so that another process may have the same."""


Service = Callable[[Bus, S], AbstractAsyncContextManager[Running]]


def main(name: ServiceName, kind: type[S], service: "Service[S]") -> None:
    """Run a service until SIGTERM or SIGINT, and exit: 0 after a graceful end, 2 on bad settings, 1 on a fault."""
    forbid_inspection()
    try:
        settings = take(kind, os.environ)
        identity = Identity(name)
        configure_logging(settings.log_level, settings.log_format, identity)
        hide_in_logs([settings.nats_password])
        _collect_seldom()
        run_until_signalled(_run_service(identity, name, settings, service))
    except MusterError as error:
        print(f"muster {name}: {error}", file=sys.stderr)
        sys.exit(2)


def _collect_seldom() -> None:
    """Make garbage collections rarer and smaller: hardly anything here is part of a cycle."""
    gc.freeze()  # what is imported stays, and is not looked through again
    gc.set_threshold(GC_THRESHOLD, GC_ROUNDS, GC_ROUNDS)


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
        given_up = os.environ.get(STDIN_VARIABLE) == "1"
        watching = asyncio.create_task(_call_at_end_of_stdin(stop)) if given_up else None
        try:
            await work
        finally:
            if watching is not None:
                watching.cancel()

    with suppress(asyncio.CancelledError):
        uvloop.run(supervised())


async def _run_service(identity: Identity, name: ServiceName, settings: S, service: "Service[S]") -> None:
    bus, phase = unconnected(settings), _Phase("it is starting")
    async with _serve_health(bus, settings, name, phase):
        await dial(bus, name=f"muster-{name}")
        try:
            if settings.provision:
                await provision(bus)
            await _check_ack_wait(bus, name)
            await _set_clock(bus)
            async with (
                export_traces(settings, name),
                service(bus, settings) as running,
                _keep_presence(bus, name, running) as beating,
            ):
                identity.id = running.id
                log.info("started", pid=os.getpid(), version=__version__)
                phase.text, phase.note = "", describe_devices(running)
                try:
                    await until_over(beating)
                finally:
                    phase.text = "it is stopping"
        finally:
            await asyncio.shield(bus.close())
            log.info("stopped")


async def until_over(beating: "asyncio.Task[None]") -> None:
    """Wait for the end of a task that nobody is to wait for any more once this one is cancelled.

    Awaiting it would leave the cancelling to it, and `wait_for`, with which nats-py waits, may lose one: so also at the
    start.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
    await asyncio.wait({beating})
    beating.result()


class _Phase:
    """What a process is doing instead of its work, if it is not at it yet or no more; else what it is ready for."""

    def __init__(self, text: str) -> None:
        self.text, self.note = text, ""


def describe_devices(running: Running) -> str:
    """Return what a session host is ready for, and what it lacks; empty for other services. Pure."""
    if not running.devices:
        return ""
    return " for " + ", ".join(running.devices) + "".join(f"; {warning}" for warning in running.warnings)


async def _check_ack_wait(bus: Bus, name: ServiceName) -> None:
    """Refuse claims that last longer here than at the server: holders would lose their work to each other for ever.

    Raises:
        SettingsError: ACK_WAIT_SECONDS is another one than the queue of this service has.
    """
    configs = consumer_configs(bus.names, bus.settings)
    stream, config = next(it for it in configs if it[0] == bus.names.stream(QUEUES[name]))
    mine = bus.settings.ack_wait_seconds
    try:
        found = (await bus.js.consumer_info(stream, str(config.name))).config.ack_wait or mine
    except (NatsError, BusError, TimeoutError) as error:
        log.info("cannot compare ACK_WAIT_SECONDS with the server's", error=repr(error))
        return
    if abs(found - mine) > 0.001:
        raise SettingsError(
            f"environment variable ACK_WAIT_SECONDS is {mine:g}, and {found:g} in consumer {stream}/{config.name} on "
            "the server: make them the same"
        )


@asynccontextmanager
async def _serve_health(bus: Bus, settings: BusSettings, name: ServiceName, phase: _Phase) -> AsyncGenerator[None]:
    """Tell how it goes on the port for metrics, from before NATS is there until all is let go."""
    INFO.labels(name, __version__).set(1)
    disable_created_metrics()  # a second series for each counter, which nothing asks for

    lag = asyncio.create_task(bus.lag.watch())
    server = None
    if settings.metrics_port >= 0:
        host, port = settings.metrics_host, settings.metrics_port
        try:
            server = await serve_health(host, port, lambda: bus.trouble or phase.text, lambda: phase.note)
        except OSError as error:
            raise SettingsError(
                f"environment variable METRICS_PORT: port {port} of {host} (METRICS_HOST) cannot be used: {error}"
            ) from error
        log.info("health port open", port=server.sockets[0].getsockname()[1])
    try:
        yield
    finally:
        lag.cancel()
        if server is not None:
            server.close()


@asynccontextmanager
async def _keep_presence(bus: Bus, name: ServiceName, running: Running) -> AsyncGenerator["asyncio.Task[None]"]:
    """Keep a row in WORKERS as long as the process lives; it disappears by itself when the process does.

    The task that is given ends only with SettingsError: another process has the same id, and had it before.
    """
    rows, started = Rows(bus, "WORKERS", WorkerRow), bus.clock.now()
    revision: int | None = None

    async def beat() -> None:
        nonlocal revision
        while True:
            row = _build_row(name, running, started, bus.clock.now())
            with suppress(TimeoutError, NatsError):
                if revision is None or not running.chosen:
                    revision = await rows.put(running.id, row)
                elif (revision := await rows.update(running.id, row, revision)) is None:
                    _check_twin(await rows.get(running.id), row)
                    continue
            await asyncio.sleep(PRESENCE_SECONDS)
            await _set_clock(bus)

    task = asyncio.create_task(beat())
    try:
        yield task
    finally:
        await stop({task})
        with suppress(TimeoutError, NatsError):
            await asyncio.wait_for(rows.delete(running.id), 2.0)


async def _set_clock(bus: Bus) -> None:
    """Set the fleet's clock, if the server tells its time now; else it goes on as it is."""
    with suppress(TimeoutError, NatsError, msgspec.DecodeError):
        await read_server_clock(bus)


def _build_row(name: ServiceName, running: Running, started: float, now: float) -> WorkerRow:
    load = running.load()
    return WorkerRow(
        id=running.id,
        service=name,
        host=platform.node(),
        pid=os.getpid(),
        version=__version__,
        slots=load.slots,
        busy=load.busy,
        warnings=running.warnings,
        devices=running.devices,
        started_at=started,
        seen_at=now,
    )


def _check_twin(found: WorkerRow | None, own: WorkerRow) -> None:
    """Of two processes with one id, the one that started later ends.

    Raises:
        SettingsError: that is this one.
    """
    if found is None or (found.started_at, found.host, found.pid) == (own.started_at, own.host, own.pid):
        return
    log.error("another process has the same id", id=own.id, host=found.host, pid=found.pid)
    if (found.started_at, found.host, found.pid) < (own.started_at, own.host, own.pid):
        raise SettingsError(describe_twin(own.id, f"process {found.pid} on {found.host}"))


def describe_twin(id: str, other: str) -> str:
    """Return why a process with an id that people chose cannot go on. Pure."""
    return f"environment variable HOST_ID is {id!r}, which {other} has already: give each session host its own, or none"


async def _call_at_end_of_stdin(callback: Callable[[], None]) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        continue
    callback()
