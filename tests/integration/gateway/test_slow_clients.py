"""Clients that are slow, silent or too many, at a real gateway with short clocks."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from waiting import eventually
from websockets.asyncio.client import connect

from muster_bus.artifact_store import put_artifact

from .attacking import SECONDS, Target, answered, attacked, get, raw
from .conftest import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Target]:
    async with attacked(tmp_path_factory.mktemp("attacks")) as made:
        yield made


@asynccontextmanager
async def dribbling(
    target: Target, head: str, piece: bytes, every: float = 0.1
) -> AsyncGenerator[asyncio.StreamReader]:
    """Send a head, and then a piece again and again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.web.port)

    async def dribble() -> None:
        with suppress(ConnectionError):
            writer.write(head.format(host=target.host).replace("\n", "\r\n").encode())
            while True:
                await writer.drain()
                await asyncio.sleep(every)  # this is what the attack is
                writer.write(piece)

    task = asyncio.create_task(dribble())
    try:
        yield reader
    finally:
        task.cancel()
        await asyncio.wait({task})
        writer.close()


async def ended(reader: asyncio.StreamReader) -> float:
    """Return after how many seconds the connection was ended; whatever is answered before is read."""
    began = time.monotonic()
    async with asyncio.timeout(SECONDS):
        with suppress(ConnectionError):
            while await reader.read(65536):
                continue
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("", b""),
        ("GET /runs HTTP/1.1\n", b"X"),
        ("GET /runs HTTP/1.1\nHost: {host}\n", b"X: y\r\n"),
        ("GET /healthz HTTP/1.1\nHost: {host}\n\nGET /runs HTTP/1.1\nHost: {host}\n", b"X: y\r\n"),
        ("POST /runs/r1/pause HTTP/1.1\nHost: {host}\nTransfer-Encoding: chunked\n\n", b"1\r\nx\r\n"),
        ("POST /nowhere HTTP/1.1\nHost: {host}\nContent-Length: 9999999\n\n", b"x"),
    ],
    ids=["silence", "request line", "head", "second head", "body nobody reads", "body of no address"],
)
async def test_a_client_that_never_finishes_is_cut_off(target: Target, head: str, piece: bytes):
    async with dribbling(target, head, piece) as reader:
        assert await ended(reader) < 12


async def test_a_body_that_comes_too_slowly_is_refused_with_408_and_the_connection_ends(target: Target):
    head = "POST /runs HTTP/1.1\nHost: {host}\nContent-Type: application/yaml\nContent-Length: 5000\n\n"
    async with dribbling(target, head, b"x") as reader:
        async with asyncio.timeout(SECONDS):
            reply = await answered(reader)
        assert (reply.status, reply.header("connection")) == (408, ["close"])
        assert "did not arrive within 1 s" in json.loads(reply.body)["reasons"][0]
        assert await ended(reader) < 5


def answers(path: str, status: str) -> float:
    labels = {"method": "POST", "route": path, "status": status}
    return REGISTRY.get_sample_value("muster_gateway_requests_total", labels) or 0.0


async def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_fault_of_the_gateway(target: Target):
    head = "POST {path} HTTP/1.1\nHost: {{host}}\nContent-Type: application/json\nContent-Length: 5000\n\n"
    for path in ("/runs", "/events"):
        failed, refused = answers(path, "500"), answers(path, "400")
        async with dribbling(target, head.format(path=path), b"x", every=0.01):
            await asyncio.sleep(0)  # the head is sent, and a part of the body
        await eventually(lambda path=path, refused=refused: answers(path, "400") > refused)
        assert answers(path, "500") == failed


@pytest.mark.slow
async def test_a_slow_answer_is_not_taken_for_a_slow_client(target: Target):
    async with target.web.http.stream("GET", "/runs/r1/logs") as events:
        async with asyncio.timeout(SECONDS):
            signs = 0
            async for line in events.aiter_lines():
                signs += line.startswith(":")
                if signs == 2:  # every two seconds one: longer than any of the clocks
                    break
    async with connect(f"ws://{target.host}/runs/r1/logs") as socket:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(socket.recv(), 2.5)
        assert socket.close_code is None


@pytest.mark.slow
async def test_a_client_that_takes_nothing_of_an_answer_is_cut_off(target: Target, tmp_path: Path):
    size = 9_000_000  # more than the buffers of both ends
    await put_artifact(target.bus, "r1/large.bin", bytes(size), "application/octet-stream")
    async with serving(target.server, tmp_path, answer_stall_seconds="1", max_connections="1") as web:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", web.port))
            client.sendall(get("/runs/r1/artifacts/large.bin", f"127.0.0.1:{web.port}"))
            async with asyncio.timeout(SECONDS):
                while (await raw(web.port, get("/healthz", f"127.0.0.1:{web.port}"))).status != 200:
                    await asyncio.sleep(0.05)  # the one connection there may be is still held
            client.settimeout(SECONDS)
            assert await asyncio.to_thread(_left, client) < size


def _left(client: socket.socket) -> int:
    """Return how many bytes there still were for a client."""
    count = 0
    with suppress(ConnectionError):
        while piece := client.recv(65536):
            count += len(piece)
    return count


async def test_more_connections_than_there_may_be_are_turned_away_and_leave_room_again(target: Target, tmp_path: Path):
    async with serving(target.server, tmp_path, max_connections="5", max_peer_connections="4") as web:
        held = [await asyncio.open_connection("127.0.0.1", web.port) for _ in range(4)]
        reply = await raw(web.port, get("/healthz", f"127.0.0.1:{web.port}"))
        assert reply.status in (0, 503)
        for _, writer in held:
            writer.close()
            await writer.wait_closed()

        async def answered() -> bool:
            with suppress(httpx.TransportError):
                return (await web.http.get("/healthz")).status_code == 200
            return False

        async with asyncio.timeout(SECONDS):
            while not await answered():
                await asyncio.sleep(0.05)
