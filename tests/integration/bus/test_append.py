"""Appending by compare-and-set: who wrote last holds the log, and nothing is stored twice or lost without a word."""

import asyncio
import signal
import time

import msgspec
import pytest
from counted import counted
from proxy import proxied
from waiting import eventually

from muster_bus import Bus, Log, StoreRefused, newest
from muster_bus.bus import HEADERS, header_size
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected
from muster_protocol import codec
from muster_protocol.errors import Fenced, Refused

SUBJECT = "muster.journal.r.n.1"


class Note(msgspec.Struct):
    text: str


def journal(bus: Bus) -> Log:
    return Log(bus, "JOURNAL", SUBJECT)


async def texts(bus: Bus) -> list[str]:
    return [codec.decode(message.data, Note).text for message in await journal(bus).read()]


async def test_appends_get_rising_sequences_and_are_read_back_in_order(bus: Bus):
    log = journal(bus)
    first, second = await log.append(Note("a")), await log.append(Note("b"))

    assert first < second == log.last
    assert await texts(bus) == ["a", "b"]


async def test_an_append_after_somebody_elses_is_fenced_and_says_by_what(bus: Bus, other: Bus):
    mine, theirs = journal(bus), journal(other)
    at_first = await mine.append(Note("mine"))
    await theirs.read()
    found = await theirs.append(Note("theirs"))
    fenced = counted("muster_log_appends_total", stream="JOURNAL", result="fenced")

    with pytest.raises(Fenced) as caught:
        await mine.append(Note("too late"))
    assert counted("muster_log_appends_total", stream="JOURNAL", result="fenced") == fenced + 1
    assert (caught.value.subject, caught.value.expected, caught.value.found) == (SUBJECT, at_first, found)
    assert await texts(bus) == ["mine", "theirs"]


async def test_a_first_append_to_a_log_that_is_not_empty_is_fenced(bus: Bus, other: Bus):
    await journal(other).append(Note("theirs"))

    with pytest.raises(Fenced):
        await journal(bus).append(Note("mine"))


async def test_who_was_fenced_may_read_and_append_after_what_is_there(bus: Bus, other: Bus):
    log = journal(bus)
    await journal(other).append(Note("theirs"))
    with pytest.raises(Fenced):
        await log.append(Note("no"))

    await log.read()
    await log.append(Note("yes"))
    assert await texts(bus) == ["theirs", "yes"]


async def test_of_four_writers_at_once_one_wins(server: NatsServer, bus: Bus):
    async with connected(server) as a, connected(server) as b, connected(server) as c:
        logs = [journal(it) for it in (bus, a, b, c)]
        for turn in range(10):
            tries = [log.append(Note(f"{turn}.{number}")) for number, log in enumerate(logs)]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(type(it).__name__ for it in outcomes) == ["Fenced", "Fenced", "Fenced", "int"]
            for log in logs:
                await log.read()
        assert [text.partition(".")[0] for text in await texts(bus)] == [str(turn) for turn in range(10)]


async def test_logs_of_other_subjects_do_not_fence(bus: Bus):
    one, two = journal(bus), Log(bus, "JOURNAL", "muster.journal.r.n.2")
    await asyncio.gather(*(log.append(Note("x")) for log in (one, two)))

    await asyncio.gather(*(log.append(Note("y")) for log in (one, two)))


async def test_an_append_whose_acknowledgement_is_lost_is_stored_once_and_succeeds(server: NatsServer, bus: Bus):
    async with proxied(server) as (shaky, proxy):
        log = journal(shaky)
        await log.append(Note("before"))
        proxy.to_client.drop()
        appending = asyncio.ensure_future(log.append(Note("once")))
        await eventually(lambda: _holds(bus, 2), "the append is stored")
        proxy.cut()
        await proxy.mend()

        assert await asyncio.wait_for(appending, 20.0) == log.last
        await log.append(Note("after"))
    assert await texts(bus) == ["before", "once", "after"]


@pytest.mark.slow
async def test_an_append_whose_acknowledgement_is_late_is_stored_once_and_succeeds(server: NatsServer, bus: Bus):
    async with proxied(server) as (slow, proxy):
        log = journal(slow)
        proxy.to_client.hold()
        appending = asyncio.ensure_future(log.append(Note("once")))
        sent = proxy.to_server.seen
        await eventually(lambda: _true(sent.count(b"PUB muster.journal") >= 2), "it is tried again")
        proxy.to_client.release()

        await asyncio.wait_for(appending, 20.0)
        await log.append(Note("after"))
    assert await texts(bus) == ["once", "after"]


async def test_an_append_that_is_overtaken_while_its_outcome_is_unknown_is_fenced(server: NatsServer, bus: Bus):
    async with proxied(server) as (shaky, proxy):
        proxy.to_server.hold()
        appending = asyncio.ensure_future(journal(shaky).append(Note("mine")))
        await eventually(lambda: _true(b"PUB muster.journal" in proxy.to_server.seen), "it is on its way")
        await journal(bus).append(Note("theirs"))
        await proxy.mend()

        with pytest.raises(Fenced):
            await asyncio.wait_for(appending, 20.0)
    assert await texts(bus) == ["theirs"]


async def test_an_append_made_while_the_server_is_down_is_stored_once_when_it_is_back(server: NatsServer, bus: Bus):
    log = journal(bus)
    await log.append(Note("before"))
    await server.stop(signal.SIGKILL)
    await eventually(lambda: _true(not bus.nc.is_connected), "the connection is lost")
    appending = asyncio.ensure_future(log.append(Note("once")))
    await server.start()

    await asyncio.wait_for(appending, 30.0)
    await log.append(Note("after"))
    assert await texts(bus) == ["before", "once", "after"]


async def test_an_append_to_a_log_that_was_purged_is_fenced(bus: Bus):
    log = journal(bus)
    await log.append(Note("gone"))
    await bus.js.purge_stream("JOURNAL", subject=SUBJECT)

    with pytest.raises(Fenced) as caught:
        await log.append(Note("more"))
    assert caught.value.found == 0


async def test_an_append_that_is_too_large_is_refused_at_once_with_its_size(bus: Bus):
    started = time.monotonic()
    with pytest.raises(Refused, match=r"^2000\d{3} bytes .* the server takes 1048576"):
        await journal(bus).append(Note("x" * 2_000_000))

    assert time.monotonic() - started < 2.0
    assert await texts(bus) == []


async def test_what_is_too_large_only_with_its_headers_is_refused_and_the_connection_is_kept(bus: Bus):
    headers = {"Muster-Reason": "ü" * 100}
    most = bus.nc.max_payload - header_size(HEADERS | headers)
    await bus.store("muster.dead.X", b"x" * most, headers)
    with pytest.raises(Refused, match=r"^1048577 bytes .* the server takes 1048576"):
        await bus.store("muster.dead.X", b"x" * (most + 1), headers)

    await bus.nc.flush()
    assert bus.nc.stats["reconnects"] == 0
    assert (await bus.js.stream_info("DEAD")).state.messages == 1


async def test_an_append_the_stream_refuses_for_another_reason_says_so_at_once(bus: Bus):
    config = (await bus.js.stream_info("JOURNAL")).config
    await bus.js.update_stream(config.evolve(max_msg_size=100))

    with pytest.raises(StoreRefused, match="maximum"):
        await journal(bus).append(Note("x" * 500))


async def test_headers_of_ones_own_are_stored_beside_the_version(bus: Bus):
    await journal(bus).append(Note("x"), {"Muster-Finished": "1"})

    stored = await bus.js.get_last_msg("JOURNAL", SUBJECT)
    assert stored.headers is not None
    assert (stored.headers["Muster-Finished"], stored.headers["v"]) == ("1", "1")


async def _holds(bus: Bus, count: int) -> bool:
    return len(await texts(bus)) == count


async def _true(value: bool) -> bool:
    return value


async def test_the_newest_message_of_a_log_is_found_or_none(bus: Bus):
    assert await newest(bus, "JOURNAL", SUBJECT) is None
    log = journal(bus)
    await log.append(Note("a"))
    await log.append(Note("b"))

    found = await newest(bus, "JOURNAL", SUBJECT)
    assert found is not None
    assert (found.seq, found.subject, codec.decode(found.data, Note).text) == (log.last, SUBJECT, "b")
