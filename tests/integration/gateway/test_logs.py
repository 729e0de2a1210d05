"""Following a run's log: every line once, in order, whatever happens on the way."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from muster_bus import Bus

    from .conftest import Frame, OpenRun, Run, StartGateway, Web

Serve = Callable[..., "AbstractAsyncContextManager[Web]"]
PUBLISHERS = 4


async def to_the_end(web: Web, socket: ClientConnection) -> list[Frame]:
    """Return all frames until the last."""
    frames: list[Frame] = []
    while not frames or not frames[-1].end:
        frames += await web.frames(socket, 1)
    return frames


async def published(run: Run, lines: int) -> list[int]:
    """Publish from several sources at once; return all sequences in order."""
    told = await asyncio.gather(*(run.say(f"worker-{n}", lines) for n in range(PUBLISHERS)))
    return sorted(sequence for sequences in told for sequence in sequences)


async def test_backlog_and_live_lines_join_exactly_while_thousands_are_published(web: Web, open_run: OpenRun):
    run = await open_run("r1")
    await open_run("r2")
    before = await published(run, 300)
    publishing = asyncio.create_task(published(run, 1000))
    async with web.follow("r1") as socket:
        first = await web.frames(socket, 2000)
        during = await publishing
        await run.end(Verdict(run="r1", name="r1", status="fail", cause=None))
        frames = first + await to_the_end(web, socket)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert [frame.cursor for frame in frames[:-1]] == before + during
    assert (frames[-1].end, frames[-1].status) == (True, "fail")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1000
    for n in range(PUBLISHERS):
        numbers = [f.record.number for f in frames if f.record is not None and f.record.source == f"worker-{n}"]
        assert numbers == list(range(1, 1301))


async def test_a_client_that_is_cut_resumes_from_its_cursor_again_and_again_without_gap_or_duplicate(
    web: Web, open_run: OpenRun
):
    run = await open_run("r1")
    publishing = asyncio.create_task(published(run, 600))
    seen: list[int] = []
    for count in (1, 250, 499, 700):
        async with web.follow("r1", after=seen[-1] if seen else 0) as socket:
            seen += [frame.cursor for frame in await web.frames(socket, count)]
            socket.transport.abort()
    sequences = await publishing
    await run.end()
    async with web.follow("r1", after=seen[-1]) as socket:
        seen += [frame.cursor for frame in (await to_the_end(web, socket))[:-1]]
    assert seen == sequences


async def test_a_follower_of_a_run_that_is_over_gets_everything_and_the_end(web: Web, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await published(run, 5)
    await run.end(Verdict(run="r1", name="r1", status="pass"))
    async with web.follow("r1") as socket:
        frames = await to_the_end(web, socket)
    assert [frame.cursor for frame in frames[:-1]] == sequences
    assert frames[-1].status == "pass"
    async with web.follow("r1", after=sequences[-1]) as socket:
        assert [frame.end for frame in await to_the_end(web, socket)] == [True]


async def test_a_line_that_was_on_its_way_when_the_run_closed_still_comes_before_the_end(web: Web, open_run: OpenRun):
    run = await open_run("r1")
    async with web.follow("r1") as socket:
        await run.end()
        (late,) = await run.say("session-1")
        frames = await to_the_end(web, socket)
    assert [(frame.cursor, frame.end) for frame in frames] == [(late, False), (0, True)]


async def test_a_slow_client_is_cut_off_with_word_how_to_go_on_while_another_gets_everything(
    start_gateway: StartGateway, open_run: OpenRun
):
    web = await start_gateway(ws_buffer="200", ws_stall_seconds="60")
    run = await open_run("r1")
    slow = web.follow("r1", sock=await narrow(web), max_queue=1, close_timeout=1)
    async with web.follow("r1") as quick, slow as stalled:
        following = asyncio.create_task(to_the_end(web, quick))
        for _ in range(2):  # the second line comes after the backlog was read
            assert await run.say("w", 1) == [frame.cursor for frame in await web.frames(stalled, 1)]
        sequences = await run.say("w", 1600, text="x" * 4000)
        dropped = "muster_gateway_log_clients_dropped_total"
        async with asyncio.timeout(20):
            while not await web.metric(dropped):
                await asyncio.sleep(0.05)
        await run.end()
        got = [frame.cursor for frame in await following]
        assert got[2:-1] == sequences
        behind, reason = await until_closed(web, stalled)
    assert 0 < len(behind) < len(sequences)
    assert reason.startswith("1013 too slow")
    assert "?after=" in reason
    assert behind == sequences[: len(behind)]
    async with web.follow("r1", after=behind[-1]) as again:
        rest = [frame.cursor for frame in (await to_the_end(web, again))[:-1]]
    assert behind + rest == sequences


async def narrow(web: Web) -> sockets.socket:
    """Connect with a receive buffer so small that little is on its way to a client that does not read."""
    connection = sockets.socket()
    connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", web.port))
    return connection


async def until_closed(web: Web, socket: ClientConnection) -> tuple[list[int], str]:
    """Return the cursors of what still comes, and the code and reason it ends with."""
    cursors: list[int] = []
    try:
        while True:
            cursors += [frame.cursor for frame in await web.frames(socket, 1)]
    except ConnectionClosed as closed:
        assert closed.rcvd is not None, f"closed without a word: {closed}"
        return cursors, f"{closed.rcvd.code} {closed.rcvd.reason}"


async def test_a_client_that_reads_nothing_at_all_is_let_go_and_holds_up_no_stop(serve: Serve, open_run: OpenRun):
    run = await open_run("r1")
    async with serve(ws_stall_seconds="1", shutdown_seconds="1") as web:
        dropped = 'muster_gateway_log_clients_dropped_total{transport="websocket"}'
        before = await web.metric(dropped)
        async with web.follow("r1", sock=await narrow(web), max_queue=1, close_timeout=0.1) as stalled:
            await run.say("w", 1600, text="x" * 4000)
            async with asyncio.timeout(30):
                while await web.metric('muster_gateway_log_clients{transport="websocket"}'):
                    await asyncio.sleep(0.05)
            assert await web.metric(dropped) == before + 1
            stalled.transport.pause_reading()
            began = asyncio.get_running_loop().time()
        stalled.transport.abort()
    assert asyncio.get_running_loop().time() - began < 8


async def test_a_backlog_far_larger_than_the_buffer_reaches_a_client_that_reads_slowly(serve: Serve, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await run.say("w", 2000, text="x" * 2000)
    await run.end()
    async with serve(ws_buffer="20") as web, web.follow("r1", max_queue=1) as socket:
        frames = await to_the_end(web, socket)
    assert [frame.cursor for frame in frames[:-1]] == sequences


async def test_an_unknown_run_and_a_foreign_page_are_turned_away(web: Web, open_run: OpenRun):
    await open_run("r1")
    async with web.follow("nobody") as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, "there is no such run")
    with pytest.raises(InvalidStatus) as refused:
        async with web.follow("r1", origin="http://evil.example"):
            pass
    assert refused.value.response.status_code == 403
    async with web.follow("r1", origin=f"http://127.0.0.1:{web.port}") as socket:
        await socket.ping()


@pytest.mark.parametrize("path", ["/runs", "/run/r1/logs", "/runs/r1/log"])
async def test_where_there_is_no_websocket_a_client_is_told_so(web: Web, path: str):
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"ws://127.0.0.1:{web.port}{path}"):
            pass
    assert refused.value.response.status_code == 404
    assert f"there is no WebSocket at {path}".encode() in (refused.value.response.body or b"")


async def test_what_is_no_log_record_is_shown_as_such_and_harms_nobody(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await bus.store(bus.names.log("r1", "stranger"), b"not json")
    await bus.store(bus.names.log("r1", "stranger"), b'{"run":"r1","source":"s",\n\n"text":"\xff"}')
    await bus.store(
        bus.names.log("r1", "newer"), b'{"run":"r1",\n\n"source":"newer","number":1,"at":1,"kind":"dream","text":"t"}'
    )
    await run.end()
    async with web.http.stream("GET", "/runs/r1/logs") as answer:
        text = "".join([part async for part in answer.aiter_text()])
    events = text.split("\n\n")
    assert len([event for event in events if event.startswith("id: ")]) == 3
    assert text.count("cannot be read") == 2
    assert '"kind":"dream"' in text


async def test_server_sent_events_carry_the_same_lines_and_resume_from_the_last_event_id(web: Web, open_run: OpenRun):
    run = await open_run("r1")
    sequences = await published(run, 50)
    publishing = asyncio.create_task(published(run, 50))

    async def ids(after: int, count: int) -> list[int]:
        found: list[int] = []
        headers = {"Last-Event-ID": str(after)}
        async with web.http.stream("GET", "/runs/r1/logs", headers=headers) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    found.append(int(line[4:]))
                if len(found) == count or line == "event: end":
                    return found
        return found

    first = await ids(0, 120)
    sequences += await publishing
    await run.end(Verdict(run="r1", name="r1", status="pass"))
    assert first + await ids(first[-1], 10_000) == sequences
