"""A NATS server and a connection to it, for tests that need no particular ones."""

from collections.abc import AsyncGenerator

import pytest

from muster_bus import Bus
from muster_bus.testing import NatsServer, connected, provisioned_server


@pytest.fixture
async def server() -> AsyncGenerator[NatsServer]:
    """Run a provisioned nats-server."""
    async with provisioned_server() as running:
        yield running


@pytest.fixture
async def bus(server: NatsServer) -> AsyncGenerator[Bus]:
    """Connect to it."""
    async with connected(server) as connection:
        yield connection
