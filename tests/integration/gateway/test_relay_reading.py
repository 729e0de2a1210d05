"""Where a client's lines begin and end: at a gateway that is behind another one, and at a replica that lags."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing
from typing import TYPE_CHECKING

import pytest

from muster_gateway.relay.hub import RelayHub
from muster_gateway.relay.lines import Batch, Filter, Item, Live
from muster_gateway.relay.log_reader import Bounds, back_fill, follow, require_end
from muster_gateway.relay.order import Order, Recent
from muster_protocol.errors import BusError

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import OpenRun

ALL = Filter()


def following(hub: RelayHub, after: int) -> AbstractAsyncContextManager[AsyncGenerator[Item]]:
    return aclosing(follow(hub, ALL, after, Bounds(100, joining=100)))


def cursors(items: list[Item]) -> list[int]:
    return [line.seq for item in items if isinstance(item, Batch) for line in item.lines]


async def test_a_client_that_was_told_more_by_another_gateway_is_told_nothing_twice(bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await run.say("worker-1", 6)
    hub = RelayHub(bus)
    async with hub.live() as live:
        await live.position()
        live._order, live._recent = Order(sequences[2]), Recent(sequences[2])  # pyright: ignore[reportPrivateUsage]
        async with asyncio.timeout(30), following(hub, sequences[4]) as items:
            assert await anext(items) == Live(sequences[4])
            new = await run.say("worker-1", 1)  # behind which the gateway reads what it had not seen
            told: list[int] = []
            while len(told) < 2:
                told += cursors([await anext(items)])
            assert told == sequences[5:] + new
        async with asyncio.timeout(30), following(hub, new[0] + 1000) as items:
            assert cursors([await anext(items)]) == sequences + new  # that cursor is of a stream before this one


async def test_a_back_fill_ends_with_the_stream_however_far_behind_this_gateway_is(bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await run.say("worker-1", 6)
    for until, expected in ((10**30, sequences[1:]), (sequences[3], sequences[1:4]), (sequences[0], [])):
        assert cursors([batch async for batch in back_fill(bus, ALL, sequences[0], until)]) == expected
    assert cursors([batch async for batch in back_fill(bus, ALL, 10**30, 10**31)]) == []


async def test_what_a_replica_leaves_out_is_noticed_by_asking_the_leader(bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    other = await open_run("r2")
    first, last = await run.say("worker-1", 2)
    (later,) = await other.say("worker-1", 1)
    every, subject = bus.names.log("*", "*"), bus.names.log("r1", "*")
    with pytest.raises(BusError, match=f"ends before line {last}"):
        await require_end(bus, subject, first, later)
    with pytest.raises(BusError, match=f"ends before line {later}"):
        await require_end(bus, every, last, later)
    await require_end(bus, subject, last, later)
    await require_end(bus, every, last, last)
    await require_end(bus, every, later, later + 5)
