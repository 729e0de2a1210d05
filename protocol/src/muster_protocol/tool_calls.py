"""Tool calls and what came of them, as journals and evidence hold them."""

import operator
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from muster_protocol.causes import Failure

Effect = Literal["read", "idempotent", "act", "check"]
"""What repeating a call would do: nothing, the same again, something new, or compare."""
CHANGING: frozenset[Effect] = frozenset({"act", "idempotent"})
"""Effects of calls that change something."""

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


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a call, a sub-task or a run has spent."""

    calls: int = 0
    """Tool calls."""
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """Money, in the currency of the price table."""
    seconds: float = 0.0

    def plus(self, more: "Usage") -> "Usage":
        """Return the sum of both."""
        return self._combine(operator.add, more)

    def minus(self, less: "Usage") -> "Usage":
        """Return what is left of this without the other."""
        return self._combine(operator.sub, less)

    def _combine(self, combine: Callable[[Any, Any], Any], other: "Usage") -> "Usage":
        return Usage(**{name: combine(getattr(self, name), getattr(other, name)) for name in self.__struct_fields__})


class Box(Struct, frozen=True, kw_only=True):
    """Where an element was in the window of the page, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Touched(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The element that a call acted on, as the device knows it."""

    role: str = ""
    names: tuple[str, ...] = ()
    place: str = ""
    """What names the row, card or part it is in."""


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
    usage: Usage | None = None
    """What a model it asked has cost."""
    element: Box | None = None
    """Where the element was that it touched or looked at, once the page had settled; None: none, or in a frame."""
    touched: Touched | None = None
    """What a model's call acted on; None: no element, or nobody knows."""
