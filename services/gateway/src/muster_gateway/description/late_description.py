"""An API description that is built when it is first asked for, in a thread: it takes half a second of a processor."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from litestar import Request
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import OpenAPI

from muster_gateway.description.openapi_fixes import PlainYamlPlugin

Finish = Callable[[OpenAPI], None]


class LateDescription(OpenAPI):
    """A description that is completed and written out once."""

    finish: Finish | None = None
    written: dict[str, Any] | None = None

    def to_schema(self) -> dict[str, Any]:
        """Return the description as clients get it."""
        if self.written is None:
            if self.finish is not None:
                self.finish(self)
            self.written = super().to_schema()
        return self.written


@dataclass
class LateConfig(OpenAPIConfig):
    """Makes such descriptions; set `finish` once there is an application: what is added needs its routes."""

    finish: Finish | None = None
    building: asyncio.Lock = field(default_factory=asyncio.Lock)

    def to_openapi_schema(self) -> OpenAPI:
        """Return a description that is not completed yet."""
        begun = super().to_openapi_schema()
        late = LateDescription(**{it.name: getattr(begun, it.name) for it in fields(begun)})
        late.finish = self.finish
        return late


async def build_description(request: Request[Any, Any, Any]) -> None:
    """Have the description ready before a request for it is answered; other requests are served meanwhile."""
    config = request.app.openapi_config
    if isinstance(config, LateConfig):
        async with config.building:
            await asyncio.to_thread(_render, config, request)


def _render(config: LateConfig, request: Request[Any, Any, Any]) -> None:
    """Write the description out, also as YAML where that is asked for: its plugin keeps the text, which takes long."""
    written = request.app.openapi_schema.to_schema()
    for plugin in config.render_plugins:
        if isinstance(plugin, PlainYamlPlugin) and any(request.url.path.endswith(path) for path in plugin.paths):
            plugin.render(request, written)
