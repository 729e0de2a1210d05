"""The connection: what its calls promise, and what is said when NATS cannot be reached or says no."""

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from counted import counted
from nats.aio.msg import Msg
from waiting import eventually

from muster_bus import Bus, NotStored, StoreRefused, connect
from muster_bus.nats_server import CONFIG, NatsServer, executable, nats_server
from muster_bus.testing import connected
from muster_protocol import codec
from muster_protocol.errors import BusError, Refused
from muster_protocol.submit_replies import Accepted, Rejected
from muster_service.settings import BusSettings


@asynccontextmanager
async def guarded_server(folder: Path) -> AsyncGenerator[str]:
    """Run a server that wants to know who one is, on a port that was free a moment ago."""
    async with nats_server(folder) as server:
        port = server.port
    config = folder / "guarded.conf"
    users = 'authorization { users = [{user: "me", password: "right"}] }\n'
    config.write_text(CONFIG.format(port=port, store=json.dumps(str(folder / "js"))) + users)
    process = await asyncio.create_subprocess_exec(executable(), "-c", str(config), stderr=asyncio.subprocess.DEVNULL)
    try:
        yield f"nats://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def test_what_is_stored_is_acknowledged_with_its_sequence(bus: Bus):
    first, second = [await bus.store("muster.requests.r1", b"1"), await bus.store("muster.requests.r2", b"2")]

    assert (first.duplicate, second.seq) == (False, first.seq + 1)


async def test_the_same_message_id_is_stored_once(bus: Bus):
    first = await bus.store("muster.tasks.act.normal", b"1", {"Nats-Msg-Id": "a"})
    again = await bus.store("muster.tasks.act.normal", b"2", {"Nats-Msg-Id": "a"})

    assert (again.duplicate, again.seq) == (True, first.seq)


async def test_a_queue_takes_one_request_a_run(bus: Bus):
    await bus.store("muster.requests.r", b"1")

    with pytest.raises(StoreRefused) as caught:
        await bus.store("muster.requests.r", b"2")
    assert caught.value.err_code == 10077


async def test_what_no_stream_takes_is_known_not_to_be_stored(bus: Bus):
    with pytest.raises(NotStored, match=r"no stream takes 'muster.nowhere'"):
        await bus.store("muster.nowhere", b"x")


async def test_a_store_without_an_answer_is_a_timeout(server: NatsServer, bus: Bus):
    await server.stop(signal.SIGKILL)

    with pytest.raises(TimeoutError):
        await bus.store("muster.requests.r", b"x", timeout=0.3)


async def test_requests_are_answered_by_whoever_listens(bus: Bus, other: Bus):
    async def answer(message: Msg) -> None:
        await other.respond(message, Accepted(run=codec.decode(message.data, Accepted).run + "!"))

    await other.nc.subscribe("muster.submit", cb=answer)
    for _ in range(2):  # nats-py sends the first one's PING ahead of the subscription
        await other.nc.flush()

    assert await bus.request("muster.submit", Accepted(run="r"), Accepted) == Accepted(run="r!")


async def test_a_request_that_nobody_hears_is_refused_at_once(bus: Bus):
    with pytest.raises(Refused, match=r"nobody answers on 'muster.submit'"):
        await asyncio.wait_for(bus.request("muster.submit", Rejected(reasons=()), Accepted, timeout=20.0), 5.0)


async def test_an_answer_that_comes_too_late_or_twice_is_ignored(bus: Bus, other: Bus):
    asked: list[Msg] = []
    await other.nc.listen("questions", asked.append)
    await other.flush_subscriptions()
    with pytest.raises(TimeoutError):
        await bus.nc.request("questions", b"first", timeout=0.1)
    waiting = asyncio.ensure_future(bus.nc.request("questions", b"second", timeout=5.0))
    await eventually(lambda: len(asked) == 2, "both are there")
    for message, answer in ((asked[0], b"late"), (asked[1], b"in time"), (asked[1], b"again")):
        await other.nc.publish(message.reply, answer)
    assert (await waiting).data == b"in time"


async def test_messages_are_heard_in_order_and_a_fault_in_hearing_one_ends_nothing(bus: Bus, other: Bus):
    heard: list[bytes] = []

    def hear(message: Msg) -> None:
        heard.append(message.data)
        if message.data == b"2":
            raise ValueError("on purpose")

    listening = await bus.nc.listen("numbers", hear)
    await bus.flush_subscriptions()
    for number in range(1, 4):
        await other.nc.publish("numbers", b"%d" % number)
    await eventually(lambda: len(heard) == 3, "all are heard")
    await listening.unsubscribe()
    await bus.flush_subscriptions()
    await other.nc.publish("numbers", b"4")
    await other.nc.flush()
    await bus.nc.flush()
    assert heard == [b"1", b"2", b"3"]
    assert bus.nc.stats["reconnects"] == 0


async def test_responding_to_what_wants_no_answer_does_nothing(bus: Bus):
    received: list[Msg] = []

    async def note(message: Msg) -> None:
        received.append(message)

    await bus.nc.subscribe("x", cb=note)
    await bus.publish("x", Accepted(run="r"))
    await eventually(lambda: _count(received), "it arrives")
    await bus.respond(received[0], Accepted(run="r"))
    assert (received[0].headers or {})["v"] == "1"


async def test_every_reconnection_is_told_to_those_who_still_want_to_know(server: NatsServer, bus: Bus):
    told, not_told = list[str](), list[str]()

    def stays() -> None:
        told.append("back")

    def leaves() -> None:
        not_told.append("back")

    bus.on_reconnect(leaves)
    bus.on_reconnect(stays)
    bus.off_reconnect(leaves)
    times = counted("muster_nats_reconnects_total")
    for turn in (1, 2):
        await server.stop(signal.SIGKILL)
        await server.start()
        await eventually(lambda: _count(told, turn), "the reconnection is told")  # noqa: B023
    assert (told, not_told) == (["back", "back"], [])
    assert counted("muster_nats_reconnects_total") >= times + 2


async def test_how_long_the_server_takes_to_answer_is_measured(bus: Bus):
    name = "muster_nats_round_trip_seconds"
    answers, seconds = counted(f"{name}_count"), counted(f"{name}_sum")
    await bus.nc.flush()
    assert counted(f"{name}_count") == answers + 1
    assert 0 < counted(f"{name}_sum") - seconds < 10


async def test_without_a_server_connecting_gives_up_after_its_patience_and_names_the_address(tmp_path: Path):
    async with nats_server(tmp_path) as server:
        url = server.url
    with pytest.raises(BusError, match=rf"no NATS server answers at {url} \(waited 0.5 s\)"):
        await connect(BusSettings(nats_url=url), "test", patience=0.5)


@pytest.mark.parametrize("url", ["http://127.0.0.1:4222", "nats://127.0.0.1:4222, https://127.0.0.1:4223"])
async def test_an_address_of_another_protocol_is_refused_at_once(url: str):
    with pytest.raises(BusError, match=r"://127\.0\.0\.1:422[23] is not the address of a NATS server") as refused:
        await connect(BusSettings(nats_url=url), "test")
    assert "nats://HOST:PORT" in refused.value.remedy


async def test_with_patience_connecting_waits_for_a_server_that_comes_later(tmp_path: Path):
    server = NatsServer(tmp_path)
    await server.start()
    await server.stop()
    connecting = asyncio.ensure_future(connect(BusSettings(nats_url=server.url), "test", patience=20.0))
    await server.start()
    try:
        bus = await connecting
        await bus.close()
    finally:
        await server.stop()


async def test_wrong_credentials_are_told_as_such_and_not_as_a_missing_server(tmp_path: Path):
    async with guarded_server(tmp_path) as url:
        with pytest.raises(BusError, match=r"(?i)authorization"):
            await connect(BusSettings(nats_url=url, nats_user="me", nats_password="wrong"), "test", patience=5.0)
        bus = await connect(BusSettings(nats_url=url, nats_user="me", nats_password="right"), "test", patience=5.0)
        assert bus.nc.new_inbox().startswith("_INBOX_me.")
        await bus.close()


async def test_closing_with_the_server_gone_does_not_hang(server: NatsServer):
    async with connected(server) as bus:
        await server.stop(signal.SIGKILL)
        await asyncio.wait_for(bus.close(timeout=0.5), 5.0)
        await bus.close()


async def _count(found: Sequence[object], wanted: int = 1) -> bool:
    return len(found) >= wanted


async def test_a_flush_is_asked_for_after_what_it_is_to_flush(bus: Bus, monkeypatch: pytest.MonkeyPatch):
    sent: list[bytes] = []
    transport: Any = bus.nc._transport  # pyright: ignore[reportPrivateUsage] - what goes to the server, in its order
    write, write_lines = transport.write, transport.writelines

    def recorded(data: bytes) -> None:
        sent.append(data)
        write(data)

    def recorded_lines(lines: list[bytes]) -> None:
        sent.extend(lines)
        write_lines(lines)

    monkeypatch.setattr(transport, "write", recorded)
    monkeypatch.setattr(transport, "writelines", recorded_lines)

    await bus.nc.subscribe("flushed.subject")
    await bus.flush_subscriptions()

    order = b"".join(sent)
    assert 0 <= order.find(b"SUB flushed.subject") < order.find(b"PING")
