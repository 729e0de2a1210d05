"""Sub-tasks of conversations: what an agent knows when it answers a message, and its answer."""

from typing import Literal

from msgspec import Struct

from muster_protocol.assignments import Rights


class Spoken(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that was said in a conversation."""

    by: Literal["person", "agent"]
    text: str


class ConverseInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="converse"):
    """What an agent knows of a conversation beside the message to answer, which is the sub-task's description."""

    earlier: tuple[Spoken, ...] = ()
    """The newest messages before, oldest first; long ones without their middle."""
    page: str = ""
    """Path of the console's page that the person looks at."""
    leads: bool = False
    """Whether it may lead the person to another page."""
    skill: str = ""
    """The skill that was loaded when the answer before ended; empty: none."""
    rights: Rights = Rights()
    """What it may use at most, whatever its file says."""


class ConverseOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="converse"):
    """An answer in a conversation."""

    text: str
    skill: str = ""
    """The skill that is loaded now; empty: none."""
