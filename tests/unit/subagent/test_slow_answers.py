"""Slow is what the app is to blame for: not the machine, and not chance."""

import asyncio
from typing import Any, cast

import pytest

from muster_devices.device import Device
from muster_subagent.exploring.slow_answers import AnswerTimes

SLOW = 0.2


class Glanced:
    """A device whose looks take so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def look(self, *_: Any) -> None:
        await asyncio.sleep(self.seconds)


async def told(*, took: float, glance: float = 0.0, again: float | None = None, start: float = 0.0) -> float:
    """Return what is told of an app that took so long."""
    times = AnswerTimes(cast("Device", Glanced(glance)), SLOW)
    times.started(start)
    times.begin(repeatable=again is not None)
    await asyncio.sleep(took)
    times.settle()

    async def once_more() -> None:
        await asyncio.sleep(again or 0.0)

    return await times.slow_seconds(once_more if again is not None else None)


@pytest.mark.parametrize(
    ("given", "slow"),
    [
        ({"took": 0.0}, False),
        ({"took": 0.5}, True),
        ({"took": 0.5, "glance": 0.2}, False),
        ({"took": 0.5, "start": 5.0}, False),
        ({"took": 0.5, "again": 0.0}, False),
        ({"took": 0.5, "again": 0.4}, True),
    ],
    ids=["quick", "slow", "busy machine", "slow browser", "slow once", "slow twice"],
)
async def test_slow_is_what_the_app_is_to_blame_for(given: dict[str, float], slow: bool) -> None:
    assert (await told(**given) > 0) == slow


async def test_times_are_told_once() -> None:
    times = AnswerTimes(cast("Device", Glanced(0.0)), SLOW)
    times.begin(repeatable=False)
    await asyncio.sleep(0.3)
    times.settle()
    assert await times.slow_seconds(None) > 0
    assert await times.slow_seconds(None) == 0


async def test_a_call_that_sent_nothing_says_nothing_about_the_app() -> None:
    times = AnswerTimes(cast("Device", Glanced(0.0)), SLOW)
    times.begin(repeatable=False)
    await asyncio.sleep(0.3)
    times.forget()
    times.settle()
    assert await times.slow_seconds(None) == 0
