"""`muster mcp`: an editor starts it, and its assistant runs cases on a fleet that ends with the editor."""

import os
import sys
from collections.abc import Awaitable, Callable

import psutil
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent
from waiting import eventually

from .conftest import Ended, clean_env

MARK, OWN = "MUSTER_MCP_TEST", str(os.getpid())
"""Tests of this module run side by side, too: each finds its own processes."""
CASE = """\
name: A command says hello
steps:
  - action: Run "echo hello"
    expected: The output contains "hello"
  - action: Run "echo goodbye"
    expected: The output contains "welcome"
"""


def editor(*arguments: str) -> Client:
    """Return the assistant of an editor that starts `muster mcp`."""
    env = clean_env() | {MARK: OWN, "SANDBOX": "none"}
    command = StdioServerParameters(command=sys.executable, args=["-m", "muster_cli", "mcp", *arguments], env=env)
    return Client(stdio_client(command))


def told(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def marked_processes() -> set[str]:
    """Return the processes that an editor of this module has started, directly or not."""
    found: set[str] = set()
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == OWN:
                found.add(f"{process.pid} {process.name()}")
        except psutil.Error:
            continue
    return found


@pytest.mark.slow
async def test_a_case_runs_on_a_fleet_of_its_own_that_starts_when_it_is_needed_and_ends_with_the_editor():
    async with editor() as client:
        assert "The page title" in told(await client.call_tool("find_phrases", {"words": ["title"]}))
        idle = len(marked_processes())
        ran = told(await client.call_tool("run_case", {"text": CASE}))
        run = ran.split()[0]
        step = told(await client.call_tool("get_step", {"run": run, "step": "step-2"}))
    assert idle == 1, "no fleet before a tool needs one"
    assert ran.startswith(f"{run} FAIL (cause product): A command says hello")
    assert "1. [step-1] passed" in ran
    assert 'clause refuted: The output contains "welcome"' in step
    await eventually(lambda: not marked_processes(), "all processes have ended")


async def test_a_gateway_that_is_not_there_is_told_to_the_assistant():
    async with editor("--gateway", "http://127.0.0.1:9") as client:
        result = await client.call_tool("list_runs", {})
    assert result.is_error
    assert "the gateway at http://127.0.0.1:9 cannot be reached" in told(result)


async def test_an_address_that_is_none_is_refused_at_once(muster: Callable[..., Awaitable[Ended]]):
    ended = await muster("mcp", "--gateway", "muster.example")
    assert ended.code == 2
    assert "'muster.example' is not an address such as https://muster.example" in ended.err
