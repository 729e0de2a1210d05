"""An API description that is built when it is first asked for: building it takes half a second of a gateway's start."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import OpenAPI

Finish = Callable[[OpenAPI], None]


class LateDescription(OpenAPI):
    """A description that is finished by whoever knows the application, once, as it is written out."""

    finish: Finish | None = None

    def to_schema(self) -> dict[str, Any]:
        """Return the description as clients get it."""
        if self.finish is not None:
            self.finish(self)
            self.finish = None
        return super().to_schema()


@dataclass
class LateConfig(OpenAPIConfig):
    """Makes such descriptions; `finish` is set once there is an application."""

    finish: Finish | None = field(default=None)

    def to_openapi_schema(self) -> OpenAPI:
        """Return a description that is still to be finished."""
        begun = super().to_openapi_schema()
        late = LateDescription(**{it.name: getattr(begun, it.name) for it in fields(begun)})
        late.finish = self.finish
        return late
