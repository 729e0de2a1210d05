"""A claim that could not be renewed is lost by the holder's own clock, and then nothing more is sent for it."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from counted import counted
from proxy import Proxy, proxied
from waiting import eventually

from muster_bus import Bus, Claim, Intake
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected
from muster_protocol.errors import ClaimLost

ACK_WAIT = 1.0
HERE = {"queue": "TASKS/act"}


class Holder:
    """Holds every claim until it is told to go on, then answers in every way there is."""

    def __init__(self) -> None:
        self.claims: asyncio.Queue[Claim] = asyncio.Queue()
        self.go_on = asyncio.Event()

    async def handle(self, claim: Claim) -> None:
        self.claims.put_nowait(claim)
        await self.go_on.wait()
        for answer in (claim.ack, claim.nak, lambda: claim.term("no reason")):
            await answer()

    async def next(self) -> Claim:
        return await asyncio.wait_for(self.claims.get(), 20.0)


@asynccontextmanager
async def holding(bus: Bus, holder: Holder) -> AsyncGenerator[Intake]:
    intake = Intake(bus, "TASKS", ["act-normal"], slots=1, handler=holder.handle)
    await intake.start()
    try:
        yield intake
    finally:
        holder.go_on.set()
        await intake.stop(grace=5.0)


def answers(proxy: Proxy, claim: Claim, since: int = 0) -> int:
    """Return how often anything was sent for a claim, counted from a position in what was sent."""
    return bytes(proxy.to_server.seen[since:]).count(claim._reply.encode() + b" ")


async def settled(holder: Holder, bus: Bus) -> None:
    """Let the handler give all its answers, and wait until what was sent has arrived."""
    holder.go_on.set()
    await asyncio.wait_for(bus.nc.flush(), 10.0)


async def is_lost(claim: Claim) -> None:
    await asyncio.wait_for(claim.lost.wait(), 5 * ACK_WAIT)


async def put(bus: Bus) -> None:
    await bus.store("muster.tasks.act.normal", b"x")


async def test_an_answered_claim_is_renewed_and_answered_over_the_wire(server: NatsServer, other: Bus):
    holder = Holder()
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), holding(bus, holder):
        await put(other)
        claim = await holder.next()
        confirmed = counted("muster_claim_renewal_seconds_count", **HERE)
        await eventually(lambda: _true(answers(proxy, claim) >= 2), "it was renewed twice")
        assert counted("muster_claim_renewal_seconds_count", **HERE) > confirmed
        assert claim.is_held
        before = len(proxy.to_server.seen)
        await settled(holder, bus)
        assert answers(proxy, claim, before) == 1  # the first answer counts; the two after it are not sent


async def test_with_the_event_loop_blocked_for_too_long_the_claim_is_lost(server: NatsServer, other: Bus):
    holder = Holder()
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), holding(bus, holder):
        await put(other)
        claim = await holder.next()
        time.sleep(ACK_WAIT * 1.2)  # as a process that was stopped, or a machine that slept
        before = len(proxy.to_server.seen)

        assert not claim.is_held
        with pytest.raises(ClaimLost, match="was not renewed in time"):
            claim.check()
        await settled(holder, bus)
        assert answers(proxy, claim, before) == 0
        assert (await holder.next()).delivery == 2


async def test_when_the_servers_answers_stay_away_the_claim_is_lost_and_passes_to_another(
    server: NatsServer, other: Bus
):
    holder, rival = Holder(), Holder()
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), holding(bus, holder):
        await put(other)
        claim = await holder.next()
        told: list[str] = []
        claim.on_lost(lambda: told.append("lost"))
        names = ("muster_claims_lost_total", "muster_claim_renewals_failed_total", "muster_redeliveries_total")
        before_it = [counted(name, **HERE) for name in names]
        proxy.to_client.hold()
        began = time.monotonic()
        await is_lost(claim)
        assert time.monotonic() - began < ACK_WAIT * 1.5
        before = len(proxy.to_server.seen)
        async with holding(other, rival):
            assert (await rival.next()).delivery == 2
        lost, failed, again = (counted(name, **HERE) - then for name, then in zip(names, before_it, strict=True))
        assert (lost, again) == (1, 1)
        assert failed >= 1
        await proxy.mend()
        await settled(holder, bus)
        assert answers(proxy, claim, before) == 0
        assert told == ["lost"]


async def test_what_could_not_be_sent_during_an_outage_is_not_sent_after_it(server: NatsServer, other: Bus):
    holder = Holder()
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), holding(bus, holder):
        await put(other)
        claim = await holder.next()
        proxy.cut(refuse=True)
        await is_lost(claim)
        before = len(proxy.to_server.seen)
        await proxy.mend()
        await eventually(lambda: _true(bus.nc.is_connected), "it is connected again")
        await settled(holder, bus)
        assert answers(proxy, claim, before) == 0


async def test_an_outage_shorter_than_the_margin_does_not_cost_the_claim(server: NatsServer, other: Bus):
    holder = Holder()
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (bus, proxy), holding(bus, holder):
        await put(other)
        claim = await holder.next()
        proxy.cut()
        await eventually(lambda: _true(bus.nc.is_connected and proxy.connections == 2), "it is connected again")
        renewed = answers(proxy, claim)
        await eventually(lambda: _true(answers(proxy, claim) > renewed + 2), "it is renewed again")
        assert claim.is_held
        await settled(holder, bus)
    assert (await other.js.stream_info("TASKS")).state.messages == 0


async def test_a_claim_whose_queue_was_deleted_is_lost(server: NatsServer, other: Bus):
    holder = Holder()
    async with connected(server, ack_wait_seconds=ACK_WAIT) as bus, holding(bus, holder):
        await put(other)
        claim = await holder.next()
        await other.js.delete_consumer("TASKS", "act-normal")
        await is_lost(claim)


async def test_a_claim_knows_its_message_and_its_delivery(server: NatsServer, bus: Bus, other: Bus):
    holder = Holder()
    stored = await other.store("muster.tasks.act.normal", b"payload", {"X-Run": "r"})
    async with holding(bus, holder):
        claim = await holder.next()
        assert (claim.subject, claim.data, claim.headers["X-Run"]) == ("muster.tasks.act.normal", b"payload", "r")
        assert (claim.message, claim.delivery) == (stored.seq, 1)
        assert abs(claim.stored_at - time.time()) < 60


async def _true(value: bool) -> bool:
    return value
