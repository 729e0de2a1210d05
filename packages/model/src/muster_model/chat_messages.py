"""Messages of the chat-completions API (https://platform.openai.com/docs/api-reference/chat), typed."""

from typing import Any

import msgspec
from msgspec import Struct

from muster_protocol.tool_calls import Usage
from muster_text.hidden_text import drop_hidden


class Text(Struct, frozen=True, tag_field="type", tag="text"):
    """A part of a message: text."""

    text: str


class ImageUrl(Struct, frozen=True):
    """A picture as a data URL."""

    url: str


class Image(Struct, frozen=True, tag_field="type", tag="image_url"):
    """A part of a message: a picture."""

    image_url: ImageUrl


class Function(Struct, frozen=True):
    """A function to call; `arguments` is the model's JSON, not validated."""

    name: str
    arguments: str


class AskedCall(Struct, frozen=True):
    """A tool call that a model requests."""

    id: str
    function: Function
    type: str = "function"


class System(Struct, frozen=True, tag_field="role", tag="system"):
    """System message: the model's role and rules."""

    content: str


class User(Struct, frozen=True, tag_field="role", tag="user"):
    """User message: the question."""

    content: str | tuple[Text | Image, ...]


class Assistant(Struct, frozen=True, tag_field="role", tag="assistant", omit_defaults=True):
    """Assistant message: the model's answer."""

    content: str | None = None
    tool_calls: tuple[AskedCall, ...] = ()


class ToolResult(Struct, frozen=True, tag_field="role", tag="tool"):
    """Result of a requested call."""

    tool_call_id: str
    content: str


Message = System | User | Assistant | ToolResult


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer of a model, as stored in the journal."""

    text: str = ""
    calls: tuple[AskedCall, ...] = ()
    usage: Usage = Usage()
    cut: bool = False
    """Whether it was cut off at the limit of tokens."""
    withheld: bool = False
    """Whether the server's content filter has kept it back, or a part of it."""


def to_json(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Return messages in the API's format, without the characters by which a page tells a model what nobody sees."""
    return [{"content": None, **_seen(msgspec.to_builtins(message))} for message in messages]


def _seen(message: dict[str, Any]) -> dict[str, Any]:
    match message.get("content"):
        case str() as text:
            return {**message, "content": drop_hidden(text)}
        case [*parts]:
            told = [{**part, "text": drop_hidden(part["text"])} if "text" in part else part for part in parts]
            return {**message, "content": told}
        case _:
            return message


CHARACTERS_PER_TOKEN = 3.5
"""Conservative estimate for English text and JSON; replies report the real count."""
IMAGE_TOKENS = 1_100


def count_tokens(messages: tuple[Message, ...], tools: str = "") -> int:
    """Return an estimate of the tokens in messages and tools. Pure; needs no tokenizer."""
    pictures = sum(
        isinstance(part, Image)
        for message in messages
        if isinstance(message, User) and not isinstance(message.content, str)
        for part in message.content
    )
    size = len(tools) + sum(_length(message) for message in messages)
    return round(size / CHARACTERS_PER_TOKEN) + 4 * len(messages) + IMAGE_TOKENS * pictures


def _length(message: Message) -> int:
    match message:
        case User(content=tuple() as parts):
            return sum(len(part.text) for part in parts if isinstance(part, Text))
        case Assistant(content=text, tool_calls=calls):
            return len(text or "") + sum(len(call.function.name) + len(call.function.arguments) + 20 for call in calls)
        case _:
            return len(str(message.content))
