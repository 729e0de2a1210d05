"""Bodies and examples of the operations on conversations."""

from muster_gateway.description.operation_docs import RUN
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking, text_of

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
_CONVERSATION = object_of(
    {
        "name": text_of("What it is called in lists", 300),
        "agent": text_of("An agent of kind `converse`; empty: `assistant`", 63),
    }
)
_MESSAGE = object_of(
    {"text": text_of("The message", 20_000), "page": text_of("Path of the console's page that you look at", 500)},
    ["text"],
)
_NAMED, _ASKED = {"name": "The nightly run"}, {"text": "Which tests are flaky?"}
TAKES_CONVERSATION = taking({JSON: media_of(_CONVERSATION, _NAMED, "assistant", "With the assistant")}, required=False)
TAKES_MESSAGE = taking({JSON: media_of(_MESSAGE, _ASKED, "flaky", "A question")})
