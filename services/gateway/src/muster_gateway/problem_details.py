"""Renders every error as a problem document with reasons a person can act on."""

from http import HTTPMethod, HTTPStatus
from typing import Any, TypeVar, cast

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.params import HeaderParameter, ParameterKwarg
from litestar.types import ExceptionHandlersMap
from msgspec import DecodeError, Struct
from nats.errors import Error as NatsError

from muster_bus.store_answers import describe_error
from muster_gateway import query_parameters
from muster_protocol.codec import decode_asked
from muster_protocol.errors import BusError, Busy, InvalidRequest, Refused, TooLarge, WrongState
from muster_service.exhaustion import EXHAUSTED

log = structlog.get_logger("muster.gateway")

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
ROOM = "make room in its folder for temporary files (TMPDIR, else /tmp), or raise its limit of open files"
CHALLENGE = 'Bearer realm="muster"'
"""`WWW-Authenticate` of a 401 (RFC 6750)."""

AnyRequest = Request[Any, Any, Any]
T = TypeVar("T")


class Problem(Struct, frozen=True, kw_only=True):
    """Why a request failed (a problem document, RFC 9457)."""

    status: int
    title: str
    reasons: tuple[str, ...] = ()
    """One sentence each."""


class Refusal(Exception):
    """The request is refused, with reasons; `retry` is the seconds until a retry makes sense (0: never)."""

    def __init__(self, status: int, *reasons: str, retry: int = 0) -> None:
        self.status, self.reasons, self.retry = status, reasons, retry
        super().__init__("; ".join(reasons))


def service_unavailable(reason: str) -> Refusal:
    """Return a 503 that a client may retry."""
    return Refusal(503, reason, retry=RETRY_SECONDS)


def orchestrator_unavailable(error: Refused) -> Refusal:
    """Return the 503 for a fleet that is full, or whose orchestrators do not answer."""
    if isinstance(error, Busy):
        return service_unavailable(str(error))
    return service_unavailable("no orchestrator answers: none is running, or none has a connection to NATS")


def decode_body(body: bytes, shape: type[T]) -> T:
    """Return a body as a value of its type.

    Raises:
        Refusal: it is not of that type.
    """
    try:
        return decode_asked(body, shape)
    except DecodeError as error:
        raise Refusal(400, f"the body cannot be used: {error}") from error


def respond(refusal: Refusal) -> Response[Problem]:
    """Return a refusal as a response."""
    problem = Problem(status=refusal.status, title=HTTPStatus(refusal.status).phrase, reasons=refusal.reasons)
    headers = {"Retry-After": str(refusal.retry)} if refusal.retry else {}
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = CHALLENGE
    if refusal.status == HTTPStatus.REQUEST_TIMEOUT:
        headers["Connection"] = "close"
    return Response(problem, status_code=refusal.status, media_type=MEDIA_TYPE, headers=headers)


def _handle_refusal(_: AnyRequest, error: Refusal | InvalidRequest | WrongState) -> Response[Problem]:
    match error:
        case Refusal():
            return respond(error)
        case InvalidRequest():
            return respond(Refusal(413 if isinstance(error, TooLarge) else 400, *error.reasons))
        case WrongState():
            return respond(Refusal(409, str(error)))


def _handle_bus_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    log.warning("request to NATS failed", path=request.url.path, error=describe_error(error))
    return respond(service_unavailable(f"NATS cannot be used now, try again: {describe_error(error)}"))


def _handle_system_error(request: AnyRequest, error: OSError) -> Response[Problem]:
    """Answer with 503 if the machine has run out of room, which operators can mend, else with 500."""
    if error.errno not in EXHAUSTED:
        return _handle_fault(request, error)
    words = (error.strerror or str(error)).lower()
    log.error("no disk space or open files left on this machine", path=request.url.path, error=words)
    return respond(service_unavailable(f"the gateway's machine has run out of something: {words}; {ROOM}"))


def _handle_fault(request: AnyRequest, error: Exception) -> Response[Problem]:
    log.error("request failed", path=request.url.path, exc_info=error)
    return respond(Refusal(500, "internal error of the gateway; see its log"))


def _handle_http_error(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """Describe an error of the framework: unknown address, wrong method, body too large, invalid parameter."""
    match error.status_code:
        case 404:
            reasons = (f"{request.url.path} does not exist; GET /api lists all addresses",)
        case 405:
            reasons = (f"{request.url.path} does not support {request.method}; GET /api lists the methods",)
        case 413:
            reasons = (f"the body is too large, the limit is {request.app.request_max_body_size} bytes",)
        case 400:
            reasons = _describe_parameters(request, error.extra) or (error.detail,)
        case status if status >= 500:
            return _handle_fault(request, error)
        case _:
            reasons = (error.detail,)
    answer = respond(Refusal(error.status_code, *reasons))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.set_header("Allow", _allowed_methods((error.headers or {}).get("allow", "")))
    return answer


def _allowed_methods(listed: str) -> str:
    """Return the HTTP methods in the framework's list, which also has other kinds of handlers."""
    return ", ".join(sorted(set(HTTPMethod) & {name.strip() for name in listed.split(",")}))


def _describe_parameters(request: AnyRequest, extra: object) -> tuple[str, ...]:
    """Describe each invalid parameter and its valid values."""
    if not isinstance(extra, list):
        return ()
    found = [cast("dict[str, object]", item) for item in cast("list[object]", extra) if isinstance(item, dict)]
    return tuple(
        _describe_parameter(request, str(item.get("key", "a parameter")), str(item.get("message", "is not valid")))
        for item in found
    )


def _describe_parameter(request: AnyRequest, key: str, message: str) -> str:
    """Describe the invalid parameter with this name."""
    field = request.route_handler.parsed_fn_signature.parameters.get(key.partition(".")[0])
    if field is None:
        return f"{key}: {message}"
    name = field.kwarg_definition.name if isinstance(field.kwarg_definition, ParameterKwarg) else None
    if isinstance(field.kwarg_definition, HeaderParameter):
        given = [request.headers.get(name or field.name, "")]
    else:
        path = cast("dict[str, object]", request.path_params)
        given = [str(path[field.name])] if field.name in path else request.query_params.getall(field.name, [])
    return query_parameters.describe_fault(name or field.name, given, query_parameters.accepted_values(field), message)


HANDLERS: ExceptionHandlersMap = cast(
    "Any",
    {
        Refusal: _handle_refusal,
        InvalidRequest: _handle_refusal,
        WrongState: _handle_refusal,
        BusError: _handle_bus_error,
        NatsError: _handle_bus_error,
        TimeoutError: _handle_bus_error,
        OSError: _handle_system_error,
        HTTPException: _handle_http_error,
        Exception: _handle_fault,
    },
)
