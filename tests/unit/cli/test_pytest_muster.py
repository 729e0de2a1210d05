"""How pytest-muster waits: for a fleet to be there, and for a gateway that goes away for a while."""

import asyncio

import pytest

from pytest_muster.fleet_access import _result


async def test_who_waits_for_the_fleet_can_be_ended_without_ending_the_fleet() -> None:
    ready = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(_result(ready))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not ready.cancelled()
    ready.set_result("there")
    assert await _result(ready) == "there"
