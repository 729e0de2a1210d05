"""The streams, which the description's fuzzer leaves out as they never end: what their parameters take and refuse."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from .conftest import OpenRun, Web

SECONDS = 30.0
NO_CURSORS = ("-3", "abc", "", "99999999999999999999", "1.5", "%C2%B2", str(2**53 + 1))
UNEXPECTED = ("aftr=1", "after=1&after=2", "x")
OF_A_RUN = [*(f"after={text}" for text in NO_CURSORS), *UNEXPECTED, "level=loud", "kind=shout", "source=a*b"]
OF_ALL = [*OF_A_RUN, *(f"until={text}" for text in NO_CURSORS), "run=a%20b", "&".join(f"run=r{n}" for n in range(33))]
REFUSED = {"/logs": OF_ALL, "/runs/r1/logs": OF_A_RUN, "/runs/changes": OF_A_RUN[: len(NO_CURSORS + UNEXPECTED)]}
TAKEN = {
    "/logs": ("", "after=0", f"after={2**53}", "after=0&until=1", "run=r1&run=r2&level=error&kind=error&source=w*"),
    "/runs/r1/logs": ("", "after=0", "level=debug&kind=message&kind=error&source=orchestrator&source=w*"),
    "/runs/changes": ("", "after=1"),
}


async def _closed(web: Web, address: str) -> tuple[int, str]:
    """Return the code and the reason that a WebSocket is closed with."""
    try:
        async with asyncio.timeout(SECONDS), connect(f"ws://127.0.0.1:{web.port}{address}") as socket:
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        assert closed.rcvd is not None, address
        return closed.rcvd.code, closed.rcvd.reason


async def test_a_websocket_is_closed_as_a_bad_request_whatever_parameter_means_nothing(web: Web, open_run: OpenRun):
    await open_run("r1")
    for path in ("/logs", "/runs/r1/logs"):
        for query in REFUSED[path]:
            code, reason = await _closed(web, f"{path}?{query}")
            assert (code, bool(reason)) == (4400, True), (path, query)
            if query.startswith(("after", "until")) and query not in UNEXPECTED:
                assert reason.startswith(f"{query.split('=')[0]} "), query
    assert (await _closed(web, "/runs/nobody/logs?after=0"))[0] == 4404
    assert await _closed(web, "/logs?after=0&until=1") == (1000, "all lines sent")


async def test_streams_of_events_refuse_what_means_nothing_and_begin_with_everything_else(web: Web, open_run: OpenRun):
    await open_run("r1")
    for path, queries in REFUSED.items():
        for address in (f"{path}?{query}" for query in queries):
            answer = await web.http.get(address)
            assert answer.status_code == 400, address
            assert answer.headers["content-type"] == "application/problem+json", address
            assert json.loads(answer.content)["reasons"], address
        for text in NO_CURSORS[:4]:
            answer = await web.http.get(path, headers={"Last-Event-ID": text})
            assert answer.status_code == 400, (path, text)
    for path, queries in TAKEN.items():
        for address in (f"{path}?{query}" for query in queries):
            async with web.http.stream("GET", address) as answer:
                assert answer.status_code == 200, address
                assert answer.headers["content-type"].startswith("text/event-stream"), address
                assert (await anext(answer.aiter_bytes())).startswith(b"retry: 2000"), address
    assert (await web.http.get("/runs/nobody/logs")).status_code == 404
