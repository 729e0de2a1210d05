"""Tool calls and what came of them, as journals and evidence hold them."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Failure

Effect = Literal["read", "idempotent", "act", "check"]
"""What repeating a call would do: nothing, the same again, something new, or compare."""

ArgumentValue = str | int | float | bool | None | list[str]


class ArtifactRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored file: where it is, and what it must hash to."""

    name: str
    """Name in the object store, `<run>/<task>/<file>`."""
    sha256: str
    size: int
    """Bytes."""
    content_type: str = "application/octet-stream"


class ToolCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a tool. Secrets stay placeholders (`${secret:NAME}`) in here."""

    tool: str
    arguments: dict[str, ArgumentValue] = {}
    clause: str = ""
    """The clause of the expectation a check proves, verbatim; empty for other calls."""


class ToolOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a tool call."""

    status: Literal["ok", "failed", "error"]
    """`ok`: done, or the check holds; `failed`: the check was evaluated and is false; `error`: it could not be done."""
    text: str = ""
    """For the model and for people: what happened or what was read; shortened and masked."""
    failure: Failure | None = None
    expected: str = ""
    seen: str = ""
    where: str = ""
    """URL, element or command the outcome is about."""
    confirmed: bool = True
    """Whether the call saw its own effect (the field holds the text, the page changed)."""
    captured: dict[str, str] = {}
    artifacts: tuple[ArtifactRef, ...] = ()
    duration_ms: float = 0.0
