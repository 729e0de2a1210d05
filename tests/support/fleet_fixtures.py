"""Fixtures for tests that start the processes of a fleet themselves."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from fleet import Fleet, fleet

from muster_bus import Bus


@pytest.fixture
async def team(tmp_path: Path) -> AsyncGenerator[Fleet]:
    """A fleet without any process yet."""
    async with fleet(tmp_path, SWEEP_SECONDS="0.5") as team:
        yield team


@pytest.fixture
def bus(team: Fleet) -> Bus:
    return team.bus
