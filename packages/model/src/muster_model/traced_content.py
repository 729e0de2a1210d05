"""Questions and answers of models as attributes of spans.

As in OpenTelemetry's conventions (https://github.com/open-telemetry/semantic-conventions-genai). Pure.
"""

import json
from collections.abc import Sequence
from typing import Any

from muster_model.chat_messages import AskedCall, Assistant, Message, Reply, System, Text, ToolResult, User

Part = dict[str, Any]


def question_attributes(messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return the attributes of a question: instructions, messages and tools, each as JSON. Pictures are left out."""
    told = [_text(message.content) for message in messages if isinstance(message, System)]
    asked = [_message(message) for message in messages if not isinstance(message, System)]
    found = {"gen_ai.system_instructions": _json(told), "gen_ai.input.messages": _json(asked)}
    return found | ({"gen_ai.tool.definitions": _json([_definition(tool) for tool in tools])} if tools else {})


def answer_attributes(reply: Reply) -> dict[str, str]:
    """Return the attributes of an answer."""
    parts = _assistant_parts(reply.text, reply.calls)
    return {"gen_ai.output.messages": _json([{"role": "assistant", "parts": parts, "finish_reason": finish(reply)}])}


def finish(reply: Reply) -> str:
    """Return why a reply ended, in the words of the conventions."""
    return "length" if reply.cut else "tool_call" if reply.calls else "stop"


def _message(message: Message) -> Part:
    match message:
        case ToolResult():
            response = {"type": "tool_call_response", "id": message.tool_call_id, "response": message.content}
            return {"role": "tool", "parts": [response]}
        case Assistant():
            return {"role": "assistant", "parts": _assistant_parts(message.content or "", message.tool_calls)}
        case System(content=text) | User(content=str() as text):
            return {"role": "user", "parts": [_text(text)]}
        case User(content=parts):
            picture = {"type": "blob", "modality": "image", "mime_type": "image/png", "content": ""}
            return {"role": "user", "parts": [_text(it.text) if isinstance(it, Text) else picture for it in parts]}


def _assistant_parts(text: str, calls: Sequence[AskedCall]) -> list[Part]:
    asked = [
        {"type": "tool_call", "id": call.id, "name": call.function.name, "arguments": call.function.arguments}
        for call in calls
    ]
    return ([_text(text)] if text else []) + asked


def _text(content: str) -> Part:
    return {"type": "text", "content": content}


def _definition(tool: dict[str, Any]) -> Part:
    return {"type": "function", **tool["function"]}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
