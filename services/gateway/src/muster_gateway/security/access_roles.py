"""Roles, and the guard that checks them for every request; routes declare the role they need with `opt=`."""

from typing import Any, Literal, cast, get_args

from litestar.connection import ASGIConnection
from litestar.exceptions import WebSocketException
from litestar.handlers import BaseRouteHandler

from muster_gateway.problem_details import Refusal
from muster_gateway.security.access import REFUSED, Refused

Needed = Literal["open", "viewer", "runner", "admin"]

OPEN: dict[str, Needed] = {"role": "open"}
"""Needs no key."""
VIEWER: dict[str, Needed] = {"role": "viewer"}
"""Reads and follows."""
RUNNER: dict[str, Needed] = {"role": "runner"}
"""Also submits and steers runs."""
ADMIN: dict[str, Needed] = {"role": "admin"}
"""Also settles dead letters."""

NO_KEY = "a key is needed: send `Authorization: Bearer <key>`, or log in at /console/; `muster keys add` creates keys"
_ORDER = get_args(Needed)


def is_allowed(role: str, needed: Needed) -> bool:
    """Return whether a role (empty: unknown caller) is sufficient. Pure."""
    return needed == "open" or (role in _ORDER and _ORDER.index(role) >= _ORDER.index(needed))


def required_role(opt: dict[str, Any], method: str = "") -> Needed:
    """Return the role that a route declares; without a declaration, admin. Pure."""
    if method == "OPTIONS":  # only lists the methods
        return "open"
    role = opt.get("role")
    return cast("Needed", role) if role in _ORDER else "admin"


def find_role_refusal(role: str, needed: Needed, name: str = "", problem: str = "") -> Refusal | None:
    """Return why a role is not sufficient, or None; `problem` is what was wrong with the key. Pure."""
    if is_allowed(role, needed):
        return None
    if not role:
        return Refusal(401, problem or NO_KEY)
    return Refusal(403, f"this needs a key of role {needed}; {name!r} has role {role}")


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Let a request through if its caller has the role that the route needs.

    Raises:
        Refusal: 401 without a valid key, 403 if its role is too low.
        WebSocketException: the same for a WebSocket, as code 4401 or 4403.
    """
    caller = connection.scope.get("auth")
    method = str(connection.scope.get("method", ""))
    role, name, problem = (caller.role, caller.name, caller.problem) if caller else ("", "", "")
    refused = find_role_refusal(role, required_role(handler.opt, method), name, problem)
    if refused is None:
        return
    cast("dict[str, Any]", connection.scope)[REFUSED] = Refused(refused.status, "; ".join(refused.reasons))
    if connection.scope["type"] == "websocket":
        raise WebSocketException(detail="; ".join(refused.reasons), code=4000 + refused.status)
    raise refused
