"""Sends responses: adds common headers, and refuses requests on behalf of the application."""

import time
from http import HTTPStatus

from litestar.types import Message, Scope, Send

from muster_gateway.problem_details import CHALLENGE, MEDIA_TYPE, Problem
from muster_gateway.security.access import EXPOSED_HEADERS, PREFLIGHT_HEADERS, SECURITY_HEADERS, Refused
from muster_gateway.security.gate import Visit
from muster_protocol import codec

Headers = list[tuple[bytes, bytes]]
KEY_REVOKED = 4401
_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


def encode_preflight_headers() -> Headers:
    """Return the headers of a preflight response to a trusted origin."""
    return [(name.encode(), value.encode()) for name, value in PREFLIGHT_HEADERS.items()]


class Answer:
    """Wraps `send`: adds common headers and records the status for metrics and audit log."""

    def __init__(self, send: Send, scope: Scope, origin: str | None) -> None:
        self._send, self._scope = send, scope
        self._began = time.monotonic()
        self._over = False
        self._bounded = False
        self._refusable = "websocket.http.response" in (scope.get("extensions") or {})
        self.kind = str(scope["type"])
        self.origin = origin
        """The trusted origin of the requesting page; None: no page, or one of our own."""
        self.status, self.seconds = 0, 0.0
        self.made = ""
        """The run created by the request, from `Location`; empty: none."""
        self.visit: Visit | None = None

    async def __call__(self, message: Message) -> None:
        """Send a message.

        Raises:
            OSError: the connection was ended by `end`.
        """
        if self._over:
            raise OSError("the gateway ended this connection")
        match message["type"]:
            case "http.response.start":
                self._note_start(message["status"])
                message["headers"] = self._complete_headers(list(message.get("headers", [])))
            case "websocket.accept":
                self._note_start(101)
            case "websocket.close" if not self.status:
                await self._refuse_socket(message)
                return
            case _:
                pass
        await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        """Send a refusal as the response."""
        title = HTTPStatus(refused.status).phrase
        body = codec.encode(Problem(status=refused.status, title=title, reasons=(refused.reason,)))
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        if refused.status == HTTPStatus.UNAUTHORIZED:
            headers.append((b"www-authenticate", CHALLENGE.encode()))
        if refused.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_TIMEOUT):
            headers.append((b"connection", b"close"))
        if refused.retry:
            headers.append((b"retry-after", str(refused.retry).encode()))
        await self._send_whole(refused.status, headers, body)

    async def empty(self, status: int, headers: Headers) -> None:
        """Send a response without a body."""
        await self._send_whole(status, headers, b"")

    async def end(self, refused: Refused) -> None:
        """End a response in progress, or refuse the request if none has started."""
        if not self.status:
            await self.refuse(refused)
            return
        self._over = True
        if self.kind == "websocket":
            await self._send({"type": "websocket.close", "code": KEY_REVOKED, "reason": refused.reason})
        elif not self._bounded:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def _note_start(self, status: int) -> None:
        self.status, self.seconds = status, time.monotonic() - self._began
        if self.visit is not None:
            self.visit.streams = True

    async def _refuse_socket(self, message: Message) -> None:
        """Turn a close before the handshake into an HTTP response; close code 44xx becomes status 4xx."""
        if "route_handler" not in self._scope:
            await self.refuse(Refused(404, f"there is no WebSocket at {self._scope['path']}; docs/api.md lists them"))
            return
        code, reason = int(message.get("code", 1000)), str(message.get("reason", ""))
        status = code - 4000 if 4400 <= code < 4600 else 403
        await self.refuse(Refused(status, reason or "this WebSocket is refused"))

    async def _send_whole(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a complete response; for a WebSocket, instead of the handshake."""
        prefix = "websocket.http" if self.kind == "websocket" else "http"
        self._note_start(status)
        if prefix == "websocket.http" and not self._refusable:
            await self._send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        start = {"type": f"{prefix}.response.start", "status": status, "headers": self._complete_headers(headers)}
        await self._send(start)  # pyright: ignore[reportArgumentType] - the extension has no type
        await self._send({"type": f"{prefix}.response.body", "body": body, "more_body": False})  # pyright: ignore

    def _complete_headers(self, given: Headers) -> Headers:
        have = {name.lower(): value for name, value in given}
        self._bounded = b"content-length" in have
        location = have.get(b"location", b"").decode("latin-1")
        self.made = location.removeprefix("/runs/") if location.startswith("/runs/") else ""
        added = [header for header in _HEADERS if header[0] not in have]
        if self.origin is not None:
            added += [
                (b"access-control-allow-origin", self.origin.encode("latin-1")),
                (b"access-control-expose-headers", EXPOSED_HEADERS.encode()),
                (b"vary", b"Origin"),
            ]
        return given + added
