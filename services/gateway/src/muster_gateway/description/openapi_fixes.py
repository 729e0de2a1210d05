"""Corrects what the framework gets wrong or cannot express in the API description."""

from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import YamlRenderPlugin
from litestar.openapi.spec import (
    OpenAPI,
    OpenAPIHeader,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Schema,
)

from muster_gateway.description import parameter_docs

FILES = ("/runs/{run}/artifacts/{name}", "/maps/{run}/file")
"""Files, of any content type."""
REPORTS = {
    "/runs/{run}/report": ("text/html", "application/zip", "application/xml"),
    "/suites/{suite}/report": ("application/xml",),
    "/suites/report": ("application/xml",),
}
"""Content types of reports in addition to JSON; a handler can declare only one."""


def fix_schema(description: OpenAPI) -> None:
    """Correct the description in place."""
    _mend_schemas(description)
    for path, method, operation in _operations(description):
        parameter_docs.describe(operation)
        for status, answer in (operation.responses or {}).items():
            if isinstance(answer, OpenAPIResponse):
                _mend_answer(path, method, status, answer)


def _mend_schemas(description: OpenAPI) -> None:
    """Remove the alternative "any value" that Litestar adds to the items of a bounded `tuple[X, ...]`."""
    schemas = (description.components.schemas or {}).values()
    for field in [field for schema in schemas for field in (schema.properties or {}).values()]:
        if not isinstance(field, Schema):
            continue
        items = field.items
        if isinstance(items, Schema) and items.one_of and items.one_of[1:] == [Schema()]:
            field.items = items.one_of[0]


def _operations(description: OpenAPI) -> Iterator[tuple[str, str, Operation]]:
    for path, item in (description.paths or {}).items():
        methods = (
            ("get", item.get),
            ("post", item.post),
            ("put", item.put),
            ("delete", item.delete),
            ("head", item.head),
        )
        for method, operation in methods:
            if operation is not None:
                yield path, method, operation


class PlainYamlPlugin(YamlRenderPlugin):
    """Renders the JSON description as YAML, since Python types would become tags that other parsers reject.

    It takes half a second, so the text is kept.
    """

    _rendered = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the description."""
        if not self._rendered:
            self._rendered = msgspec.yaml.encode(msgspec.json.decode(msgspec.json.encode(openapi_schema)))
        return self._rendered


def _mend_answer(path: str, method: str, status: str, answer: OpenAPIResponse) -> None:
    """Remove bodies from responses without one, and add the content types of files and reports."""
    text = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
    for header in (answer.headers or {}).values():
        if isinstance(header, OpenAPIHeader) and header.schema is None:
            header.schema = Schema(type=OpenAPIType.STRING)
    if method == "head" or status in ("204", "304"):
        answer.content = None
    elif path in FILES and status in ("200", "206"):
        answer.content = {"*/*": text}
    elif path in REPORTS and status == "200":
        answer.content = {**(answer.content or {}), **dict.fromkeys(REPORTS[path], text)}
