"""Wraps the application: identifies callers, checks every request, counts it and writes the audit log."""

import asyncio
from contextlib import suppress
from typing import Any, NamedTuple, cast

import structlog
from litestar.types import ASGIApp, HTTPReceiveMessage, Method, Receive, Scope, Send, WebSocketReceiveMessage

from muster_gateway import metrics
from muster_gateway.http.answers import Answer, encode_preflight_headers
from muster_gateway.problem_details import RETRY_SECONDS, Refusal
from muster_gateway.security.access import (
    REFUSED,
    SAFE_METHODS,
    SPAN,
    Access,
    Refused,
    cookie_name,
    find_refusal,
    is_trusted,
    parse_bearer,
    parse_cookies,
)
from muster_gateway.security.audit import AuditEntry, AuditLog
from muster_gateway.security.gate import Admitted, Caller, Credentials, Gate, Visit
from muster_service import tracing

METHODS: frozenset[Method | str] = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
STOPPED = Refused(
    503,
    "this gateway is stopping; send the request again, a run with the same id or Idempotency-Key",
    RETRY_SECONDS,
)
TWO_LENGTHS = Refused(400, "send either Content-Length or Transfer-Encoding, not both")
KEY_LOST = Refused(401, "the key of this connection was revoked or has expired")
REFUSALS = frozenset({401, 403, 408, 413, 421, 429})
"""Statuses that are audited for every method."""


class RequestHead(NamedTuple):
    """The parts of a request that access checks need."""

    method: str
    """HTTP method, or `WEBSOCKET`."""
    host: str
    origin: str | None
    site: str
    shown: Credentials
    wants_method: str
    """`Access-Control-Request-Method` of a preflight."""
    two_lengths: bool
    """Whether it has both Content-Length and Transfer-Encoding, which allows request smuggling through proxies."""
    traceparent: str
    """The caller's trace context, as received."""

    @classmethod
    def read(cls, scope: Scope) -> "RequestHead":
        """Read the head from an ASGI scope."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        client = scope.get("client")
        cookies = parse_cookies(headers.get("cookie", ""), cookie_name(host))
        shown = Credentials(
            client[0] if client else "", str(scope["path"]), parse_bearer(headers.get("authorization")), cookies
        )
        method = "WEBSOCKET" if str(scope["type"]) == "websocket" else str(scope.get("method", ""))
        wants = headers.get("access-control-request-method", "")
        two_lengths = "content-length" in headers and "transfer-encoding" in headers
        site, around = headers.get("sec-fetch-site", ""), headers.get(tracing.TRACEPARENT, "")
        return cls(method, host, headers.get("origin"), site, shown, wants, two_lengths, around)


class Edge:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, rules: Access, gate: Gate, audit: AuditLog, body_seconds: float) -> None:
        self.app = app
        """The application itself, without these checks."""
        self._rules, self._gate, self._audit = rules, gate, audit
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if str(scope["type"]) not in ("http", "websocket"):  # the server's start and stop
            return await self.app(scope, receive, send)
        asked = RequestHead.read(scope)
        answer = Answer(send, scope, asked.origin if is_trusted(self._rules, asked.origin) else None)
        admitted = self._admit(asked)
        scope["auth"] = admitted.caller
        try:
            if admitted.refused is not None:
                await answer.refuse(admitted.refused)
            elif answer.origin and asked.method == "OPTIONS" and asked.wants_method:
                await answer.empty(204, encode_preflight_headers())
            else:
                await self._serve(scope, receive, answer, admitted.caller)
        finally:
            _count(scope, asked.method, answer)
            denied = cast("dict[str, Any]", scope).get(REFUSED)
            self._record(scope, asked, answer, admitted.refused or denied)

    def _admit(self, asked: RequestHead) -> Admitted:
        refused = find_refusal(self._rules, asked.method, asked.host, asked.origin, asked.site)
        if asked.two_lengths:
            refused = TWO_LENGTHS
        return Admitted(Caller(), refused) if refused is not None else self._gate.admit(asked.shown)

    async def _serve(self, scope: Scope, receive: Receive, answer: Answer, caller: Caller) -> None:
        with self._gate.visit(caller) as visit:
            answer.visit = visit
            try:
                with structlog.contextvars.bound_contextvars(actor=caller.name or "anyone"):
                    await self.app(scope, _Body(receive, scope, self._body_seconds), answer)
            except asyncio.CancelledError:
                await _end_early(answer, visit)

    def _record(self, scope: Scope, asked: RequestHead, answer: Answer, refused: Refused | None) -> None:
        """Audit requests that change something and refusals."""
        changing = asked.method not in SAFE_METHODS and asked.method != "WEBSOCKET"
        if not (changing or answer.status in REFUSALS) or (refused and refused.quiet):
            return
        caller = scope.get("auth") or Caller()
        self._audit.record(
            AuditEntry(
                who=caller.name,
                via=caller.via,
                peer=asked.shown.peer,
                method=asked.method,
                route=str(scope.get("path_template") or asked.shown.path),
                run=str(scope.get("path_params", {}).get("run", "")) or answer.made,
                status=answer.status,
                reason=refused.reason if refused else "",
                refused=refused.times if refused else 0,
                trace_id=tracing.trace_id_of(cast("dict[str, Any]", scope).get(SPAN, asked.traceparent)),
            )
        )


class _Body:
    """Wraps `receive`: limits the time for the body of a request."""

    def __init__(self, receive: Receive, scope: Scope, seconds: float) -> None:
        self._receive, self._seconds = receive, seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        announced = any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])
        self._complete = str(scope["type"]) != "http" or not announced

    async def __call__(self) -> HTTPReceiveMessage | WebSocketReceiveMessage:
        """Return the next message.

        Raises:
            Refusal: 408, the body did not arrive in time; 400, the client left in the middle of it.
        """
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408, f"the body did not arrive within {self._seconds:g} s; send it faster") from None
        if message["type"] == "http.disconnect":  # which the framework would take for a fault of ours
            raise Refusal(400, "the connection ended before the body was complete; send it again")
        self._complete = not message.get("more_body", False)
        return message


async def _end_early(answer: Answer, visit: Visit) -> None:
    """Tell a client why its request ends early: its key was revoked, or the gateway is stopping."""
    task = asyncio.current_task()
    if visit.expelled and task is not None:
        task.uncancel()
        with suppress(OSError):
            await answer.end(KEY_LOST)
    elif answer.kind != "http" or answer.status:
        raise asyncio.CancelledError
    else:
        await answer.refuse(STOPPED)


def _count(scope: Scope, method: str, answer: Answer) -> None:
    route = str(scope.get("path_template") or "none")
    known = method if method in (*METHODS, "WEBSOCKET") else "other"
    metrics.REQUESTS.labels(known, route, str(answer.status)).inc()
    if answer.status:
        metrics.SECONDS.labels(route).observe(answer.seconds)
