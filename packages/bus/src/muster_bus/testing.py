"""For tests and benches: a real private nats-server with everything provisioned."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from muster_bus import Bus, connect, provision
from muster_bus.nats_server import NatsServer, nats_server
from muster_service.settings import BusSettings

__all__ = ["NatsServer", "connected", "nats_server", "provisioned_server"]


@asynccontextmanager
async def provisioned_server(folder: Path | None = None, **settings: object) -> AsyncGenerator[NatsServer]:
    """Run a private nats-server with all streams, consumers and buckets.

    `settings` are fields of BusSettings to provision with, such as `ack_wait_seconds`.
    """
    async with nats_server(folder) as server, connected(server, **settings) as bus:
        await provision(bus)
        yield server


@asynccontextmanager
async def connected(server: NatsServer, **settings: object) -> AsyncGenerator[Bus]:
    """Connect to a private server, and close the connection afterwards."""
    made = msgspec.convert({name.upper(): value for name, value in settings.items()}, BusSettings)
    bus = await connect(msgspec.structs.replace(made, nats_url=server.url), name="test", patience=10.0)
    try:
        yield bus
    finally:
        await bus.close()
