"""Parses a model's reply from the text in a journal. Pure."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from muster_protocol.codec import decode


class AskedCall(Struct, frozen=True):
    """A tool call in a reply; `arguments` is the model's raw text."""

    name: str = ""
    arguments: str = ""


class _StoredCall(Struct, frozen=True):
    function: AskedCall = AskedCall()


class _StoredReply(Struct, frozen=True):
    """A reply in the form of our journals, or of the chat-completions API."""

    text: str = ""
    calls: tuple[_StoredCall, ...] = ()
    content: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[_StoredCall, ...] | None = None


class Reply(NamedTuple):
    """A reply for display."""

    text: str
    calls: tuple[AskedCall, ...]


def read_reply(kept: str) -> Reply:
    """Parse a stored reply; if its form is unknown, the text is the reply."""
    try:
        reply = decode(kept, _StoredReply)
    except (msgspec.DecodeError, RecursionError):
        reply = _StoredReply(content=kept)
    said = "\n\n".join(part for part in (reply.reasoning_content, reply.content, reply.text) if part and part.strip())
    asked = tuple(one.function for one in (*reply.calls, *(reply.tool_calls or ())))
    return Reply(said if said or asked else kept, asked)
