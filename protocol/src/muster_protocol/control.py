"""Controls of runs: cancel, pause, resume, answer, rerun, say, stop; stored on `muster.control.<run>`."""

from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct

from muster_protocol import codec

ControlName = Literal["cancel", "pause", "resume", "rerun", "answer"]
"""What people may do with a run."""


class Cancel(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="cancel"
):
    """End the run with cause `cancelled`."""

    id: str
    reason: str = ""
    by: str = ""


class Pause(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="pause"
):
    """Dispatch no sub-task until the run is resumed."""

    id: str
    by: str = ""


class Resume(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="resume"
):
    """Go on after a pause."""

    id: str
    by: str = ""


class Answer(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="answer"
):
    """Answer a question of a run."""

    id: str
    question: str
    text: str
    by: str = ""


class Rerun(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="rerun"
):
    """Run the same request again as a new run; repeating the control with the same id starts no other."""

    id: str
    by: str = ""


LONGEST_MESSAGE = 20_000
"""Characters of a message in a conversation."""


class Say(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="say"
):
    """Add a message to a conversation."""

    id: str
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_MESSAGE)]
    page: Annotated[str, Meta(max_length=500)] = ""
    """Path of the console's page that its writer looks at."""
    leads: bool = False
    """Whether the agent may lead its writer to another page."""
    by: str = ""


class Stop(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="stop"
):
    """Break off an answer of a conversation, which goes on."""

    id: str
    node: str
    """The sub-task that answers."""
    by: str = ""


Control = Cancel | Pause | Resume | Answer | Rerun | Say | Stop


def decode_control(data: bytes) -> Control:
    """Return a control from JSON.

    Raises:
        msgspec.DecodeError: it is not a control.
    """
    return cast("Control", codec.decode_asked(data, cast("Any", Control)))
