"""An API description that is built when it is first asked for: building it takes half a second of a gateway's start."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import OpenAPI

Finish = Callable[[OpenAPI], None]


class LateDescription(OpenAPI):
    """A description that is completed once, when it is first written out."""

    finish: Finish | None = None

    def to_schema(self) -> dict[str, Any]:
        """Return the description as clients get it."""
        if self.finish is not None:
            self.finish(self)
            self.finish = None
        return super().to_schema()


@dataclass
class LateConfig(OpenAPIConfig):
    """Makes such descriptions; set `finish` once there is an application: what is added needs its routes."""

    finish: Finish | None = None

    def to_openapi_schema(self) -> OpenAPI:
        """Return a description that is not completed yet."""
        begun = super().to_openapi_schema()
        late = LateDescription(**{it.name: getattr(begun, it.name) for it in fields(begun)})
        late.finish = self.finish
        return late
