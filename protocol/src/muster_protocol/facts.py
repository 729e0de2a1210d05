"""Facts about calls: what an act did, what a check looked at, where a value came from.

Tools state facts, and rules read them. A missing fact decodes as the worst case: an `unknown` act counts as writing and
running, an `unknown` check proves nothing, and a value from an `unknown` source is refused.
"""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArtifactRef

Does = Literal[
    "go",
    "scroll",
    "hover",
    "point",
    "double",
    "secondary",
    "hold",
    "drag",
    "enter",
    "key",
    "choose",
    "upload",
    "answer",
    "run",
    "write",
    "request",
    "unknown",
]
"""What an act does: navigate, scroll, hover, click (once, twice, with the right button, held), drag or swipe, enter
text, press a key, choose or tick, choose a file, answer a dialog, run a command, write a file, send a request."""

About = Literal[
    "element",
    "count",
    "page",
    "picture",
    "title",
    "address",
    "dialog",
    "response",
    "status",
    "output",
    "console",
    "exit",
    "file",
    "value",
    "unknown",
]
"""What a check looks at. `count`: the number of elements; `status`: an HTTP status; `exit`: an exit code; `value`:
one that the run knows already."""

Relation = Literal[
    "recognised",
    "is",
    "contains",
    "starts",
    "ends",
    "matches",
    "at_least",
    "at_most",
    "same",
    "above",
    "below",
    "ordered",
    "every",
    "class",
    "state",
    "includes",
    "judged",
    "unknown",
]
"""How a check compares what it sees with what is wanted. `same`, `above` and `below`: as numbers or dates; `ordered`:
several, one after the other; `every`: of all of a kind; `class`: by the first digit of an HTTP status; `includes`: as
one of several; `judged`: by a model that was shown only the page, and quoted `seen` from it."""

Source = Literal["page", "output", "url", "title", "response", "person", "unknown"]
"""Where a captured value comes from."""


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that changes state, in a sub-task in which a model chose at least one call."""

    call: int
    """Index of the call in the sub-task's journal."""
    tool: str
    """For people, like `arguments`; no rule reads them."""
    arguments: str = ""
    """JSON, with values filled in and placeholders for secrets."""
    by: Literal["phrase", "model"] = "model"
    """Who chose the call: the words of the case, or a model, whose choices are examined."""
    does: Does = "unknown"
    status: Literal["ok", "error", "refused", "unknown"] = "unknown"
    """Only `ok` can carry out a step. `refused`: the step's words do not allow the call."""
    failure: Failure | None = None
    """Why it could not be done, or what it met."""
    target: tuple[str, ...] = ()
    """Names of what it acts on: an element, a tab, a path."""
    place: tuple[str, ...] = ()
    """Names of the row, card or part that the target is in."""
    role: str = ""
    """Of the element, from the device or else from the call."""
    entered: tuple[str, ...] = ()
    """Texts entered into the product, a request or a file; keys pressed."""
    program: str = ""
    """The command run."""
    address: str = ""
    """The address opened or requested."""
    on_device: bool = True
    """Whether it acts on the device, which shows its effect."""
    confirmed: bool = False
    """Whether the call saw its own effect."""
    pictured: bool = False
    """Whether only what a model read in a picture says what it acts on: the device knows no name there."""


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check for or against one clause of the expectation."""

    clause: str
    """The clause, verbatim."""
    check: str
    """The tool. For people, like `arguments`; rules use both only to recognise a repeated check."""
    arguments: str = ""
    """JSON, with values filled in and placeholders for secrets."""
    call: int
    """Index of the call in the sub-task's journal."""
    passed: bool
    unmade: bool = False
    """Whether the check could not be made, so that it says neither yes nor no."""
    by: Literal["phrase", "model"] = "model"
    """Who assigned the check to the clause: the parser of phrases, or a model, whose choices are examined."""
    about: About = "unknown"
    target: tuple[str, ...] = ()
    """Where it looked: an element, its role and the part it is in, or a path."""
    wanted: tuple[str | int | float, ...] = ()
    """What it looked for."""
    relation: Relation = "unknown"
    denied: bool = False
    """Whether the check holds if what is wanted is absent."""
    grounded: bool = False
    """Of a model's look that says no: whether the page bears that out. Else it is undecided, and nobody is to blame."""
    partial: bool = False
    """Whether `seen` may leave out what was found; otherwise it must contain the literals of the clause."""
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[ArtifactRef, ...] = ()


class Capture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The origin of a captured value."""

    name: str
    by: Literal["phrase", "model"] = "model"
    """Who chose the call that captured it: the words of the case, or a model, whose choices are examined."""
    tool: str = ""
    """For people: the tool of that call."""
    source: Source = "unknown"
    target: tuple[str, ...] = ()
    """The element that holds it, and the part that this is in."""
    pattern: str = ""
    """Regular expression of the part kept; empty: all of it."""
