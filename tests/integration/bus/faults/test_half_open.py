"""A connection whose other end takes and sends nothing any more, without being closed."""

import asyncio
import time

import pytest
from nats.aio.msg import Msg
from proxy import Proxy, proxied
from waiting import eventually
from workshop import Workshop, acks, at_work, put

from muster_bus import Bus, Claim
from muster_bus.nats_client import PING_SECONDS
from muster_bus.nats_server import NatsServer

ACK_WAIT = 1.0
NOTICED = 4 * PING_SECONDS


def sent_for(claim: Claim, proxy: Proxy, since: int) -> int:
    return bytes(proxy.to_server.seen[since:]).count(claim._reply.encode() + b" ")


@pytest.mark.slow
async def test_it_is_noticed_and_the_claim_counts_as_lost_long_before(server: NatsServer, other: Bus):
    stuck, rival = Workshop(), Workshop(acks)
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), at_work(bus, stuck):
        await put(other, "a")
        await eventually(lambda: len(stuck.claims) == 1, "it is being worked on")
        (claim,) = stuck.claims
        proxy.to_server.hold()
        proxy.to_client.hold()
        began = time.monotonic()
        await asyncio.wait_for(claim.lost.wait(), 5 * ACK_WAIT)
        assert time.monotonic() - began < 3 * ACK_WAIT
        after = len(proxy.to_server.seen)
        async with at_work(other, rival):
            await eventually(lambda: rival.done == ["a"], "another has it")
        await eventually(lambda: not bus.nc.is_connected, "it is noticed", NOTICED)
        assert time.monotonic() - began < NOTICED
        assert "no connection to NATS" in bus.trouble
        await proxy.mend()
        await eventually(lambda: bus.nc.is_connected, "it is connected again")
        stuck.gate.set()
        await eventually(lambda: stuck.done == ["a"], "its handler ends")
        await bus.nc.flush()
        assert sent_for(claim, proxy, after) == 0


@pytest.mark.slow
async def test_with_all_buffers_full_it_is_noticed_and_connected_again_too(server: NatsServer):
    async with proxied(server) as (bus, proxy):
        proxy.to_server.stall()
        proxy.to_client.stall()
        pouring = [asyncio.ensure_future(bus.nc.publish("muster.elsewhere", b"x" * 900_000)) for _ in range(20)]
        await eventually(lambda: not bus.nc.is_connected, "it is noticed", NOTICED)
        await eventually(
            lambda: proxy.connections > 1, "a new connection is tried, though the old one takes nothing", 5.0
        )
        proxy.to_client.release()
        proxy.to_server.release()
        await eventually(lambda: bus.nc.is_connected, "it is connected again", 20.0)
        await asyncio.wait(pouring, timeout=15.0)
        assert (await bus.store("muster.tasks.act.normal", b"x")).seq == 1


async def test_whoever_has_just_subscribed_waits_until_it_can_hear(server: NatsServer, other: Bus):
    async with proxied(server) as (bus, proxy):
        proxy.to_client.hold()
        heard: asyncio.Queue[bytes] = asyncio.Queue()

        async def hear(message: Msg) -> None:
            heard.put_nowait(message.data)

        await bus.nc.subscribe("calls", cb=hear)
        subscribed = asyncio.create_task(bus.flush_subscriptions())
        _, waits = await asyncio.wait({subscribed}, timeout=3.0)  # longer than one flush waits
        assert waits
        await proxy.mend()
        await asyncio.wait_for(subscribed, 20.0)
        await other.nc.publish("calls", b"hello")
        assert await asyncio.wait_for(heard.get(), 5.0) == b"hello"
