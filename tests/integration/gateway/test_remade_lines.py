"""Clients of log lines when the streams are made again under them: they go on, or learn that there is nothing more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed

from muster_bus import provision
from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import OpenRun, Web

SECONDS = 30.0


async def remake(bus: Bus, stream: str) -> None:
    await bus.js.delete_stream(stream)
    await provision(bus)


async def test_a_run_is_followed_to_its_end_although_its_lines_are_numbered_anew(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await run.say("worker-1", 20)
    async with asyncio.timeout(SECONDS), web.follow("r1") as socket:
        assert len(await web.frames(socket, 20)) == 20
        await remake(bus, "LOGS")
        assert await run.say("worker-1", 3) == [1, 2, 3]
        assert [frame.cursor for frame in await web.frames(socket, 3)] == [1, 2, 3]
        await run.end(Verdict(run="r1", name="r1", status="fail", cause=None))
        (end,) = await web.frames(socket, 1)
    assert (end.end, end.status) == (True, "fail")


async def test_a_client_learns_that_its_run_is_stored_nowhere_any_more(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await run.say("worker-1", 2)
    async with asyncio.timeout(SECONDS), web.follow("r1") as socket:
        await web.frames(socket, 2)
        await remake(bus, "RUNS")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, "the run is not stored any more")


async def test_a_cursor_of_an_earlier_stream_hides_no_line_of_a_run(web: Web, bus: Bus, open_run: OpenRun):
    run = await open_run("r1")
    await run.say("worker-1", 20)
    await remake(bus, "LOGS")
    await run.say("worker-1", 3)
    async with asyncio.timeout(SECONDS), web.follow("r1", after=20) as socket:
        assert [frame.cursor for frame in await web.frames(socket, 3)] == [1, 2, 3]
