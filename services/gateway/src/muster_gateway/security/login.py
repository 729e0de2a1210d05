"""Routes that exchange a key for a cookie, which only the gateway's own pages send."""

from typing import Annotated, Any, cast
from urllib.parse import parse_qs

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from msgspec import Meta, Struct

from muster_gateway.context import Gateway
from muster_gateway.description.access_docs import TAKES_LOGIN, WHO
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access import REFUSED, Refused, cookie_name
from muster_gateway.security.access_roles import NO_KEY, OPEN
from muster_gateway.security.gate import Caller
from muster_protocol.codec import decode_asked

FORM = "application/x-www-form-urlencoded"


class WhoAmI(Struct, frozen=True, kw_only=True):
    """The caller of a request."""

    name: str
    """Name of the key; empty if none is needed."""
    role: str
    """`viewer`, `runner` or `admin`."""
    open: bool
    """Whether this gateway needs no keys."""


class LoginBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a login."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]


@get(
    "/whoami",
    opt=OPEN,
    operation_id="whoAmI",
    summary="Show the name and role of your key",
    responses=success(WhoAmI, 200, "Name and role of the key", WHO),
)
async def whoami(request: AnyRequest) -> WhoAmI:
    """Return the caller; raise a Refusal if unknown."""
    caller: Caller = request.auth
    if not caller.role:
        raise Refusal(401, caller.problem or NO_KEY)
    return _view_caller(caller)


@post(
    "/login",
    status_code=200,
    opt=OPEN,
    operation_class=TAKES_LOGIN,
    operation_id="logIn",
    summary="Log in with a key",
    description="For browsers: the response sets a cookie in place of the key. Programs send the key itself, as "
    "`Authorization: Bearer <key>`.",
    responses=success(WhoAmI, 200, "Name and role of the key", WHO) | failures(400, 413, 415),
)
async def login(request: AnyRequest, gateway: NamedDependency[Gateway]) -> Response[WhoAmI]:
    """Exchange a key for a cookie."""
    key = read_key(request.headers.get("content-type", ""), await request.body())
    if gateway.gate.keys.open:
        return Response(_view_caller(request.auth))
    cookie, caller = _log_in(request, gateway, key)
    return Response(_view_caller(caller), cookies=[cookie])


@post(
    "/logout",
    status_code=204,
    opt=OPEN,
    operation_id="logOut",
    summary="Log out",
    description="Deletes the browser's cookie. To end other logins, revoke the key.",
)
async def logout(request: AnyRequest) -> Response[None]:
    """Delete the cookie."""
    gone = Cookie(**_cookie_attributes(request), value="", max_age=0)
    return Response(None, status_code=204, cookies=[gone])


def _log_in(request: AnyRequest, gateway: Gateway, key: str) -> tuple[Cookie, Caller]:
    """Return the cookie for a key and its caller; attribute the request to that caller."""
    made = gateway.gate.login(key, request.client.host if request.client else "")
    if isinstance(made, Refused):
        cast("dict[str, Any]", request.scope)[REFUSED] = made
        raise Refusal(made.status, made.reason, retry=made.retry)
    request.scope["auth"] = made.caller
    return Cookie(**_cookie_attributes(request), value=made.value, max_age=made.seconds), made.caller


def _cookie_attributes(request: AnyRequest) -> dict[str, Any]:
    """Return the attributes of the login cookie."""
    https = "https" in (request.scope["scheme"], request.headers.get("x-forwarded-proto", "").strip().lower())
    name = cookie_name(request.headers.get("host", ""))
    return {"key": name, "path": "/", "httponly": True, "samesite": "strict", "secure": https}


def _view_caller(caller: Caller) -> WhoAmI:
    return WhoAmI(name=caller.name, role=caller.role, open=caller.via == "open")


def read_key(content_type: str, body: bytes) -> str:
    """Return the key in the body of a login; raise a Refusal if the body is invalid. Pure."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == FORM:
        body, kind = _form_as_json(body), "application/json"
    if kind != "application/json":
        raise Refusal(415, 'send application/json, {"key": "…"}, or a form with the field `key`')
    try:
        return decode_asked(body, LoginBody).key.strip()
    except msgspec.DecodeError:  # its text could quote the key
        raise Refusal(400, 'send {"key": "…"}, a key of 1 to 200 characters') from None


def _form_as_json(body: bytes) -> bytes:
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:  # too many fields
        raise Refusal(400, "send a form with only the field `key`") from None
    return msgspec.json.encode({"key": fields.get("key", [""])[0]})


HANDLERS = (whoami, login, logout)
