"""Downloads that the session host has to stop: the worker is told that it was the host, not the product."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from session_stage import Stage

from muster_devices.actions import Download, Scope, Target
from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=all.bin\r\n"
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<a href=/file>All</a>"


@asynccontextmanager
async def serving(*, endless: bool) -> AsyncGenerator[str]:
    """Serve a page with a link to a file that never ends, or that breaks off."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await reader.readuntil(b"\r\n\r\n")
            if not asked.startswith(b"GET /file"):
                writer.write(PAGE)
                return
            writer.write(HEAD + (b"\r\n" if endless else b"Content-Length: 100000\r\n\r\nthe beginning"))
            while endless:
                writer.write(b"x" * 65536)
                await writer.drain()
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.2)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def refusal(stage: Stage, url: str) -> DeviceRefused:
    await stage.open()
    async with stage.attach() as session:
        await (await session.page()).goto(url)
        device = await session.device()
        with pytest.raises(DeviceRefused) as refused:
            await device.do(Download(target=Target(name="All")), Scope(), 5.0)
        return refused.value


@pytest.mark.parametrize("mode", ["off", pytest.param("on", marks=pytest.mark.slow)])
async def test_a_download_that_fills_the_hosts_room_is_stopped_and_is_no_fault_of_the_product(own: Stage, mode: str):
    await own.start_host(run_artifacts_max_mb=1, record_downloads=mode, session_heartbeat_seconds=0.5)
    async with serving(endless=True) as url:
        refused = await refusal(own, url)
    assert refused.failure == Failure.INFRASTRUCTURE
    assert "the download of all.bin was stopped: downloads may take 1 MB" in str(refused)


@pytest.mark.slow
async def test_a_download_that_the_product_breaks_off_is_its_fault(own: Stage):
    await own.start_host()
    async with serving(endless=False) as url:
        refused = await refusal(own, url)
    assert refused.failure == Failure.ELEMENT_MISSING
