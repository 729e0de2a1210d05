"""Adds access to the API description: the role each operation needs, and its refusals."""

from http import HTTPStatus
from typing import Any, cast

from litestar import Litestar
from litestar.openapi.spec import (
    Example,
    OpenAPI,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Reference,
    Schema,
    SecurityScheme,
)
from litestar.routes import HTTPRoute

from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.problem_details import MEDIA_TYPE
from muster_gateway.security.access_roles import Needed, required_role

WHO = {"name": "ci", "role": "runner", "open": False}

_LOGIN = media_of(
    object_of({"key": Schema(type=OpenAPIType.STRING, min_length=1, max_length=200)}, ["key"]), {"key": "muster_4Dq0…"}
)
TAKES_LOGIN = taking({JSON: _LOGIN, "application/x-www-form-urlencoded": _LOGIN})
_REFUSALS: dict[int, tuple[str, str]] = {
    400: ("A parameter or the body cannot be used", "limt: unknown parameter; did you mean 'limit'?"),
    401: ("No valid key was sent", "a key is needed: send `Authorization: Bearer <key>`"),
    403: ("The key's role is too low, or the page has another origin", "this needs a key of role runner"),
    408: ("The body did not arrive in time", "the body did not arrive within 30 s; send it faster"),
    421: ("The gateway does not have that host name", "this gateway does not have that host name"),
    429: ("Too many requests; Retry-After says when to try again", "too many requests: send fewer"),
}


def describe(app: Litestar, description: OpenAPI) -> None:
    """Add role and refusals to each operation, and the security scheme to the description."""
    needed = _describe_needed(app)
    description.components.security_schemes = {
        "key": SecurityScheme(type="http", scheme="bearer", description="An API key, created with `muster keys add`"),
    }
    for path, item in (description.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete", "head"):
            operation = getattr(item, method)
            if isinstance(operation, Operation):
                _add(operation, needed[path, method.upper()], changing=method not in ("get", "head"))


def _describe_needed(app: Litestar) -> dict[tuple[str, str], Needed]:
    """Return the role each operation needs, by path and method."""
    return {
        (route.path_format, str(method)): required_role(handler.opt)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
    }


def _add(operation: Operation, role: Needed, *, changing: bool) -> None:
    operation.security = [] if role == "open" else [{"key": []}]
    needs = "Needs no key." if role == "open" else f"Needs a key of role {role}."
    operation.description = f"{operation.description} {needs}" if operation.description else needs
    statuses = [400, 401, 403, 421, 429, *([408] if changing else [])]
    operation.responses = {**{str(status): _refusal(status) for status in statuses}, **(operation.responses or {})}


def _refusal(status: int) -> OpenAPIResponse:
    description, reason = _REFUSALS[status]
    example = Example(value=cast("Any", {"status": status, "title": HTTPStatus(status).phrase, "reasons": [reason]}))
    media = OpenAPIMediaType(schema=Reference(ref="#/components/schemas/Problem"), examples={"example": example})
    return OpenAPIResponse(description=description, content={MEDIA_TYPE: media})
