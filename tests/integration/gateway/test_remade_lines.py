"""Clients of log lines when the streams are made again under them: they go on, or learn that there is nothing more."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from websockets.asyncio.client import connect
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
        new = await run.say("worker-1", 3)
        assert [frame.cursor for frame in await web.frames(socket, 3)] == new
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


@pytest.mark.parametrize("after", [1, 20, 2**52])
@pytest.mark.parametrize("address", ["/runs/r1/logs?", "/logs?run=r1&", "/logs?"])
async def test_a_cursor_of_an_earlier_stream_hides_no_line(
    web: Web, bus: Bus, open_run: OpenRun, after: int, address: str
):
    run = await open_run("r1")
    old = await run.say("worker-1", 20)
    await remake(bus, "LOGS")
    new = await run.say("worker-1", 25)  # more than there were
    assert new[0] > old[-1]
    kept = old[after - 1] if after <= 20 else after
    async with asyncio.timeout(SECONDS), connect(f"ws://127.0.0.1:{web.port}{address}after={kept}") as socket:
        told: list[int] = []
        while len(told) < 25:
            frame = json.loads(await socket.recv())
            told += [one["cursor"] for one in frame.get("lines", [frame] if "record" in frame else [])]
    assert told == new
