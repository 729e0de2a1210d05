"""What the tests of the bus share: a private nats-server with a short ack_wait, and connections to it."""

from collections.abc import AsyncGenerator

import pytest

from muster_bus import Bus
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected, provisioned_server

ACK_WAIT = 1.0


@pytest.fixture
async def server() -> AsyncGenerator[NatsServer]:
    async with provisioned_server(ack_wait_seconds=ACK_WAIT) as server:
        yield server


@pytest.fixture
async def bus(server: NatsServer) -> AsyncGenerator[Bus]:
    async with connected(server, ack_wait_seconds=ACK_WAIT) as bus:
        yield bus


@pytest.fixture
async def other(server: NatsServer) -> AsyncGenerator[Bus]:
    """A second connection, as another process has."""
    async with connected(server, ack_wait_seconds=ACK_WAIT) as bus:
        yield bus
