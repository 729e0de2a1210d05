"""Bodies that handlers read themselves, as the API description shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from litestar.openapi.spec import (
    Example,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    Reference,
    RequestBody,
    Schema,
)

JSON = "application/json"
CASE_YAML = """\
name: A visitor buys a backpack
tags: [smoke]
variables: {base_url: "http://127.0.0.1:8000"}
steps:
  - action: Open "${base_url}/login"
    expected: The page title is "Demo shop"
"""
CASE_GHERKIN = """\
@smoke
Feature: Shop

  Scenario: A visitor buys a backpack
    When Open "http://127.0.0.1:8000/login"
    Then The page title is "Demo shop"
"""
CASE_MARKDOWN = """\
# A visitor buys a backpack

1. Open "http://127.0.0.1:8000/login"
   - Expected: The page title is "Demo shop"
"""


def taking(content: Mapping[str, OpenAPIMediaType], *, required: bool = True) -> type[Operation]:
    """Return the class of an operation that takes one of these media types."""

    @dataclass
    class Taking(Operation):
        def __post_init__(self) -> None:
            self.request_body = RequestBody(required=required, content=dict(content))

    return Taking


def media_of(
    schema: Schema | str, value: object, example: str = "example", summary: str | None = None
) -> OpenAPIMediaType:
    """Return a body of a schema, or of a type that the description names, with one example."""
    known = Reference(ref=f"#/components/schemas/{schema}") if isinstance(schema, str) else schema
    return OpenAPIMediaType(schema=known, examples={example: Example(summary=summary, value=cast("Any", value))})


def object_of(fields: Mapping[str, Schema | str], needed: Sequence[str] = ()) -> Schema:
    """Return the schema of an object; a field that is only described is a text."""
    properties = {name: text_of(one) if isinstance(one, str) else one for name, one in fields.items()}
    return Schema(type=OpenAPIType.OBJECT, properties=dict(properties), required=list(needed) or None)


def text_of(description: str, longest: int | None = None) -> Schema:
    """Return the schema of a text; `longest`: maximum length in characters."""
    return Schema(type=OpenAPIType.STRING, description=description, max_length=longest)


_CASES = {
    kind: media_of(text_of("Test cases"), text)
    for kind, text in (
        ("application/yaml", CASE_YAML),
        ("text/x-gherkin", CASE_GHERKIN),
        ("text/markdown", CASE_MARKDOWN),
    )
}
REQUEST: dict[str, object] = {
    "job": {
        "type": "test_case",
        "name": "A visitor buys a backpack",
        "steps": [{"action": 'Open "http://127.0.0.1:8000/login"', "expected": 'The page title is "Demo shop"'}],
    },
    "suite": "smoke",
    "idempotency_key": "build-4711-backpack",
}
TAKES_CASES = taking(_CASES)
TAKES_CASES_OR_REQUEST = taking({JSON: media_of("RunRequest", REQUEST), **_CASES})
