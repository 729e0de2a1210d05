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
TAKES_CONVERSATION = taking(
    {
        JSON: media_of(
            object_of(
                {
                    "name": text_of("What it is called in lists", 300),
                    "agent": text_of("An agent of kind `converse`; empty: `assistant`", 63),
                }
            ),
            {"name": "The nightly run"},
            "assistant",
            "With the assistant",
        )
    },
    required=False,
)
TAKES_MESSAGE = taking(
    {
        JSON: media_of(
            object_of(
                {
                    "text": text_of("The message", 20_000),
                    "page": text_of("Path of the console's page that you look at", 500),
                },
                ["text"],
            ),
            {"text": "Which tests are flaky?"},
            "flaky",
            "A question",
        )
    }
)
