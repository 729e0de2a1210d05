"""The API of the fleet as the agent of a conversation calls it: over the bus, answered by any gateway.

The worker has no key. It names the conversation, and the gateway gives it the rights of whoever opened that.
"""

import asyncio
import time

import httpx

from muster_api import FleetApi
from muster_bus import Bus
from muster_bus.store_answers import BUS_ERRORS
from muster_protocol.errors import Refused
from muster_protocol.fleet_calls import FleetCall, FleetReply

SECONDS = 30.0
"""Timeout of one call."""
PATIENCE_SECONDS, PAUSE_SECONDS = 10.0, 0.5
"""How long to wait for a gateway that restarts, and the pause between two attempts."""


def fleet_of(bus: Bus, run: str) -> FleetApi:
    """Return the API with the rights of whoever opened a conversation."""
    return FleetApi(httpx.AsyncClient(transport=_BusTransport(bus, run), base_url="http://fleet"))


class _BusTransport(httpx.AsyncBaseTransport):
    """Carries requests over the bus."""

    def __init__(self, bus: Bus, run: str) -> None:
        self._bus, self._run = bus, run

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer of a gateway.

        Raises:
            httpx.ConnectError: none answers.
        """
        call = FleetCall(
            run=self._run,
            method="POST" if request.method == "POST" else "GET",
            path=request.url.raw_path.decode("ascii"),
            body=await request.aread(),
            content_type=request.headers.get("content-type", ""),
            key=request.headers.get("idempotency-key", ""),
        )
        try:
            reply = await self._ask(call)
        except BUS_ERRORS as error:
            raise httpx.ConnectError(f"no gateway answers: {error}") from error
        return httpx.Response(reply.status, content=reply.body, request=request)

    async def _ask(self, call: FleetCall) -> FleetReply:
        """Ask again while there is no gateway: the call has reached none, so it is made once."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return await self._bus.request(self._bus.names.fleet_calls, call, FleetReply, SECONDS)
            except Refused:
                if time.monotonic() >= until:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)
