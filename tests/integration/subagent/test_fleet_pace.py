"""The budget of requests to models that workers share, on a real server."""

import asyncio
from contextlib import suppress
from itertools import pairwise

import pytest
from counted import counted
from waiting import eventually

from muster_bus import Bus, provision
from muster_bus.server_clock import ServerClock
from muster_bus.testing import NatsServer, connected
from muster_model import Endpoint
from muster_model.minute_budgets import BURST_SECONDS, MINUTE, MinuteBudget
from muster_subagent.fleet_pace import FleetPace

HERE, THERE = (Endpoint(f"http://{name}.test/v1", "", "", "") for name in ("here", "there"))
BUDGET = MinuteBudget(requests=6)
APART = (MINUTE + BURST_SECONDS) / 6


class StillClock(ServerClock):
    """A clock that stands, so that waits can be told exactly."""

    def now(self) -> float:
        return 1_800_000_000.0


async def test_workers_take_turns_at_one_endpoint_and_give_back_what_they_do_not_use(server: NatsServer, bus: Bus):
    async with connected(server) as other:
        bus.clock = other.clock = StillClock()
        one, two = FleetPace(bus, BUDGET), FleetPace(other, BUDGET)
        told: list[float] = []
        waiting = [asyncio.create_task(pace.wait(HERE, 100, told.append)) for pace in (one, two) * 3]
        await eventually(lambda: len(told) == 5, "all but the first wait")

        assert sum(task.done() for task in waiting) == 1
        assert sorted(told)[0] == pytest.approx(APART - BURST_SECONDS)
        assert all(b - a == pytest.approx(APART) for a, b in pairwise(sorted(told)))
        assert counted("muster_model_budget_waiting") == 5
        await asyncio.wait_for(one.wait(THERE, 100, told.append), 10)  # another endpoint has a budget of its own
        assert len(told) == 5

        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        for pace in (one, two):  # each tells what it has not used when it asks next
            with suppress(TimeoutError):
                await asyncio.wait_for(pace.wait(HERE, 100, told.append), 2)
        assert told[6] < max(told[:5])
        assert counted("muster_model_budget_waiting") == 0


async def test_nothing_is_sent_while_the_budget_cannot_be_read(bus: Bus, caplog: pytest.LogCaptureFixture):
    pace, told = FleetPace(bus, BUDGET), list[float]()
    await bus.js.delete_key_value("PACE")
    asking = asyncio.create_task(pace.wait(HERE, 1, told.append))
    await eventually(lambda: bus.problems.has("bucket PACE"), "the bucket is missed")

    assert not asking.done()
    await provision(bus)
    await asyncio.wait_for(asking, 20)
    assert told == []
