"""What the tests of the orchestrator share: a fleet on a private nats-server whose workers the test plays."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from fleet import Fleet, fleet
from played import PlayedHost, PlayedWorker, played_host

from muster_bus import Bus


@pytest.fixture
async def team(tmp_path: Path) -> AsyncGenerator[Fleet]:
    """A fleet without any process yet."""
    async with fleet(tmp_path, SWEEP_SECONDS="0.5") as team:
        yield team


@pytest.fixture
def bus(team: Fleet) -> Bus:
    return team.bus


@pytest.fixture
def worker(bus: Bus) -> PlayedWorker:
    return PlayedWorker(bus)


@pytest.fixture
async def host(bus: Bus) -> AsyncGenerator[PlayedHost]:
    async with played_host(bus) as host:
        yield host
