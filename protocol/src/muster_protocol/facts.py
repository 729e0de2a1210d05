"""What a sub-task did and saw, as its result holds it: checks, calls that changed something, captured values."""

from typing import Literal

from msgspec import Struct

from muster_protocol.tool_calls import ArtifactRef


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check that speaks for or against one clause of the expectation."""

    clause: str
    """The clause, verbatim."""
    check: str
    """The tool that looked."""
    arguments: str = ""
    """The check's arguments as JSON, values filled in, secrets as placeholders."""
    call: int
    """Index of the call in the sub-task's journal."""
    passed: bool
    by: Literal["phrase", "model"] = "phrase"
    """Who bound the check to the clause: the parser of phrases, or a model, whose choice is examined."""
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[ArtifactRef, ...] = ()


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state-changing call that a model chose."""

    call: int
    """Index of the call in the sub-task's journal."""
    tool: str
    arguments: str
    """Its arguments as JSON, values filled in, secrets as placeholders."""
    confirmed: bool = True
    """Whether the call saw its own effect."""


class Capture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a model took a value from."""

    name: str
    arguments: str
    """Arguments of the call that captured it, as JSON."""
    tool: str = "remember"
    """The call that captured it; not all take a value from the product."""
