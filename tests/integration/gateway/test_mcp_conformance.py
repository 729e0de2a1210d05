"""The MCP server keeps the protocol, as the protocol's own conformance suite sees it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from node import workplace

if TYPE_CHECKING:
    from .conftest import Web

SUITE = Path(__file__).parents[2] / "support" / "conformance"
SECONDS = 60.0


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "scenario",
    ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"],
)
async def test_the_server_passes_each_scenario_that_needs_no_tools_of_the_suites_own(web: Web, scenario: str):
    """The others call tools, resources and prompts of fixed names, or are of what Muster does not offer: logging,
    completion, sampling, elicitation, subscriptions, streams that are polled."""
    folder = await asyncio.to_thread(workplace, SUITE)
    url = f"http://127.0.0.1:{web.port}/mcp"
    process = await asyncio.create_subprocess_exec(
        *("node_modules/.bin/conformance", "server", "--url", url, "--scenario", scenario),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    told = output.decode()
    assert process.returncode == 0, told
    passed, _, failed = told.partition("Passed: ")[2].partition(", ")
    assert int(passed.split("/")[0]) > 0, told
    assert "0 failed" in failed, told
