"""Following a stream: what is stored and what is being stored join exactly, whatever happens to the connection."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing

import msgspec
import pytest
from proxy import proxied
from waiting import eventually

from muster_bus import Bus, Log, Stored, tail
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected
from muster_protocol import codec
from muster_protocol.errors import Fenced

STREAMS = [("LOGS", "muster.logs.r.s"), ("RUNS", "muster.runs.r.events")]
SECONDS = 30.0


class Note(msgspec.Struct):
    number: int


async def publish(bus: Bus, subject: str, numbers: range) -> None:
    for number in numbers:
        await bus.store(subject, codec.encode(Note(number)))


async def take(stream: AsyncIterator[Stored], count: int) -> list[int]:
    async with asyncio.timeout(SECONDS):
        return [codec.decode((await anext(stream)).data, Note).number for _ in range(count)]


async def rest(stream: AsyncIterator[Stored], bus: Bus, subject: str) -> list[int]:
    """Return what still comes before a last message that is sent now."""
    await publish(bus, subject, range(-1, 0))
    found: list[int] = []
    while (number := (await take(stream, 1))[0]) != -1:
        found.append(number)
    return found


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_stored_and_live_join_without_gap_or_duplicate_while_somebody_publishes(
    bus: Bus, other: Bus, stream: str, subject: str
):
    await publish(other, subject, range(50))
    publishing = asyncio.ensure_future(publish(other, subject, range(50, 400)))
    async with aclosing(tail(bus, stream, subject)) as following:
        assert await take(following, 400) == list(range(400))
        await publishing
        assert await rest(following, other, subject) == []


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_following_begins_after_a_cursor(bus: Bus, stream: str, subject: str):
    acks = [await bus.store(subject, codec.encode(Note(number))) for number in range(5)]
    async with aclosing(tail(bus, stream, subject, acks[2].seq)) as following:
        assert await take(following, 2) == [3, 4]
        await publish(bus, subject, range(5, 7))
        assert await take(following, 2) == [5, 6]


async def test_several_readers_each_see_everything_in_order(bus: Bus, other: Bus):
    publishing = asyncio.ensure_future(publish(other, "muster.logs.r.s", range(200)))

    async def read() -> list[int]:
        async with aclosing(tail(bus, "LOGS", "muster.logs.r.s")) as following:
            return await take(following, 200)

    assert await asyncio.gather(*(read() for _ in range(3))) == [list(range(200))] * 3
    await publishing


async def test_wildcards_follow_every_source_in_its_own_order(bus: Bus, other: Bus):
    sources = [f"muster.logs.r.s{number}" for number in range(4)]
    publishing = asyncio.gather(*(publish(other, source, range(60)) for source in sources))
    async with aclosing(tail(bus, "LOGS", "muster.logs.r.*")) as following:
        async with asyncio.timeout(SECONDS):
            found = [await anext(following) for _ in range(240)]
        await publishing
        assert await rest(following, other, sources[0]) == []
    for source in sources:
        mine = [codec.decode(message.data, Note).number for message in found if message.subject == source]
        assert mine == list(range(60))


async def test_what_the_stream_refused_is_never_seen(bus: Bus, other: Bus):
    async with aclosing(tail(bus, "RUNS", "muster.runs.r.events")) as following:
        await Log(other, "RUNS", "muster.runs.r.events").append(Note(1))
        assert await take(following, 1) == [1]
        with pytest.raises(Fenced):
            await Log(other, "RUNS", "muster.runs.r.events").append(Note(2))
        duplicate = {"Nats-Msg-Id": "same"}
        for number in (3, 4):
            await other.store("muster.runs.r.events", codec.encode(Note(number)), duplicate)
        assert await rest(following, other, "muster.runs.r.events") == [3]


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_cut_connection_loses_and_repeats_nothing(server: NatsServer, other: Bus, stream: str, subject: str):
    async with proxied(server) as (shaky, proxy), aclosing(tail(shaky, stream, subject)) as following:
        await publish(other, subject, range(20))
        assert await take(following, 10) == list(range(10))
        for turn in range(1, 4):
            proxy.cut(refuse=True)
            await publish(other, subject, range(20 * turn, 20 * turn + 20))
            await proxy.mend()
        assert await take(following, 70) == list(range(10, 80))
        assert await rest(following, other, subject) == []


async def test_what_one_source_said_during_a_cut_comes_although_only_another_speaks_after_it(
    server: NatsServer, other: Bus
):
    async with proxied(server) as (shaky, proxy), aclosing(tail(shaky, "LOGS", "muster.logs.r.*")) as following:
        await publish(other, "muster.logs.r.one", range(1))
        assert await take(following, 1) == [0]
        proxy.cut(refuse=True)
        await publish(other, "muster.logs.r.one", range(1, 2))
        await proxy.mend()
        await publish(other, "muster.logs.r.two", range(2, 3))
        assert sorted(await take(following, 2)) == [1, 2]


async def test_bytes_lost_without_a_word_are_made_up_for_at_the_next_message(server: NatsServer, other: Bus):
    async with proxied(server) as (shaky, proxy), aclosing(tail(shaky, "RUNS", "muster.runs.r.events")) as following:
        await publish(other, "muster.runs.r.events", range(3))
        assert await take(following, 3) == [0, 1, 2]
        proxy.to_client.drop()
        await publish(other, "muster.runs.r.events", range(3, 6))
        seen = proxy.to_client.seen
        await eventually(lambda: _true(seen.count(b'{"number":5}') > 0), "they were sent and lost")
        proxy.to_client.release()
        await publish(other, "muster.runs.r.events", range(6, 7))
        assert await take(following, 4) == [3, 4, 5, 6]


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_server_killed_in_between_loses_and_repeats_nothing(
    server: NatsServer, bus: Bus, stream: str, subject: str
):
    async with aclosing(tail(bus, stream, subject)) as following:
        await publish(bus, subject, range(20))
        assert await take(following, 5) == list(range(5))
        await server.stop(signal.SIGKILL)
        waiting = asyncio.ensure_future(take(following, 35))
        await server.start()
        async with connected(server) as writer:
            await publish(writer, subject, range(20, 40))
        assert await waiting == list(range(5, 40))


async def test_a_reader_that_stops_leaves_no_subscription_behind(bus: Bus):
    await publish(bus, "muster.logs.r.s", range(1))
    before = len(bus.nc._subs)
    for _ in range(3):
        async with aclosing(tail(bus, "LOGS", "muster.logs.r.s")) as following:
            await take(following, 1)

    await eventually(lambda: _true(len(bus.nc._subs) == before), "all subscriptions are gone", 5.0)


async def _true(value: bool) -> bool:
    return value
