"""What a model said, as journals keep it: read for people. Pure."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from muster_protocol.codec import decode


class AskedCall(Struct, frozen=True):
    """A call that a reply asked for; the arguments are the text that the model wrote."""

    name: str = ""
    arguments: str = ""


class _StoredCall(Struct, frozen=True):
    function: AskedCall = AskedCall()


class _StoredReply(Struct, frozen=True):
    """What is shown of a reply: as workers keep it, or as the chat-completions API returns it."""

    text: str = ""
    calls: tuple[_StoredCall, ...] = ()
    content: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[_StoredCall, ...] | None = None


class Reply(NamedTuple):
    """A reply as people read it."""

    text: str
    calls: tuple[AskedCall, ...]


def read_reply(kept: str) -> Reply:
    """Return a reply from the text that a journal keeps of it; where nothing known is in that, the text itself."""
    try:
        reply = decode(kept, _StoredReply)
    except (msgspec.DecodeError, RecursionError):
        reply = _StoredReply(content=kept)
    said = "\n\n".join(part for part in (reply.reasoning_content, reply.content, reply.text) if part and part.strip())
    asked = tuple(one.function for one in (*reply.calls, *(reply.tool_calls or ())))
    return Reply(said if said or asked else kept, asked)
