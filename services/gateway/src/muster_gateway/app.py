"""Builds the ASGI application: routes, error handlers, API description, and the edge around them."""

from types import ModuleType

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPI

from muster_gateway import (
    artifact_routes,
    assignment_routes,
    batch_routes,
    case_routes,
    console,
    control_routes,
    draft_routes,
    editing_help,
    exploration_routes,
    map_routes,
    note_routes,
    problem_details,
    report_routes,
    root_routes,
    run_routes,
    secret_routes,
    trigger_routes,
    validation,
)
from muster_gateway.chat import chat_socket, conversation_routes
from muster_gateway.context import Gateway
from muster_gateway.description import access_docs, openapi_fixes
from muster_gateway.description.late_description import LateConfig, build_description
from muster_gateway.fleet import dead_letter_routes, device_routes
from muster_gateway.fleet import routes as fleet
from muster_gateway.http.edge import Edge
from muster_gateway.incoming import event_routes
from muster_gateway.lists import live_list, suite_analysis, suites
from muster_gateway.mcp_endpoint import McpEndpoint
from muster_gateway.nodes import routes as nodes
from muster_gateway.relay import routes as relay
from muster_gateway.relay import run_log as logs
from muster_gateway.security import login
from muster_gateway.security.access import build_access
from muster_gateway.security.access_roles import VIEWER, guard
from muster_gateway.unexpected_parameters import refuse_unexpected
from muster_protocol import __version__

DESCRIPTION = """\
Submit runs, watch and steer them, read their verdicts. Errors are problem documents (`application/problem+json`) with
`reasons` that say what is wrong and what to do. Log lines are also available over WebSockets, which OpenAPI cannot
describe: for one run at `/runs/{run}/logs`, for one, many or all runs at `/logs`, with the parameters of the `GET`
at the same address. Invalid parameters close the WebSocket with code 4400 and the reason.

The events of a conversation come over the WebSocket at `/conversations/{conversation}/live`, which also takes messages.
"""


def build_app(gateway: Gateway) -> Edge:
    """Return the application with its edge, which checks every request."""
    settings = gateway.settings
    rules = build_access(settings.http_host, settings.allowed_hosts, settings.allowed_origins)
    mcp = McpEndpoint(gateway)
    application = create_application(gateway, mcp)
    edge = Edge(application, rules, gateway.gate, gateway.audit, settings.body_seconds)
    mcp.api = edge
    return edge


def create_application(gateway: Gateway, mcp: McpEndpoint | None = None) -> Litestar:
    """Return the application of a gateway."""
    config = _openapi_config()
    app = Litestar(
        route_handlers=[
            _tagged("runs", run_routes, live_list, control_routes, note_routes, batch_routes),
            _tagged("runs", assignment_routes, draft_routes, exploration_routes),
            _tagged("maps", map_routes),
            _tagged("triggers", trigger_routes, event_routes),
            _tagged("conversations", conversation_routes, chat_socket),
            _tagged("sub-tasks", nodes),
            _tagged("logs", logs, relay),
            _tagged("files and reports", artifact_routes, report_routes),
            _tagged("suites", suites, suite_analysis),
            _tagged("cases", validation, editing_help, case_routes),
            _tagged("fleet", fleet, device_routes),
            _tagged("secrets", secret_routes),
            _tagged("dead letters", dead_letter_routes),
            _tagged("access", login),
            _tagged("health", root_routes),
            *console.HANDLERS,
            (mcp or McpEndpoint(gateway)).handler(),
        ],
        guards=[guard, refuse_unexpected],
        dependencies={"gateway": Provide(lambda: gateway, sync_to_thread=False)},
        exception_handlers=problem_details.HANDLERS,
        request_max_body_size=gateway.settings.max_body_bytes,
        openapi_config=config,
        logging_config=None,
        debug=False,
    )

    def finish(description: OpenAPI) -> None:
        access_docs.describe(app, description)
        openapi_fixes.fix_schema(description)

    config.finish = finish
    return app


class _Routes(Router):
    """Routes that belong to one application. Copying them, as Litestar does, takes half of a gateway's start."""

    def __deepcopy__(self, _: object) -> "_Routes":
        return self


def _tagged(tag: str, *modules: ModuleType) -> Router:
    """Return the handlers of modules under one tag of the API description."""
    return _Routes("/", route_handlers=[handler for module in modules for handler in module.HANDLERS], tags=[tag])


def _openapi_config() -> LateConfig:
    """Serve the API description as JSON and YAML only: HTML viewers would load scripts from other hosts."""
    router = Router("/schema", route_handlers=[], opt=VIEWER, include_in_schema=False, before_request=build_description)
    return LateConfig(
        title="Muster gateway",
        version=__version__,
        description=DESCRIPTION,
        openapi_router=router,
        render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"]), openapi_fixes.PlainYamlPlugin()],
    )
