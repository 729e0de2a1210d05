"""One who follows a log and does not read harms neither the writer nor the other readers, and misses nothing."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

import msgspec
import pytest
from proxy import proxied

from muster_bus import Bus, Stored, tail
from muster_bus.nats_server import NatsServer
from muster_bus.stored_messages import MOST_ARRIVALS
from muster_protocol import codec

SUBJECT = "muster.logs.r.s"


class Line(msgspec.Struct):
    number: int
    text: str = ""


async def say(bus: Bus, numbers: range, text: str = "") -> None:
    for number in numbers:
        await bus.publish(SUBJECT, Line(number, text))
    await bus.nc.flush()


async def read(following: AsyncGenerator[Stored], count: int) -> list[int]:
    """Return the numbers of the next lines."""
    found: list[int] = []
    async with asyncio.timeout(60):
        while len(found) < count:
            found.append(codec.decode((await anext(following)).data, Line).number)
    return found


@pytest.mark.slow
async def test_a_reader_that_takes_nothing_is_cut_off_by_the_server_and_reads_all_of_it_later(
    server: NatsServer, bus: Bus, other: Bus
):
    total = 1600
    async with (
        proxied(server) as (slow, proxy),
        aclosing(tail(slow, "LOGS", "muster.logs.r.*")) as late,
        aclosing(tail(other, "LOGS", "muster.logs.r.*")) as prompt,
    ):
        await say(bus, range(1))
        assert (await read(late, 1), await read(prompt, 1)) == ([0], [0])
        proxy.to_client.stall()
        began = time.monotonic()
        await say(bus, range(1, total), "x" * 50_000)  # far more than the sockets between hold
        assert await read(prompt, total - 1) == list(range(1, total))
        assert time.monotonic() - began < 20.0
        proxy.to_client.release()
        assert await read(late, total - 1) == list(range(1, total))
        assert slow.nc.stats["reconnects"] >= 1


async def test_a_reader_that_is_slow_to_take_holds_a_bounded_number_of_messages_and_misses_none(bus: Bus, other: Bus):
    total = 2 * MOST_ARRIVALS + 500
    async with aclosing(tail(bus, "LOGS", "muster.logs.r.*")) as following:
        await say(other, range(1))
        assert await read(following, 1) == [0]
        await say(other, range(1, total))
        await bus.nc.flush()
        assert waiting(following) <= MOST_ARRIVALS + 1
        assert await read(following, total - 1) == list(range(1, total))


def waiting(following: AsyncGenerator[Stored]) -> int:
    """Return how many live messages a reader holds."""
    return cast("Any", following).ag_frame.f_locals["arrivals"].qsize()
