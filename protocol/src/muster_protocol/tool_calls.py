"""Tool calls and their outcomes, as in journals and evidence."""

import operator
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from muster_protocol.causes import Failure

Effect = Literal["read", "idempotent", "act", "check"]
"""What a call does to the world: `read` and `check` change nothing, `idempotent` may be repeated, `act` may not."""
CHANGING: frozenset[Effect] = frozenset({"act", "idempotent"})
"""Effects of calls that change something."""

ArgumentValue = str | int | float | bool | None | list[str]


class ArtifactRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored file: its name, digest and size."""

    name: str
    """Name in the object store, `<run>/<task>/<file>`."""
    sha256: str
    size: int
    """Bytes."""
    content_type: str = "application/octet-stream"


class ToolCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a tool. It holds placeholders (`${secret:NAME}`) in place of secrets."""

    tool: str
    arguments: dict[str, ArgumentValue] = {}
    clause: str = ""
    """The clause of the expectation that a check is about, verbatim; empty for other calls."""


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Resources that a call, sub-task or run has used."""

    calls: int = 0
    """Tool calls."""
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of the input tokens, those that the model's server had read before, as far as it says so."""
    cost: float = 0.0
    """Money, in the currency of the price table."""
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return self.input_tokens + self.output_tokens

    def plus(self, more: "Usage") -> "Usage":
        """Return the sum."""
        return self._combine(operator.add, more)

    def minus(self, less: "Usage") -> "Usage":
        """Return the difference."""
        return self._combine(operator.sub, less)

    def _combine(self, combine: Callable[[Any, Any], Any], other: "Usage") -> "Usage":
        return Usage(**{name: combine(getattr(self, name), getattr(other, name)) for name in self.__struct_fields__})


class Box(Struct, frozen=True, kw_only=True):
    """Position of an element in the page's window, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Touched(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The element that a call acted on, as the device knows it."""

    role: str = ""
    names: tuple[str, ...] = ()
    """Its name first, if it has one."""
    place: str = ""
    """Name of the row, card or part that it is in."""
    native: str = ""
    """What the device itself calls its kind."""
    beside: tuple[str, ...] = ()
    """What stands before and after it."""
    floating: bool = False
    """It lies over the rest of the screen."""
    framed: bool = False
    """It is in a frame of the page."""
    sole: bool = False
    """Nothing else is of its role and name, and it is in a form that is no row, card or item."""
    unnamed: bool = False
    """It has no name: the first of `names` is another word for it."""
    box: Box | None = None
    """Where it was before it was used; None: unknown, or in a frame."""


class Consequence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an act was seen to do. Numbers in it are `#`."""

    path: str = ""
    """Path of the address afterwards."""
    moved: bool = False
    """The screen is another one."""
    dialog: bool = False
    """A dialog of the device waits for an answer."""
    closed: bool = False
    """What lay over the screen went away."""
    texts: tuple[str, ...] = ()
    """Headings, alerts and lines that are new."""
    opening: tuple[str, ...] = ()
    """If the screen is another one: the first lines below its first heading."""


class Shown(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a call has changed what the screen shows, if that is recorded."""

    pictures: tuple[str, ...] = ()
    """Full names of the pictures before and after it; of a step that passed they may not be kept."""
    target: Box | None = None
    """What was acted on, in the first picture, which has a frame around it."""
    gone: tuple[str, ...] = ()
    """Lines of the tree of roles and names that are no longer there."""
    new: tuple[str, ...] = ()
    parts: tuple[Box, ...] = ()
    """The parts of the picture that differ."""


class Obstacle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies over the element that a call was to act on, so that nothing was done. Its texts are the product's."""

    role: str = ""
    name: str = ""
    text: str = ""
    """What it says, its beginning."""
    offers: tuple[str, ...] = ()
    """Names of the buttons in it."""
    words: str = ""
    """For people: `dialog "Cookies"`."""
    popup: bool = False
    """It came with the last action, for the field that has the focus, as a calendar does."""


class ToolOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a tool call."""

    status: Literal["ok", "failed", "error"]
    """`ok`: done, or the check holds; `failed`: the check was evaluated and is false; `error`: it could not be done."""
    text: str = ""
    """For the model and people: what happened or was read; shortened, with secrets masked."""
    failure: Failure | None = None
    expected: str = ""
    seen: str = ""
    where: str = ""
    """URL, element or command that the outcome is about."""
    confirmed: bool = True
    """Whether the call saw its own effect (the field holds the text, the page changed)."""
    captured: dict[str, str] = {}
    artifacts: tuple[ArtifactRef, ...] = ()
    duration_ms: float = 0.0
    usage: Usage | None = None
    """Usage of a model that the tool asked."""
    element: Box | None = None
    """Position of the element it touched or looked at, once the page had settled; None: no element, or in a frame."""
    touched: Touched | None = None
    """The element that a model's call acted on; None: none, or unknown."""
    consequence: Consequence | None = None
    """What a model's call was seen to do; None: nothing, or unknown."""
    strategy: str = ""
    """By what the element of an act was found: `ref`, `name`, `label`, `words` in its text, `part` of a word;
    `picture`: a model has found it in a picture."""
    unsent: bool = False
    """Of an error: its target could not be used, and nothing was sent to the product."""
    alike: tuple[str, ...] = ()
    """All elements that its target may be, in words, in the order in which an ordinal counts them."""
    obstacle: Obstacle | None = None
    """What was in the way; the call has done nothing then."""
    shown: Shown | None = None
    """How the screen changed; None: not recorded."""
