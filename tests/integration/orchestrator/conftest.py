"""What the tests of the orchestrator share: a fleet on a private nats-server whose workers the test plays."""

from collections.abc import AsyncGenerator

import pytest
from fleet_fixtures import bus, team
from played import PlayedHost, PlayedWorker, played_host

from muster_bus import Bus

__all__ = ["bus", "team"]


@pytest.fixture
def worker(bus: Bus) -> PlayedWorker:
    return PlayedWorker(bus)


@pytest.fixture
async def host(bus: Bus) -> AsyncGenerator[PlayedHost]:
    async with played_host(bus) as host:
        yield host
