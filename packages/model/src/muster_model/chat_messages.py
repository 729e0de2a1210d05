"""Messages of the chat-completions API (https://platform.openai.com/docs/api-reference/chat), typed."""

from typing import Any

import msgspec
from msgspec import Struct

from muster_protocol.tool_calls import Usage


class Text(Struct, frozen=True, tag_field="type", tag="text"):
    """A part of a message: text."""

    text: str


class ImageUrl(Struct, frozen=True):
    """Where a picture is: a data URL."""

    url: str


class Image(Struct, frozen=True, tag_field="type", tag="image_url"):
    """A part of a message: a picture."""

    image_url: ImageUrl


class Function(Struct, frozen=True):
    """What a model wants called; the arguments are the JSON it wrote, good or bad."""

    name: str
    arguments: str


class AskedCall(Struct, frozen=True):
    """A call that a model asks for."""

    id: str
    function: Function
    type: str = "function"


class System(Struct, frozen=True, tag_field="role", tag="system"):
    """What the model is, and the rules it works by."""

    content: str


class User(Struct, frozen=True, tag_field="role", tag="user"):
    """What it is asked."""

    content: str | tuple[Text | Image, ...]


class Assistant(Struct, frozen=True, tag_field="role", tag="assistant", omit_defaults=True):
    """What it said."""

    content: str | None = None
    tool_calls: tuple[AskedCall, ...] = ()


class ToolResult(Struct, frozen=True, tag_field="role", tag="tool"):
    """What came of a call it asked for."""

    tool_call_id: str
    content: str


Message = System | User | Assistant | ToolResult


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer of a model, as the journal keeps it."""

    text: str = ""
    calls: tuple[AskedCall, ...] = ()
    usage: Usage = Usage()
    cut: bool = False
    """It ended because its length was used up."""


def to_json(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Return messages as the API takes them."""
    return [{"content": None, **msgspec.to_builtins(message)} for message in messages]


CHARACTERS_PER_TOKEN = 3.5
"""A careful guess for texts and JSON in English; the real count comes back with each reply."""
IMAGE_TOKENS = 1_100


def count_tokens(messages: tuple[Message, ...], tools: str = "") -> int:
    """Return about how many tokens messages and tools take. Pure; no tokenizer is fetched."""
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
