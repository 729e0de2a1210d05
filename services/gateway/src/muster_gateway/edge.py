"""What happens to every request before and after the application: who may ask, security headers, and counting."""

import asyncio
import time

from litestar.types import ASGIApp, Message, Method, Receive, Scope, Send

from muster_gateway import metrics
from muster_gateway.access import SECURITY_HEADERS, Access, Refused, refusal
from muster_gateway.problems import MEDIA_TYPE, RETRY_SECONDS, Problem
from muster_protocol import codec

METHODS: frozenset[Method | str] = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
STOPPED = Refused(
    503, "this gateway stops before it is done; send it again, a run under the same id or Idempotency-Key"
)
_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


class Edge:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, rules: Access) -> None:
        self._app, self._rules = app, rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):  # the server's start and stop
            return await self._app(scope, receive, send)
        method = str(scope.get("method", "")) if kind == "http" else "WEBSOCKET"
        answer = _Answer(send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = refusal(self._rules, method, headers.get("host", ""), headers.get("origin"))
        try:
            if refused is None:
                await self._app(scope, receive, answer)
            elif kind == "http":
                await _refuse(refused, answer)
            else:
                await receive()
                await answer({"type": "websocket.close", "code": 1008, "reason": refused.reason})
        except asyncio.CancelledError:  # the server stops and has waited long enough; by itself it would answer 500
            if kind != "http" or answer.status:
                raise
            await _refuse(STOPPED, answer, (b"retry-after", str(RETRY_SECONDS).encode()))
        finally:
            _count(scope, method if method in (*METHODS, "WEBSOCKET") else "other", answer)


class _Answer:
    """Sends, adds what every answer has, and remembers what the answer was."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._began = time.monotonic()
        self.status, self.seconds = 0, 0.0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.seconds = message["status"], time.monotonic() - self._began
            given = list(message.get("headers", []))
            have = {name.lower() for name, _ in given}
            message["headers"] = given + [header for header in _HEADERS if header[0] not in have]
        elif message["type"] == "websocket.accept":
            self.status, self.seconds = 101, time.monotonic() - self._began
        elif message["type"] == "websocket.close" and not self.status:
            self.status = 403
        await self._send(message)


async def _refuse(refused: Refused, send: Send, *more: tuple[bytes, bytes]) -> None:
    body = codec.encode(Problem(status=refused.status, title="Refused", reasons=(refused.reason,)))
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _count(scope: Scope, method: str, answer: _Answer) -> None:
    route = str(scope.get("path_template") or "none")
    metrics.REQUESTS.labels(method, route, str(answer.status)).inc()
    if answer.status:
        metrics.SECONDS.labels(route).observe(answer.seconds)
