"""The life of a service process: settings, logging, NATS, health port, presence, graceful shutdown."""

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TypeVar

import structlog
import uvloop
from prometheus_client import disable_created_metrics

from muster_bus import Bus, dial, provision, unconnected
from muster_bus.process_row import Running, keep_presence
from muster_bus.readiness import describe_note, describe_problem
from muster_bus.server_clock import set_clock
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_bus.streams import consumer_configs
from muster_protocol import __version__
from muster_protocol.codec import convert_types
from muster_protocol.errors import MusterError
from muster_protocol.logs import ServiceName
from muster_service.ending_signals import list_ending_signals
from muster_service.log_secrets import hide_in_logs
from muster_service.process_privacy import forbid_inspection
from muster_service.setting_texts import describe_settings
from muster_service.settings import BusSettings, SettingsError, find_setting, take
from muster_service.standard_streams import open_closed_streams
from muster_service.task_cleanup import finish
from muster_service.telemetry import INFO, Identity, configure_logging, serve_health
from muster_service.tracing import export_traces
from muster_service.wrong_settings import Misspelt, find_misspelt

log = structlog.get_logger("muster.service")

S = TypeVar("S", bound=BusSettings)

QUEUES: dict[ServiceName, str] = {
    "orchestrator": "REQUESTS",
    "subagent": "TASKS",
    "sessions": "OPENINGS",
    "gateway": "WEBHOOKS",
}
"""The stream that each service pulls its work from."""
STDIN_VARIABLE = "MUSTER_STOP_WITH_STDIN"
"""Environment variable: with 1, the service stops when its standard input is closed, as when its parent dies."""
GC_THRESHOLDS = (20_000, 4, 2)
"""New objects that start a garbage collection, and collections of one generation that start one of the next. Python's
default of 700 takes a seventh of a busy worker's processor time. Old generations are small, so collecting them often
is cheap, and frees closed connections to browsers: each is a megabyte of cycles."""


Service = Callable[[Bus, S], AbstractAsyncContextManager[Running]]


def main(name: ServiceName, kind: type[S], service: "Service[S]") -> None:
    """Run a service until a signal asks it to end; exit: 0 after a graceful shutdown, 2 on bad settings, 1 on a fault.

    Its command line takes `--help`, which lists the settings, and nothing else.
    """
    open_closed_streams()
    _parse_command_line(name, kind)
    forbid_inspection()
    misspelt = find_misspelt(kind, os.environ)
    try:
        _run_with(take(kind, os.environ), name, service, misspelt)
    except MusterError as error:
        print(f"muster {name}: {error}", file=sys.stderr)
        sys.exit(2)


def _run_with(settings: S, name: ServiceName, service: "Service[S]", misspelt: Sequence[Misspelt]) -> None:
    """Run a service.

    Raises:
        SettingsError: a file or folder that a setting names cannot be used.
    """
    identity = Identity(name)
    try:
        configure_logging(settings.log_level, settings.log_format, identity)
        hide_in_logs([settings.nats_password])
        for it in misspelt:
            log.warning("unknown environment variable ignored: is it a misspelt setting?", **it._asdict())
        _tune_gc()
        convert_types()  # after tuning: a garbage collection in between would take several times as long
        run_until_signalled(_run_service(identity, name, settings, service))
    except OSError as error:
        setting = find_setting(settings, str(error.filename or ""))
        if not setting:
            raise
        raise SettingsError(f"environment variable `{setting}`: {error.filename}: {error.strerror}") from error


def _parse_command_line(name: ServiceName, kind: type[BusSettings]) -> None:
    argparse.ArgumentParser(
        prog=f"muster {name}",
        description="Run until SIGTERM, Ctrl-C or the end of the terminal. The settings below are environment "
        "variables, read once at start.",
        epilog=describe_settings(kind) if {"-h", "--help"} & set(sys.argv[1:]) else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()


def _tune_gc() -> None:
    """Make garbage collections rarer and cheaper: few objects are part of a cycle."""
    gc.freeze()  # imported modules stay alive and need no scan
    gc.set_threshold(*GC_THRESHOLDS)


def run_until_signalled(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine on uvloop; a signal to end cancels it, a second one ends the process at once."""
    signals = list_ending_signals()

    async def supervised() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()

        def stop() -> None:
            for number in signals:
                loop.add_signal_handler(number, os._exit, 1)
            task.cancel()

        for number in signals:
            loop.add_signal_handler(number, stop)
        has_parent = os.environ.get(STDIN_VARIABLE) == "1"
        watching = asyncio.create_task(_call_at_end_of_stdin(stop)) if has_parent else None
        try:
            await work
        finally:
            if watching is not None:
                watching.cancel()

    with suppress(asyncio.CancelledError):
        uvloop.run(supervised())


async def _run_service(identity: Identity, name: ServiceName, settings: S, service: "Service[S]") -> None:
    bus, phase = unconnected(settings), _Phase("the service is starting")
    async with _serve_health(bus, settings, name, phase):
        await dial(bus, name=f"muster-{name}")
        try:
            if settings.provision:
                await provision(bus)
            await _check_ack_wait(bus, name)
            await set_clock(bus)
            async with (
                export_traces(settings, name),
                service(bus, settings) as running,
                keep_presence(bus, name, running) as beating,
            ):
                identity.id = running.id
                log.info("started", pid=os.getpid(), version=__version__)
                phase.text, phase.note = "", _describe_devices(running)
                try:
                    await until_over(beating)
                finally:
                    phase.text = "the service is stopping"
        finally:
            await finish(bus.close())
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
    """Why a process is not ready (`text`, empty once it is), and what it is ready for (`note`)."""

    def __init__(self, text: str) -> None:
        self.text, self.note = text, ""


def _describe_devices(running: Running) -> str:
    """Return the devices and warnings of a session host, for /readyz; empty for other services. Pure."""
    if not running.devices:
        return ""
    return " for " + ", ".join(running.devices) + "".join(f"; {warning}" for warning in running.warnings)


async def _check_ack_wait(bus: Bus, name: ServiceName) -> None:
    """Compare ACK_WAIT_SECONDS with the server's: with another value, processes would lose work to each other.

    Raises:
        SettingsError: the consumer of this service's queue has another value.
    """
    configs = consumer_configs(bus.names, bus.settings)
    stream, config = next(it for it in configs if it[0] == bus.names.stream(QUEUES[name]))
    mine = bus.settings.ack_wait_seconds
    try:
        found = (await bus.js.consumer_info(stream, str(config.name))).config.ack_wait or mine
    except BUS_ERRORS as error:
        log.info("cannot compare ACK_WAIT_SECONDS with the server's", error=describe_error(error))
        return
    if abs(found - mine) > 0.001:
        raise SettingsError(
            f"environment variable ACK_WAIT_SECONDS is {mine:g}, and {found:g} in consumer {stream}/{config.name} on "
            "the server: make them the same"
        )


@asynccontextmanager
async def _serve_health(bus: Bus, settings: BusSettings, name: ServiceName, phase: _Phase) -> AsyncGenerator[None]:
    """Serve the health port inside the block, which starts before NATS is connected."""
    INFO.labels(name, __version__).set(1)
    disable_created_metrics()  # they double the series of each counter, and nothing reads them

    lag = asyncio.create_task(bus.lag.watch())
    server = None
    if settings.metrics_port >= 0:
        host, port = settings.metrics_host, settings.metrics_port
        try:
            server = await serve_health(
                *(host, port),
                lambda: describe_problem(bus.trouble, phase.text, bus.denial),
                lambda: describe_note(phase.note, bus.denial),
            )
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


async def _call_at_end_of_stdin(callback: Callable[[], None]) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        continue
    callback()
