"""Facts about calls: what an act did, what a check looked at, where a value came from.

Tools state them and rules read them. A fact that is left out decodes as the worst: an `unknown` act counts as writing
and running, an `unknown` check proves nothing, and a value from an `unknown` source is refused.
"""

from typing import Literal

from msgspec import Struct

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
"""What an act does: go elsewhere, scroll, rest the pointer, click (once, twice, with the right button, held), drag or
swipe, enter a text, press a key, choose or tick, choose a file, answer a dialog, run a command, write a file, send a
request."""

About = Literal[
    "element",
    "count",
    "page",
    "title",
    "address",
    "dialog",
    "response",
    "status",
    "output",
    "exit",
    "file",
    "value",
    "unknown",
]
"""What a check looks at. `count`: how many elements there are; `status`: of an HTTP response; `exit`: an exit code;
`value`: one that the run knows already."""

Relation = Literal[
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
"""How a check compares what it sees with what is wanted. `same`, `above` and `below`: as
numbers or dates; `ordered`: several, one after the other; `every`: of all of a kind; `class`: the first digit of an
HTTP status; `includes`: one of
several; `judged`: a model that was shown the page alone says so, and `seen` is what it quoted."""

Source = Literal["page", "output", "url", "title", "response", "person", "unknown"]
"""Where a captured value comes from."""


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that changes state, of a sub-task in which a model chose at least one."""

    call: int
    """Index of the call in the sub-task's journal."""
    tool: str
    """For people, as are `arguments`; no rule reads them."""
    arguments: str = ""
    """As JSON, values filled in, secrets as placeholders."""
    by: Literal["phrase", "model"] = "model"
    """Who chose it: the words of the case, or a model, whose choice is examined."""
    does: Does = "unknown"
    status: Literal["ok", "error", "refused", "unknown"] = "unknown"
    """Whether it was done; what was not cannot have carried out a step. `refused`: the step's words do not allow it."""
    target: tuple[str, ...] = ()
    """Names of what it acts on: an element, a tab, a path."""
    place: tuple[str, ...] = ()
    """Names of the row, card or part that this is in."""
    role: str = ""
    """Of the element, as the device knows it, or as the call names it."""
    entered: tuple[str, ...] = ()
    """Texts that it puts into the product, a request or a file; keys that it presses."""
    program: str = ""
    """The command that it runs."""
    address: str = ""
    """The address that it opens or sends a request to."""
    on_device: bool = True
    """It acts on the device, where it can be seen whether it had an effect."""
    confirmed: bool = False
    """The call saw its own effect."""


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check that speaks for or against one clause of the expectation."""

    clause: str
    """The clause, verbatim."""
    check: str
    """The tool that looked. For people, as are `arguments`; together they tell whether a check was repeated."""
    arguments: str = ""
    """As JSON, values filled in, secrets as placeholders."""
    call: int
    """Index of the call in the sub-task's journal."""
    passed: bool
    unmade: bool = False
    """It could not be made, so that it says neither yes nor no."""
    by: Literal["phrase", "model"] = "model"
    """Who bound the check to the clause: the parser of phrases, or a model, whose choice is examined."""
    about: About = "unknown"
    target: tuple[str, ...] = ()
    """Words for where it looked: an element, its role and the part it is in, a path."""
    wanted: tuple[str | int | float, ...] = ()
    """What it looked for."""
    relation: Relation = "unknown"
    denied: bool = False
    """It holds if what is wanted is not there."""
    partial: bool = False
    """`seen` may leave out what was found; else a literal of the clause must stand in it."""
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[ArtifactRef, ...] = ()


class Capture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a model took a value from."""

    name: str
    source: Source = "unknown"
    target: tuple[str, ...] = ()
    """Words for the element on the page that holds it, and for the part it is in."""
    pattern: str = ""
    """Regular expression of the part that was kept; empty: the whole."""
