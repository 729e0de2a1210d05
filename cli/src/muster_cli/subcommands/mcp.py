"""`muster mcp`: tools for an assistant in an editor."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from muster_cli.app import perform, tell
from muster_cli.embedded import Plan, embedded
from muster_cli.options import WORKERS, example
from muster_cli.standard_input import endable_input

if TYPE_CHECKING:
    from muster_mcp import FleetApi

CALL_SECONDS = 60.0
"""Longest that the gateway may take to answer one request."""


@click.command(
    short_help="Give an assistant in an editor tools to write and run cases.",
    epilog=example(
        "muster mcp                                   what an editor starts; docs/mcp.md says how for each",
        "muster mcp --gateway https://muster.example  use a fleet, with the key in MUSTER_KEY",
    ),
)
@click.option(
    "--gateway",
    metavar="URL",
    default=lambda: os.environ.get("MUSTER_URL", ""),
    help="Gateway of a fleet; default: MUSTER_URL, else a fleet of its own, started when a tool first needs one.",
)
@WORKERS
def mcp(*, gateway: str, workers: int) -> None:
    """Serve the Model Context Protocol on stdin and stdout.

    An assistant can check cases, find phrases, run cases, read verdicts with their evidence, and steer runs. It has the
    rights of the key in MUSTER_KEY. Without --gateway, a fleet starts on this machine when it is first needed and ends
    with the editor.
    """
    if sys.stdin.isatty():
        raise click.UsageError("an editor starts this and talks to it on stdin; docs/mcp.md says how to set it up")
    if gateway and not (urlsplit(gateway).scheme in ("http", "https") and urlsplit(gateway).netloc):
        raise click.BadParameter(
            f"{gateway!r} is not an address such as https://muster.example", param_hint="--gateway"
        )

    async def work() -> int:
        from muster_mcp import build_server  # noqa: PLC0415 - `--help` of all commands needs none of it

        async with AsyncExitStack() as stack:
            await _serve(build_server(_Fleet(stack, gateway, workers).api).run_stdio_async())
        return 0

    perform(work, interrupted=0)  # editors end what they started with a signal


async def _serve(server: Coroutine[Any, Any, None]) -> None:
    """Serve until the editor ends the input, or the command is cancelled."""
    with endable_input() as end:
        serving = asyncio.create_task(server)
        try:
            await asyncio.shield(serving)
        finally:
            end()
            serving.cancel()
            await asyncio.wait({serving})


class _Fleet:
    """The gateway that the tools call: the one named, or that of a fleet started when it is first needed."""

    def __init__(self, stack: AsyncExitStack, gateway: str, workers: int) -> None:
        self._stack, self._gateway, self._workers = stack, gateway, workers
        self._starting = asyncio.Lock()
        self._api: FleetApi | None = None

    async def api(self) -> "FleetApi":
        """Return the gateway's API.

        Raises:
            MusterError: the fleet does not start.
        """
        import httpx  # noqa: PLC0415

        from muster_mcp import FleetApi  # noqa: PLC0415

        async with self._starting:
            if self._api is None:
                url, key = (self._gateway, os.environ.get("MUSTER_KEY", "")) if self._gateway else await self._own()
                headers = {"Authorization": f"Bearer {key}"} if key else {}
                http = httpx.AsyncClient(base_url=url, headers=headers, timeout=CALL_SECONDS)
                self._api = FleetApi(await self._stack.enter_async_context(http))
        return self._api

    async def _own(self) -> tuple[str, str]:
        """Start a fleet; return its gateway's URL and key."""
        tell("muster: starting a fleet for the assistant")
        plan = Plan(workers=self._workers)
        fleet = await self._stack.enter_async_context(embedded(plan, os.environ, tell))
        return fleet.gateway_url, fleet.gateway_key
