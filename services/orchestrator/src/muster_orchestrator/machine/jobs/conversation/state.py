"""The state of a conversation."""

from msgspec import Struct

from muster_protocol.control import Say
from muster_protocol.conversation_work import Spoken


class ConversationState(Struct, frozen=True, kw_only=True, tag_field="type", tag="conversation"):
    """What was said, as far as the next answer may know of it, and what is still to be answered."""

    said: tuple[Spoken, ...] = ()
    """The newest messages, oldest first."""
    waiting: tuple[Say, ...] = ()
    """Messages without an answer, oldest first; the first one is being answered."""
    first: str = ""
    """The beginning of the first message, which a conversation without a name is called by."""
    turns: int = 0
    """How many answers were begun."""
    skill: str = ""
    """The skill that was loaded when the last answer ended."""
