"""How access is described in the API's description: the role each operation needs, and what is answered without it."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from litestar import Litestar
from litestar.openapi.spec import (
    Example,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.routes import HTTPRoute

from muster_gateway.problem_details import MEDIA_TYPE
from muster_gateway.security.access_roles import Needed, required_role

WHO = {"name": "ci", "role": "runner", "open": False}
_KEY = {"key": "muster_4Dq0…"}

_REFUSALS: dict[int, tuple[str, str]] = {
    401: ("No key that counts was sent", "a key is needed: send `Authorization: Bearer <key>`"),
    403: ("The key's role is not enough, or the page is of another origin", "this needs a key of role runner"),
    408: ("The body did not arrive in time", "the body did not arrive within 30 s; send it faster"),
    421: ("The gateway does not go by that host name", "this gateway does not go by that host name"),
    429: ("Too many requests; Retry-After says when to go on", "too many requests: send fewer"),
}


@dataclass
class LoginOperation(Operation):
    """Describes the body of a login."""

    def __post_init__(self) -> None:
        """Add the body, as JSON and as a form."""
        schema = Schema(
            type=OpenAPIType.OBJECT,
            properties={"key": Schema(type=OpenAPIType.STRING, min_length=1, max_length=200)},
            required=["key"],
        )
        media = OpenAPIMediaType(schema=schema, examples={"example": Example(value=cast("Any", _KEY))})
        kinds = ("application/json", "application/x-www-form-urlencoded")
        self.request_body = RequestBody(required=True, content=dict.fromkeys(kinds, media))


def describe(app: Litestar) -> None:
    """Add to each operation what it needs and how it refuses, and to all of them how a key is shown."""
    needed = _describe_needed(app)
    description = app.openapi_schema
    description.components.security_schemes = {
        "key": SecurityScheme(type="http", scheme="bearer", description="An API key, made by `muster keys add`"),
    }
    for path, item in (description.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete", "head"):
            operation = getattr(item, method)
            if isinstance(operation, Operation):
                _add(operation, needed[path, method.upper()], changing=method not in ("get", "head"))


def _describe_needed(app: Litestar) -> dict[tuple[str, str], Needed]:
    """Return the role that each operation of each address asks for."""
    return {
        (route.path_format, str(method)): required_role(handler.opt)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
    }


def _add(operation: Operation, role: Needed, *, changing: bool) -> None:
    operation.security = [] if role == "open" else [{"key": []}]
    told = "Needs no key." if role == "open" else f"Needs a key of role {role}."
    operation.description = f"{operation.description} {told}" if operation.description else told
    statuses = [401, 403, 421, 429, *([408] if changing else [])]
    operation.responses = {**{str(status): _refusal(status) for status in statuses}, **(operation.responses or {})}


def _refusal(status: int) -> OpenAPIResponse:
    description, reason = _REFUSALS[status]
    example = Example(value=cast("Any", {"status": status, "title": HTTPStatus(status).phrase, "reasons": [reason]}))
    media = OpenAPIMediaType(schema=Reference(ref="#/components/schemas/Problem"), examples={"example": example})
    return OpenAPIResponse(description=description, content={MEDIA_TYPE: media})
