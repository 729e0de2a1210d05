"""Asks MCP servers what tools they have, and calls these; each time over a connection of its own."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO, cast

import httpx2
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from muster_protocol.errors import MusterError
from muster_subagent.agent.json_schemas import find_schema_problems
from muster_subagent.foreign.bounded_answers import BoundedClient
from muster_subagent.foreign.server_file import Declaration, Server, offered_name
from muster_text.masking import MASK, forms
from muster_text.text_match import shorten
from muster_text.values import SECRET

LONGEST_RESULT, LONGEST_DESCRIPTION, LONGEST_ERROR = 20_000, 4_000, 2_000
"""Characters."""
MOST_TOOLS, MOST_PAGES = 200, 20


class ServerFailed(MusterError):
    """A server could not be asked, or says that a call failed."""


async def list_declared(name: str, server: Server, secrets: Mapping[str, str]) -> dict[str, Declaration]:
    """Return the tools that a server has now, by name.

    Raises:
        ServerFailed: it does not answer in time, or not as a server does.
    """
    async with _connected(name, server, secrets) as client:
        return await _declared(name, client)


async def call_declared(
    server: tuple[str, Server], accepted: Declaration, arguments: dict[str, Any], secrets: Mapping[str, str]
) -> str:
    """Return what a tool has to say, without the secrets that its server was given.

    Raises:
        ServerFailed: the tool is not what was accepted, or it failed.
    """
    name, at = server
    async with _connected(name, at, secrets) as client:
        now = (await _declared(name, client)).get(accepted.name)
        if now is None or now.digest != accepted.digest:
            what = "is gone" if now is None else "has changed what it says of itself"
            raise ServerFailed(f"{accepted.name} of {name} {what} since it was accepted: `muster mcp-tools accept`")
        result = await client.call_tool(accepted.name, arguments)
    text = _masked(_text_of(result), secrets)
    if result.is_error:
        raise ServerFailed(f"{accepted.name} of {name} failed: {text}")
    return text


async def _declared(name: str, client: Client) -> dict[str, Declaration]:
    found: dict[str, Declaration] = {}
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            if offered_name(name, tool.name) and len(found) < MOST_TOOLS:
                said = (tool.description or "")[:LONGEST_DESCRIPTION]
                found[tool.name] = Declaration(name=tool.name, description=said, parameters=tool.input_schema)
        cursor = page.next_cursor
        if not cursor:
            break
    problems = await find_schema_problems([it.parameters for it in found.values()])
    return {it.name: it for it, problem in zip(found.values(), problems, strict=True) if not problem}


@asynccontextmanager
async def _connected(name: str, server: Server, secrets: Mapping[str, str]) -> AsyncGenerator[Client]:
    """Connect to a server for as long as one call may take.

    Raises:
        ServerFailed: that cannot be, or takes longer.
    """
    try:
        async with asyncio.timeout(server.seconds), _client(server, secrets) as client:
            client.session.validate_tool_result = _take_any_result
            yield client
    except TimeoutError as error:
        raise ServerFailed(f"{name} did not answer within {server.seconds:g} s") from error
    except (MCPError, OSError, httpx2.HTTPError) as error:
        raise _unusable(name, error, secrets) from error
    except ExceptionGroup as group:
        failed = next((it for it in _leaves(group) if isinstance(it, ServerFailed)), None)
        raise failed or _unusable(name, _leaves(group)[0], secrets) from group


def _unusable(name: str, error: BaseException, secrets: Mapping[str, str]) -> ServerFailed:
    return ServerFailed(f"{name} cannot be used: {shorten(_masked(str(error), secrets), LONGEST_ERROR)}")


async def _take_any_result(name: str, result: CallToolResult) -> None:
    """Take the place of the library's check of a result by its server's own schema, which could take for ever."""


@asynccontextmanager
async def _client(server: Server, secrets: Mapping[str, str]) -> AsyncGenerator[Client]:
    if server.command:
        program, *arguments = server.command
        env = {name: _filled(text, secrets) for name, text in server.env.items()}
        with _nowhere() as nowhere:
            started = stdio_client(StdioServerParameters(command=program, args=arguments, env=env), errlog=nowhere)
            async with Client(started) as client:
                yield client
        return
    headers = {name: _filled(text, secrets) for name, text in server.headers.items()}
    async with (
        BoundedClient(headers=headers, timeout=server.seconds, follow_redirects=False) as http,
        Client(streamable_http_client(server.url, http_client=http)) as client,
    ):
        yield client


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner = cast("BaseExceptionGroup[BaseException]", error).exceptions
    return [leaf for it in inner for leaf in _leaves(it)]


def _filled(text: str, secrets: Mapping[str, str]) -> str:
    return SECRET.sub(lambda found: secrets[found.group(1)], text)


def _masked(text: str, secrets: Mapping[str, str]) -> str:
    for form in sorted({form for value in secrets.values() for form in forms(value)}, key=len, reverse=True):
        text = text.replace(form, MASK)
    return text


def _text_of(result: CallToolResult) -> str:
    parts = [it.text if isinstance(it, TextContent) else f"[{it.type}, left out]" for it in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return shorten("\n".join(parts), LONGEST_RESULT)
