"""Single messages get lost between a process and NATS while the connection stays up."""

import time

import msgspec
from proxy import proxied
from waiting import eventually
from workshop import Workshop, acks, at_work, put

from muster_bus import Bus, Log
from muster_bus.nats_server import NatsServer

ACK_WAIT = 1.0


class Note(msgspec.Struct):
    text: str


async def test_an_append_whose_acknowledgement_alone_is_lost_is_stored_once_and_returns_its_sequence(
    server: NatsServer, bus: Bus
):
    async with proxied(server) as (shaky, proxy):
        log = Log(shaky, "JOURNAL", "muster.journal.r.n.1")
        first = await log.append(Note("before"))
        proxy.to_client.lose(b'"stream":"JOURNAL"')

        assert await log.append(Note("once")) == first + 1
        assert proxy.to_client.lost == 1
        assert await log.append(Note("after")) == first + 2
    assert len(await Log(bus, "JOURNAL", "muster.journal.r.n.1").read()) == 3


async def test_an_append_that_itself_is_lost_is_made_again(server: NatsServer, bus: Bus):
    async with proxied(server) as (shaky, proxy):
        log = Log(shaky, "JOURNAL", "muster.journal.r.n.1")
        proxy.to_server.lose(b"muster.journal.r.n.1")

        assert await log.append(Note("once")) == 1
        assert proxy.to_server.lost == 1
    assert len(await Log(bus, "JOURNAL", "muster.journal.r.n.1").read()) == 1


async def test_a_lost_pull_request_is_noticed_by_the_silence_after_it(server: NatsServer, other: Bus):
    workshop = Workshop(acks)
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (shaky, proxy):
        proxy.to_server.lose(b"CONSUMER.MSG.NEXT")
        async with at_work(shaky, workshop):
            await eventually(lambda: proxy.to_server.lost == 1, "the request is lost")
            began = time.monotonic()
            await put(other, "a")
            await eventually(lambda: workshop.done == ["a"], "it is pulled all the same", 10.0)
            assert time.monotonic() - began < 4.0  # not as late as the request would have ended
    assert shaky.nc.stats["reconnects"] == 0


async def test_a_lost_ack_brings_the_message_again_and_the_second_one_takes_it_out(server: NatsServer, other: Bus):
    workshop = Workshop(acks)
    async with proxied(server, ack_wait_seconds=ACK_WAIT) as (shaky, proxy), at_work(shaky, workshop):
        proxy.to_server.lose(b"+ACK")
        await put(other, "a")
        await eventually(lambda: workshop.done == ["a", "a"], "it comes again")
        assert [claim.delivery for claim in workshop.claims] == [1, 2]
        await shaky.nc.flush()
        assert (await other.js.stream_info("TASKS")).state.messages == 0
