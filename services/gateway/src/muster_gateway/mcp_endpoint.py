"""The Model Context Protocol at `/mcp`: assistants call the API with their own key."""

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import httpx
from litestar import asgi
from litestar.handlers import ASGIRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from muster_gateway.context import Gateway
from muster_gateway.security.access_roles import VIEWER

if TYPE_CHECKING:
    from muster_mcp import FleetApi


class Visitor(NamedTuple):
    """Who sent a request: what the API's own checks need of it."""

    peer: tuple[str, int]
    host: str
    authorization: str


_visitor: ContextVar[Visitor] = ContextVar("muster.mcp.visitor")
"""Of the request being served; the tasks that serve it inherit it."""


class McpEndpoint:
    """Serves `/mcp`. Each tool is a request to the API, so that roles, limits and the audit log hold for it."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._lock = asyncio.Lock()
        self._served: ASGIApp | None = None
        self._running: asyncio.Task[None] | None = None
        self.api: ASGIApp | None = None
        """The gateway's whole application, edge included."""

    def handler(self) -> ASGIRouteHandler:
        """Return the route."""

        @asgi("/mcp", opt=VIEWER, copy_scope=True)
        async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
            _visitor.set(_read_visitor(scope))
            async with self._lock:
                served = self._served = self._served or await self._start()
            await served(scope, receive, send)

        return mcp

    async def _start(self) -> ASGIApp:
        """Start the protocol's server; most gateways never need it, and it takes half a second to load."""
        from muster_mcp import build_http_app, build_server  # noqa: PLC0415

        server, started = build_server(self._fleet), asyncio.Event()
        app = build_http_app(server, self._gateway.settings.max_body_bytes)

        async def run() -> None:
            async with server.session_manager.run():
                started.set()
                await self._gateway.stopping.wait()

        self._running = asyncio.create_task(run())
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait({self._running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._running.done():
            self._running.result()
        return cast("ASGIApp", app)

    async def _fleet(self) -> "FleetApi":
        from muster_mcp import FleetApi  # noqa: PLC0415

        visitor = _visitor.get()
        transport = httpx.ASGITransport(cast("Any", self.api), client=visitor.peer)
        headers = {"Authorization": visitor.authorization} if visitor.authorization else {}
        return FleetApi(httpx.AsyncClient(transport=transport, base_url=f"http://{visitor.host}", headers=headers))


def _read_visitor(scope: Scope) -> Visitor:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    client = scope.get("client") or ("", 0)
    return Visitor((client[0], client[1]), headers.get("host", ""), headers.get("authorization", ""))
