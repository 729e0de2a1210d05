"""The relay: lines of one, many and all runs, each once and in order or told as missed, whatever happens on the way."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import msgspec
import pytest
from proxy import Proxy
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from muster_protocol import codec

if TYPE_CHECKING:
    from muster_bus import Bus
    from muster_bus.nats_server import NatsServer

    from .conftest import OpenRun, Run, StartGateway, Web

SECONDS = 60.0
RUNS = 3


class Told(msgspec.Struct):
    """A line as a client gets it; of the record, only what is looked at."""

    cursor: int
    record: dict[str, Any]


class Range(msgspec.Struct):
    first: int = msgspec.field(name="from")
    to: int
    lines: int


class Frame(msgspec.Struct, forbid_unknown_fields=True):
    lines: list[Told] = []
    missed: Range | None = None
    live: bool = False
    cursor: int = 0


class Got(NamedTuple):
    """What a client was told so far."""

    cursors: list[int]
    missed: list[Range]
    frames: list[int]
    """Lines of each frame."""


def relay(web: Web, query: str = "", **options: Any) -> connect:
    """Open a WebSocket on the relay."""
    return connect(f"ws://127.0.0.1:{web.port}/logs?{query}", max_size=None, **options)


async def take(socket: ClientConnection, got: Got, count: int) -> Got:
    """Read until so many lines were told or missed."""
    async with asyncio.timeout(SECONDS):
        while len(got.cursors) + sum(one.lines for one in got.missed) < count:
            frame = codec.decode(await socket.recv(), Frame)
            got.cursors.extend(line.cursor for line in frame.lines)
            got.missed.extend([frame.missed] if frame.missed else [])
            got.frames.extend([len(frame.lines)] if frame.lines else [])
    return got


async def live(socket: ClientConnection) -> int:
    """Read up to the frame that says that the client is live, which is the first here; return its cursor."""
    async with asyncio.timeout(SECONDS):
        frame = codec.decode(await socket.recv(), Frame)
    assert frame.live
    return frame.cursor


def nothing() -> Got:
    return Got([], [], [])


async def said(run: Run, lines: int) -> list[int]:
    """Publish from several sources at once; return the sequences in order."""
    told = await asyncio.gather(*(run.say(source, lines) for source in ("orchestrator", "worker-1", "worker-2")))
    return sorted(sequence for sequences in told for sequence in sequences)


async def subscriptions(server: NatsServer) -> int:
    """Return how many subscriptions to log lines the server has."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"http://127.0.0.1:{server.monitor_port}/connz?subs=1")).text
    return text.count("muster.live.logs.")


@pytest.mark.slow
async def test_two_gateways_tell_all_their_clients_every_line_once_in_order_over_one_subscription_each(
    start_gateway: StartGateway, server: NatsServer, open_run: OpenRun
):
    gateways = [await start_gateway(), await start_gateway()]
    runs = [await open_run(f"r{n}") for n in range(RUNS)]
    before = [await said(run, 70) for run in runs]
    async with AsyncExitStack() as stack:

        async def client(number: int, query: str) -> ClientConnection:
            return await stack.enter_async_context(relay(gateways[number % 2], query))

        all_lines = [await client(n, "after=0") for n in range(4)]
        one_run = [await client(n, f"run=r{n}") for n in range(RUNS)]
        two_runs = [await client(n, "run=r0&run=r2&source=worker-*") for n in range(2)]
        speaking = asyncio.gather(*(said(run, 150) for run in runs))
        count = RUNS * 3 * 220
        everything = await asyncio.gather(*(take(socket, nothing(), count) for socket in all_lines))
        of_one = await asyncio.gather(*(take(socket, nothing(), 3 * 220) for socket in one_run))
        of_two = await asyncio.gather(*(take(socket, nothing(), 2 * 2 * 220) for socket in two_runs))
        during = await speaking
        assert await subscriptions(server) == 2
    stored = [before[n] + during[n] for n in range(RUNS)]
    for got in everything:
        assert got.cursors == sorted(sequence for sequences in stored for sequence in sequences)
        assert max(got.frames) > 1
    for n, got in enumerate(of_one):
        assert got.cursors == stored[n]
    assert of_two[0].cursors == of_two[1].cursors == sorted(set(of_two[0].cursors))
    assert not [got.missed for got in (*everything, *of_one, *of_two) if got.missed]


@pytest.mark.slow
async def test_a_client_that_is_cut_goes_on_at_another_gateway_without_gap_or_duplicate(
    start_gateway: StartGateway, open_run: OpenRun
):
    gateways = [await start_gateway(), await start_gateway()]
    runs = [await open_run(f"r{n}") for n in range(2)]
    speaking = asyncio.gather(*(said(run, 500) for run in runs))
    got = nothing()
    for turn, count in enumerate((1, 400, 900, 1700)):
        async with relay(gateways[turn % 2], f"after={got.cursors[-1] if got.cursors else 0}") as socket:
            await take(socket, got, count)
            socket.transport.abort()
    sequences = sorted(sequence for told in await speaking for sequence in told)
    async with relay(gateways[0], f"after={got.cursors[-1]}") as socket:
        await take(socket, got, len(sequences))
    assert got.cursors == sequences


async def narrow(web: Web) -> sockets.socket:
    """Connect with a receive buffer so small that little is on its way to a client that does not read."""
    connection = sockets.socket()
    connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", web.port))
    return connection


@pytest.mark.slow
async def test_a_stalled_client_is_told_what_it_missed_and_fills_it_back_while_others_get_everything(
    start_gateway: StartGateway, open_run: OpenRun
):
    web = await start_gateway(ws_buffer="300")
    run = await open_run("r1")
    slow = relay(web, "", sock=await narrow(web), max_queue=1, close_timeout=1)
    async with relay(web) as quick, slow as stalled:
        begun = {await live(quick), await live(stalled)}
        following = asyncio.create_task(take(quick, nothing(), 1501))
        sequences = [number for _ in range(15) for number in await run.say("w", 100, text="x" * 8000)]
        sequences += await run.say("w", 1)
        assert begun == {sequences[0] - 1}
        assert (await following).cursors == sequences
        assert not (await following).missed
        assert 0 < await web.metric("muster_gateway_relay_lines_waiting") <= 300
        got = await take(stalled, nothing(), len(sequences))
        assert len(got.cursors) + got.missed[0].lines == len(sequences)
        (gap,) = got.missed
        assert await web.metric("muster_gateway_relay_lines_missed_total") == gap.lines
    query = f"after={gap.first - 1}&until={gap.to}"
    filled = nothing()
    async with relay(web, query) as socket:
        await take(socket, filled, gap.lines)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1000
    assert sorted(got.cursors + filled.cursors) == sequences
    assert len(filled.cursors) == gap.lines
    assert await web.metric("muster_gateway_relay_back_fills_total") == 1


async def test_clients_miss_nothing_when_the_gateways_connection_to_nats_is_cut_and_comes_back(
    server: NatsServer, start_gateway: StartGateway, open_run: OpenRun
):
    proxy = Proxy(server.port)
    await proxy.start()
    web = await start_gateway(nats_url=proxy.url, ws_buffer="5000")
    run = await open_run("r1")
    try:
        async with relay(web) as socket:
            await live(socket)
            got = nothing()
            sequences: list[int] = []
            for _ in range(2):
                sequences += await said(run, 50)
                await take(socket, got, len(sequences))
                proxy.cut(refuse=True)
                sequences += await said(run, 800)
                await proxy.mend()
                sequences += await said(run, 50)
                await take(socket, got, len(sequences))
            proxy.to_client.lose(b"worker-2 is lost")
            sequences += await run.say("worker-2", 1, text="worker-2 is lost")
            sequences += await run.say("worker-1", 1)
            await take(socket, got, len(sequences))
        assert (got.cursors, got.missed) == (sequences, [])
        assert proxy.to_client.lost == 1
        assert await web.metric("muster_gateway_relay_gaps_total") >= 1
        assert await web.metric("muster_gateway_relay_lines_waiting") == 0
        handed, late = [await web.metric(f"muster_gateway_relay_lag_seconds_{it}") for it in ("count", "sum")]
        assert handed > 0
        assert 0 < late < SECONDS * handed
    finally:
        await proxy.stop()


@pytest.mark.slow
async def test_a_lost_line_behind_which_none_follows_is_found_all_the_same(
    server: NatsServer, start_gateway: StartGateway, open_run: OpenRun
):
    proxy = Proxy(server.port)
    await proxy.start()
    web = await start_gateway(nats_url=proxy.url)
    run = await open_run("r1")
    try:
        async with relay(web) as socket:
            await live(socket)
            proxy.to_client.lose(b"the last one")
            sequences = await run.say("w", 1, text="the last one")
            assert (await take(socket, nothing(), 1)).cursors == sequences
        assert proxy.to_client.lost == 1
    finally:
        await proxy.stop()


async def test_server_sent_events_carry_the_same_frames_and_resume_from_the_last_event_id(web: Web, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await said(run, 40)

    async def told(query: str, count: int, after: int | None = None) -> tuple[list[int], list[str]]:
        """Return cursors of lines, and what else came, until so many lines were told or the end."""
        found, others, last = list[int](), list[str](), 0
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        async with asyncio.timeout(SECONDS), web.http.stream("GET", f"/logs?{query}", headers=headers) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            async for line in answer.aiter_lines():
                last = int(line[4:]) if line.startswith("id: ") else last
                if line.startswith("data: "):
                    frame = json.loads(line[6:])
                    found += [one["cursor"] for one in frame.get("lines", ())]
                    others += list(frame) if "lines" not in frame else []
                    assert not frame.get("lines") or last == found[-1]
                if line == "event: end" or len(found) >= count:
                    return found, others
        return found, others

    first, _ = await told("run=r1", 120)
    assert first == sequences
    more = await said(run, 40)
    rest, _ = await told("run=r1", 120, after=sequences[-1])
    assert rest == more
    assert await told(f"after={sequences[9]}&until={sequences[-1]}", 10_000) == (sequences[10:], [])
    assert await told(f"run=r1&level=error&until={2**53}", 10_000) == ([], [])


async def test_filters_apply_to_one_runs_log_too_and_its_end_still_comes(web: Web, open_run: OpenRun, bus: Bus):
    run = await open_run("r1")
    await run.say("worker-1", 3)
    (told,) = await run.say("worker-2", 1)
    await run.say("orchestrator", 3)
    await run.end()
    async with web.follow("r1") as socket:
        assert len(await web.frames(socket, 7)) == 7
    async with connect(f"ws://127.0.0.1:{web.port}/runs/r1/logs?source=worker-2&level=info") as socket:
        frames = await web.frames(socket, 2)
    assert [(frame.cursor, frame.end) for frame in frames] == [(told, False), (0, True)]
    answer = await web.http.get("/runs/r1/logs?kind=error")
    assert [line for line in answer.text.splitlines() if line.startswith(("id:", "event:"))] == ["event: end"]


async def test_a_filter_that_means_nothing_is_refused_with_what_there_is(web: Web, open_run: OpenRun):
    await open_run("r1")
    for path in ("/logs", "/runs/r1/logs"):
        answer = await web.http.get(f"{path}?level=loud&kind=shout")
        assert answer.status_code == 400
        assert [reason.split(";")[0] for reason in answer.json()["reasons"]] == [
            "kind 'shout' is not valid",
            "level 'loud' is not valid",
        ]
        async with connect(f"ws://127.0.0.1:{web.port}{path}?level=loud") as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason[:25]) == (4400, "level 'loud' is not valid")


async def test_what_only_looks_like_a_stored_line_reaches_nobody_and_stops_nothing(
    web: Web, bus: Bus, open_run: OpenRun
):
    run = await open_run("r1")
    async with relay(web) as socket:
        await live(socket)
        await bus.nc.publish("muster.live.logs.r1.w", b"{}")
        forged = {"Nats-Stream": "LOGS", "Nats-Sequence": "999", "Nats-Subject": "muster.logs.r1.w"}
        await bus.nc.publish("muster.live.logs.r1.w", b"{}", headers=forged)
        sequences = await run.say("w", 3)
        assert (await take(socket, nothing(), 3)).cursors == sequences
