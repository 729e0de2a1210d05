"""Routes for health, metrics, the front page and the index of addresses."""

from html import escape
from typing import Any, NamedTuple

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Operation
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from muster_bus.store_answers import BUS_ERRORS
from muster_gateway.context import Gateway
from muster_gateway.lists.run_list import RunFilter, build_page
from muster_gateway.security.access_roles import OPEN, VIEWER, is_allowed
from muster_protocol import __version__
from muster_protocol.logs import RunRow

SHOWN = 50
"""Runs on the index page."""
NOT_READY = "NATS is unreachable, or something on it is missing, full or refused"

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
code { white-space: nowrap; } .pass { color: #178a3c; } .fail { color: #c62828; }
:root { color-scheme: light dark; }
"""


class Endpoint(NamedTuple):
    """An operation on the index page."""

    method: str
    path: str
    what: str


FOLLOW = Endpoint("WebSocket", "/runs/{run}/logs?after=…", "Follow a run's log from a cursor: one JSON frame per line")


@get("/healthz", opt=OPEN, media_type="text/plain", operation_id="healthz", summary="Check that the process is alive")
async def healthz() -> str:
    """Respond while the process is alive."""
    return "ok\n"


@get(
    "/readyz",
    opt=OPEN,
    media_type="text/plain",
    operation_id="readyz",
    summary="Check that requests can be served",
    responses={503: ResponseSpec(str, generate_examples=False, description=NOT_READY, media_type="text/plain")},
)
async def readyz(gateway: NamedDependency[Gateway]) -> Response[str]:
    """Respond with 200 if requests can be served, else with 503 and the reason."""
    if gateway.problem:
        return Response(f"not ready: {gateway.problem}\n", status_code=503, media_type="text/plain")
    return Response("ready\n", media_type="text/plain")


@get("/metrics", opt=VIEWER, media_type="text/plain", operation_id="metrics", summary="Metrics for Prometheus")
async def metrics_page() -> Response[bytes]:
    """Return the metrics of this process."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


@get("/", opt=OPEN, media_type="text/html", include_in_schema=False)
async def front(request: Request[Any, Any, Any], gateway: NamedDependency[Gateway]) -> Response[str]:
    """Redirect browsers to the console; show other clients the index."""
    if "text/html" in request.headers.get("accept", ""):
        return Response("", status_code=303, headers={"Location": "/console/"}, media_type="text/html")
    return Response(await index.fn(request, gateway), media_type="text/html")


@get("/api", opt=VIEWER, media_type="text/html", include_in_schema=False)
async def index(request: Request[Any, Any, Any], gateway: NamedDependency[Gateway]) -> str:
    """Show the operations and the newest runs."""
    runs = await _newest_runs(gateway) if is_allowed(request.auth.role, "viewer") else ()
    return render_index(_list_endpoints(request), runs, gateway.problem)


async def _newest_runs(gateway: Gateway) -> tuple[RunRow, ...]:
    try:
        return build_page(await gateway.listing.all(), RunFilter(), SHOWN).runs if not gateway.problem else ()
    except BUS_ERRORS:
        return ()


def _list_endpoints(request: Request[Any, Any, Any]) -> list[Endpoint]:
    """Return the documented operations, sorted by address."""
    found: list[Endpoint] = []
    for path, item in sorted((request.app.openapi_schema.paths or {}).items()):
        for method, operation in (("GET", item.get), ("POST", item.post), ("PUT", item.put), ("DELETE", item.delete)):
            if isinstance(operation, Operation):
                found.append(Endpoint(method, path, operation.summary or ""))
    return [*found, FOLLOW]


def render_index(asked: list[Endpoint], runs: tuple[RunRow, ...], problem: str) -> str:
    """Return the index page. Pure; escapes all external text."""
    listed = "".join(
        f"<tr><td>{escape(one.method)}</td><td>{_render_address(one)}</td><td>{escape(one.what)}</td></tr>"
        for one in asked
    )
    rows = "".join(map(_render_row, runs)) or '<tr><td colspan="5">No runs yet.</td></tr>'
    state = f'<p class="fail">Not ready: {escape(problem)}</p>' if problem else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Muster gateway</title>
<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>
<body><h1>Muster gateway {escape(__version__)}</h1>{state}
<h2>Operations</h2>
<p>OpenAPI description: <a href="/schema/openapi.json">/schema/openapi.json</a> and
<a href="/schema/openapi.yaml">/schema/openapi.yaml</a>.</p>
<table><thead><tr><th>Method</th><th>Address</th><th>What</th></tr></thead><tbody>{listed}</tbody></table>
<h2>Newest runs</h2>
<table><thead><tr><th>Run</th><th>Name</th><th>Status</th><th>Sub-tasks</th><th>Summary</th></tr></thead>
<tbody>{rows}</tbody></table></body></html>
"""


def _render_address(one: Endpoint) -> str:
    path = escape(one.path)
    return (
        f'<a href="{path}"><code>{path}</code></a>'
        if one.method == "GET" and "{" not in path
        else f"<code>{path}</code>"
    )


def _render_row(row: RunRow) -> str:
    run = escape(row.run)
    status = escape(f"{row.status} ({row.cause})" if row.cause else row.status)
    progress = f"{row.done}/{row.total}" if row.total else ""
    return (
        f'<tr><td><a href="/runs/{run}"><code>{run}</code></a></td><td>{escape(row.name)}</td>'
        f'<td class="{escape(row.status)}">{status}</td><td>{progress}</td><td>{escape(row.summary)}</td></tr>'
    )


HANDLERS = (front, index, healthz, readyz, metrics_page)
