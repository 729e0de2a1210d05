"""MCP servers that misbehave: a call of theirs ends with a short error, in bounded memory and time."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from muster_subagent.foreign.bounded_answers import LARGEST_ANSWER
from muster_subagent.foreign.server_calls import ServerFailed, call_declared
from muster_subagent.foreign.server_file import Declaration, Server

ACCEPTED = Declaration(name="search", description="Search.", parameters={"type": "object"})
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
TOOL = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
LONG = "E" * 3_000_000
SILENT = {"content": [{"type": "text", "text": "found"}]}


def answer_of(question: dict[str, Any], called: dict[str, Any], tool: dict[str, Any]) -> bytes:
    """Return what a server says to a question: `called` to a call of its tool."""
    asked: dict[str, Any] = question.get("params", {})
    hello: dict[str, Any] = {"capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    said: dict[str, Any] = {"error": {"code": -32601, "message": "unknown"}}
    match question["method"]:
        case "initialize":
            said = {"result": {**hello, "protocolVersion": asked["protocolVersion"]}}
        case "tools/list":
            said = {"result": {"tools": [tool]}}
        case "tools/call":
            said = called
        case _:
            pass
    return HEAD + b"\r\n" + json.dumps({"jsonrpc": "2.0", "id": question["id"], **said}).encode()


@asynccontextmanager
async def serving(
    called: dict[str, Any], tool: dict[str, Any] = TOOL, endless: bytes = b"", head: bytes = HEAD
) -> AsyncGenerator[Server]:
    """Serve MCP over HTTP; with `endless` whatever is asked is answered by these bytes again and again."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(asked.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            question = json.loads(await reader.readexactly(length) or b"{}")
            if endless:
                writer.write(head + b"\r\n")
            elif "id" in question:
                writer.write(answer_of(question, called, tool))
            else:
                writer.write(b"HTTP/1.1 202 Accepted\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
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
        yield Server(url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", seconds=60)


async def refusal_of(server: Server) -> str:
    with pytest.raises(ServerFailed) as refused:
        await call_declared(("x", server), ACCEPTED, {}, {})
    return str(refused.value)


async def test_an_answer_without_end_is_given_up():
    async with serving({}, endless=b" " * 65536) as server:
        assert f"has more than {LARGEST_ANSWER:,} bytes" in await refusal_of(server)


async def test_a_packed_answer_is_refused_before_it_is_unpacked():
    async with serving({}, endless=b" " * 65536, head=HEAD + b"Content-Encoding: gzip\r\n") as server:
        assert "its answer is packed" in await refusal_of(server)


@pytest.mark.parametrize(
    "called",
    [
        {"error": {"code": -1, "message": LONG}},
        {"result": {"isError": True, "content": [{"type": "text", "text": LONG}]}},
    ],
)
async def test_a_long_error_is_told_in_short(called: dict[str, Any]):
    async with serving(called) as server:
        assert len(await refusal_of(server)) < 25_000


async def test_the_schema_that_a_server_gives_its_own_results_is_not_run():
    costly = {**TOOL, "outputSchema": {"type": "object", "properties": {"a": {"pattern": "^(a+)+$"}}}}
    called = {"result": {**SILENT, "structuredContent": {"a": "a" * 60 + "!"}}}
    async with serving(called, costly) as server:
        assert await call_declared(("x", server), ACCEPTED, {}, {}) == "found"
