"""The gateway as a web server: files, headers, who may ask, what it tells about itself, and how it stops."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import pytest

from muster_bus import Rows
from muster_bus.artifact_store import put_artifact
from muster_protocol.logs import RunRow

if TYPE_CHECKING:
    from muster_bus import Bus
    from muster_bus.nats_server import NatsServer

    from .conftest import OpenRun, StartGateway, Web

Serve = Callable[..., "AbstractAsyncContextManager[Web]"]
CASE = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}


async def test_files_of_a_run_are_listed_and_downloaded_byte_for_byte_as_attachments(
    web: Web, bus: Bus, open_run: OpenRun
):
    await open_run("r1")
    await open_run("r10")
    assert (await web.http.get("/runs/r1/artifacts")).json() == {"artifacts": []}
    large = os.urandom(700_000)
    await put_artifact(bus, "r1/n1.1/trace.zip", large, "application/zip")
    await put_artifact(bus, "r1/n1.1/empty.txt", b"", "text/plain; charset=utf-8")
    await put_artifact(bus, "r10/other.txt", b"not yours", "text/plain")
    listed = (await web.http.get("/runs/r1/artifacts")).json()["artifacts"]
    assert [(file["name"], file["size"], file["content_type"]) for file in listed] == [
        ("n1.1/empty.txt", 0, "text/plain; charset=utf-8"),
        ("n1.1/trace.zip", 700_000, "application/zip"),
    ]
    assert listed[1]["sha256"] == hashlib.sha256(large).hexdigest()
    answer = await web.http.get("/runs/r1/artifacts/n1.1/trace.zip")
    assert answer.content == large
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-length"] == "700000"
    assert answer.headers["content-disposition"].startswith('attachment; filename="trace.zip"')
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await web.http.get("/runs/r1/artifacts/n1.1/empty.txt")).content == b""
    for name in (
        "n1.1/none.txt",
        "../r10/other.txt",
        "%2e%2e/r10/other.txt",
        "..%2Fr10%2Fother.txt",
        "//r10/other.txt",
    ):
        assert (await web.http.get(f"/runs/r1/artifacts/{name}")).status_code == 404


async def test_names_and_types_from_a_tested_page_cannot_write_headers(web: Web, bus: Bus, open_run: OpenRun):
    await open_run("r1")
    await put_artifact(bus, 'r1/a"b\r\nSet-Cookie: x=1;é.html', b"<script>", "text/html\r\nX-Evil: 1")
    answer = await web.http.get("/runs/r1/artifacts/a%22b%0D%0ASet-Cookie:%20x=1;%C3%A9.html")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    assert not {"set-cookie", "x-evil"} & set(answer.headers)
    assert answer.headers["content-disposition"] == (
        'attachment; filename="a_b__Set-Cookie_ x=1__.html"; '
        "filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%3D1%3B%C3%A9.html"
    )


async def test_every_answer_carries_the_security_headers_and_errors_no_trace(web: Web):
    for path in ("/", "/runs", "/nowhere", "/schema", "/runs/nobody", "/runs?limit=x"):
        answer = await web.http.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
        assert "Traceback" not in answer.text
    wrong = await web.http.put("/runs")
    assert (wrong.status_code, wrong.json()["title"]) == (405, "Method Not Allowed")
    for path, methods in (("/runs", {"GET", "POST", "OPTIONS"}), ("/login", {"POST", "OPTIONS"}), ("/logs", {"GET"})):
        wrong = await web.http.delete(path)
        allowed = set(wrong.headers["allow"].split(", "))
        assert wrong.status_code == 405
        assert methods <= allowed <= methods | {"OPTIONS"}


async def test_foreign_names_and_foreign_pages_are_refused(web: Web, serve: Serve, open_run: OpenRun):
    await open_run("r1")
    rebound = await web.http.get("/runs", headers={"Host": "evil.example:8080"})
    assert rebound.status_code == 421
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{web.port + 1}"):
        posted = await web.http.post("/runs/r1/cancel", headers={"Origin": origin})
        assert posted.status_code == 403
    own = {"Origin": f"http://127.0.0.1:{web.port}"}
    assert (await web.http.post("/runs/r1/cancel", headers=own)).status_code == 202
    async with serve(allowed_hosts="muster.example", allowed_origins="https://ci.example") as named:
        headers = {"Host": "muster.example", "Origin": "https://ci.example"}
        assert (await named.http.post("/runs/r1/cancel", headers=headers)).status_code == 202


async def test_the_root_page_lists_addresses_and_runs_and_lets_no_markup_through(web: Web, bus: Bus):
    row = RunRow(run="r1", name="<script>alert(1)</script>", status="fail", cause="product", summary='"><img src=x>')
    await Rows(bus, "RUN_LIST", RunRow).put("r1", row)
    page = await web.http.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "&lt;script&gt;alert(1)" in page.text
    assert "<script" not in page.text
    assert "<img" not in page.text
    for address in ("/runs/{run}/cancel", "/runs/{run}/logs?after=", "/schema/openapi.json", "/metrics"):
        assert address in page.text
    for address in ("/schema", "/schema/openapi.json", "/schema/openapi.yaml"):
        assert (await web.http.get(address)).status_code == 200


async def test_metrics_count_requests_by_route_and_lines_by_transport(web: Web, open_run: OpenRun):
    requests = 'muster_gateway_requests_total{method="GET",route="/runs/{run}",status='
    names = (f'{requests}"200"}}', f'{requests}"404"}}', 'muster_gateway_log_lines_sent_total{transport="websocket"}')
    before = [await web.metric(name) for name in names]
    run = await open_run("r1")
    await run.say("w", 3)
    await run.end()
    for path in ("/runs/r1", "/runs/nobody", "/runs/r1"):
        await web.http.get(path)
    async with web.follow("r1") as socket:
        await web.frames(socket, 4)
    assert [await web.metric(name) - was for name, was in zip(names, before, strict=True)] == [2, 1, 4]
    assert await web.metric("muster_nats_connected") == 1


async def test_a_gateway_that_is_told_to_stop_ends_its_followers_and_exits_cleanly(
    start_gateway: StartGateway, open_run: OpenRun
):
    web = await start_gateway(shutdown_seconds="8")
    run = await open_run("r1")
    await run.say("w", 1)
    assert web.process is not None
    async with web.follow("r1") as socket, web.http.stream("GET", "/runs/r1/logs") as events:
        await web.frames(socket, 1)
        lines = events.aiter_lines()
        async for line in lines:
            if line.startswith("id:"):
                break
        web.process.terminate()
        async with asyncio.timeout(6):
            await socket.wait_closed()
            assert socket.close_code == 1012
            assert not [line async for line in lines if line.startswith("id:")]
            assert await web.process.wait() == 0


@pytest.mark.slow
async def test_a_request_that_a_stopping_gateway_cannot_finish_is_told_to_be_sent_again(
    start_gateway: StartGateway, bus: Bus
):
    heard = await bus.nc.subscribe(bus.names.submit)  # nobody answers there
    await bus.nc.flush()
    web = await start_gateway(shutdown_seconds="1")
    assert web.process is not None
    posting = asyncio.create_task(web.http.post("/runs", json={"id": "r1", "job": CASE}))
    await heard.next_msg(timeout=10)
    web.process.terminate()

    answer = await asyncio.wait_for(posting, 8)

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "send the request again" in answer.json()["reasons"][0]
    assert await asyncio.wait_for(web.process.wait(), 10) == 0


async def test_a_port_in_use_is_said_in_one_line(web: Web, server: NatsServer):
    environment = {**os.environ, "NATS_URL": server.url, "HTTP_PORT": str(web.port), "LOG_LEVEL": "error"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_gateway"), env=environment, stdin=DEVNULL, stderr=PIPE
    )
    _, told = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 2
    assert told.decode().splitlines()[-1].startswith(f"muster gateway: cannot listen on 127.0.0.1:{web.port}")
    assert "HTTP_PORT" in told.decode()
