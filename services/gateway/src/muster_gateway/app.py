"""The application: routes, errors, the description of the API, and what stands around it."""

from litestar import Litestar
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.types import ASGIApp

from muster_gateway import artifacts, controls, documented, logs, pages, problems, runs
from muster_gateway.access import access
from muster_gateway.context import Gateway
from muster_gateway.edge import Edge
from muster_protocol import __version__

DESCRIPTION = """\
Submit runs, watch and steer them, read their verdicts. Errors are problem documents (`application/problem+json`) whose
`reasons` say what is wrong and what to do. The lines of a run can also be followed over a WebSocket, at
`/runs/{run}/logs?after=<cursor>`.
"""


def build(gateway: Gateway) -> ASGIApp:
    """Return what a gateway serves: the application, and what stands around it."""
    settings = gateway.settings
    return Edge(application(gateway), access(settings.http_host, settings.allowed_hosts, settings.allowed_origins))


def application(gateway: Gateway) -> Litestar:
    """Return the application of a gateway."""
    app = Litestar(
        route_handlers=[*pages.HANDLERS, *runs.HANDLERS, *controls.HANDLERS, *artifacts.HANDLERS, *logs.HANDLERS],
        dependencies={"gateway": Provide(lambda: gateway, sync_to_thread=False)},
        exception_handlers=problems.HANDLERS,
        request_max_body_size=gateway.settings.max_body_bytes,
        openapi_config=_openapi(),
        logging_config=None,
        debug=False,
    )
    documented.mend(app.openapi_schema)
    return app


def _openapi() -> OpenAPIConfig:
    """Describe the API; the description is plain JSON and YAML, as pages for it would load scripts from elsewhere."""
    return OpenAPIConfig(
        title="Muster gateway",
        version=__version__,
        description=DESCRIPTION,
        render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"]), YamlRenderPlugin()],
    )
