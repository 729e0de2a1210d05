"""Refuses unknown query parameters: a misspelt filter would otherwise be ignored."""

from collections.abc import Iterator
from typing import Any

from litestar import WebSocket
from litestar.connection import ASGIConnection
from litestar.exceptions import WebSocketException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler, WebsocketRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition

from muster_gateway.problem_details import Refusal
from muster_gateway.query_parameters import LONGEST
from muster_gateway.relay.sockets import BAD_REQUEST
from muster_protocol.unknown_keys import listed, suggest


async def refuse_unexpected(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse query parameters that an operation of the API does not have, or has once; addresses of pages may have any.

    Raises:
        Refusal: 400, there is such a parameter.
        WebSocketException: the same for a WebSocket, as code 4400.
    """
    given = [name for name, _ in connection.query_params.items()]
    if not given or not _is_described(handler):
        return
    parameters = handler.parsed_fn_signature.parameters.values()
    known = {it.name: _takes_several(it) for it in parameters if isinstance(it.kwarg_definition, QueryParameter)}
    if not (problem := listed(_find_unexpected(given, known))):
        return
    if isinstance(connection, WebSocket):
        await connection.accept()
        raise WebSocketException(detail=problem, code=BAD_REQUEST)
    raise Refusal(400, problem)


def _find_unexpected(given: list[str], known: dict[str, bool]) -> Iterator[str]:
    """Yield a sentence for each unknown parameter, and for each repeated one that takes a single value. Pure.

    `known` says of each name whether it may be repeated.
    """
    for name in dict.fromkeys(given):
        short = name if len(name) <= LONGEST else name[:LONGEST] + "…"
        if name not in known:
            yield f"{short}: unknown parameter{suggest(name, known) if known else '; this address has none'}"
        elif not known[name] and given.count(name) > 1:
            yield f"{short}: given {given.count(name)} times; give it once"


def _is_described(handler: BaseRouteHandler) -> bool:
    if isinstance(handler, HTTPRouteHandler):
        return handler.resolve_include_in_schema()
    return isinstance(handler, WebsocketRouteHandler)


def _takes_several(parameter: FieldDefinition) -> bool:
    return any(one.is_non_string_sequence for one in (parameter, *(parameter.inner_types or ())))
