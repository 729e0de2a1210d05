"""For tests and benches: a real private nats-server with everything provisioned."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from muster_bus import Bus, connect, provision
from muster_bus.nats_server import NatsServer, nats_server
from muster_service.settings import BusSettings

__all__ = ["NatsServer", "connected", "nats_server", "provisioned_server"]

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free in memory: containers often have 64 MB, and some tests fill a stream."""


@asynccontextmanager
async def provisioned_server(folder: Path | None = None, **settings: object) -> AsyncGenerator[NatsServer]:
    """Run a private nats-server with all streams, consumers and buckets.

    `settings` are fields of BusSettings to provision with, such as `ack_wait_seconds`. Without `folder` the data is in
    memory where there is room: on a disk, deleting it takes longer than starting the server.
    """
    async with nats_server(folder, parent=_memory()) as server, connected(server, **settings) as bus:
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


def _memory() -> Path | None:
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM else None
