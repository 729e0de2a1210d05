"""A machine whose clock is wrong goes by the server's, which each process may ask for."""

import time

import pytest

from muster_bus import Bus
from muster_bus.server_clock import read_server_clock


async def test_the_server_tells_its_time(bus: Bus, monkeypatch: pytest.MonkeyPatch):
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 900)
    await read_server_clock(bus)
    assert abs(bus.clock.now() - right) < 30
