"""Controls of runs: cancel, pause, resume, answer, rerun, say, stop; stored on `muster.control.<run>`."""

from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct

from muster_protocol import codec

ControlName = Literal["cancel", "pause", "resume", "rerun", "answer"]
"""What people may do with a run."""


class _ControlBase(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    """What all controls have: an id by which a repeated one is known, and the name of whoever sent it."""

    id: str
    by: str = ""


class Cancel(_ControlBase, frozen=True, kw_only=True, tag="cancel"):
    """End the run with cause `cancelled`."""

    reason: str = ""


class Pause(_ControlBase, frozen=True, kw_only=True, tag="pause"):
    """Dispatch no sub-task until the run is resumed."""


class Resume(_ControlBase, frozen=True, kw_only=True, tag="resume"):
    """Go on after a pause."""


class Answer(_ControlBase, frozen=True, kw_only=True, tag="answer"):
    """Answer a question of a run."""

    question: str
    text: str


class Rerun(_ControlBase, frozen=True, kw_only=True, tag="rerun"):
    """Run the same request again as a new run; repeating the control with the same id starts no other."""


LONGEST_MESSAGE = 20_000
"""Characters of a message in a conversation."""


class Say(_ControlBase, frozen=True, kw_only=True, tag="say"):
    """Add a message to a conversation."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_MESSAGE)]
    page: Annotated[str, Meta(max_length=500)] = ""
    """Path of the console's page that its writer looks at."""
    leads: bool = False
    """Whether the agent may lead its writer to another page."""


class Stop(_ControlBase, frozen=True, kw_only=True, tag="stop"):
    """Break off an answer of a conversation, which goes on."""

    node: str
    """The sub-task that answers."""


Control = Cancel | Pause | Resume | Answer | Rerun | Say | Stop


def decode_control(data: bytes) -> Control:
    """Return a control from JSON.

    Raises:
        msgspec.DecodeError: it is not a control.
    """
    return cast("Control", codec.decode_asked(data, cast("Any", Control)))
