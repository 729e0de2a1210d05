"""Controls of runs: cancel, pause, resume, answer, rerun; stored on `muster.control.<run>`."""

from typing import Any, cast

from msgspec import Struct

from muster_protocol import codec


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


Control = Cancel | Pause | Resume | Answer | Rerun


def decode_control(data: bytes) -> Control:
    """Return a control from JSON.

    Raises:
        msgspec.DecodeError: it is not a control.
    """
    return cast("Control", codec.decode_untrusted(data, cast("Any", Control)))
