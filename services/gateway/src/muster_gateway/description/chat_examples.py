"""Bodies and examples of the operations on conversations."""

from dataclasses import dataclass

from litestar.openapi.spec import Example, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema

from muster_gateway.description.operation_docs import RUN

OPENED = {"conversation": RUN}
LIST: dict[str, object] = {
    "conversations": [
        {"run": RUN, "name": "conversation", "status": "parked", "job": "conversation", "requested_at": 1796000000.0}
    ]
}
CHAT: dict[str, object] = {
    "conversation": RUN,
    "name": "conversation",
    "agent": "assistant",
    "by": "ada",
    "state": "idle",
    "messages": [
        {"type": "message", "at": 1796000001.0, "by": "person", "text": "Which tests are flaky?", "id": "say-1"},
        {"type": "message", "at": 1796000003.0, "by": "agent", "node": "answer-00001", "text": "None is."},
    ],
}
_JSON = "application/json"


def _text(description: str, longest: int) -> Schema:
    return Schema(type=OpenAPIType.STRING, description=description, max_length=longest)


@dataclass
class OpenOperation(Operation):
    """Describes the body, which the handler reads itself."""

    def __post_init__(self) -> None:
        """Add the body."""
        properties = {
            "name": _text("What it is called in lists", 300),
            "agent": _text("An agent of kind `converse`; empty: `assistant`", 63),
        }
        media = OpenAPIMediaType(
            schema=Schema(type=OpenAPIType.OBJECT, properties=dict(properties)),
            examples={"assistant": Example(summary="With the assistant", value={"name": "The nightly run"})},
        )
        self.request_body = RequestBody(required=False, content={_JSON: media})


@dataclass
class SayOperation(Operation):
    """Describes the body, which the handler reads itself."""

    def __post_init__(self) -> None:
        """Add the body."""
        properties = {
            "text": _text("The message", 20_000),
            "page": _text("Path of the console's page that you look at", 500),
        }
        media = OpenAPIMediaType(
            schema=Schema(type=OpenAPIType.OBJECT, properties=dict(properties), required=["text"]),
            examples={"flaky": Example(summary="A question", value={"text": "Which tests are flaky?"})},
        )
        self.request_body = RequestBody(required=True, content={_JSON: media})
