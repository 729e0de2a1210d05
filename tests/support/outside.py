"""A whole fleet under deploy/nats.conf as outside systems meet it: each service its own user, the gateway behind a key."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from deployed import Deployed, identity, password_of
from fleet import Fleet

from muster_bus import provision

KEY = "muster_" + "5a" * 24
"""The gateway's key in these tests."""


class Outside(NamedTuple):
    """What outside systems have to do with, and the variables that say where it is and as whom to come."""

    server: Deployed
    fleet: Fleet
    nats: dict[str, str]
    http: dict[str, str]


@asynccontextmanager
async def outside_of_a_fleet(folder: Path) -> AsyncGenerator[Outside]:
    """Run every service until left."""
    server = Deployed(folder)
    await server.start()
    try:
        async with server.bus("provisioner") as bus:
            await provision(bus)
        settings = {
            "NATS_URL": server.url,
            "LOG_FORMAT": "json",
            "SHUTDOWN_SECONDS": "3",
            "SESSION_DRAIN_SECONDS": "0",
            "SANDBOX": "none",
        }
        async with server.bus("admin") as bus:
            fleet = Fleet(server, bus, folder, {**os.environ, **settings})
            try:
                yield await _started(server, fleet)
            finally:
                await fleet.stop()
    finally:
        await server.stop()


async def _started(server: Deployed, fleet: Fleet) -> Outside:
    for service in ("orchestrator", "subagent", "sessions"):
        await fleet.start(service, **identity(service))
    told = fleet.folder / "gateway.port"
    await fleet.start("gateway", **identity("gateway"), HTTP_PORT="0", PORT_FILE=str(told), API_KEY=KEY)
    nats = {"NATS_URL": server.url, "NATS_USER": "publisher", "NATS_PASSWORD": password_of("publisher")}
    http = {"MUSTER_URL": f"http://127.0.0.1:{told.read_text().strip()}", "MUSTER_KEY": KEY}
    return Outside(server, fleet, nats, http)
