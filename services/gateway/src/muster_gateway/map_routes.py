"""HTTP routes for the maps that explorations have made."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from muster_client.map_store import create_edge, create_node, fetch_map, list_maps
from muster_exploration.map_file import MapFile
from muster_exploration.map_formats import to_graphml, to_mermaid
from muster_gateway.context import Gateway
from muster_gateway.description import map_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import JSON, media_of, taking
from muster_gateway.problem_details import AnyRequest, Refusal, decode_body
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_protocol.errors import InvalidRequest
from muster_protocol.graphs import GraphRow, NewEdge, NewNode, explored_app
from muster_protocol.ids import is_token
from muster_views.map_state_view import StateView, view_state
from muster_views.map_view import ChangesView, MapView, view_changes, view_map

Format = Literal["json", "mermaid", "graphml"]
_NAMES = {"json": "map.json", "mermaid": "map.mmd", "graphml": "map.graphml"}
_TYPES = {"json": "application/json", "mermaid": "text/vnd.mermaid", "graphml": "application/graphml+xml"}


class MapList(Struct, frozen=True, kw_only=True):
    """Maps, newest first."""

    maps: tuple[GraphRow, ...]


@get(
    "/maps",
    opt=VIEWER,
    operation_id="listMaps",
    summary="List the maps of explored apps",
    description="Each exploration leaves one, under the name of its app; they are kept for 30 days.",
    responses=success(MapList, 200, "The maps", documented.MAPS) | failures(400, 503),
)
async def list_all_maps(
    gateway: NamedDependency[Gateway],
    app: Annotated[str, QueryParameter(description="Only maps of this app")] = "",
) -> MapList:
    """Return the maps of an app, or of all."""
    gateway.require_bus()
    return MapList(maps=await list_maps(gateway.bus, app))


@get(
    "/maps/{run:str}",
    opt=VIEWER,
    operation_id="showMap",
    summary="Show a map",
    description="Its drawing, its states in short, how much of each page and kind of element was tried, findings, and "
    "the other maps of the app.",
    responses=success(MapView, 200, "The map", documented.MAP) | failures(400, 404, 503),
)
async def show_map(gateway: NamedDependency[Gateway], run: FromPath[str]) -> MapView:
    """Return a map."""
    file = await _require_map(gateway, run)
    rows = await list_maps(gateway.bus, explored_app(file.job))
    row = next((row for row in rows if row.run == run), GraphRow(run=run, app=explored_app(file.job)))
    return await asyncio.to_thread(view_map, file, row, rows)


@get(
    "/maps/{run:str}/states/{id:str}",
    opt=VIEWER,
    operation_id="showMapState",
    summary="Show a state of a map",
    description="The way to it, what can be done there and where that leads, and what is wrong with it.",
    responses=success(StateView, 200, "The state", documented.STATE_VIEW) | failures(400, 404, 503),
)
async def show_map_state(gateway: NamedDependency[Gateway], run: FromPath[str], id: FromPath[str]) -> StateView:
    """Return a state of a map."""
    found = await asyncio.to_thread(view_state, await _require_map(gateway, run), id)
    if found is None:
        raise Refusal(404, f"the map of {run!r} has no state {id!r}; GET /maps/{run} lists all states")
    return found


@get(
    "/maps/{run:str}/changes",
    opt=VIEWER,
    operation_id="compareMaps",
    summary="Compare two maps",
    description="What is new, gone and changed since an earlier map, and which findings are new or mended.",
    responses=success(ChangesView, 200, "The differences", documented.CHANGES) | failures(400, 404, 503),
)
async def compare_maps(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    base: Annotated[str, QueryParameter(description="Run that made the earlier map")],
) -> ChangesView:
    """Return what is different between two maps."""
    before, after = await _require_map(gateway, base), await _require_map(gateway, run)
    return await asyncio.to_thread(view_changes, before, after)


@get(
    "/maps/{run:str}/file",
    opt=VIEWER,
    operation_id="downloadMap",
    summary="Download a map as JSON, Mermaid or GraphML",
    responses=success(str, 200, "The map as text", "flowchart LR\n") | failures(400, 404, 503),
)
async def download_map(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    format: Annotated[Format, QueryParameter(description="Format of the file")] = "json",
) -> Response[bytes]:
    """Return a map as a file."""
    file = await _require_map(gateway, run)
    content = await asyncio.to_thread(_write, file, format)
    disposition = f'attachment; filename="{_NAMES[format]}"'
    return Response(content, media_type=_TYPES[format], headers={"Content-Disposition": disposition})


def _write(file: MapFile, format: Format) -> bytes:
    if format == "json":
        return msgspec.json.encode(file)
    return (to_mermaid(file.map) if format == "mermaid" else to_graphml(file.map)).encode()


async def _require_map(gateway: Gateway, run: str) -> MapFile:
    gateway.require_bus()
    try:
        file = await fetch_map(gateway.bus, run) if is_token(run) else None
    except msgspec.DecodeError as error:
        raise Refusal(404, f"the map of {run!r} was written by another version of Muster: {error}") from error
    if file is None:
        raise Refusal(404, f"the run {run!r} has no map; GET /maps lists all maps")
    return file


@post(
    "/maps/{run:str}/nodes",
    opt=RUNNER,
    status_code=201,
    operation_class=taking({JSON: media_of("NewNode", documented.NODE, "shop", "A shop")}),
    operation_id="createNode",
    summary="Add a state to a map",
    description="The map as it was explored stays an artifact of its run; what is added is shown with it.",
    responses=success(NewNode, 201, "The state", documented.NODE) | failures(400, 404, 503),
)
async def create_map_node(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> NewNode:
    """Add a state."""
    node = replace(decode_body(await request.body(), NewNode), by=request.auth.name)
    await _add(gateway, run, partial(create_node, gateway.bus, run, node))
    return node


@post(
    "/maps/{run:str}/edges",
    opt=RUNNER,
    status_code=201,
    operation_class=taking({JSON: media_of("NewEdge", documented.EDGE, "shop", "A shop")}),
    operation_id="createEdge",
    summary="Add a way between two states to a map",
    description="Something that is tapped in the one and leads to the other. Cases from the map go this way, too.",
    responses=success(NewEdge, 201, "The way", documented.EDGE) | failures(400, 404, 503),
)
async def create_map_edge(request: AnyRequest, gateway: NamedDependency[Gateway], run: FromPath[str]) -> NewEdge:
    """Add a way between two states."""
    edge = replace(decode_body(await request.body(), NewEdge), by=request.auth.name)
    await _add(gateway, run, partial(create_edge, gateway.bus, run, edge))
    return edge


async def _add(gateway: Gateway, run: str, add: Callable[[], Awaitable[None]]) -> None:
    await _require_map(gateway, run)
    try:
        await add()
    except InvalidRequest as error:
        raise Refusal(400, *error.reasons) from error


HANDLERS = (
    list_all_maps,
    show_map,
    show_map_state,
    compare_maps,
    download_map,
    create_map_node,
    create_map_edge,
)
