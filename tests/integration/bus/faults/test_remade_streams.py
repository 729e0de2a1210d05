"""Whoever follows a stream asks it as well: it may be made again, or what it said may be lost."""

import asyncio
from contextlib import aclosing

import msgspec
import pytest
from proxy import proxied
from waiting import eventually

from muster_bus import Bus, Log, Stored, provision, tail
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import follow_entries
from muster_bus.stream_states import StreamAnchor
from muster_protocol.errors import RunGone

STREAMS = [("LOGS", "muster.logs.r.s"), ("RUNS", "muster.runs.r.events")]
SECONDS = 30.0


class Note(msgspec.Struct):
    number: int


async def publish(bus: Bus, subject: str, numbers: range) -> None:
    for number in numbers:
        await bus.store(subject, msgspec.json.encode(Note(number)))


async def take(following: "asyncio.Queue[int]", count: int) -> list[int]:
    async with asyncio.timeout(SECONDS):
        return [await following.get() for _ in range(count)]


async def read_into(queue: "asyncio.Queue[int]", bus: Bus, stream: str, subject: str) -> None:
    async with aclosing(tail(bus, stream, subject)) as messages:
        async for message in messages:
            queue.put_nowait(number_of(message))


def number_of(message: Stored) -> int:
    return msgspec.json.decode(message.data, type=Note).number


async def remake(bus: Bus, stream: str) -> None:
    await bus.js.delete_stream(stream)
    await provision(bus)


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_stream_that_was_made_again_is_followed_from_its_beginning(
    bus: Bus, other: Bus, stream: str, subject: str
):
    queue: asyncio.Queue[int] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_into(queue, bus, stream, subject))
        await publish(other, subject, range(20))
        assert await take(queue, 20) == list(range(20))
        await remake(other, stream)
        await publish(other, subject, range(100, 103))  # with sequences that the reader has seen before
        assert await take(queue, 3) == [100, 101, 102]
        await publish(other, subject, range(103, 140))  # and beyond these
        assert await take(queue, 37) == list(range(103, 140))
        reading.cancel()


async def test_a_stream_without_a_pause_is_looked_at_as_well(bus: Bus, other: Bus):
    queue: asyncio.Queue[int] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_into(queue, bus, "LOGS", "muster.logs.r.*"))
        await publish(other, "muster.logs.r.s", range(500))
        assert await take(queue, 500) == list(range(500))
        await remake(other, "LOGS")
        talking = group.create_task(_talk(other))
        assert (await take(queue, 1))[0] >= 1000, "lines are shown again although it never falls silent"
        talking.cancel()
        reading.cancel()


async def _talk(bus: Bus) -> None:
    for number in range(1000, 1490):  # fewer than were seen before
        await publish(bus, "muster.logs.r.s", range(number, number + 1))
        await asyncio.sleep(0.02)  # the pace of a talkative fleet


async def test_the_last_message_comes_although_its_bytes_were_lost_and_no_other_follows(server: NatsServer, other: Bus):
    queue: asyncio.Queue[int] = asyncio.Queue()
    async with proxied(server) as (shaky, proxy), asyncio.TaskGroup() as group:
        reading = group.create_task(read_into(queue, shaky, "RUNS", "muster.runs.r.events"))
        await publish(other, "muster.runs.r.events", range(1))
        assert await take(queue, 1) == [0]
        proxy.to_client.drop()
        await publish(other, "muster.runs.r.events", range(1, 2))
        seen = proxy.to_client.seen
        await eventually(lambda: b'{"number":1}' in seen, "it was sent and lost")
        proxy.to_client.release()
        assert await take(queue, 1) == [1]
        reading.cancel()


async def test_a_position_holds_in_the_same_stream_and_in_no_other(bus: Bus, other: Bus):
    anchor = StreamAnchor(bus.streams, "RUNS")
    await publish(other, "muster.runs.r.events", range(3))
    assert await anchor.holds(3)
    await other.js.purge_stream("RUNS")
    assert await anchor.holds(3), "what is removed takes no sequence back"
    await remake(other, "RUNS")
    await publish(other, "muster.runs.r.events", range(5))
    assert not await StreamAnchor(bus.streams, "RUNS").holds(6), "it ends before"
    assert not await anchor.holds(3), "it reaches as far, but is another one"
    assert await anchor.holds(5)


async def test_a_wait_for_a_run_ends_once_the_run_is_stored_nowhere(bus: Bus, other: Bus):
    following = asyncio.create_task(_to_the_end(bus))
    await bus.store("muster.requests.r", b"{}")
    await Log(other, "RUNS", "muster.runs.r.events").append(Note(1))
    await remake(other, "RUNS")
    await _looked_at(bus)
    assert not following.done(), "it is still queued: an orchestrator begins it again"
    await remake(other, "REQUESTS")
    async with asyncio.timeout(SECONDS):
        with pytest.raises(RunGone, match="run 'r' is not stored any more"):
            await following


async def _to_the_end(bus: Bus) -> None:
    async for _ in follow_entries(bus, "r"):
        pass


async def _looked_at(bus: Bus) -> None:
    """Wait until the reader has looked at the stream that there is now."""
    created = (await bus.js.stream_info("RUNS")).created

    async def known() -> bool:
        return (await bus.streams.read("RUNS", most_age=SECONDS)).created == created

    await eventually(known, "the reader has seen the new stream")


async def test_a_missing_stream_is_named_while_it_is_followed_and_no_longer_than_that(bus: Bus, other: Bus):
    queue: asyncio.Queue[int] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_into(queue, bus, "RUNS", "muster.runs.r.events"))
        await publish(other, "muster.runs.r.events", range(1))
        await take(queue, 1)
        await other.js.delete_stream("RUNS")
        await eventually(lambda: "stream RUNS: it is missing" in bus.trouble, "it is named", 15.0)
        await provision(other)
        await eventually(lambda: not bus.trouble, "it is there again", 15.0)
        reading.cancel()
