"""What the tests of dead letters share: a private nats-server and a connection to it."""

from collections.abc import AsyncGenerator

import pytest

from muster_bus import Bus
from muster_bus.testing import connected, provisioned_server


@pytest.fixture
async def bus() -> AsyncGenerator[Bus]:
    async with provisioned_server(ack_wait_seconds=1.0) as server, connected(server, ack_wait_seconds=1.0) as bus:
        yield bus
