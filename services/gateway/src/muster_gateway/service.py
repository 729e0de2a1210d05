"""Runs the gateway as a service: HTTP server, webhooks and key watch."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from msgspec.structs import replace

from muster_bus import Bus
from muster_bus.dead_letter_store import count_letters
from muster_bus.process_row import Running
from muster_gateway import metrics
from muster_gateway.app import build_app
from muster_gateway.chat.fleet_call_handler import FleetCallHandler
from muster_gateway.context import Gateway
from muster_gateway.http.connections import raise_file_limit
from muster_gateway.http.server import Server, create_server, listen
from muster_gateway.settings import GatewaySettings
from muster_gateway.webhooks.delivery import WebhookSender
from muster_protocol.ids import new_id

log = structlog.get_logger("muster.gateway")


@asynccontextmanager
async def service(bus: Bus, settings: GatewaySettings) -> AsyncGenerator[Running]:
    """Serve HTTP in the block; finish requests in progress at its end."""
    count_letters("WEBHOOKS")
    metrics.begin()
    settings = replace(settings, max_connections=raise_file_limit(settings.max_connections))
    gateway = Gateway(bus, settings)
    metrics.RELAY_WAITING.set_function(lambda: gateway.hub.waiting)
    edge = build_app(gateway)
    web = create_server(edge, settings, gateway.stopping)
    calls = FleetCallHandler(gateway, edge.app)
    listening = listen(settings.http_host, settings.http_port)
    port = listening.getsockname()[1]
    id = new_id("gateway")
    webhooks = WebhookSender(bus, gateway.webhooks, id)
    watching = asyncio.create_task(gateway.gate.watch())
    serving = asyncio.create_task(web.serve([listening]))
    serving.add_done_callback(_cancel_on_end(asyncio.current_task(), web))
    try:
        await web.ready.wait()
        log.info(
            "http port open", host=settings.http_host, port=port, keys="none" if gateway.gate.keys.open else "needed"
        )
        if gateway.webhooks.unsigned:
            log.warning("webhooks are unsigned and could be forged: set WEBHOOK_SECRET")
        _write_port(settings.port_file, port)
        await webhooks.start()
        await calls.start()
        yield Running(id)
    finally:
        watching.cancel()
        await calls.stop()
        web.should_exit = True
        await webhooks.stop(settings.shutdown_seconds)
        await asyncio.wait({serving}, timeout=settings.shutdown_seconds + 2)
        _remove_port(settings.port_file)
        if serving.done():
            serving.result()


def _cancel_on_end(service: asyncio.Task[None] | None, web: Server) -> Callable[[asyncio.Task[None]], None]:
    """Return a callback that ends the service if its web server ends by itself."""

    def ended(_: asyncio.Task[None]) -> None:
        if service is not None and not web.should_exit:
            service.cancel()

    return ended


def _write_port(file: str, port: int) -> None:
    """Write the port atomically."""
    if file:
        path = Path(file)
        partial = path.with_name(path.name + ".partial")
        partial.write_text(f"{port}\n")
        partial.replace(path)


def _remove_port(file: str) -> None:
    if file:
        Path(file).unlink(missing_ok=True)
