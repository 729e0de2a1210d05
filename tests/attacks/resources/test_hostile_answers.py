"""Servers that answer with bombs: http_request and web_fetch read a bounded part, in bounded memory and time."""

import asyncio
import gzip
import resource
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from muster_subagent.tools.http_bodies import ENCODINGS, LARGEST, Body, read_body

MB = 1_000_000
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n"


def bomb(size: int) -> bytes:
    """Return gzip of so many bytes, a thousandth of them."""
    made = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join(made.compress(b"A" * MB) for _ in range(size // MB)) + made.flush()


@asynccontextmanager
async def answering(head: bytes, body: bytes, endless: bytes = b"") -> AsyncGenerator[str]:
    """Serve one answer, and after it pieces without end if there are any."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head + b"\r\n" + body)
            while endless:
                writer.write(endless)
                await writer.drain()
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def fetched(url: str) -> Body:
    async with (
        asyncio.timeout(20),
        httpx.AsyncClient() as http,
        http.stream("GET", url, headers={"Accept-Encoding": ENCODINGS}) as answer,
    ):
        return await read_body(answer)


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(lambda: (b"Content-Encoding: gzip\r\n", bomb(400 * MB)), id="gzip"),
        pytest.param(lambda: (b"Content-Encoding: deflate\r\n", zlib.compress(b"A" * (200 * MB), 9)), id="deflate"),
        pytest.param(lambda: (b"", b"A" * (50 * MB)), id="plain"),
    ],
)
async def test_an_answer_that_grows_is_read_up_to_the_bound_in_bounded_memory(
    packed: Callable[[], tuple[bytes, bytes]],
):
    head, body = packed()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with answering(HEAD + head, body) as url:
        found = await fetched(url)
    assert (len(found.text), found.cut) == (LARGEST, True)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # kB
    assert grown < 60_000, f"{grown} kB more memory"


async def test_a_bomb_packed_twice_or_in_an_encoding_that_was_not_offered_is_refused():
    for encoding in (b"gzip, gzip", b"br", b"zstd"):
        body = gzip.compress(bomb(20 * MB))
        async with answering(HEAD + b"Content-Encoding: " + encoding + b"\r\n", body) as url:
            with pytest.raises(httpx.DecodingError, match="only gzip, deflate is read"):
                await fetched(url)


async def test_an_answer_without_end_ends_at_the_bound_even_if_it_unpacks_to_nothing():
    async with answering(HEAD, b"", endless=b"x" * 65536) as url:
        assert (await fetched(url)).cut
    empty = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    start = empty.compress(b"") + empty.flush(zlib.Z_SYNC_FLUSH)
    nothing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    piece = nothing.flush(zlib.Z_FULL_FLUSH) * 1000 or b"\x00\x00\x00\xff\xff" * 10_000
    async with answering(HEAD + b"Content-Encoding: gzip\r\n", start, endless=piece) as url:
        assert await fetched(url) == Body("", cut=True)


@pytest.mark.parametrize("bare", [True, False])
async def test_honest_packed_answers_are_read_whole(*, bare: bool):
    text = "Grüße " * 1000
    made = zlib.compressobj(wbits=-zlib.MAX_WBITS if bare else zlib.MAX_WBITS)
    body = made.compress(text.encode()) + made.flush()
    async with answering(HEAD + b"Content-Encoding: deflate\r\n", body) as url:
        assert await fetched(url) == Body(text, cut=False)
    async with answering(HEAD + b"Content-Encoding: gzip\r\n", gzip.compress(text.encode())) as url:
        assert await fetched(url) == Body(text, cut=False)


async def test_a_packed_answer_that_breaks_off_or_goes_on_after_its_end_is_not_called_whole():
    whole = gzip.compress(b"all of it")
    for body in (whole[:-9], whole + gzip.compress(b" and more")):
        async with answering(HEAD + b"Content-Encoding: gzip\r\n", body) as url:
            assert (await fetched(url)).cut
