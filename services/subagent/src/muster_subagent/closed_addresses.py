"""Keeps a worker's HTTP client from the fleet's own servers and from the machine's own link."""

from collections.abc import Awaitable, Callable, Collection

import httpx

from muster_devices.domains import is_link_local


def refuse_addresses(closed: Collection[str]) -> Callable[[httpx.Request], Awaitable[None]]:
    """Return a hook of a client that fails requests, redirected ones too, to what is closed, given as `host:port`."""

    async def check(request: httpx.Request) -> None:
        host, port = request.url.host, request.url.port or (443 if request.url.scheme == "https" else 80)
        if f"{host}:{port}" in closed or is_link_local(host):
            raise httpx.ConnectError("it belongs to the fleet or to the machine itself, which is closed to cases")

    return check
